// Sums over the elements of one tensor: what stands in it, finite or not. Two ranges can be put together.
import type { Dtype } from '../formats/index.ts'
import { PairwiseSum } from './pairwise.ts'
import { ScaledProducts, type ScaledState } from './scaled-sums.ts'
import { exactWhole, type Side } from './side.ts'

/** What can be wrong with elements, and the first one that it is wrong with. */
export const ailments = ['nan', 'posInf', 'negInf', 'subnormal', 'saturated'] as const
export type Ailment = (typeof ailments)[number]

export interface SideNumbers {
  /** All elements. */
  readonly count: number
  readonly finite: number
  readonly zeros: number
  readonly counts: Readonly<Record<Ailment, number>>
  /** Number of the first such element, -1 where there is none. */
  readonly where: Readonly<Record<Ailment, number>>
  /** Over finite elements; null where there is none. Whole numbers beyond 2^53 are texts. */
  readonly max: number | string | null
  readonly min: number | string | null
  readonly mean: number | null
  readonly std: number | null
  readonly norm: number | null
}

export interface SideState {
  readonly count: number
  readonly finite: number
  readonly zeros: number
  readonly counts: Record<Ailment, number>
  readonly where: Record<Ailment, number>
  readonly max: number
  readonly min: number
  readonly wide: readonly [min: bigint, max: bigint] | null
  readonly sum: number
  readonly lost: number
  readonly mean: number
  readonly deviation: number
  readonly squares: ScaledState
}

const none = (value: number): Record<Ailment, number> => ({
  nan: value,
  posInf: value,
  negInf: value,
  subnormal: value,
  saturated: value,
})

/** Longer sums are exact instead. */
const mostPairwise = 1 << 20

export class SideSums {
  #count = 0
  #finite = 0
  #zeros = 0
  readonly #counts = none(0)
  readonly #where = none(-1)
  #max = -Infinity
  #min = Infinity
  #wide: readonly [bigint, bigint] | null = null
  /** What was lost in rounding is kept beside the sum. */
  #sum = 0
  #lost = 0
  #mean = 0
  #deviation = 0
  readonly #squares = new ScaledProducts()
  readonly #pairwise: PairwiseSum | null

  /** `whole`: the tensor, where all of it will be added here and its sum must be numpy's. */
  constructor(whole: Side | null = null) {
    this.#pairwise = whole?.isWide && whole.size <= mostPairwise ? new PairwiseSum(whole.size) : null
  }

  /** Smallest and largest finite value so far; crossed where there is none. */
  get range(): readonly [number, number] {
    return [this.#min, this.#max]
  }

  /** A stretch that was read last; `first` is the number of its first element. */
  add(side: Side, first: number, count: number): void {
    if (!this.#addQuick(side, count)) this.#addSlow(side, first, count)
  }

  /** False, with nothing added, where there is more to say than sums. */
  #addQuick({ quick, dtype, isWide, isComplex, values }: Side, count: number): boolean {
    if (!quick || isWide || isComplex) return false
    const { tiny, top, bottom } = limitsOf(dtype)
    const [max, min, plain, zeros, small] = quick.first(count, tiny)
    if (!(plain - plain === 0 && max < top && min > bottom && small === zeros)) return false
    const exact = dtype.bytes < 8 ? ([plain, 0] as const) : compensated(values, count)
    const mean = (exact[0] + exact[1]) / count
    const [scale] = this.#squares.scales(Math.max(max, -min), 0)
    const [squares, deviation] = quick.second(count, mean, scale)
    this.#count += count
    this.#zeros += zeros
    if (max > this.#max) this.#max = max
    if (min < this.#min) this.#min = min
    this.#plus(exact[0])
    this.#lost += exact[1]
    this.#squares.add(0, squares, 0)
    this.#pool(count, mean, deviation)
    return true
  }

  #addSlow(side: Side, first: number, count: number): void {
    const { values } = side
    const { tiny, top, bottom } = limitsOf(side.dtype)
    let [odd, zeros, subnormal, sum, max, min] = [0, 0, 0, 0, -Infinity, Infinity]
    for (let i = 0; i < count; i++) {
      const x = values[i]
      if (x - x !== 0) {
        odd++
        continue
      }
      if (x > max) max = x
      if (x < min) min = x
      if (x < tiny && x > -tiny) {
        if (x === 0) zeros++
        else subnormal++
      }
      sum += x
    }
    this.#count += count
    this.#zeros += zeros
    if (odd > 0) this.#addOdd(values, first, count)
    if (subnormal > 0)
      this.#ail('subnormal', subnormal, () => values.findIndex(x => x !== 0 && Math.abs(x) < tiny) + first)
    if (!side.isComplex && (max >= top || min <= bottom))
      this.#addSaturated(values, first, count, top, bottom)
    const finite = count - odd
    if (finite === 0) return
    if (side.isWide && (max >= 2 ** 53 || min <= -(2 ** 53))) this.#addWide(side, count)
    if (max > this.#max) this.#max = max
    if (min < this.#min) this.#min = min
    this.#pairwise?.add(values, count)
    const exact = side.dtype.bytes < 8 ? ([sum, 0] as const) : compensated(values, count)
    this.#plus(exact[0])
    this.#lost += exact[1]
    this.#spread(values, count, finite, (exact[0] + exact[1]) / finite, Math.max(max, -min))
  }

  #spread(values: Float64Array, count: number, finite: number, mean: number, most: number): void {
    const [scale] = this.#squares.scales(most, 0)
    let [squares, deviation] = [0, 0]
    for (let i = 0; i < count; i++) {
      const x = values[i]
      if (x - x !== 0) continue
      const scaled = x * scale
      squares += scaled * scaled
      const off = x - mean
      deviation += off * off
    }
    this.#squares.add(0, squares, 0)
    this.#pool(finite, mean, deviation)
  }

  /** Means and deviations of two sets as those of both. */
  #pool(finite: number, mean: number, deviation: number): void {
    const all = this.#finite + finite
    if (all === 0) return
    const off = mean - this.#mean
    this.#deviation += deviation + (this.#finite === 0 ? 0 : off * off * (this.#finite / all) * finite)
    this.#mean = this.#finite === 0 ? mean : this.#mean + (off * finite) / all
    this.#finite = all
  }

  #plus(x: number): void {
    const sum = this.#sum + x
    this.#lost += Math.abs(this.#sum) >= Math.abs(x) ? this.#sum - sum + x : x - sum + this.#sum
    this.#sum = sum
  }

  #addOdd(values: Float64Array, first: number, count: number): void {
    for (let i = 0; i < count; i++) {
      const x = values[i]
      if (x - x === 0) continue
      const kind = Number.isNaN(x) ? 'nan' : x > 0 ? 'posInf' : 'negInf'
      this.#ail(kind, 1, () => first + i)
    }
  }

