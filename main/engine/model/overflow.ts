// What is said of overflow: where it enters a step, what was only seen first, and the list of calls.
import type { UnitIndex } from './ids.ts'
import type { Problem } from './problem.ts'

/** What a call shows; the larger, the worse. */
export type SceneName = 'clean' | 'statistic' | 'absorbed' | 'growth' | 'saturated' | 'passed' | 'entered'
export type OverflowLevel = 'statistic' | 'medium' | 'high' | 'saturated' | 'critical'

/** Why something bad is only the first that is seen, and not where it came from. */
export type SymptomReason = 'inputs-bad' | 'asked' | 'partner-missing' | 'no-inputs'

export interface NamedFound {
  readonly rank: number
  /** Every rank at which this call of several ranks went bad. */
  readonly ranks: readonly number[]
  readonly op: string
  /** Its row in the dump. */
  readonly order: number
  readonly confidence: 'direct' | SymptomReason
  /** Events before it in the longest chain that leads to it, over all ranks. */
  readonly depth: number
  /** Calls behind it that are bad; null where too many begin to be told apart. */
  readonly downstream: number | null
  /** Ranks with bad calls behind it. */
  readonly reached: readonly number[]
}

/** The first time that something bad came to a rank from another. */
export interface NamedArrival {
  readonly from: number
  readonly fromOp: string
  /** Rows of both calls in their dumps. */
  readonly fromOrder: number
  readonly to: number
  readonly toOp: string
  readonly toOrder: number
}

/** What stands in the way of an answer. */
export type OverflowNote =
  | { readonly note: 'no-statistics' | 'overflow-only' | 'no-inputs' | 'cut'; readonly ranks: number }
  | {
      readonly note: 'rank-missing'
      readonly key: string
      readonly op: string
      readonly ranks: string
      readonly count: number
    }
  | {
      readonly note: 'fewer-calls'
      readonly key: string
      readonly op: string
      readonly rank: number
      readonly count: number
    }
  | { readonly note: 'deadlocks'; readonly count: number }

export interface OverflowAnswer {
  /** Where it enters, the earliest first. */
  readonly origins: readonly NamedFound[]
  readonly symptoms: readonly NamedFound[]
  /** Calls with clean inputs and bad outputs behind one of these. */
  readonly later: number
  readonly arrivals: readonly NamedArrival[]
  readonly notes: readonly OverflowNote[]
  /** How many calls of each level there are, over all ranks. */
  readonly levels: Readonly<Record<OverflowLevel, number>>
  readonly calls: number
}

/** Whether a call's inputs explain its bad result: `normal`, if the exact one overflows too. */
export type OverflowExplained = 'normal' | 'abnormal' | 'skipped'

/** A rank from its first call to its last. */
export interface OverflowRank {
  readonly rank: number
  readonly unit: UnitIndex
  readonly calls: number
  /** Digits: the worst scene of equal shares of its calls. */
  readonly band: string
}

export interface OverflowStep {
  readonly answer: OverflowAnswer
  readonly ranks: readonly OverflowRank[]
  /** Ranks that could not be read. */
  readonly problems: readonly Problem[]
}

/** The first step with anything, of all that are opened. */
export interface OverflowFirst {
  readonly steps: number
  /** Null where no step has anything. */
  readonly first: { readonly step: number | null; readonly unit: UnitIndex } | null
}

/** A conspicuous call. */
export interface OverflowCall {
  readonly order: number
  readonly op: string
  readonly level: OverflowLevel
  readonly scene: SceneName
  /** The item that decided, without the call's name; '' for none. */
  readonly item: string
  /** What its partner shows on the bench side; null where there is none, or nothing is compared with. */
  readonly bench: OverflowLevel | 'clean' | null
}

export type OverflowWalk = 'next' | 'previous'

export interface OverflowPage {
  readonly total: number
  readonly levels: Readonly<Record<OverflowLevel, number>>
  /** Of a pair: calls that show something on both sides, and those that do so on the bench side only. */
  readonly sides: { readonly both: number; readonly benchOnly: number } | null
  readonly calls: readonly OverflowCall[]
}
