// The sums of this folder in WebAssembly SIMD: two sides are read straight into its memory. What a kernel has no answer for, NaN and
// infinities above all, goes the way in TypeScript.
import { type Dtype, type Room, stretch } from '../formats/index.ts'
import wasm from './quick.as.ts?asc'

interface Exports {
  first(from: number, count: number, tiny: number, out: number): void
  second(from: number, count: number, mean: number, scale: number, out: number): void
  pair(
    left: number,
    right: number,
    errors: number,
    count: number,
    atol: number,
    rtol: number,
    out: number,
  ): void
  row(errors: number, count: number, max: number, sums: number, counts: number, out: number): void
  total(errors: number, count: number, out: number): void
  widenFloat(from: number, count: number, to: number): void
  widenBrain(from: number, count: number, to: number): void
  widenHalf(from: number, count: number, to: number): void
  stepsFloat(left: number, right: number, count: number, out: number): void
  stepsShort(left: number, right: number, count: number, out: number): void
}

const wideners: Readonly<Record<string, 'widenFloat' | 'widenBrain' | 'widenHalf'>> = {
  float32: 'widenFloat',
  bfloat16: 'widenBrain',
  float16: 'widenHalf',
}

/** Longer axes are summed up place by place. */
export const mostColumns = 1 << 16

const page = 1 << 16
/** The kernels read and write over the end. */
const slack = 64
const roomBytes = stretch * 16 + slack
const valuesBytes = stretch * 8 + slack
const places = (() => {
  let at = page
  const take = (bytes: number): number => {
    const place = at
    at += Math.ceil(bytes / 16) * 16
    return place
  }
  return {
    out: take(128),
    sides: [
      { bytes: take(roomBytes), values: take(valuesBytes) },
      { bytes: take(roomBytes), values: take(valuesBytes) },
    ],
    errors: take(valuesBytes),
    columns: [take(mostColumns * 8), take(mostColumns * 8), take(mostColumns * 8)],
    end: at,
  } as const
})()

let compiled: WebAssembly.Module | undefined

/** Room for both sides of one pass; a pass has its own, as several take turns in a thread. */
export class Quick {
  readonly left: QuickSide
  readonly right: QuickSide
  /** Errors of the stretch that was compared last. */
  readonly errors: Float64Array
  /** What the last kernel left; see `quick.as.ts`. */
  readonly out: Float64Array
  readonly #memory: WebAssembly.Memory
  readonly #kernels: Exports

  constructor() {
    compiled ??= new WebAssembly.Module(wasm)
    this.#memory = new WebAssembly.Memory({ initial: Math.ceil(places.end / page) })
    this.#kernels = new WebAssembly.Instance(compiled, { env: { memory: this.#memory } })
      .exports as unknown as Exports
    const { buffer } = this.#memory
    this.out = new Float64Array(buffer, places.out, 16)
    this.errors = new Float64Array(buffer, places.errors, stretch)
    const [left, right] = places.sides.map(at => new QuickSide(this.#kernels, buffer, at, this.out))
    this.left = left
    this.right = right
  }

  /** False where something is not finite, or too large to be squared. */
  pair(count: number, atol: number, rtol: number): boolean {
    const [left, right] = places.sides
    this.#kernels.pair(left.values, right.values, places.errors, count, atol, rtol, places.out)
    const [, sum, , , error] = this.out
    return sum - sum === 0 && error < largest && this.out[9] < largest && this.out[10] < largest
  }

  /** False for types whose steps are not counted here. */
  steps(dtype: Dtype, count: number): boolean {
    const kernel = dtype.name === 'float32' ? 'stepsFloat' : shortFloats.has(dtype.name) ? 'stepsShort' : null
    const [left, right] = places.sides
    if (kernel) this.#kernels[kernel](left.bytes, right.bytes, count, places.out)
    return kernel !== null
  }

  /** Columns along an axis: largest, sum, count. */
  columns(length: number): readonly [Float64Array, Float64Array, Float64Array] {
    const [max, sum, count] = places.columns.map(
      place => new Float64Array(this.#memory.buffer, place, length),
    )
    return [max, sum, count]
  }

  /** Errors from one on, added to the columns from one on; leaves the largest and the sum. */
  row(error: number, many: number, column: number): void {
    const [max, sum, count] = places.columns
    this.#kernels.row(
      places.errors + error * 8,
      many,
      max + column * 8,
      sum + column * 8,
      count + column * 8,
      places.out,
    )
  }

  /** Leaves the largest and the sum of errors. */
  total(error: number, many: number): void {
    this.#kernels.total(places.errors + error * 8, many, places.out)
  }
}

const shortFloats = new Set(['float16', 'bfloat16'])
/** Squares of larger numbers, or sums of them, are infinite. */
const largest = 2 ** 400

export class QuickSide implements Room {
  readonly bytes: Uint8Array
  readonly values: Float64Array
  readonly #kernels: Exports
  readonly #at: { readonly bytes: number; readonly values: number }
  readonly #out: Float64Array

  constructor(
    kernels: Exports,
    buffer: ArrayBuffer,
    at: { readonly bytes: number; readonly values: number },
    out: Float64Array,
  ) {
    this.#kernels = kernels
    this.#at = at
    this.#out = out
    this.bytes = new Uint8Array(buffer, at.bytes, stretch * 16)
    this.values = new Float64Array(buffer, at.values, stretch)
  }

  widen({ name }: Dtype, count: number): boolean {
    const kernel = wideners[name]
    if (kernel !== undefined) this.#kernels[kernel](this.#at.bytes, count, this.#at.values)
    return kernel !== undefined
  }

  /** Largest, smallest, sum, zeros, smaller ones than `tiny`; where something is not finite, the sum is not. */
  first(count: number, tiny: number): Float64Array {
    this.#kernels.first(this.#at.values, count, tiny, places.out)
    return this.#out
  }

  /** Squares in a scale, and squares of what is off the mean. */
  second(count: number, mean: number, scale: number): Float64Array {
    this.#kernels.second(this.#at.values, count, mean, scale, places.out)
    return this.#out
  }
}
