// Types of tensor elements: names of every framework, sizes, and the way to a double.

/** What arithmetic the reference does on values of a type. bfloat16 is widened to float32 by every reader. */
type Arithmetic = 'f16' | 'f32' | 'f64' | 'int' | 'complex'

export interface Dtype {
  /** numpy's name, or PyTorch's where numpy has none. */
  readonly name: DtypeName
  /** Bytes per element. */
  readonly bytes: number
  /** Bytes that are swapped together in a big-endian file: half of the element for complex numbers. */
  readonly word: number
  readonly arithmetic: Arithmetic
  /** What numpy calls the array once the reader has widened it. */
  readonly array: string
  /** Smallest and largest value of an integer type. */
  readonly low?: bigint
  readonly high?: bigint
}

const float = (bytes: number, arithmetic: 'f16' | 'f32' | 'f64', array: string) => ({
  bytes,
  word: bytes,
  arithmetic,
  array,
})
const integer = (bytes: number, signed: boolean) => {
  const bits = BigInt(bytes * 8)
  return {
    bytes,
    word: bytes,
    arithmetic: 'int' as const,
    array: `${signed ? '' : 'u'}int${bits}`,
    low: signed ? -(1n << (bits - 1n)) : 0n,
    high: (1n << (signed ? bits - 1n : bits)) - 1n,
  }
}

const rows = {
  float16: float(2, 'f16', 'float16'),
  bfloat16: float(2, 'f32', 'float32'),
  float32: float(4, 'f32', 'float32'),
  float64: float(8, 'f64', 'float64'),
  float8_e4m3fn: float(1, 'f32', 'float32'),
  float8_e5m2: float(1, 'f32', 'float32'),
  float8_e8m0: float(1, 'f32', 'float32'),
  hifloat8: float(1, 'f32', 'float32'),
  int8: integer(1, true),
  int16: integer(2, true),
  int32: integer(4, true),
  int64: integer(8, true),
  uint8: integer(1, false),
  uint16: integer(2, false),
  uint32: integer(4, false),
  uint64: integer(8, false),
  bool: { bytes: 1, word: 1, arithmetic: 'int', array: 'bool', low: 0n, high: 1n },
  complex32: { bytes: 4, word: 2, arithmetic: 'complex', array: 'complex64' },
  complex64: { bytes: 8, word: 4, arithmetic: 'complex', array: 'complex64' },
  complex128: { bytes: 16, word: 8, arithmetic: 'complex', array: 'complex128' },
} as const satisfies Record<string, Omit<Dtype, 'name'>>

export type DtypeName = keyof typeof rows

export const dtypes = Object.fromEntries(
  Object.entries(rows).map(([name, row]) => [name, { name, ...row }]),
) as unknown as Readonly<Record<DtypeName, Dtype>>

const aliases: Readonly<Record<string, DtypeName>> = {
  half: 'float16',
  float: 'float32',
  double: 'float64',
  bf16: 'bfloat16',
  char: 'int8',
  short: 'int16',
  int: 'int32',
  long: 'int64',
  byte: 'uint8',
  cfloat: 'complex64',
  cdouble: 'complex128',
  complexfloat: 'complex64',
  complexdouble: 'complex128',
  bool_: 'bool',
  float8_e4m3: 'float8_e4m3fn',
  hf8: 'float8_e4m3fn',
}

/** The type behind `Float32`, `torch.float32`, `float32`, `Half` …, or undefined. */
export function dtypeOf(text: string): Dtype | undefined {
  const name = text.toLowerCase().replace(/^(?:torch|mindspore|numpy|np|ms)\./, '')
  if (Object.hasOwn(rows, name)) return dtypes[name as DtypeName]
  return Object.hasOwn(aliases, name) ? dtypes[aliases[name]] : undefined
}

const scratch = new DataView(new ArrayBuffer(8))

