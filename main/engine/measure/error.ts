// The one measure of error: how far a tensor is from its reference. Rows, findings and whatever colours by error
// read it here. No thresholds: what an error means is for judge and advisor to say.
import {
  type BenchItem,
  type DebugItem,
  type Dump,
  Kind,
  type Measured,
  type MeasuredRow,
  Note,
  Outcome,
  type Stat,
  stats,
} from '../model/index.ts'

/** What an error is made of; the parts notice different things. */
export const Part = {
  /** Max, Min and Mean, against the reference's range: its largest magnitude. */
  extremes: 0,
  /** Norm, against the reference's norm. */
  norm: 1,
  /** Norm of the difference of all elements, against the reference's norm; where tensors were read. */
  elements: 2,
} as const

/** Whether two tensors are equal to the bit, as far as the dumps can tell. */
export const Equal = { no: 0, yes: 1, unknown: 2 } as const

/** By what two tensors were found equal or not; `nothing` tells. */
export type EqualBy = 'nothing' | 'bytes' | 'md5' | 'statistics'

const noMd5 = '00000000'

const isCounted = (kind: number): boolean => kind === Kind.float || kind === Kind.int || kind === Kind.bool

/**
 * Difference of two numbers in units of `scale`, in [0, 1]. NaN or infinity on one side only is 1; so is any
 * difference where there is no scale.
 */
export function relativeError(debug: number, bench: number, scale: number): number {
  if (debug === bench || (Number.isNaN(debug) && Number.isNaN(bench))) return 0
  if (!Number.isFinite(debug) || !Number.isFinite(bench)) return 1
  return scale > 0 && Number.isFinite(scale) ? Math.min(1, Math.abs(debug - bench) / scale) : 1
}

/** Measures pairs of tensors of two dumps. */
export class ErrorMeter {
  /** Of the pair measured last: its parts by `Part`, each in [0, 1]. */
  readonly parts = new Float64Array(3)
  /** Of the pair measured last, by `Equal`. */
  equal: number = Equal.unknown
  equalBy: EqualBy = 'nothing'
  /** Of the pair measured last: the error of each statistic, in their order; NaN where it was not looked at. */
  readonly ofStats = new Float64Array(stats.length)
  /** Whether NaN or infinity stands on one side only, of the pair measured last. */
  broken = false
  /** Whether anything tells how large the error is, of the pair measured last: a checksum does not. */
  sized = true
  readonly #debug: Dump
  readonly #bench: Dump
  readonly #measured: Measured | null
  readonly #hasMd5: boolean

  constructor(debug: Dump, bench: Dump, measured: Measured | null) {
    this.#debug = debug
    this.#bench = bench
    this.#measured = measured
    this.#hasMd5 = debug.header.hasMd5 && bench.header.hasMd5
  }

  /**
   * The largest part: 0 is equal, 1 is off by the whole range or more, or by nobody knows how much; NaN cannot be
   * told. `entry` among what was
   * measured; -1: these two were not.
   */
  measure(item: DebugItem, other: BenchItem, entry: MeasuredRow): number {
    const measured = entry < 0 ? null : this.#measured
    this.parts.fill(0)
    this.ofStats.fill(NaN)
    this.broken = false
    this.sized = true
    this.equal = this.#equality(item, other, measured, entry)
    const ofStatistics = this.equal === Equal.yes ? 0 : this.#ofStatistics(item, other)
    if (!measured) return this.#known(ofStatistics)
    if (measured.outcome[entry] === Outcome.nanPositions) {
      this.broken = true
      return 1
    }
    const ofElements = this.#ofElements(other, measured, entry)
    if (Number.isNaN(ofElements)) return this.#known(ofStatistics)
    this.parts[Part.elements] = ofElements
    return Number.isNaN(ofStatistics) ? ofElements : Math.max(ofStatistics, ofElements)
  }

