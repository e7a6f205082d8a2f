// What a stored result is worth: its distance to the exact one, against how far a correct device may be off.
import type { DtypeName } from '../formats/index.ts'
import type { Judged, JudgedNote, Verdict } from '../model/index.ts'
import type { NdArray } from './array.ts'
import type { Outcome } from './operation.ts'
import { floatFormat, type FloatFormat, rounderOf, stepAt, ulpAt } from './rounding.ts'

/** Beyond what is allowed, up to so many times it is a warning. */
const warningBand = 4

const same = (x: number, y: number): boolean => x === y || (Number.isNaN(x) && Number.isNaN(y))

interface Sums {
  maxAbs: number
  maxUlp: number
  mismatches: number
  worst: number | null
  nonFinite: number
  saturated: number
  lost: number
  ratio: number
  isFinite: boolean
}

/** How much element i may be off beyond a step of its type. */
export type Allowance = (i: number) => number

export const judge = (outcome: Outcome, stored: NdArray): Judged => judgeAll(outcome, stored).judged

/** Also whether every element of both is finite, which needs no other look at them then. */
export function judgeAll(outcome: Outcome, stored: NdArray): WholeJudgement {
  const judging = new Judging(stored.dtype)
  judging.add(outcome, stored)
  return judging.whole()
}

interface WholeJudgement {
  readonly judged: Judged
  readonly isFinite: boolean
}

