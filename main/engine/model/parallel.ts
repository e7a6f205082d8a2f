// How several ranks share one model, and what a value that was put together of theirs was made of.

/** Sizes of the dimensions; what is left of the ranks are replicas. */
export interface ParallelSizes {
  readonly tp: number
  readonly pp: number
  /** Pieces of the model that each stage holds. */
  readonly vpp: number
  readonly cp: number
  /** Dimensions, the one whose neighbours are neighbouring ranks first. */
  readonly order: string
  /** How many ranks a step is said to have. */
  readonly asked?: number
}

/** Both sides put together; null where a side is left as it is. */
export interface Together {
  readonly debug: ParallelSizes | null
  readonly bench: ParallelSizes | null
  /** A yaml of rules that come before the built-in ones; '' for none. */
  readonly rules: string
  /** Ranks, or copies of the model, that meet others than their numbers say: `0=4, 1-3=5-7`; '' for none. */
  readonly pairs?: string
}

/**
 * How a value came from those of its ranks: it lies on one rank alone; all have the same; all should have the same and
 * have not; pieces along an axis; a sum that its collective had made; a sum of which no rank knows the whole; pieces
 * that do not fit; a number that counts pieces.
 */
export const shardWays = ['one', 'same', 'unequal', 'split', 'sum', 'partial', 'unfit', 'counted'] as const
export type ShardWay = (typeof shardWays)[number]

/** What one value was put together of. */
export interface ShardsOf {
  readonly ranks: readonly number[]
  readonly way: ShardWay
  /** Along which they follow each other; -1 where they do not. */
  readonly axis: number
  /** No rule says so: sizes do. */
  readonly guessed: boolean
}
