// Numbers as devices have them: rounding to half precisions, seeded noise, statistics and checksums as
// msprobe writes them.

export interface Tensor {
  readonly shape: readonly number[]
  readonly data: Float64Array
  /** Integers are never rounded and carry no gradient. */
  readonly whole?: boolean
}

export type Precision = 'fp32' | 'bf16' | 'fp16'

export const size = (shape: readonly number[]): number => shape.reduce((a, b) => a * b, 1)
export const tensor = (
  shape: readonly number[],
  data: Float64Array = new Float64Array(size(shape)),
): Tensor => ({ shape, data })
export const like = (t: Tensor, fill: (i: number) => number): Tensor => ({
  shape: t.shape,
  data: Float64Array.from(t.data, (_, i) => fill(i)),
})

/** Small, fast, seeded (mulberry32). */
export class Random {
  #state: number
  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let t = this.#state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }

  normal(): number {
    return Math.sqrt(-2 * Math.log(this.next() + 1e-12)) * Math.cos(2 * Math.PI * this.next())
  }
  below(n: number): number {
    return Math.floor(this.next() * n)
  }
}

export const seedOf = (text: string): number => {
  let hash = 2166136261
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619)
  return hash >>> 0
}

const single = new Float32Array(1)
const bits = new Uint32Array(single.buffer)

function toBrain(value: number): number {
  single[0] = value
  if (!Number.isFinite(single[0])) return single[0]
  bits[0] = (bits[0] + 0x7fff + ((bits[0] >>> 16) & 1)) & 0xffff0000
  return single[0]
}

function toHalf(value: number): number {
  if (!Number.isFinite(value) || value === 0) return value
  const size = Math.abs(value)
  if (size >= 65520) return Math.sign(value) * Number.POSITIVE_INFINITY
  const step = Math.max(2 ** (Math.floor(Math.log2(size)) - 10), 2 ** -24)
  const scaled = size / step
  const low = Math.floor(scaled)
  const rest = scaled - low
  const rounded = rest > 0.5 || (rest === 0.5 && low % 2 === 1) ? low + 1 : low
  return Math.sign(value) * rounded * step
}

export const rounding: Record<Precision, (value: number) => number> = {
  fp32: Math.fround,
  bf16: toBrain,
  fp16: toHalf,
}

export function toTen(value: number): number {
  single[0] = value
  if (!Number.isFinite(single[0])) return single[0]
  bits[0] = (bits[0] + 0xfff + ((bits[0] >>> 13) & 1)) & 0xffffe000
  return single[0]
}

/** How one side computes. */
export interface Device {
  readonly precision: Precision
  /** Relative size of the noise on every result, 0 for none. */
  readonly noise: number
  /** Sums in blocks instead of one after the other. */
  readonly blocked: boolean
  /** Also results that need no arithmetic of their own (relu, pooling) are noisy. */
  readonly everywhere: boolean
  /** Results are stored as float32 although they are rounded to the precision. */
  readonly wide: boolean
  /** Products round what they read to ten bits. */
  readonly reduced: boolean
  readonly seed: number
}

export const plainDevice: Device = {
  precision: 'fp32',
  noise: 0,
  blocked: false,
  everywhere: false,
  wide: false,
  reduced: false,
  seed: 0,
}

/** Σ a·b in single precision, in the device's order. */
export function sumOfProducts(n: number, at: (i: number) => number, blocked: boolean): number {
  if (!blocked) {
    let sum = 0
    for (let i = 0; i < n; i++) sum = Math.fround(sum + Math.fround(at(i)))
    return sum
  }
  let total = 0
  for (let from = 0; from < n; from += 4) {
    let sum = 0
    for (let i = Math.min(n, from + 4) - 1; i >= from; i--) sum = Math.fround(sum + at(i))
    total = Math.fround(total + sum)
  }
  return total
}

interface Statistics {
  readonly Max: number
  readonly Min: number
  readonly Mean: number
  readonly Norm: number
}

export function statistics(t: Tensor): Statistics {
  let [max, min, sum, square] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 0, 0]
  let nan = false
  for (const value of t.data) {
    if (Number.isNaN(value)) nan = true
    if (value > max) max = value
    if (value < min) min = value
    sum += value
    square += value * value
  }
  const f = (value: number): number => Math.fround(nan ? Number.NaN : value)
  return { Max: f(max), Min: f(min), Mean: f(sum / t.data.length), Norm: f(Math.sqrt(square)) }
}

const table = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1
  return c
})

/** CRC-32 of the elements as float32 or int64 bytes, as msprobe's md5 is one. */
export function checksum(t: Tensor): string {
  const bytes = t.whole
    ? new Uint8Array(BigInt64Array.from(t.data, value => BigInt(value)).buffer)
    : new Uint8Array(Float32Array.from(t.data).buffer)
  let crc = 0xffffffff
  for (const byte of bytes) crc = table[(crc ^ byte) & 255] ^ (crc >>> 8)
  return ((crc ^ 0xffffffff) >>> 0).toString(16).padStart(8, '0')
}
