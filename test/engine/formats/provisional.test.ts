// Calls that only tensor files tell of, as the reader of a dump takes them in.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { dumpFilesOf, readDump } from '../../../main/engine/formats/msprobe/read.ts'
import { diskFiles } from '../../../main/engine/io/index.ts'
import { type Dump, itemName, opName } from '../../../main/engine/model/index.ts'
import { job } from '../../../main/engine/work/index.ts'
import { Dumping } from '../../support/dumping.ts'
import { temporaryFolder } from '../../support/temporary.ts'

function read(dir: string, provisional: boolean): Promise<Dump> {
  const files = diskFiles()
  files.allow(dir)
  return readDump(files, dumpFilesOf(files, dir), job(), undefined, provisional)
}

it('stand behind those of dump.json, with statistics, in the hierarchy', async () => {
  const dumping = new Dumping(path.join(temporaryFolder(), 'rank0')).calls(2).flush()
  dumping.call('Functional.gelu.0.forward', [3, 4]).input('Functional.softmax.0.forward', [1, 1])
  const dump = await read(dumping.dir, true)
  expect(Array.from({ length: dump.ops.length }, (_, op) => opName(dump, op)).slice(2)).toEqual([
    'Functional.gelu.0.forward',
    'Functional.softmax.0.forward',
  ])
  expect(dump).toMatchObject({ provisionalFrom: 2, partial: true })
  const item = dump.ops.first[2]
  expect(itemName(dump, item)).toBe('Functional.gelu.0.forward.input.0')
  expect(
    [dump.items.max, dump.items.min, dump.items.mean, dump.items.norm].map(({ value }) => value[item]),
  ).toEqual([4, 3, 3.5, 5])
  for (let op = 0; op < dump.ops.length; op++)
    expect(dump.construct.find(dump.ops.name[op])).toBeGreaterThanOrEqual(0)
})

it('are left out where nobody looks on, and while their files are half written', async () => {
  const dumping = new Dumping(path.join(temporaryFolder(), 'rank0'))
    .calls(2)
    .flush()
    .call('Functional.gelu.0.forward')
  expect((await read(dumping.dir, false)).ops.length).toBe(2)
  for (const part of ['input', 'output'])
    writeFileSync(
      path.join(dumping.dir, 'dump_tensor_data', `Functional.gelu.0.forward.${part}.0.npy`),
      'half',
    )
  const dump = await read(dumping.dir, true)
  expect(dump.ops.length).toBe(2)
  expect(dump.partial).toBe(false)
})