  /** What differs to the bit, and by nobody knows how much, is off by all. */
  #known(error: number): number {
    if (!Number.isNaN(error) || this.equal !== Equal.no) return error
    this.sized = false
    return (this.parts[Part.extremes] = 1)
  }

  #equality(item: DebugItem, other: BenchItem, measured: Measured | null, entry: MeasuredRow): number {
    if (measured) {
      const { debugHash, benchHash } = measured
      const [low, high] = [2 * entry, 2 * entry + 1]
      this.equalBy = 'bytes'
      if ((debugHash[low] | debugHash[high]) !== 0 && (benchHash[low] | benchHash[high]) !== 0)
        return debugHash[low] === benchHash[low] && debugHash[high] === benchHash[high] ? Equal.yes : Equal.no
      if ((measured.notes[entry] & Note.equalBytes) !== 0) return Equal.yes
      // A finished table has no bytes; statistics may be equal where elements are not.
      if (measured.maxAbs[entry] > 0) return Equal.no
    }
    const [mine, theirs] = [this.#debug.items, this.#bench.items]
    if (this.#hasMd5 && mine.md5[item] >= 0 && theirs.md5[other] >= 0) {
      const md5 = this.#debug.texts.get(mine.md5[item])
      const benchMd5 = this.#bench.texts.get(theirs.md5[other])
      this.equalBy = 'md5'
      if (md5 !== noMd5 && benchMd5 !== noMd5) return md5 === benchMd5 ? Equal.yes : Equal.no
    }
    this.equalBy = 'statistics'
    let known = 0
    for (const column of stats) {
      if (!isCounted(mine[column].kind[item]) || !isCounted(theirs[column].kind[other])) continue
      known++
      const [a, b] = [mine[column].value[item], theirs[column].value[other]]
      if (!Object.is(a, b) && a !== b && !this.#isRounding(column, item, other, a, b)) return Equal.no
    }
    if (known > 0) return Equal.yes
    this.equalBy = 'nothing'
    return Equal.unknown
  }

  /** Sums of pieces end in other digits than the sum of the whole; extremes are elements of either. */
  #isRounding(column: Stat, item: DebugItem, other: BenchItem, a: number, b: number): boolean {
    if (column !== 'mean' && column !== 'norm') return false
    const { about: mine, items } = this.#debug
    if (!mine?.rounded?.(item) && !this.#bench.about?.rounded?.(other)) return false
    const { max, min } = this.#bench.items
    const scale = column === 'norm' ? Math.abs(b) : Math.max(size(max.value[other]), size(min.value[other]))
    const dtype = items.dtype[item] < 0 ? '' : this.#debug.texts.get(items.dtype[item])
    return Math.abs(a - b) <= scale * (/float16$/i.test(dtype) ? 2 ** -7 : 2 ** -20)
  }

  /**
   * Against the reference's range, not against the statistic itself: a mean near zero would make harmless noise
   * look like 100 %.
   */
  #ofStatistics(item: DebugItem, other: BenchItem): number {
    const [mine, theirs] = [this.#debug.items, this.#bench.items]
    const counted =
      isCounted(mine.max.kind[item]) &&
      isCounted(mine.min.kind[item]) &&
      isCounted(theirs.max.kind[other]) &&
      isCounted(theirs.min.kind[other])
    if (!counted) return Number.NaN
    const range = Math.max(size(theirs.max.value[other]), size(theirs.min.value[other]))
    for (let at = 0; at < stats.length; at++) {
      const column = stats[at]
      if (!isCounted(mine[column].kind[item]) || !isCounted(theirs[column].kind[other])) continue
      const [a, b] = [mine[column].value[item], theirs[column].value[other]]
      // A norm or mean that overflows over finite extremes says something of the statistic, not of the tensor.
      const overflowed =
        (column === 'mean' || column === 'norm') &&
        !(Number.isFinite(a) && Number.isFinite(b)) &&
        Number.isNaN(a) === Number.isNaN(b)
      if (overflowed || Object.is(a, b)) continue
      if (!Number.isFinite(a) || !Number.isFinite(b)) {
        this.broken = true
        return (this.parts[Part.extremes] = 1)
      }
      const part = column === 'norm' ? Part.norm : Part.extremes
      const error = relativeError(a, b, column === 'norm' ? Math.abs(b) : range)
      this.ofStats[at] = error
      this.parts[part] = Math.max(this.parts[part], error)
    }
    return Math.max(this.parts[Part.extremes], this.parts[Part.norm])
  }

  /** NaN where the elements were not compared, or where nothing tells the size of the reference. */
  #ofElements(
    other: BenchItem,
    { outcome, euclid, cosine, benchNorm }: Measured,
    entry: MeasuredRow,
  ): number {
    if (outcome[entry] !== Outcome.measured && outcome[entry] !== Outcome.scalar) return Number.NaN
    const { kind, value } = this.#bench.items.norm
    const isKnown = isCounted(kind[other])
    if (!isKnown && euclid[entry] === 0) return 0
    const norm = isKnown ? value[other] : benchNorm[entry]
    if (norm > 0 && euclid[entry] >= 0) return Math.min(1, euclid[entry] / norm)
    // Without a norm, as in a finished table, the angle between two tensors of about one size tells it.
    return isKnown ? Number.NaN : Math.min(1, Math.sqrt(Math.max(0, 2 - 2 * cosine[entry])))
  }
}

const size = (value: number): number => (Number.isFinite(value) ? Math.abs(value) : 0)
