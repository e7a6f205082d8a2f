// Why a row is in its state: which rule decided, and with which numbers; words make the sentence.
import type { Stat } from './names.ts'
import type { Fact, None } from './problem.ts'

/** An error, and up to which one nothing is counted; both in units of the bench tensor. */
interface Weighed {
  error: number
  allowed: number
}

/** The facts of each rule: all that its sentence may name. */
export interface ReasonFacts {
  unpaired: None
  /** The item of the same name is of another shape or type. */
  'unpaired-shape': { debug: string; bench: string }
  'unpaired-dtype': { debug: string; bench: string }
  /** The values of a side cannot be read. */
  unread: None
  /** Neither numbers nor checksums on both sides. */
  unknown: None
  shapes: { debug: string; bench: string }
  'equal-bytes': None
  'equal-md5': None
  'equal-statistics': None
  /** NaN or infinity on one side only. */
  broken: None
  /** Checksums differ, and nothing says by how much. */
  md5: None
  /** No statistic differs, but bytes or checksums do. */
  'hidden-noise': { allowed: number }
  hidden: None
  noise: Weighed
  tolerance: Weighed
  beyond: Weighed
  'beyond-tolerance': Weighed
  /** Where any difference counts: the runs are equal to the bit elsewhere, or a finding rests on the row. */
  bits: { error: number }
  evident: { error: number }
  'scalar-equal': { debug: string }
  'scalar-noise': { debug: string; bench: string } & Weighed
  scalar: { debug: string; bench: string }
}
export type ReasonCode = keyof ReasonFacts

/** What of two tensors an error was seen in. */
export type ErrorOf = Stat | 'elements'

export interface Reason {
  readonly code: ReasonCode
  readonly facts: Readonly<Record<string, Fact>>
  /** What is off by how much, the largest first. */
  readonly errors: readonly { readonly of: ErrorOf; readonly error: number }[]
}
