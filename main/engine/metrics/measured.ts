// What reading two tensor files tells about each pair: numbers in columns, and why there is none. Texts are made by whoever prints.
import type { Problem } from '../problem.ts'

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

/** One entry per pair. Numbers are unrounded; printing rounds as the reference does. Backed by shared memory so that threads fill them. */
export interface Measured {
  readonly length: number
  readonly outcome: Uint8Array
  readonly notes: Uint8Array
  readonly cosine: Float64Array
  readonly euclid: Float64Array
  readonly maxAbs: Float64Array
  readonly maxRel: Float64Array
  /** Share of elements with relative error below 0.001 and 0.005. */
  readonly thousandth: Float64Array
  readonly fiveThousandths: Float64Array
  /** 64-bit hashes of the element bytes of both sides, as two Uint32 halves each; 0 when not read. */
  readonly debugHash: Uint32Array
  readonly benchHash: Uint32Array
  /** Why files could not be read, a limited number of them. */
  readonly problems?: readonly Problem[]
}

export interface TensorPair {
  /** Absolute paths; '' when the side has no file. */
  readonly debug: string
  readonly bench: string
  /** Types as dump.json tells them: raw 16-bit files of bfloat16 are known by nothing else. */
  readonly debugDtype?: string
  readonly benchDtype?: string
  /** Bytes of one side, when known: large pairs go first. */
  readonly bytes?: number
  /** What relative errors do where the bench is zero, see `ZeroRule` of the kernels; default `tiny`. */
  readonly zeros?: 'tiny' | 'machine'
}