/** A result judged whole, or part by part where each element is judged by itself. */
export class Judging {
  readonly #dtype: DtypeName
  readonly #format: FloatFormat | null
  readonly #sums: Sums = {
    maxAbs: 0,
    maxUlp: 0,
    mismatches: 0,
    worst: null,
    nonFinite: 0,
    saturated: 0,
    lost: 0,
    ratio: 0,
    isFinite: true,
  }
  #bounded = false
  #sampled: readonly number[] | null = null

  constructor(dtype: DtypeName) {
    this.#dtype = dtype
    this.#format = floatFormat(dtype)
  }

  get isFinite(): boolean {
    return this.#sums.isFinite
  }

  /** `from`: where the part begins. */
  add(outcome: Outcome, stored: NdArray, from = 0): void {
    const { values, sampled = null } = outcome
    const format = this.#format
    const allowed = format ? allowanceOf(outcome, format) : null
    const share = format && outcome.bound.is === 'step' ? ofStep * unitOf(format) : 0
    const parts: readonly (readonly [Float64Array, Float64Array])[] = [
      [values.data, stored.data],
      ...(stored.imaginary && values.imaginary ? [[values.imaginary, stored.imaginary] as const] : []),
    ]
    if (sampled) this.#sums.isFinite = false
    for (const [exact, found] of parts)
      measure({ exact, found, dtype: this.#dtype, format, allowed, share, sampled, from }, this.#sums)
    this.#bounded = allowed !== null
    this.#sampled = sampled
  }

  whole(): WholeJudgement {
    const { isFinite } = this.#sums
    return { judged: judged(this.#sums, this.#bounded, this.#format, this.#sampled), isFinite }
  }
}

interface Measuring {
  readonly exact: Float64Array
  readonly found: Float64Array
  readonly dtype: DtypeName
  readonly format: FloatFormat | null
  readonly allowed: Allowance | null
  /** Of each element, what is allowed at least. */
  readonly share: number
  readonly sampled: readonly number[] | null
  /** Where in the whole the elements begin. */
  readonly from: number
}

/**
 * Most elements are as near as they can be, and no nearer to being the worst than others before them: they are told
 * apart by their distance alone, without the width of a step there.
 */
function measure(of: Measuring, sums: Sums): void {
  const { exact, found, dtype, format, sampled } = of
  const round = rounderOf(dtype)
  const isSingle = round === Math.fround
  const count = sampled ? sampled.length : found.length
  let near = format ? nearest(sums, format, of) : 0
  for (let n = 0; n < count; n++) {
    const i = sampled ? sampled[n] : n
    const h = exact[i]
    const d = found[i]
    const r = isSingle ? Math.fround(h) : round(h)
    const distance = Math.abs(d - h)
    if (d === r && distance <= near * Math.abs(h) && distance <= sums.maxAbs) continue
    measureOne(of, i, r, sums)
    if (format) near = nearest(sums, format, of)
  }
}

/** What is rounded once is off by half a step at most: beyond this share of it nothing is to be learned. */
const almostHalf = 0.499

/** Up to which share of a number a distance is below the largest so far: a step there is wider than `unit` of it. */
function nearest({ maxUlp, ratio }: Sums, { unit }: FloatFormat, { allowed, share }: Measuring): number {
  const byUlp = maxUlp > almostHalf ? Infinity : maxUlp * unit
  return Math.min(byUlp, allowed ? ratio * (unit + share) : unit)
}

function measureOne(
  { exact, found, format, allowed, from }: Measuring,
  i: number,
  r: number,
  sums: Sums,
): void {
  const h = exact[i]
  const d = found[i]
  if (!same(d, r)) sums.mismatches++
  const distance = Math.abs(d - h)
  if (Number.isFinite(d) && Number.isFinite(r)) {
    if (distance > sums.maxAbs) {
      sums.maxAbs = distance
      sums.worst = from + i
    }
    if (!format) return
    const ulp = ulpAt(format, h)
    sums.maxUlp = Math.max(sums.maxUlp, distance / ulp)
    if (allowed && distance > 0)
      sums.ratio = Math.max(sums.ratio, distance / (stepAt(format, h) + allowed(i)))
    return
  }
  sums.isFinite = false
  if (!same(d, r) && !nearLimit({ h, d, r }, format, allowed, i)) {
    sums.worst ??= from + i
    if (Number.isNaN(r)) sums.lost++
    else if (Number.isFinite(d) && isLargest(d, r, format)) sums.saturated++
    else sums.nonFinite++
  }
}

/** The last finite number of the type, on the side of an infinity. */
const isLargest = (d: number, r: number, format: FloatFormat | null): boolean =>
  format !== null && d > 0 === r > 0 && !Number.isFinite(format.round(d * (1 + format.unit * 2)))

/** Right at the end of the type's range one side may round to infinity. */
function nearLimit(
  { h, d, r }: { readonly h: number; readonly d: number; readonly r: number },
  format: FloatFormat | null,
  allowed: Allowance | null,
  i: number,
): boolean {
  if (!format || !allowed || !Number.isFinite(h) || Number.isNaN(d) || Number.isNaN(r)) return false
  const finite = Number.isFinite(d) ? d : Math.sign(d) * Math.abs(h)
  const slack = stepAt(format, h) + allowed(i)
  if (Number.isFinite(d)) return Math.abs(finite - h) <= slack
  // The device's result would have to be one that rounds to infinity.
  return format.round(h + Math.sign(h) * slack) === d
}

function judged(
  sums: Sums,
  bounded: boolean,
  format: FloatFormat | null,
  sampled: readonly number[] | null,
): Judged {
  const { maxAbs, mismatches, worst, nonFinite, saturated, lost, ratio } = sums
  const broken = nonFinite + saturated + lost > 0
  return {
    maxAbs,
    maxUlp: format ? sums.maxUlp : null,
    mismatches,
    worst,
    nonFinite,
    ratio: bounded && !broken ? ratio : null,
    verdict: verdictOf(sums, bounded),
    note: noteOf(sums),
    sampled: sampled ? sampled.length : null,
  }
}

function verdictOf({ nonFinite, saturated, lost, mismatches, ratio }: Sums, bounded: boolean): Verdict {
  if (nonFinite + lost > 0) return 'error'
  if (!bounded && mismatches > saturated) return 'error'
  if (ratio > warningBand) return 'error'
  return ratio > 1 || saturated > 0 ? 'warning' : 'pass'
}

function noteOf({ nonFinite, saturated, lost }: Sums): JudgedNote {
  if (nonFinite > 0) return 'nonFinite'
  if (lost > 0) return 'lostNan'
  return saturated > 0 ? 'saturated' : ''
}

/** A single step may be off by so many units of its result. */
const ofStep = 4

/** Null where the result has to be exact. */
export function allowanceOf(
  { values, bound }: Outcome,
  format: FloatFormat,
  unit = unitOf(format),
): Allowance | null {
  const { data } = values
  if (bound.is === 'exact') return null
  if (bound.is === 'step') {
    const again = format.bits < 23 ? ((bound.roundings ?? 1) - 1) * format.unit : 0
    return i => (unit * ofStep + again) * finite(data[i]) + unit * (bound.number ?? 0)
  }
  const most = largest(data, values.imaginary)
  const wide = Math.max(most, bound.also ?? 0)
  const terms = bound.terms?.()
  const rough = Math.max(bound.roughest ?? 0, format.unit)
  const low = rough > 2 ** -23 && bound.stages ? 4 * rough : 0
  // What was rounded on its way may have been where steps of the type grow no smaller.
  const least = low > 0 ? (4 + Math.sqrt(bound.length)) * 2 ** (format.least - format.bits) : 0
  if (!terms) return () => ((16 + bound.length) * unit + low) * wide + least
  const alike = bound.length * unit
  const apart = (16 + Math.min(bound.length, ofWalk * Math.sqrt(bound.length))) * unit
  /** By how much float32 may be off. */
  const gathered = (i: number): number => apart * finite(terms[i]) + alike * finite(data[i])
  if (bound.stored) return i => gathered(i) + low * finite(data[i])
  const rounded = format.bits < 23 ? bound.rounded?.() : undefined
  if (rounded) return i => gathered(i) + format.unit * finite(rounded[i])
  if (!bound.stages) return gathered
  const by = (16 + bound.length) * unit + low
  const other = bound.followed ? 0 : wide
  return i => by * Math.max(finite(terms[i]), other) + least
}

/**
 * Errors of a sum go both ways where its terms do: they gather like steps of a walk, five deviations of which are
 * three times the root of their number. Where all terms have one sign the result itself is as large as they are.
 */
const ofWalk = 3

/** The same gradient where what is gathered may be rounded to the stored type again and again; null for others. */
export const gatheredShort = ({ bound, ...outcome }: Outcome): Outcome | null =>
  bound.is === 'sum' && bound.stages && bound.stored
    ? { ...outcome, bound: { ...bound, stored: undefined } }
    : null

/** Sums are made in float32 at least; those of doubles as precisely as ours. */
const unitOf = ({ bits }: FloatFormat): number => (bits > 23 ? 2 ** -51 : 2 ** -24)

const finite = (x: number): number => (Number.isFinite(x) ? Math.abs(x) : 0)

function largest(data: Float64Array, imaginary?: Float64Array): number {
  let most = 0
  for (const part of imaginary ? [data, imaginary] : [data])
    for (let i = 0; i < part.length; i++) most = Math.max(most, finite(part[i]))
  return most
}

// ---------------------------------------- lower precision, told by its pattern

/** What stands out from the other errors by so much is not one of them. */
const outlier = 16

/**
 * Errors all over that a sum with less precise steps would have, and no other: not a single element, not a
 * factor.
 */
export function fitsUnit(outcome: Outcome, stored: NdArray, unit: number): boolean {
  const format = floatFormat(stored.dtype)
  if (!format || outcome.bound.is !== 'sum' || outcome.sampled) return false
  const terms = outcome.bound.terms?.()
  if (!terms || stored.data.length < 8) return false
  const { data } = outcome.values
  const off: number[] = []
  let along = 0
  let errors = 0
  let sizes = 0
  for (let i = 0; i < data.length; i++) {
    const error = stored.data[i] - data[i]
    if (!(Math.abs(error) <= stepAt(format, data[i]) + 3 * unit * finite(terms[i]))) return false
    if (stored.data[i] !== format.round(data[i])) off.push(Math.abs(error) / finite(terms[i]))
    along += error * data[i]
    errors += error * error
    sizes += data[i] * data[i]
  }
  if (off.length < 3 || off.length * 8 <= data.length || Math.abs(along) >= 0.8 * Math.sqrt(errors * sizes))
    return false
  off.sort((x, y) => x - y)
  return (off.at(-1) ?? 0) <= outlier * off[off.length >> 1]
}
