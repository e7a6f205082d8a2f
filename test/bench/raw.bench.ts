// Raw NPU dumps: tensors out of a device's layout, and the headers of many files.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { rawReading, readRawHeader } from '../../main/engine/formats/index.ts'
import { tensorReader } from '../../main/engine/formats/tensors/tensor.ts'
import { layoutOf } from '../../main/engine/formats/tensors/tensor-file.ts'
import { diskFiles } from '../../main/engine/io/index.ts'
import { rawFile } from '../support/raw-files.ts'
import { sourceOf } from '../support/tensor-files.ts'
import { type Case, memory, random, time, works } from './case.ts'

const folder = path.join(process.env['PLUMBLINE_BENCH_TMP'] ?? path.join(tmpdir(), 'plumbline-bench'), 'raw')

interface Tiled {
  readonly file: Uint8Array
  /** Where the elements begin. */
  readonly from: number
  readonly device: readonly number[]
  readonly shape: readonly number[]
  /** Where ours and the baseline put theirs: memory that is there already, so that only converting is timed. */
  readonly out: readonly [ours: Uint16Array<ArrayBuffer>, baseline: Uint16Array<ArrayBuffer>]
}

/** Halves by chance, tiles of 16. */
async function tiled(format: number, device: readonly number[], shape: readonly number[]): Promise<Tiled> {
  const next = random(5)
  const words = new Uint16Array(device.reduce((all, dim) => all * dim, 1))
  for (let i = 0; i < words.length; i++) words[i] = next() * 65536
  const data = new Uint8Array(words.buffer)
  const file = rawFile({
    outputs: [{ dtype: 2, format, shape: device, originalShape: shape, originalFormat: 1, data }],
  })
  const size = shape.reduce((all, dim) => all * dim, 1)
  const out = [new Uint16Array(size).fill(1), new Uint16Array(size).fill(1)] as const
  return { file, from: file.length - data.length, device, shape, out }
}

async function converted({ file, out: [values] }: Tiled): Promise<Uint16Array> {
  const source = sourceOf(file)
  const header = await readRawHeader(source, 'file')
  const { range } = rawReading('file', header.outputs[0])
  if (!range) throw new Error('not decoded')
  const layout = layoutOf(source, { file: 'file', part: range })
  tensorReader(source, layout).read(0, new Uint8Array(values.buffer))
  return values
}

/** The formula as it stands in the books, element by element. */
function byFormula({ file, from, device, shape, out: [, out] }: Tiled): Uint16Array {
  const view = new DataView(file.buffer, file.byteOffset + from)
  const [, c1, height, width, c0] = device
  const [images, , , channels] = shape
  let at = 0
  for (let n = 0; n < images; n++)
    for (let h = 0; h < height; h++)
      for (let w = 0; w < width; w++)
        for (let c = 0; c < channels; c++) {
          const index = (((n * c1 + Math.floor(c / c0)) * height + h) * width + w) * c0 + (c % c0)
          out[at++] = view.getUint16(index * 2, true)
        }
  return out
}

function matrixByFormula({ file, from, device, shape, out: [, out] }: Tiled): Uint16Array {
  const view = new DataView(file.buffer, file.byteOffset + from)
  const [rows, columns] = shape
  const [, r1, ri, c0] = device
  let at = 0
  for (let r = 0; r < rows; r++)
    for (let c = 0; c < columns; c++) {
      const index = ((Math.floor(c / c0) * r1 + Math.floor(r / ri)) * ri + (r % ri)) * c0 + (c % c0)
      out[at++] = view.getUint16(index * 2, true)
    }
  return out
}

const same = (ours: Uint16Array, baseline: Uint16Array): boolean =>
  Buffer.from(ours.buffer).equals(Buffer.from(baseline.buffer))

const many = 10_000
const soon = 5

/** Small files, as most operations have. */
async function headers(): Promise<string> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const tensor = {
    dtype: 2,
    format: 3,
    shape: [1, 1, 4, 4, 16],
    originalShape: [1, 4, 4, 3],
    data: new Uint8Array(512),
  }
  const bytes = rawFile({ inputs: [tensor, tensor], outputs: [tensor] })
  for (let i = 0; i < many; i++)
    writeFileSync(path.join(folder, `Add.scope_op${i}.${i}.5.1620612694000300`), bytes)
  const files = diskFiles()
  files.allow(folder)
  const begun = performance.now()
  let tensors = 0
  for (const name of readdirSync(folder)) {
    const handle = files.open(path.join(folder, name))
    tensors += (await readRawHeader(handle, name)).inputs.length
    handle.close()
  }
  const seconds = (performance.now() - begun) / 1000
  files.close()
  rmSync(folder, { recursive: true, force: true })
  if (tensors !== many * 2) return `${tensors} inputs found`
  return seconds < soon ? '' : `${seconds.toFixed(1)} s for ${many} headers`
}

/** A tensor that is never in memory: zeros from nowhere. */
async function readLong(): Promise<void> {
  const device = [1, 64, 512, 512, 16]
  const size = device.reduce((all, dim) => all * dim, 2)
  const tensor = { dtype: 2, format: 3, shape: device, originalShape: [1, 512, 512, 1020], originalFormat: 1 }
  const small = rawFile({ outputs: [{ ...tensor, data: new Uint8Array(0) }] })
  const header = await readRawHeader(sourceOf(small), 'file')
  const { range } = rawReading('file', { ...header.outputs[0], size })
  if (!range) throw new Error('not decoded')
  const source = {
    size: range.from + size,
    read: (_: number, into: Uint8Array) => (into.fill(1), into.length),
  }
  const layout = layoutOf(source, { file: 'file', part: range })
  const reader = tensorReader(source, layout)
  const piece = new Uint8Array(1 << 20)
  for (let first = 0; first < layout.size;) first += reader.read(first, piece)
}

const cases: readonly Case[] = [
  time({
    name: 'raw: NC1HWC0 to NHWC, 64 MB of halves',
    target: 1.1,
    clock: 'cpu',
    make: () => tiled(3, [8, 16, 128, 128, 16], [8, 128, 128, 250]),
    ours: converted,
    baseline: byFormula,
    same,
  }),
  time({
    name: 'raw: FRACTAL_NZ to a matrix, 64 MB of halves',
    target: 1.3,
    clock: 'cpu',
    make: () => tiled(29, [512, 256, 16, 16], [4090, 8190]),
    ours: converted,
    baseline: matrixByFormula,
    same,
  }),
  works({ name: 'raw: headers of 10,000 files in five seconds', run: headers }),
  memory({ name: 'raw: memory for a tensor of 512 MB', target: { megabytes: 80 }, ours: readLong }),
]
export default cases
