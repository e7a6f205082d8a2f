// What reading two tensor files tells about each pair: numbers in columns, and why there is none. Texts are
// made by whoever prints.
import type { MetricId, ZeroRule } from '../measure/index.ts'
import type { Column, ItemRow, MeasuredRow } from './ids.ts'
import type { Problem } from './problem.ts'
import type { TensorRef } from './tensor-store.ts'

/** Why a pair has no numbers, in msprobe's order of checks. */
export const Outcome = {
  /** Not measured yet. */
  pending: 0,
  measured: 1,
  debugMissing: 2,
  benchMissing: 3,
  /** A file exists but is no readable tensor. */
  corrupt: 4,
  /** The debug side has no elements. */
  empty: 5,
  /** The debug side is 0-d: errors are measured, cosine and ratios are not. */
  scalar: 6,
  shapesDiffer: 7,
  /** Not convertible to numbers. */
  unreadable: 8,
  /** NaN or Inf stand at different positions. */
  nanPositions: 9,
} as const
export type Outcome = (typeof Outcome)[keyof typeof Outcome]

/** Bits of `notes`. */
export const Note = {
  /** The arrays' dtypes differ (as stored, not as in dump.json). */
  dtypesDiffer: 1,
  /** One element: cosine is unsupported. */
  single: 2,
  debugAllZero: 4,
  benchAllZero: 8,
  cosineNan: 16,
  maxAbsNan: 32,
  maxRelNan: 64,
  /** The bytes of both sides are equal. */
  equalBytes: 128,
} as const

/**
 * One entry per pair, and a column per metric. Numbers are unrounded; printing rounds as the reference does.
 * Backed by shared memory so that threads fill them.
 */
export interface Measured extends Readonly<Record<MetricId, Column<Float64Array, MeasuredRow>>> {
  readonly length: number
  readonly outcome: Column<Uint8Array, MeasuredRow>
  readonly notes: Column<Uint8Array, MeasuredRow>
  /** Norm of the bench side, for dumps without statistics; NaN where it was not needed or not read. */
  readonly benchNorm: Column<Float64Array, MeasuredRow>
  /** 64-bit hashes of the element bytes of both sides, as two Uint32 halves each; 0 when not read. */
  readonly debugHash: Uint32Array
  readonly benchHash: Uint32Array
  /** Why files could not be read, a limited number of them. */
  readonly problems?: readonly Problem[]
}

export interface TensorPair {
  /** Null when the side has no values that may be read. */
  readonly debug: TensorRef | null
  readonly bench: TensorRef | null
  /** Row of the debug item; for results that hold their numbers already. */
  readonly item?: ItemRow
  /** Bytes of one side, when known: large pairs go first. */
  readonly bytes?: number
  /** What relative errors do where the bench is zero; `tiny` where nothing is said. */
  readonly zeros?: ZeroRule
  /** Axes of one element do not count. */
  readonly squeezed?: boolean
}
