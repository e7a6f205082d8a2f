// What noise is known to do, from two healthy runs: by kind of call, and by the very tensor.

/** Of many values: the median, those that 90 and 99 of a hundred do not pass, the largest. */
export interface Percentiles {
  readonly half: number
  readonly ninety: number
  readonly most: number
  readonly largest: number
}

/** What noise does in the calls of one operation, direction, dtype and reduced length. */
export interface NoiseClass {
  /** Without prefix, in lower case: `linear`. '' stands for all operations. */
  readonly op: string
  readonly backward: boolean
  /** Of both sides where they differ: `bfloat16/float32`. */
  readonly dtype: string
  /** How many numbers make one of the result, up to the next power of two; 1 where nothing is summed. */
  readonly length: number
  readonly calls: number
  /** Error that such a call adds to what came in, relative to the tensor's range. */
  readonly made: Percentiles
  /** Error of the result for each unit of error that came in; null where nothing came in with an error. */
  readonly gain: Percentiles | null
}

/** Error between twins of single tensors, by their full names. */
export interface NoiseItems {
  readonly names: readonly string[]
  /** Three numbers a tensor: of extremes, norm and elements; the last is -1 where nothing was read. */
  readonly parts: Float32Array
  /** 1: the next bits differ, too. */
  readonly unequal: Uint8Array
}

/** What two healthy runs tell of the noise between them. */
export interface NoiseProfile {
  /** Where it was taken from. */
  readonly debug: string
  readonly bench: string
  readonly framework: string
  readonly level: string
  /** Calls that met, and how many of them gave equal bits. */
  readonly calls: number
  readonly alike: number
  readonly classes: readonly NoiseClass[]
  /** By how much a second look at the same noise may pass the first. */
  readonly margin: number
  /** Null in a profile that was saved: it speaks of kinds of calls, whatever the model. */
  readonly items: NoiseItems | null
}

/** What a call does about the error that it gets. */
export const madeWays = ['none', 'makes', 'amplifies', 'hands-on', 'damps'] as const
export type MadeBy = (typeof madeWays)[number]

/** Where it is known from how much such calls amplify: twins, or calls of the same kind in this pair. */
export const gainSources = ['none', 'layers', 'noise'] as const
export type GainFrom = (typeof gainSources)[number]

/** What arrived at a call and what it made itself: errors relative to the tensors' ranges. */
export interface Made {
  readonly arrived: number
  readonly made: number
  readonly out: number
  /** Error of the result for each unit of error that arrived, as is usual for such calls. */
  readonly gain: number
  readonly gainFrom: GainFrom
  readonly way: MadeBy
}

/** The same of a call, by its name on the debug side. */
export interface NodeMade extends Made {
  readonly node: string
}

/** A profile as it is shown. */
export interface NoiseShown extends Omit<NoiseProfile, 'items'> {
  /** Twins tell of the very tensors; a saved profile of kinds of calls. */
  readonly by: 'twins' | 'profile'
}

/** A choice that rounding turned, as of topk, argmax or sort. */
export interface Flip {
  readonly node: string
  /** How it is known: by the values that were chosen from, by those that were chosen; or not at all. */
  readonly by: 'margin' | 'values' | 'unknown'
  /** Rows that chose otherwise, of how many; 0 where no values were read. */
  readonly flipped: number
  readonly of: number
  /** The largest distance of what both sides chose, and how far noise moved them, relative to the range. */
  readonly margin: number
  readonly noise: number
}
