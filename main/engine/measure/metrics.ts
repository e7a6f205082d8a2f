// The metrics of tensors, one row each. Columns, threads, tables, graph files and exports read these rows; what a
// row computes from is summed up by the kernels.
import { type Generation, type Measured, Note, Outcome } from '../model/index.ts'
import type { Dtype } from '../formats/index.ts'
import { fixed12, roundCosine } from '../python/index.ts'
import {
  absoluteDifference,
  epsilon,
  relativeError,
  relativeRule,
  type RelativeRule,
  type Sums,
  type ZeroRule,
} from './kernels.ts'

/** Two tensors without axes: the numbers that they are. */
interface ScalarPair {
  readonly debug: Dtype
  readonly x: number | bigint
  readonly bench: Dtype
  readonly y: number | bigint
}

interface Metric {
  readonly id: string
  /** Title of the column in tables, key in graph files. */
  readonly title: string
  /** The first msprobe that has it; null: a column of ours behind msprobe's own. */
  readonly since: Generation | null
  /** From what the kernels summed up over `size` elements; NaN where there is no number. */
  of(sums: Sums, size: number): number
  /** For two tensors without axes; null where those have no such number. */
  readonly ofScalars: ((pair: ScalarPair, rule: RelativeRule) => number) | null
  /** Whether tensors of one element have it. */
  readonly single: boolean
  /** The number as tables print it. */
  rounded(value: number): number
  /** The `Note` of a pair where the number is NaN. */
  readonly whenNaN?: number
  /** What msprobe 26 does otherwise with the numbers of a metric. */
  readonly in26?: { readonly scalar: boolean; rounded(value: number): number }
}

/** In the order of msprobe 26; 1.2.2 has the same order with fewer metrics. */
const rows = [
  {
    id: 'cosine',
    title: 'Cosine',
    since: 'msprobe-1.2.2',
    of: cosineOf,
    ofScalars: null,
    single: false,
    rounded: roundCosine,
  },
  {
    id: 'euclid',
    title: 'EucDist',
    since: 'msprobe-26',
    of: sums => Math.sqrt(sums.differenceSquares),
    ofScalars: ({ x, y }) => Math.abs(Number(x) - Number(y)),
    single: true,
    rounded: fixed12,
    in26: { scalar: false, rounded: value => value },
  },
  {
    id: 'maxAbs',
    title: 'MaxAbsErr',
    since: 'msprobe-1.2.2',
    of: sums => sums.maxAbs,
    ofScalars: ({ debug, x, bench, y }) => absoluteDifference(debug, x, bench, y),
    whenNaN: Note.maxAbsNan,
    single: true,
    rounded: fixed12,
  },
  {
    id: 'maxRel',
    title: 'MaxRelativeErr',
    since: 'msprobe-1.2.2',
    of: sums => sums.maxRel,
    ofScalars: ({ x, y }, rule) => relativeError(Number(x), Number(y), rule),
    whenNaN: Note.maxRelNan,
    single: true,
    rounded: fixed12,
  },
  {
    id: 'thousandth',
    title: 'One Thousandth Err Ratio',
    since: 'msprobe-1.2.2',
    of: (sums, size) => sums.belowThousandth / size,
    ofScalars: null,
    single: true,
    rounded: fixed12,
  },
  {
    id: 'fiveThousandths',
    title: 'Five Thousandths Err Ratio',
    since: 'msprobe-1.2.2',
    of: (sums, size) => sums.belowFiveThousandths / size,
    ofScalars: null,
    single: true,
    rounded: fixed12,
  },
] as const satisfies readonly Metric[]

export type MetricId = (typeof rows)[number]['id']
export const metrics: readonly (Metric & { readonly id: MetricId })[] = rows

/** One entry per metric; `index` is its place in the table. */
export const perMetric = <T>(make: (index: number) => T): Record<MetricId, T> =>
  Object.fromEntries(metrics.map(({ id }, index) => [id, make(index)])) as Record<MetricId, T>

// ---------------------------------------- how a generation of msprobe shows them

export interface MetricColumn {
  readonly id: MetricId
  readonly title: string
  /** Not among msprobe's own columns. */
  readonly extra: boolean
  /** Whether tensors without axes have a number, and those of one element. */
  readonly scalar: boolean
  readonly single: boolean
  rounded(value: number): number
}

