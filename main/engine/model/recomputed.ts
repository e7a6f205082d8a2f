// What recomputing comes to: stored results against the exact ones, of one side and of both.
import type { RecomputedState } from './names.ts'

/** Why a call is not recomputed. */
export const skipReasons = [
  /** The values come from a generator of random numbers. */
  'random',
  /** The stored gradient belongs to a tensor inside the call. */
  'inner',
  /** No operation of this name is known. */
  'unsupported',
  /** Values of a tensor that the call needs were not dumped, or their file is missing. */
  'noData',
  /** The forward call, which the gradient needs, is not in the dump. */
  'noForward',
  /** An argument was not recorded, or is of a form that is not known. */
  'arguments',
  /** Attributes of a primitive, which a dump does not hold. */
  'attributes',
  /** Shapes that do not belong together. */
  'shapes',
  /** Integers beyond 2^53, which a double does not hold. */
  'wideIntegers',
  /** Memory that was never written. */
  'undefined',
  /** Other ranks take part. */
  'communication',
  /** A module: its calls are recomputed one by one. */
  'module',
  /** More work than the limit, and not of a kind that can be sampled. */
  'limit',
  /** Values that the device wrote while the call ran. */
  'asynchronous',
  /** A tensor file that cannot be read. */
  'file',
  /** The call wrote nothing that could be compared. */
  'noOutput',
] as const
export type SkipReason = (typeof skipReasons)[number]

export type DirectionName = 'forward' | 'backward'

export type Verdict = 'pass' | 'warning' | 'error'

/** Why a result is not judged plainly. */
export type JudgedNote =
  | ''
  /** Finite where the exact result is beyond the type's range. */
  | 'saturated'
  /** A number where the exact result is NaN: devices that saturate do that, and some rules for extremes. */
  | 'lostNan'
  /** NaN or infinite where the exact result is not. */
  | 'nonFinite'
  /** As if the inputs had been rounded to 11 or 10 bits first. */
  | 'hf32'
  | 'tf32'
  /** Errors of the size that sums in the stored type have. */
  | 'lowAccumulation'
  /** The stored shape is another one. */
  | 'shape'

/** A stored result against the exact one. */
export interface Judged {
  /** Largest distance to the exact result, over elements where stored and rounded ones are finite. */
  readonly maxAbs: number
  /** The same in steps of the stored type; null for integers. */
  readonly maxUlp: number | null
  /** Elements that are not the exact result rounded once. */
  readonly mismatches: number
  /** The element that is furthest off. */
  readonly worst: number | null
  /** Elements that are NaN or infinite, and should not be. */
  readonly nonFinite: number
  /** Largest distance in units of what is allowed; null where nothing is, or where something is not finite. */
  readonly ratio: number | null
  readonly verdict: Verdict
  readonly note: JudgedNote
  /** Elements that were looked at, where not all were. */
  readonly sampled: number | null
}

/** One stored result beside the exact one. */
export interface ItemAnswer extends Judged {
  /** Name of the stored result: that of its file without the ending. */
  readonly item: string
  /** As the dump spells it. */
  readonly dtype: string
  readonly shape: readonly number[]
  readonly count: number
  /** Some element of the stored one, or of the exact one in the stored type, is NaN or infinite. */
  readonly overflowed: { readonly stored: boolean; readonly exact: boolean }
}

/** One direction of a call of one side. */
export interface DirectionAnswer {
  readonly call: string
  readonly direction: DirectionName
  readonly status: 'computed' | 'skipped'
  /** '' where it was computed. */
  readonly reason: SkipReason | ''
  /** What the reason is about: a name, a shape. */
  readonly detail: string
  readonly outputs: readonly ItemAnswer[]
}

/** An output of a call, on the sides that it was computed on. */
export interface RecomputedOutput {
  readonly debug: ItemAnswer | null
  readonly bench: ItemAnswer | null
  readonly state: RecomputedState
  /** Distance of the exact results in units of what rounding allows; null where nothing is, or one is missing. */
  readonly apart: number | null
}

/** One direction of a call, each side from its own inputs. */
export interface RecomputedCall {
  readonly direction: DirectionName
  /** Null where a side does not have it. */
  readonly debug: DirectionAnswer | null
  readonly bench: DirectionAnswer | null
  readonly state: RecomputedState
  readonly outputs: readonly RecomputedOutput[]
}

/** What is known of the calls of a node and of what lies in it. */
export interface NodeRecomputed {
  readonly calls: number
  /** How many of them were recomputed, or tried to be. */
  readonly computed: number
  /** Of both directions. */
  readonly states: Readonly<Record<RecomputedState, number>>
  /** Some of them, those that are wrong first. */
  readonly listed: readonly RecomputedCall[]
}

/** What recomputing says of a finding: the call that decides, of so many. */
export interface FindingRecomputed {
  readonly call: RecomputedCall
  readonly calls: number
  readonly computed: number
}
