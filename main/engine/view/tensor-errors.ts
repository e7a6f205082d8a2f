// Where two tensors differ: block maxima of the error over the whole tensor, and the worst elements.
import type { TensorView } from '../model/index.ts'
import { type Dtype, indexOf, toHalf } from '../formats/index.ts'
import { absoluteError, Largest } from '../measure/index.ts'

type Heat = NonNullable<TensorView['heat']>
type Worst = TensorView['worst'][number]

const most = { rows: 64, cols: 256, worst: 20 }

export class ErrorMap {
  readonly #shape: readonly number[]
  readonly #ulp: (a: number, b: number) => number
  readonly #rows: number
  readonly #cols: number
  readonly #heat: Heat
  readonly #worst = new Largest(most.worst)
  readonly #column: Uint16Array

  constructor(shape: readonly number[], debug: Dtype, bench: Dtype) {
    this.#shape = shape
    this.#ulp = ulpOf(debug, bench)
    const size = shape.reduce((product, dim) => product * dim, 1)
    this.#cols = shape.at(-1) ?? 1
    this.#rows = this.#cols ? size / this.#cols : 0
    const [rows, cols] = [Math.min(this.#rows, most.rows), Math.min(this.#cols, most.cols)]
    const block = (): Float64Array => new Float64Array(rows * cols)
    this.#heat = { rows, cols, abs: block(), rel: block(), ulp: block() }
    // Columns of long rows are looked up stretch by stretch instead of all at once.
    this.#column = Uint16Array.from({ length: Math.min(this.#cols, 1 << 16) }, (_, col) =>
      Math.floor((col * cols) / this.#cols),
    )
  }

  add(first: number, count: number, debug: Float64Array, bench: Float64Array): void {
    const { rows, cols, abs, rel, ulp } = this.#heat
    const [width, height, column, worst, steps] = [
      this.#cols,
      this.#rows,
      this.#column,
      this.#worst,
      this.#ulp,
    ]
    let row = Math.floor(first / width)
    let col = first - row * width
    let base = Math.floor((row * rows) / height) * cols
    for (let i = 0; i < count; i++) {
      const a = debug[i]
      const b = bench[i]
      if (a !== b) {
        let error = Math.abs(a - b)
        if (!(error < Infinity)) error = absoluteError(a, b)
        if (error > 0) {
          const cell = base + (col < column.length ? column[col] : Math.floor((col * cols) / width))
          if (error > abs[cell]) abs[cell] = error
          const relative = error / Math.abs(b)
          if (relative > rel[cell]) rel[cell] = relative
          const apart = error < Infinity ? steps(a, b) : Infinity
          if (apart > ulp[cell]) ulp[cell] = apart
          if (error > worst.least) worst.add({ element: first + i, debug: a, bench: b, error })
        }
      }
      if (++col === width) {
        col = 0
        row++
        base = Math.floor((row * rows) / height) * cols
      }
    }
  }

  get heat(): Heat {
    return this.#heat
  }
  get worst(): readonly Worst[] {
    return this.#worst.items.map(({ element, debug, bench, error }) => ({
      index: indexOf(element, this.#shape),
      debug,
      bench,
      error,
    }))
  }
}

const float = new Float32Array(1)
const floatBits = new Int32Array(float.buffer)
const double = new Float64Array(1)
const doubleBits = new Int32Array(double.buffer)

/** Sign and magnitude to a number line without a gap. */
const ordered = (bits: number, sign: number): number => (bits & sign ? -(bits & (sign - 1)) : bits)

function floatPlace(x: number): number {
  float[0] = x
  return floatBits[0] < 0 ? -(floatBits[0] & 0x7fffffff) : floatBits[0]
}

/**
 * Places of both as high and low parts, so that neighbours stay apart where a double could not count them.
 */
function doubleSteps(a: number, b: number): number {
  double[0] = a
  const [aLow, aHigh, aNegative] = [doubleBits[0] >>> 0, doubleBits[1] & 0x7fffffff, doubleBits[1] < 0]
  double[0] = b
  const [bLow, bHigh, bNegative] = [doubleBits[0] >>> 0, doubleBits[1] & 0x7fffffff, doubleBits[1] < 0]
  return Math.abs(
    aNegative === bNegative
      ? (aHigh - bHigh) * 2 ** 32 + (aLow - bLow)
      : (aHigh + bHigh) * 2 ** 32 + aLow + bLow,
  )
}

/**
 * How many values of the coarser type lie between two finite numbers; integers differ by their difference.
 */
export function ulpOf(debug: Dtype, bench: Dtype): (a: number, b: number) => number {
  const coarseness =
    ['float8_e5m2', 'float8_e4m3fn', 'bfloat16', 'float16', 'float32', 'float64'].filter(
      name => name === debug.name || name === bench.name,
    )[0] ?? 'int'
  const steps: Readonly<Record<string, (a: number, b: number) => number>> = {
    float16: (a, b) => Math.abs(ordered(toHalf(a), 0x8000) - ordered(toHalf(b), 0x8000)),
    bfloat16: (a, b) => Math.round(Math.abs(floatPlace(a) - floatPlace(b)) / 65536),
    float32: (a, b) => Math.abs(floatPlace(a) - floatPlace(b)),
    float64: doubleSteps,
    float8_e4m3fn: (a, b) => Math.round(Math.abs(floatPlace(a) - floatPlace(b)) / 2 ** 20),
    float8_e5m2: (a, b) => Math.round(Math.abs(floatPlace(a) - floatPlace(b)) / 2 ** 21),
    int: (a, b) => Math.abs(a - b),
  }
  return steps[coarseness] ?? ((a, b) => Math.abs(a - b))
}
