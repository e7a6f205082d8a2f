// What a double becomes in the type that a result is stored in, and how wide a step of that type is.
import { type DtypeName, dtypes, halfRound } from '../formats/index.ts'

const double = new Float64Array(1)
const halves = new Uint32Array(double.buffer)
/** Which half holds the exponent, on this machine. */
const upper = new Uint8Array(Uint16Array.of(1).buffer)[0]

/** Rounded to bfloat16, ties to even, in one step. */
export function brainRound(x: number): number {
  if (!Number.isFinite(x) || x === 0) return x
  const size = Math.abs(x)
  const step = 2 ** (Math.max(exponentOf(size), -126) - 7)
  const rounded = evenSteps(size, step)
  const limited = rounded > 3.3895313892515355e38 ? Infinity : rounded
  return x < 0 ? -limited : limited
}

function evenSteps(size: number, step: number): number {
  const steps = size / step
  const floor = Math.floor(steps)
  const rest = steps - floor
  return (rest > 0.5 || (rest === 0.5 && floor % 2 === 1) ? floor + 1 : floor) * step
}

/** The exponent of a number's leading bit; subnormal doubles count as the smallest normal one. */
export function exponentOf(x: number): number {
  double[0] = x
  const exponent = (halves[upper] >>> 20) & 2047
  return exponent === 0 ? -1022 : exponent - 1023
}

export interface FloatFormat {
  /** Bits behind the leading one, and the smallest exponent. */
  readonly bits: number
  readonly least: number
  /** Unit of one rounding. */
  readonly unit: number
  readonly round: (x: number) => number
}

/** 16-bit types are reached through float32, as every framework and device does. */
const formats: Partial<Record<DtypeName, FloatFormat>> = {
  float16: { bits: 10, least: -14, unit: 2 ** -11, round: x => halfRound(Math.fround(x)) },
  bfloat16: { bits: 7, least: -126, unit: 2 ** -8, round: x => brainRound(Math.fround(x)) },
  float32: { bits: 23, least: -126, unit: 2 ** -24, round: Math.fround },
  float64: { bits: 52, least: -1022, unit: 2 ** -53, round: x => x },
}

/** Null for types that are not of these. */
export const floatFormat = (dtype: DtypeName): FloatFormat | null =>
  formats[dtype] ?? formats[partOf(dtype)] ?? null

const parts: Partial<Record<DtypeName, DtypeName>> = { complex64: 'float32', complex128: 'float64' }

/** The type of the parts of a complex number. */
const partOf = (dtype: DtypeName): DtypeName => parts[dtype] ?? dtype

/** Width of a step at a number. */
export function stepAt({ bits, least }: FloatFormat, x: number): number {
  const exponent = exponentOf(x)
  return powers[(exponent < least ? least : exponent) - bits + smallest]
}

/** What distances are told in: at zero the step at 1, where that of the type is below anything that counts. */
export const ulpAt = (format: FloatFormat, x: number): number => stepAt(format, x === 0 ? 1 : x)

/** Powers of two from the smallest subnormal double on: raising to a power takes longer than the rest of a step. */
const smallest = 1074
const powers = Float64Array.from({ length: smallest + 1025 }, (_, i) => 2 ** (i - smallest))

export const isFloat = (dtype: DtypeName): boolean => {
  const { arithmetic } = dtypes[dtype]
  return arithmetic !== 'int' && arithmetic !== 'complex'
}
export const isComplex = (dtype: DtypeName): boolean => dtypes[dtype].arithmetic === 'complex'
export const isInteger = (dtype: DtypeName): boolean => dtypes[dtype].arithmetic === 'int' && dtype !== 'bool'

/** The last finite number. */
export const largestOf = ({ bits, least }: FloatFormat): number => (2 - 2 ** -bits) * 2 ** (1 - least)

const isWide = (dtype: DtypeName): boolean => dtype === 'int64' || dtype === 'uint64'
export const largestExact = 2 ** 53

/** An integer as its type keeps it: it wraps around. Results beyond 2^53 are told by `isExact`. */
export function wrapped(x: number, dtype: DtypeName): number {
  if (dtype === 'bool') return x === 0 ? 0 : 1
  if (isWide(dtype) || !Number.isFinite(x)) return x
  const bits = dtypes[dtype].bytes * 8
  const span = 2 ** bits
  const low = dtypes[dtype].low === 0n ? 0 : -(2 ** (bits - 1))
  const y = x - low
  return y - Math.floor(y / span) * span + low
}

/** A value as a type stores it. */
export function rounderOf(dtype: DtypeName): (x: number) => number {
  const format = floatFormat(dtype)
  if (format) return format.round
  if (isFloat(dtype)) return x => x
  return x => wrapped(Math.trunc(x), dtype)
}
