// Where the values of items lie: one file each in a folder, and nothing outside it.
import { describe, expect, it } from 'vitest'
import { folderTensors, inFolder } from '../../../main/engine/formats/tensors/folder.ts'
import { packDump, unpackDump } from '../../../main/engine/formats/dump-pack.ts'
import { noTensors } from '../../../main/engine/model/tensor-store.ts'
import { drawn, scalar, tensor } from '../../support/dump-text.ts'

const f32 = (more = {}): string => tensor('torch.float32', [2], ['1.0', '0.0', '0.5', '1.0'], more)
const named = (name: string): string => f32({ data_name: name })

describe('a folder of tensors', () => {
  it.each(['', '.', '..', '../a.npy', 'a/b.npy', 'a\\b.npy', 'C:\\a.npy', 'a\0.npy'])(
    'does not follow %j out',
    name => expect(inFolder('/d', name)).toBe(''),
  )

  it('leads to the files that items name, with the type that the dump tells', async () => {
    const dump = await drawn(
      {
        'Functional.f.0.forward': {
          input_args: `[${named('a.npy')}, ${f32()}, ${named('../b.npy')}, ${scalar('int', '3')}]`,
          output: `[${named('..c.npy')}]`,
        },
      },
      { framework: 'pytorch', task: 'tensor' },
    )
    const refs = Array.from({ length: 6 }, (_, item) => dump.tensors.ref(item - 1))
    const dtype = 'torch.float32'
    expect(dump.tensors.place).toBe('/d/dump_tensor_data')
    expect(refs).toEqual([
      null,
      { file: '/d/dump_tensor_data/a.npy', dtype },
      null,
      null,
      null,
      { file: '/d/dump_tensor_data/..c.npy', dtype },
    ])
    const packed = packDump(dump)
    const sent = packed && unpackDump(structuredClone(packed))
    expect(sent && refs.map((_, item) => sent.tensors.ref(item - 1))).toEqual(refs)
  })

  it('that does not exist has none', async () => {
    const dump = await drawn({ f: { output: `[${named('a.npy')}]` } })
    expect(dump.tensors).toBe(noTensors)
    expect(folderTensors('', dump.items, dump.texts).ref(0)).toBe(null)
  })
})