export const metricColumns: Readonly<Record<Generation, readonly MetricColumn[]>> = {
  'msprobe-1.2.2': metrics.map(({ id, title, since, ofScalars, single, rounded }) => ({
    id,
    title,
    extra: since !== 'msprobe-1.2.2',
    scalar: ofScalars !== null,
    single,
    rounded,
  })),
  'msprobe-26': metrics.map(({ id, title, since, ofScalars, rounded, in26 }) => ({
    id,
    title,
    extra: since === null,
    scalar: in26?.scalar ?? ofScalars !== null,
    // A tensor of one element counts as one without axes here.
    single: in26?.scalar ?? ofScalars !== null,
    rounded: in26?.rounded ?? rounded,
  })),
}

// ---------------------------------------- the numbers of one pair

/** What measuring one pair came to; numbers are unrounded and in the order of the table. */
export interface PairNumbers {
  readonly outcome: Outcome
  notes: number
  readonly values: readonly number[]
  readonly benchNorm: number
}

const none = metrics.map(() => NaN)
export const withoutNumbers = (outcome: Outcome): PairNumbers => ({
  outcome,
  notes: 0,
  values: none,
  benchNorm: NaN,
})

/** What the sums say, for tensors with at least one axis. */
export function pairNumbers(sums: Sums, size: number, debug: Dtype, bench: Dtype): PairNumbers {
  if (sums.mismatch) return withoutNumbers(Outcome.nanPositions)
  const values: number[] = []
  for (const metric of metrics) values.push(metric.of(sums, size))
  const notes = cosineNote(sums, size) | (debug.array === bench.array ? 0 : Note.dtypesDiffer)
  // The squares of elements that are equal on both sides may have been skipped.
  const benchNorm = sums.skipped === size ? NaN : Math.sqrt(sums.benchSquares)
  return { outcome: Outcome.measured, notes: notes | notesOf(values), values, benchNorm }
}

/** Errors of two tensors without axes, in the arithmetic of their types: unsigned integers wrap. */
export function scalarNumbers(pair: ScalarPair, zeros: ZeroRule = 'tiny'): PairNumbers {
  const rule = relativeRule(pair.debug, pair.bench, zeros)
  const values = metrics.map(metric => (metric.ofScalars ? metric.ofScalars(pair, rule) : NaN))
  return { outcome: Outcome.scalar, notes: notesOf(values), values, benchNorm: Math.abs(Number(pair.y)) }
}

/** What is noted of numbers that are NaN. */
function notesOf(values: readonly number[]): number {
  let notes = 0
  for (let i = 0; i < values.length; i++) if (values[i] !== values[i]) notes |= metrics[i].whenNaN ?? 0
  return notes
}

function cosineOf(sums: Sums, size: number): number {
  if (size === 1) return NaN
  // Nothing differed, so nobody had to know the norms.
  if (sums.skipped === size) return 1
  const debug = Math.sqrt(sums.debugSquares)
  const bench = Math.sqrt(sums.benchSquares)
  if (debug <= epsilon || bench <= epsilon) return debug <= epsilon && bench <= epsilon ? 1 : NaN
  return sums.product / (debug * bench)
}

/** Why there is no cosine; 0 where there is one. */
function cosineNote(sums: Sums, size: number): number {
  if (size === 1) return Note.single
  if (!Number.isNaN(cosineOf(sums, size))) return 0
  if (Math.sqrt(sums.debugSquares) <= epsilon) return Note.debugAllZero
  return Math.sqrt(sums.benchSquares) <= epsilon ? Note.benchAllZero : Note.cosineNan
}

// ---------------------------------------- the numbers of many pairs

/** Columns in which nothing has been measured yet. */
export function emptyMeasured(length: number): Measured {
  return {
    length,
    outcome: new Uint8Array(length),
    notes: new Uint8Array(length),
    ...perMetric(() => new Float64Array(length).fill(NaN)),
    benchNorm: new Float64Array(length).fill(NaN),
    debugHash: new Uint32Array(length * 2),
    benchHash: new Uint32Array(length * 2),
  }
}

/** The metrics, the norm, both hashes, outcome and notes. */
export const bytesPerPair = (metrics.length + 1) * 8 + 2 * 8 + 2

/** The columns over one shared block: doubles first, so that every column is aligned. */
export function sharedMeasured(buffer: SharedArrayBuffer, length: number): Measured {
  const norms = metrics.length * length * 8
  const rest = norms + length * 8
  return {
    length,
    ...perMetric(index => new Float64Array(buffer, index * length * 8, length)),
    benchNorm: new Float64Array(buffer, norms, length),
    debugHash: new Uint32Array(buffer, rest, length * 2),
    benchHash: new Uint32Array(buffer, rest + length * 8, length * 2),
    outcome: new Uint8Array(buffer, rest + length * 16, length),
    notes: new Uint8Array(buffer, rest + length * 17, length),
  }
}
