// What is said of ranks that should hold the same and do not, and of forwards that were computed twice.
import type { LayoutDimension } from './names.ts'
import type { UnitIndex } from './ids.ts'
import type { Problem } from './problem.ts'

/**
 * parameter: weights of copies of the model; gradient: theirs where those of most are equal; collective: what one collective
 * gave its members; call: what a call made of equal inputs; overwritten: what is read is no longer what was made of it on the
 * other ranks; calls: other calls are made from here on; recomputed: a second forward against the first; recomputed-input: what a second forward reads.
 */
export const unequalKinds = [
  'parameter',
  'gradient',
  'collective',
  'call',
  'overwritten',
  'calls',
  'recomputed',
  'recomputed-input',
] as const
export type UnequalKind = (typeof unequalKinds)[number]

export interface Unequal {
  readonly kind: UnequalKind
  /** The call, on the first of `ranks`. */
  readonly op: string
  /** What of it: `output.0`, `weight`; '' for all of it. */
  readonly item: string
  /** Where it is unlike the rest; all that are unlike each other where nobody is the rest. */
  readonly ranks: readonly number[]
  /** Those that agree with each other; empty where nobody does, or where a rank is held against itself. */
  readonly others: readonly number[]
  /** Largest difference of its statistics, relative to its range; NaN where only checksums tell. */
  readonly size: number
  /** As large as what another order of summation makes. */
  readonly rounding: boolean
  /** What made it, what the others call there, or the first forward; '' where there is none. */
  readonly from: string
  /** Further ones of the same kind on the same ranks, behind it. */
  readonly more: number
  /** Some of those. */
  readonly also: readonly string[]
  /** From 0 to 1 on the line of time of its rank. */
  readonly at: number
}

/** How ranks share a model, as their groups say; sizes of dimensions. */
export interface Topology {
  readonly tp: number
  readonly cp: number
  readonly ep: number
  readonly dp: number
  readonly pp: number
  /** Dimensions, the one whose neighbours are neighbouring ranks first. */
  readonly order: string
  /** Dimensions that a group of the dump shows; the others are what is left. */
  readonly shown: readonly LayoutDimension[]
}

export interface ReplicasAnswer {
  /** What is no rounding first, in the order of time. */
  readonly findings: readonly Unequal[]
  /** How much could be held against each other. */
  readonly compared: Readonly<Record<'parameters' | 'collectives' | 'calls' | 'recomputed', number>>
  readonly ranks: number
  /** Null where the groups do not tell, or some ranks are not there. */
  readonly topology: Topology | null
  /** What copies of the model were told by; none: no ranks hold the same weights. */
  readonly copiesBy: 'layout' | 'groups' | 'weights' | 'none'
}

export interface ReplicasStep {
  readonly answer: ReplicasAnswer
  readonly units: readonly { readonly rank: number; readonly unit: UnitIndex }[]
  /** Ranks that could not be read. */
  readonly problems: readonly Problem[]
}