/** Value of the bits of a float16. */
export function fromHalf(bits: number): number {
  const exponent = (bits >> 10) & 31
  const fraction = bits & 1023
  let size = (1024 + fraction) * 2 ** (exponent - 25)
  if (exponent === 0) size = fraction * 2 ** -24
  else if (exponent === 31) size = fraction ? NaN : Infinity
  return bits & 0x8000 ? -size : size
}

/** Bits of the float16 nearest to a number, ties to even. */
export function toHalf(x: number): number {
  const sign = x < 0 || Object.is(x, -0) ? 0x8000 : 0
  const size = Math.abs(x)
  if (Number.isNaN(x)) return 0x7e00
  if (size >= 65520) return sign | 0x7c00
  // Adding and subtracting a power of two lets the hardware round to the half's grid at that size.
  const exponent = Math.max(-14, Math.floor(Math.log2(size || 1)))
  const grid = 2 ** (exponent - 10)
  const steps = roundEven(size / grid)
  return sign | (size < 2 ** -14 ? steps : ((exponent + 15) << 10) + (steps - 1024))
}

function roundEven(x: number): number {
  const floor = Math.floor(x)
  const rest = x - floor
  return rest > 0.5 || (rest === 0.5 && floor % 2 === 1) ? floor + 1 : floor
}

/** A number rounded to float16. */
export const halfRound = (x: number): number => fromHalf(toHalf(x))

function fromBrain(bits: number): number {
  scratch.setUint32(0, bits << 16)
  return scratch.getFloat32(0)
}

function fromE4m3(bits: number): number {
  const exponent = (bits >> 3) & 15
  const fraction = bits & 7
  let size = (8 + fraction) * 2 ** (exponent - 10)
  if (exponent === 0) size = fraction * 2 ** -9
  else if (exponent === 15 && fraction === 7) size = NaN
  return bits & 0x80 ? -size : size
}

/** A power of two alone: a scale, with neither sign nor zero. */
const fromE8m0 = (bits: number): number => (bits === 255 ? NaN : 2 ** (bits - 127))

/** Bits of the mantissa by the number of exponent bits. */
const hifloatMantissa = [3, 3, 3, 2, 1] as const

/** A prefix says how many of the bits belong to the exponent, so that small numbers are the finer ones. */
function fromHifloat(bits: number): number {
  const size = bits & 0x7f
  if (size === 0) return bits ? NaN : 0
  if (size === 0x6f) return bits & 0x80 ? -Infinity : Infinity
  const value = size < 8 ? 2 ** (size - 23) : normalHifloat(size)
  return bits & 0x80 ? -value : value
}

function normalHifloat(size: number): number {
  // 11 four, 10 three, 01 two, 001 one, 0001 none.
  const exponentBits = size >= 32 ? (size >> 5) + 1 : Number(size >= 16)
  const width = hifloatMantissa[exponentBits]
  const mantissa = 1 + (size & ((1 << width) - 1)) / (1 << width)
  if (exponentBits === 0) return mantissa
  const coded = (size >> width) & ((1 << exponentBits) - 1)
  // Behind the sign stands the exponent without its leading one.
  const sign = coded >> (exponentBits - 1)
  const exponent = (1 << (exponentBits - 1)) | coded
  return mantissa * 2 ** (sign ? -exponent : exponent)
}

const table = (length: number, of: (bits: number) => number): (() => Float64Array) => {
  let made: Float64Array | undefined
  return () => (made ??= Float64Array.from({ length }, (_, bits) => of(bits)))
}
const halves = table(65536, fromHalf)
const brains = table(65536, fromBrain)
const e4m3 = table(256, fromE4m3)
const e5m2 = table(256, bits => fromHalf(bits << 8))

const e8m0 = table(256, fromE8m0)
const hifloats = table(256, fromHifloat)

type Decoder = (bytes: DataView, count: number, into: Float64Array) => void

