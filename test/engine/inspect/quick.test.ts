// The kernels' sums are those of TypeScript, whatever the type, the length and the axis, with NaN in between and without.
import { rmSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { toHalf } from '../../../main/engine/formats/tensors/dtype.ts'
import { AlongAxes } from '../../../main/engine/inspect/along.ts'
import { PairSums } from '../../../main/engine/inspect/pair-numbers.ts'
import { Quick } from '../../../main/engine/inspect/quick.ts'
import { Side } from '../../../main/engine/inspect/side.ts'
import { SideSums } from '../../../main/engine/inspect/side-numbers.ts'
import { quickFiles } from '../../../main/engine/io/index.ts'
import { diskFiles } from '../../../main/engine/io/files.ts'
import type { TensorRef } from '../../../main/engine/model/index.ts'
import { random } from '../../support/random.ts'
import { folderOf, put } from '../../support/tensor-files.ts'

const folder = folderOf()
const files = diskFiles()
files.allow(folder)
afterAll(() => rmSync(folder, { recursive: true }))

const brain = (x: number): number => new Uint32Array(Float32Array.of(x).buffer)[0] >>> 16
const stored: Readonly<Record<string, (values: readonly number[]) => Uint8Array>> = {
  float32: values => new Uint8Array(Float32Array.from(values).buffer),
  float64: values => new Uint8Array(Float64Array.from(values).buffer),
  float16: values => new Uint8Array(Uint16Array.from(values, toHalf).buffer),
  bfloat16: values => new Uint8Array(Uint16Array.from(values, brain).buffer),
  int32: values => new Uint8Array(Int32Array.from(values, x => x * 100).buffer),
  uint8: values => new Uint8Array(Uint8Array.from(values, x => Math.abs(x * 40)).buffer),
}

let last = 0
const tensor = (dtype: string, shape: readonly number[], values: readonly number[]): TensorRef => ({
  file: put(folder, `t${last++}.bin`, stored[dtype](values)),
  part: { from: 0, dtype, shape },
})

function sums(left: TensorRef, right: TensorRef, quick: Quick | null): unknown {
  const opened = quickFiles(files.roots())
  const [mine, theirs] = [new Side(opened, left, quick?.left), new Side(opened, right, quick?.right)]
  const sides = [new SideSums(mine), new SideSums(theirs)]
  const pair = new PairSums(mine, theirs, { atol: 1e-3, rtol: 1e-3 }, 5, quick)
  const along = new AlongAxes(mine.shape, quick)
  for (let first = 0; first < mine.size;) {
    const count = Math.min(mine.read(first, mine.size), theirs.read(first, mine.size))
    sides[0].add(mine, first, count)
    sides[1].add(theirs, first, count)
    pair.add(first, count)
    along.add(first, pair.errors, count, pair.isWhole)
    first += count
  }
  mine.close()
  theirs.close()
  const { state } = along
  return [
    ...sides.map(side => side.numbers),
    { ...pair.state, products: null, cosine: pair.state.products },
    state.map(({ max, sum, count }) => [[...max], [...sum], [...count]]),
  ]
}

/** Sums may differ by the order in which they were taken. */
function close(a: unknown, b: unknown, path = ''): void {
  if (typeof a === 'number' && typeof b === 'number' && Number.isFinite(a) && a !== b)
    expect(Math.abs(a - b), path).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(a)))
  else if (typeof a === 'object' && a !== null && typeof b === 'object' && b !== null) {
    expect(Object.keys(a), path).toEqual(Object.keys(b))
    for (const key of Object.keys(a))
      close((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key], `${path}.${key}`)
  } else expect(a, path).toEqual(b)
}

const shapes = [[1], [2], [3], [7], [40_003], [3, 5, 7], [130, 257], [2, 70_001], [20_000, 2], [9, 1, 33]]
const odds = ['none', 'nan', 'infinite', 'zeros', 'equal', 'subnormal', 'saturated'] as const

describe.each(Object.keys(stored))('%s', dtype => {
  it.each(odds.flatMap(odd => shapes.map(shape => [odd, shape] as const)))('%s in %j', (odd, shape) => {
    const next = random(shape.length + shape[0])
    const size = shape.reduce((product, dim) => product * dim, 1)
    const left = Array.from({ length: size }, () => (next() - 0.5) * 8)
    const right = left.map((x, i) => (i % 3 === 0 ? x : x + (next() - 0.5) / 50))
    const at = Math.floor(size / 2)
    if (odd === 'nan') left[at] = right[size - 1] = NaN
    if (odd === 'infinite') left[at] = right[0] = -Infinity
    if (odd === 'zeros') left.fill(0, at)
    if (odd === 'equal') right.splice(0, size, ...left)
    if (odd === 'subnormal') left[at] = dtype === 'float16' ? 2 ** -20 : 2 ** -130
    if (odd === 'saturated') right[at] = dtype === 'float16' ? 65504 : 3.4028234663852886e38
    const [mine, theirs] = [tensor(dtype, shape, left), tensor(dtype, shape, right)]
    close(sums(mine, theirs, new Quick()), sums(mine, theirs, null))
  })
})