  #addSaturated(values: Float64Array, first: number, count: number, top: number, bottom: number): void {
    for (let i = 0; i < count; i++)
      if (values[i] - values[i] === 0 && (values[i] >= top || values[i] <= bottom))
        this.#ail('saturated', 1, () => first + i)
  }

  #ail(kind: Ailment, count: number, where: () => number): void {
    this.#counts[kind] += count
    if (this.#where[kind] < 0) this.#where[kind] = where()
  }

  #addWide(side: Side, count: number): void {
    const wide = side.wide()
    let [min, max] = this.#wide ?? [BigInt(wide[0]), BigInt(wide[0])]
    for (let i = 0; i < count; i++) {
      const x = wide[i]
      if (x < min) min = x
      if (x > max) max = x
    }
    this.#wide = [min, max]
  }

  /** What another range came to; ranges are put together in their order. */
  merge(other: SideState): void {
    this.#count += other.count
    this.#zeros += other.zeros
    for (const kind of ailments)
      if (other.counts[kind] > 0) this.#ail(kind, other.counts[kind], () => other.where[kind])
    this.#max = Math.max(this.#max, other.max)
    this.#min = Math.min(this.#min, other.min)
    this.#wide = widest(this.#wide, other.wide)
    this.#plus(other.sum)
    this.#lost += other.lost
    this.#squares.merge(other.squares)
    this.#pool(other.finite, other.mean, other.deviation)
  }

  get state(): SideState {
    return {
      count: this.#count,
      finite: this.#finite,
      zeros: this.#zeros,
      counts: this.#counts,
      where: this.#where,
      max: this.#max,
      min: this.#min,
      wide: this.#wide,
      sum: this.#pairwise?.sum ?? this.#sum,
      lost: this.#pairwise ? 0 : this.#lost,
      mean: this.#mean,
      deviation: this.#deviation,
      squares: this.#squares.state,
    }
  }

  get numbers(): SideNumbers {
    const finite = this.#finite
    const known = finite > 0
    const beyond = (wide: bigint | undefined, value: number): number | string =>
      wide !== undefined && Math.abs(value) >= 2 ** 53 ? exactWhole(wide) : value
    return {
      count: this.#count,
      finite,
      zeros: this.#zeros,
      counts: this.#counts,
      where: this.#where,
      max: known ? beyond(this.#wide?.[1], this.#max) : null,
      min: known ? beyond(this.#wide?.[0], this.#min) : null,
      mean: known ? (this.#sum + this.#lost) / finite : null,
      std: known ? Math.sqrt(this.#deviation / finite) : null,
      norm: known ? this.#squares.norm : null,
    }
  }
}

function widest(
  a: readonly [bigint, bigint] | null,
  b: readonly [bigint, bigint] | null,
): readonly [bigint, bigint] | null {
  if (!a || !b) return a ?? b
  return [a[0] < b[0] ? a[0] : b[0], a[1] > b[1] ? a[1] : b[1]]
}

/** A sum, and what rounding took from it. */
function compensated(values: Float64Array, count: number): readonly [number, number] {
  let [sum, lost] = [0, 0]
  for (let i = 0; i < count; i++) {
    const x = values[i]
    if (x - x !== 0) continue
    const next = sum + x
    const part = next - sum
    lost += sum - (next - part) + (x - part)
    sum = next
  }
  // Beyond the largest double there is nothing to make up for.
  return [sum, Number.isFinite(lost) ? lost : 0]
}

interface Limits {
  /** Smaller ones, zero aside, have lost digits. */
  readonly tiny: number
  readonly top: number
  readonly bottom: number
}

const floats: Readonly<Record<string, readonly [tiny: number, top: number]>> = {
  float16: [2 ** -14, 65504],
  bfloat16: [2 ** -126, (2 - 2 ** -7) * 2 ** 127],
  float32: [2 ** -126, (2 - 2 ** -23) * 2 ** 127],
  float64: [2 ** -1022, Number.MAX_VALUE],
  float8_e4m3fn: [2 ** -6, 448],
  float8_e5m2: [2 ** -14, 57344],
}

function limitsOf({ name, low, high }: Dtype): Limits {
  const [tiny = Number.MIN_VALUE, top = Infinity] = floats[name] ?? []
  // Of true and false neither is an end.
  if (low === undefined || high === undefined || name === 'bool') return { tiny, top, bottom: -top }
  return { tiny, top: Number(high), bottom: low === 0n ? -Infinity : Number(low) }
}