const looked =
  (values: () => Float64Array, wide: boolean): Decoder =>
  (view, count, into) => {
    const known = values()
    for (let i = 0; i < count; i++) into[i] = known[wide ? view.getUint16(i * 2, true) : view.getUint8(i)]
  }
const typed =
  (
    make: (buffer: ArrayBufferLike, at: number, count: number) => ArrayLike<number>,
    get: (view: DataView, at: number) => number,
    size: number,
  ): Decoder =>
  (view, count, into) => {
    if (view.byteOffset % size === 0) {
      const values = make(view.buffer, view.byteOffset, count)
      for (let i = 0; i < count; i++) into[i] = values[i]
    } else for (let i = 0; i < count; i++) into[i] = get(view, i * size)
  }
/** NaN or infinite when either part is; else the real part, as numpy leaves it. */
const realPart =
  (get: (view: DataView, at: number) => number, size: number): Decoder =>
  (view, count, into) => {
    for (let i = 0; i < count; i++) {
      const real = get(view, i * 2 * size)
      const imaginary = get(view, i * 2 * size + size)
      if (Number.isNaN(imaginary)) into[i] = NaN
      else into[i] = Number.isFinite(imaginary) || Number.isNaN(real) ? real : Infinity
    }
  }
const wide =
  (get: (view: DataView, at: number) => bigint): Decoder =>
  (view, count, into) => {
    for (let i = 0; i < count; i++) into[i] = Number(get(view, i * 8))
  }

const decoders: Readonly<Record<DtypeName, Decoder>> = {
  float16: looked(halves, true),
  bfloat16: looked(brains, true),
  float8_e4m3fn: looked(e4m3, false),
  float8_e5m2: looked(e5m2, false),
  float8_e8m0: looked(e8m0, false),
  hifloat8: looked(hifloats, false),
  float32: typed(
    (b, at, n) => new Float32Array(b, at, n),
    (v, at) => v.getFloat32(at, true),
    4,
  ),
  float64: typed(
    (b, at, n) => new Float64Array(b, at, n),
    (v, at) => v.getFloat64(at, true),
    8,
  ),
  int8: typed(
    (b, at, n) => new Int8Array(b, at, n),
    (v, at) => v.getInt8(at),
    1,
  ),
  int16: typed(
    (b, at, n) => new Int16Array(b, at, n),
    (v, at) => v.getInt16(at, true),
    2,
  ),
  int32: typed(
    (b, at, n) => new Int32Array(b, at, n),
    (v, at) => v.getInt32(at, true),
    4,
  ),
  int64: wide((v, at) => v.getBigInt64(at, true)),
  uint8: typed(
    (b, at, n) => new Uint8Array(b, at, n),
    (v, at) => v.getUint8(at),
    1,
  ),
  uint16: typed(
    (b, at, n) => new Uint16Array(b, at, n),
    (v, at) => v.getUint16(at, true),
    2,
  ),
  uint32: typed(
    (b, at, n) => new Uint32Array(b, at, n),
    (v, at) => v.getUint32(at, true),
    4,
  ),
  uint64: wide((v, at) => v.getBigUint64(at, true)),
  bool: (view, count, into) => {
    for (let i = 0; i < count; i++) into[i] = view.getUint8(i) ? 1 : 0
  },
  complex32: realPart((v, at) => fromHalf(v.getUint16(at, true)), 2),
  complex64: realPart((v, at) => v.getFloat32(at, true), 4),
  complex128: realPart((v, at) => v.getFloat64(at, true), 8),
}

/** Little-endian element bytes as doubles; 64-bit integers round as numpy's astype does. */
export function decode(dtype: Dtype, bytes: Uint8Array, count: number, into: Float64Array): void {
  decoders[dtype.name](new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), count, into)
}

/** Turns big-endian words around in place. */
export function swapWords(bytes: Uint8Array, word: number): void {
  if (word < 2) return
  for (let at = 0; at + word <= bytes.length; at += word) bytes.subarray(at, at + word).reverse()
}
