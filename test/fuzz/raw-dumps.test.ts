// Broken and hostile raw dumps: whatever the bytes, only a Problem may come out, soon and without much memory.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  opDebugIds,
  opDebugRecord,
  overflowStatuses,
  rawReading,
  rawTensors,
  type RawWish,
  readRawHeader,
} from '../../main/engine/formats/index.ts'
import { rawNameOf } from '../../main/engine/formats/npu/names.ts'
import { joinSlices, type SliceFile } from '../../main/engine/formats/npu/slices.ts'
import { tensorReader } from '../../main/engine/formats/tensors/tensor.ts'
import { layoutOf } from '../../main/engine/formats/tensors/tensor-file.ts'
import { OpenTensor } from '../../main/engine/formats/tensors/walk.ts'
import type { Handle } from '../../main/engine/io/index.ts'
import { Refusal } from '../../main/engine/model/index.ts'
import { firstSeed, fuzzRuns } from '../support/fuzz.ts'
import { fixturesRoot } from '../support/fixtures.ts'
import { random } from '../support/random.ts'
import { rawFile, type RawSpec } from '../support/raw-files.ts'
import { joined, sourceOf } from '../support/tensor-files.ts'

const rounds = fuzzRuns(400)

const tiled = (
  dtype: number,
  format: number,
  shape: readonly number[],
  originalShape: readonly number[],
): RawSpec => ({
  dtype,
  format,
  shape,
  originalShape,
  originalFormat: originalShape.length === 5 ? 30 : 1,
  groups: format === 4 ? 2 : 0,
  data: new Uint8Array(shape.reduce((all, dim) => all * dim, 2)),
})
const outputs = [
  tiled(2, 3, [2, 1, 3, 3, 16], [2, 3, 3, 5]),
  tiled(3, 4, [4, 1, 16, 16], [4, 2, 2, 3]),
  tiled(28, 29, [2, 1, 16, 16], [9, 20]),
  tiled(29, 32, [1, 2, 1, 2, 2, 16], [1, 3, 2, 2, 2]),
  tiled(33, 25, [1, 2, 2, 1, 16, 16], [1, 2, 2, 9]),
  tiled(27, 0, [1, 2, 3, 4], [1, 2, 3, 4]),
]
const raw = path.join(fixturesRoot(), 'tf', 'raw')
const seeds: Readonly<Record<string, Uint8Array>> = {
  usual: rawFile({ inputs: outputs, outputs, buffers: [new Uint8Array(5)], spaces: [new Uint8Array(3)] }),
  old: rawFile({ inputs: outputs, outputs, old: true }),
  ...Object.fromEntries(
    readdirSync(raw, { withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(({ name }) => [name, new Uint8Array(readFileSync(path.join(raw, name)))]),
  ),
}

/** The header is where numbers lie. */
const interesting = 1500

function mutated(bytes: Uint8Array, next: () => number): Uint8Array {
  let out: Uint8Array = bytes.slice()
  const pick = (): number => Math.floor(next() * Math.min(out.length, interesting))
  for (let i = 0; i < 1 + next() * 4; i++) {
    const at = pick()
    const kind = Math.floor(next() * 5)
    if (kind === 0) out = out.slice(0, Math.floor(next() * out.length))
    else if (kind === 1) out[at] ^= 1 << Math.floor(next() * 8)
    else if (kind === 2) out[at] = [0, 0xff, 0x7f, 0x80, 0x5a, 0x0a, 0x22][Math.floor(next() * 7)]
    else if (kind === 3)
      out = joined([out.subarray(0, at), out.subarray(at, at + Math.floor(next() * 30)), out.subarray(at)])
    else out.fill(0xff, at, at + 9)
  }
  return out
}

const wishes: readonly RawWish[] = [
  {},
  { layout: 'device' },
  { layout: 'NCHW' },
  { original: 'HWCN' },
  { layout: 'ND', shape: [3, 1e9] },
]
const most = 4096

/** What can be read of it; null where it is refused. */
async function readAll(bytes: Uint8Array): Promise<number | null> {
  const source = sourceOf(bytes)
  try {
    let read = 0
    const header = await readRawHeader(source, 'file')
    for (const tensor of rawTensors(header).slice(0, 20))
      for (const wish of wishes) {
        const { range } = rawReading('file', tensor, wish)
        if (!range) continue
        const layout = layoutOf(source, { file: 'file', part: range })
        const into = new Uint8Array(Math.min(most, layout.size) * layout.dtype.bytes)
        read += tensorReader(source, layout).read(Math.max(0, layout.size - most), into)
      }
    return read
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

describe.each(Object.keys(seeds))('%s', name => {
  it('is read whole', async () => {
    expect(await readAll(seeds[name])).toBeGreaterThan(0)
  })

  it('is refused or read, however it is damaged', async () => {
    const next = random(firstSeed + name.length)
    let some = 0
    for (let i = 0; i < rounds; i++) some += Number((await readAll(mutated(seeds[name], next))) !== null)
    // Damage that spares the header is no reason to refuse.
    expect(some).toBeGreaterThan(0)
  })
})

it('bytes by chance are refused, or hold little', async () => {
  const next = random(firstSeed + 7)
  for (let i = 0; i < rounds * 4; i++) {
    const bytes = Uint8Array.from({ length: Math.floor(next() * 300) }, () => next() * 256)
    // Some of them with a length that fits.
    if (bytes.length > 8 && i % 2) bytes.fill(0, 1, 8)
    await readAll(bytes)
  }
})

/** How an operation was cut, as it may stand in the attribute: right, or wrong in one way or another. */
function cutText(next: () => number): string {
  const pick = <T>(...some: readonly T[]): T => some[Math.floor(next() * some.length)]
  const count = (): unknown => pick<unknown>(0, 1, 2, 3, -1, 1e9, 2 ** 53, 0.5, null, '2', [], {})
  const some = (of: () => unknown): unknown =>
    next() < 0.1 ? count() : Array.from({ length: next() * 4 }, of)
  const place = (): unknown => (next() < 0.1 ? count() : { lower: count(), higher: count() })
  const text = JSON.stringify({
    threadMode: pick<unknown>(0, 1, 1, '1', null),
    slice_instance_num: count(),
    inputCutList: some(() => some(count)),
    outputCutList: pick<unknown>(
      [[2, 1]],
      [[1, 2]],
      [[1, 1, 2]],
      some(() => some(count)),
    ),
    input_tensor_slice: some(() => some(() => some(place))),
    output_tensor_slice: some(() => some(() => some(place))),
  })
  return next() < 0.1 ? text.slice(0, Math.floor(next() * text.length)) : text
}

it('slices are joined or shown apart, whatever they say of how they were cut', async () => {
  const next = random(firstSeed + 11)
  let together = 0
  for (let i = 0; i < rounds; i++) {
    const many = 1 + Math.floor(next() * 3)
    const attr = cutText(next)
    const held = new Map<string, Uint8Array>()
    const slices: SliceFile[] = []
    for (let number = 0; number < many; number++) {
      const name =
        i % 2
          ? `Add.op_lxslice${number}.1.5.162061269400030${number}.4.1.0.0`
          : `Add.op.1.5.1620612694000300.4.1.${number}.0`
      const tensors = Array.from({ length: 1 + (i % 2) }, () => {
        const shape = [2, 1 + Math.floor(next() * 3), ...(i % 7 ? [] : [4])]
        return { dtype: i % 11 ? 1 : 28, shape, data: new Uint8Array(next() * 200) }
      })
      const whole = rawFile({ inputs: tensors, outputs: tensors, attr })
      const bytes = next() < 0.3 ? mutated(whole, next) : whole
      held.set(name, bytes)
      const said = rawNameOf(name)
      const header = await readRawHeader(sourceOf(bytes), name).catch((error: unknown) => {
        if (error instanceof Refusal) return null
        throw error
      })
      if (said && header) slices.push({ path: name, said, header })
    }
    if (slices.length === 0) continue
    const open = (path: string): Handle | null => {
      const bytes = held.get(path)
      return bytes ? { ...sourceOf(bytes), close() {} } : null
    }
    const { inputs, outputs, first } = joinSlices(slices)
    for (const tensor of [...inputs, ...outputs].slice(0, 20)) {
      const { range } = rawReading(first.path, tensor)
      if (!range) continue
      together += Number(tensor.through !== undefined)
      const ref = { file: first.path, part: range, ...(tensor.through && { through: tensor.through }) }
      try {
        const opened = new OpenTensor({ open }, ref)
        if (opened.layout.size < most) opened.read(0, opened.layout.size)
        opened.close()
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
      }
    }
  }
  // Damage that spares them is no reason to keep them apart.
  expect(together).toBeGreaterThan(0)
})

it('overflow records of any bytes are refused or said', () => {
  const next = random(firstSeed + 9)
  for (let i = 0; i < rounds; i++) {
    const bytes = Uint8Array.from({ length: i % 3 ? 2048 : Math.floor(next() * 200) }, () => next() * 256)
    if (i % 2) bytes.fill(0x5a, 0, 4)
    if (i % 4 === 1) bytes.fill(0, 13, 16)
    try {
      const record = opDebugRecord(bytes, 'file')
      overflowStatuses(record)
      opDebugIds(record)
      JSON.stringify(record)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
  }
})
