// How many steps lie between two floats of one type: the difference of their places on the line of all floats.
import { type Dtype, toHalf } from '../formats/index.ts'
import type { Side } from './side.ts'

/** Distances of the pairs that were read last; only finite ones mean something. */
export interface Steps {
  /** Called once per stretch, before `between`. */
  refresh(): void
  between(i: number): number
  /** Exact, where a double does not count that far. */
  exact(i: number): number | string
}

/** Null where the sides are not floats of one type. */
export function stepsOf(left: Side, right: Side): Steps | null {
  const { name, bytes } = left.dtype
  if (name !== right.dtype.name || !ordered.has(name)) return null
  return bytes === 8 ? new DoubleSteps(left, right) : new ShortSteps(left, right, bytes)
}

/** Their bits are a sign and a magnitude. */
const ordered = new Set(['float16', 'bfloat16', 'float32', 'float64', 'float8_e4m3fn', 'float8_e5m2'])

class ShortSteps implements Steps {
  readonly #sides: readonly [Side, Side]
  readonly #bytes: number
  readonly #sign: number
  #left: ArrayLike<number> = []
  #right: ArrayLike<number> = []

  constructor(left: Side, right: Side, bytes: number) {
    this.#sides = [left, right]
    this.#bytes = bytes
    this.#sign = 2 ** (bytes * 8 - 1)
  }

  refresh(): void {
    this.#left = bitsOf(this.#sides[0], this.#bytes)
    this.#right = bitsOf(this.#sides[1], this.#bytes)
  }

  between(i: number): number {
    return Math.abs(this.#place(this.#left[i]) - this.#place(this.#right[i]))
  }

  exact(i: number): number {
    return this.between(i)
  }

  #place(bits: number): number {
    const sign = this.#sign
    return bits >= sign ? sign - bits : bits
  }
}

function bitsOf({ bytes }: Side, width: number): ArrayLike<number> {
  const { buffer, byteOffset, byteLength } = bytes
  if (width === 1) return bytes
  return width === 2
    ? new Uint16Array(buffer, byteOffset, byteLength >> 1)
    : new Uint32Array(buffer, byteOffset, byteLength >> 2)
}

/** Places as high and low parts, so that neighbours stay apart where a double could not count them. */
class DoubleSteps implements Steps {
  readonly #sides: readonly [Side, Side]
  #left: Uint32Array = new Uint32Array()
  #right: Uint32Array = new Uint32Array()

  constructor(left: Side, right: Side) {
    this.#sides = [left, right]
  }

  refresh(): void {
    const [left, right] = this.#sides.map(
      ({ bytes }) => new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2),
    )
    this.#left = left
    this.#right = right
  }

  between(i: number): number {
    const [low, high] = [this.#left[i * 2], this.#left[i * 2 + 1]]
    const [otherLow, otherHigh] = [this.#right[i * 2], this.#right[i * 2 + 1]]
    const apart = high >>> 31 !== otherHigh >>> 31
    const [top, otherTop] = [high & 0x7fffffff, otherHigh & 0x7fffffff]
    return apart
      ? (top + otherTop) * 2 ** 32 + low + otherLow
      : Math.abs((top - otherTop) * 2 ** 32 + (low - otherLow))
  }

  exact(i: number): number | string {
    const place = (bits: Uint32Array): bigint => {
      const size = (BigInt(bits[i * 2 + 1] & 0x7fffffff) << 32n) | BigInt(bits[i * 2])
      return bits[i * 2 + 1] >>> 31 ? -size : size
    }
    const steps = place(this.#left) - place(this.#right)
    const size = steps < 0n ? -steps : steps
    return size <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(size) : String(size)
  }
}

/** The same of any two types: by the coarser one, of whole numbers their difference. */
export function stepsOfAny(left: Side, right: Side): Steps {
  const known = stepsOf(left, right)
  if (known) return known
  const between = stepsBetween(left.dtype, right.dtype)
  const of = (i: number): number => between(left.values[i], right.values[i])
  return { refresh: () => {}, between: of, exact: of }
}

const float = new Float32Array(1)
const floatBits = new Int32Array(float.buffer)
const double = new Float64Array(1)
const doubleBits = new Int32Array(double.buffer)

/** Sign and magnitude to a number line without a gap. */
const onLine = (bits: number, sign: number): number => (bits & sign ? -(bits & (sign - 1)) : bits)

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
function stepsBetween(left: Dtype, right: Dtype): (a: number, b: number) => number {
  const coarseness =
    ['float8_e5m2', 'float8_e4m3fn', 'bfloat16', 'float16', 'float32', 'float64'].filter(
      name => name === left.name || name === right.name,
    )[0] ?? 'int'
  const steps: Readonly<Record<string, (a: number, b: number) => number>> = {
    float16: (a, b) => Math.abs(onLine(toHalf(a), 0x8000) - onLine(toHalf(b), 0x8000)),
    bfloat16: (a, b) => Math.round(Math.abs(floatPlace(a) - floatPlace(b)) / 65536),
    float32: (a, b) => Math.abs(floatPlace(a) - floatPlace(b)),
    float64: doubleSteps,
    float8_e4m3fn: (a, b) => Math.round(Math.abs(floatPlace(a) - floatPlace(b)) / 2 ** 20),
    float8_e5m2: (a, b) => Math.round(Math.abs(floatPlace(a) - floatPlace(b)) / 2 ** 21),
    int: (a, b) => Math.abs(a - b),
  }
  return steps[coarseness] ?? ((a, b) => Math.abs(a - b))
}
