// What is written for torch.load: read again by the reader that knows PyTorch's own files, and by a zip reader that checks sums.
import { unzipSync } from 'fflate'
import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { type DtypeName, dtypes } from '../../../main/engine/formats/tensors/dtype.ts'
import { numpyType } from '../../../main/engine/formats/tensors/npy-writer.ts'
import { ptSink } from '../../../main/engine/formats/tensors/pt-writer.ts'
import { tensorReader } from '../../../main/engine/formats/tensors/tensor.ts'
import { tensorLayout } from '../../../main/engine/formats/tensors/tensor-file.ts'
import { joined, sourceOf } from '../../support/tensor-files.ts'

function written(name: DtypeName, shape: readonly number[], pieces: readonly Uint8Array[]): Uint8Array {
  const parts: Uint8Array[] = []
  const sink = {
    write: (...more: readonly Uint8Array[]): void => void parts.push(...more.map(part => part.slice())),
    close: (): void => undefined,
  }
  const size = shape.reduce((all, dim) => all * dim, 1)
  const file = ptSink(sink, { dtype: dtypes[name], shape, size })
  for (const piece of pieces) file.write(piece)
  file.close()
  return joined(parts)
}

const bytesFor = (name: DtypeName, size: number): Uint8Array =>
  Uint8Array.from({ length: size * dtypes[numpyType(dtypes[name])].bytes }, (_, i) =>
    name === 'bool' ? i & 1 : (i * 7) & 63,
  )

describe('a .pt of one tensor', () => {
  const names = ['float16', 'float32', 'float64', 'int8', 'int16', 'int32', 'int64', 'uint8', 'bool'] as const
  it.each([...names, 'complex64', 'complex128', 'uint16', 'uint32', 'uint64', 'bfloat16'] as const)(
    'of %s is what was written',
    name => {
      const bytes = bytesFor(name, 24)
      const half = bytes.length / 2
      const file = written(name, [2, 3, 4], [bytes.subarray(0, half), bytes.subarray(half)])
      const source = sourceOf(file)
      const layout = tensorLayout(source, 'x.pt')
      expect([layout.dtype.name, layout.shape]).toEqual([numpyType(dtypes[name]), [2, 3, 4]])
      const read = new Uint8Array(bytes.length)
      expect(tensorReader(source, layout, 'x.pt').read(0, read)).toBe(24)
      expect(read).toEqual(bytes)
      expect(unzipSync(file)['archive/data/0']).toEqual(bytes)
    },
  )
  it.each([[[]], [[0, 3]], [[70_000]]])('of shape %j has that shape', shape => {
    const size = shape.reduce((all: number, dim) => all * dim, 1)
    const source = sourceOf(written('float32', shape, size > 0 ? [bytesFor('float32', size)] : []))
    expect(tensorLayout(source, 'x.pt')).toMatchObject({ shape, size })
  })
  it('says of its elements the sum that they have', () => {
    const bytes = bytesFor('float32', 6)
    const file = Buffer.from(written('float32', [6], [bytes]))
    const entry = file.indexOf('archive/data/0', file.indexOf(Uint8Array.of(0x50, 0x4b, 1, 2))) - 46
    expect(file.readUInt32LE(entry + 16)).toBe(crc32(bytes))
  })
})
