// What a comparison is made by: rule set, mappings, thresholds.
import type { Colours, Rules } from './names.ts'

export interface CompareOptions {
  readonly rules: Rules
  readonly fuzzy: boolean
  readonly mapping: MappingTexts
  readonly thresholds: Thresholds
  readonly colours: Colours
  /**
   * What tells the noise between the two sides: two more runs that are healthy, or a profile that was saved; none
   * where it is judged from the pair itself.
   */
  readonly noise: readonly string[]
}

/** Texts of mapping yaml by kind; '' is the built-in mapping alone, absent is no such mapping. */
export interface MappingTexts {
  readonly api?: string
  readonly cell?: string
  readonly data?: string
  readonly layer?: string
}

export type MappingKind = keyof MappingTexts

/** What rows and findings are judged by. */
export interface Thresholds {
  /** Error, relative to the tensor's range, that never counts, whatever the noise of the pair. */
  readonly tolerance: number
  /**
   * Error, relative to the tensor's range, that one operation may make: per precision class of the coarser
   * side.
   */
  readonly floor32: number
  readonly floor16: number
  readonly floorBrain: number
  /**
   * How much an operation may amplify the error of its inputs before the rest counts as its own: forward,
   * backward, and through norms and softmax.
   */
  readonly gainForward: number
  readonly gainBackward: number
  readonly gainSteep: number
  /** By how much more an error must stand out for every tenfold of operations beyond a hundred. */
  readonly margin: number
  /** Outputs whose running median says what errors are usual at this depth. */
  readonly window: number
  /**
   * Share of a side's distinct extremes that must end in zero bits before the side counts as computed in that
   * class.
   */
  readonly classShare: number
  /**
   * Below this share of differing parameters a differing parameter is a fault of its own; above, the weights
   * as a whole differ.
   */
  readonly weightShare: number
  /**
   * A first product that is off by less, with exact inputs, is reduced precision (TF32, HF32) and no origin.
   */
  readonly reducedProduct: number
  /** Relative difference of a scalar argument that counts. */
  readonly argument: number
  /** Jump over what is usual from which a threshold finding outranks exact evidence that comes later. */
  readonly clearJump: number
}
