// What an operation is: its names, its parameters, its result in doubles, and how far a correct device may be off.
import type { Given } from './arguments.ts'
import type { NdArray } from './array.ts'
import type { Ties } from './ties.ts'

/** How far a stored result may be from the exact one. */
export type Bound =
  /** Not at all. */
  | { readonly is: 'exact' }
  /** By the rounding of one elementwise step. */
  | {
      readonly is: 'step'
      /** Size of a number of the call, which a device keeps as a float32. */
      readonly number?: number
      /** Roundings to the stored type, where there are more than the last. */
      readonly roundings?: number
    }
  /** By what a sum of so many terms gathers. */
  | {
      readonly is: 'sum'
      readonly length: number
      /** Sums of the terms' absolute values, one per element; where absent, the largest result counts. */
      readonly terms?: () => Float64Array
      /** A further size that errors are measured by: that of an incoming gradient. */
      readonly also?: number
      /** More than one step in the stored type. */
      readonly stages?: true
      /** Terms that stand in the dump, or products of two: nothing but what they come to is rounded to the stored type. */
      readonly stored?: true | undefined
      /** The terms hold what every rounding on the way comes to: no other size counts. */
      readonly followed?: true
      /** Unit of the least precise type that it passes through, where that is not the stored one. */
      readonly roughest?: number
      /** Parts of the results that may be rounded to the stored type before the rest is added. */
      readonly rounded?: () => Float64Array
    }

export interface Outcome {
  readonly values: NdArray
  readonly bound: Bound
  /** Elements that were computed, where not all were; the others are NaN. */
  readonly sampled?: readonly number[]
  /** Of places: which others are as right. */
  readonly ties?: Ties
  /** Whether what is stored for element `i` is as right as ours, where frameworks have more than one rule. */
  readonly alike?: (i: number, stored: number) => boolean
}

export const exact = (values: NdArray): Outcome => ({ values, bound: { is: 'exact' } })
export const step = (values: NdArray): Outcome => ({ values, bound: { is: 'step' } })
export const summed = (values: NdArray, length: number, terms?: () => Float64Array): Outcome => ({
  values,
  bound: { is: 'sum', length, ...(terms && { terms }) },
})
/** A sum of what is stored, or of products of two that are. */
export const summedAsStored = (values: NdArray, length: number, terms: () => Float64Array): Outcome => ({
  values,
  bound: { is: 'sum', length, terms, stored: true },
})
/** Several steps, each rounded. */
export const staged = (values: NdArray, length = 0, also = 0): Outcome => ({
  values,
  bound: { is: 'sum', length, also, stages: true },
})

/** A sum whose terms were rounded on their way, more than once. */
export const summedInSteps = (values: NdArray, length: number, terms: () => Float64Array): Outcome => ({
  values,
  bound: { is: 'sum', length, terms, stages: true },
})

/** Several steps whose roundings were followed to each result. */
export const followed = (values: NdArray, length: number, terms: () => Float64Array): Outcome => ({
  values,
  bound: { is: 'sum', length, terms, stages: true, followed: true },
})

/** A gradient; null where the call has none for that argument, or we do not compute it. */
export type Gradient = Outcome | null

export interface BackwardCall {
  readonly given: Given
  /** Incoming gradients, by output of the call; null where none came. */
  readonly grads: readonly (NdArray | null)[]
  /** Shapes of the stored gradients; null where None was stored. */
  readonly stored: readonly (readonly number[] | null)[]
  /** Results of the forward call. */
  outputs(): readonly NdArray[]
}

export interface Operation {
  /** Names of functions: `add`; those ending in `_` need no row of their own. */
  readonly names: readonly string[]
  /** Parameters in order; after `|` those given by keyword only; `*` takes the rest. */
  readonly signature: string
  forward(given: Given): readonly Outcome[]
  /** Gradients of the last node of the call, in its order. */
  backward?(call: BackwardCall): readonly Gradient[]
  /** Multiplications and additions of the forward call, where they are many. */
  flops?(given: Given): number
  /** It may return the tensor that it was given: a hook then sees the node that made that tensor. */
  readonly passes?: true
  /** Values come from a generator. */
  random?(given: Given): boolean
}

export const operation = (
  names: string,
  signature: string,
  forward: Operation['forward'],
  more: Omit<Operation, 'names' | 'signature' | 'forward'> = {},
): Operation => ({ names: names.split(' '), signature, forward, ...more })

/** The gradient that came in for an output. */
export function incoming({ grads }: BackwardCall, output = 0): NdArray | null {
  return grads[output] ?? null
}
