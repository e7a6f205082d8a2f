// Every number that the advisor judges by, in one table: visible, editable, with the reason beside it.

export interface AdvisorThresholds {
  /** Error, relative to the tensor's range, that one operation may make: per precision class of the coarser side. */
  readonly floor32: number
  readonly floor16: number
  readonly floorBrain: number
  /** How much an operation may amplify the error of its inputs before the rest counts as its own: forward, backward, and through norms and softmax. */
  readonly gainForward: number
  readonly gainBackward: number
  readonly gainSteep: number
  /** By how much more an error must stand out for every tenfold of operations beyond a hundred. */
  readonly margin: number
  /** Outputs whose running median says what errors are usual at this depth. */
  readonly window: number
  /** Share of a side's distinct extremes that must end in zero bits before the side counts as computed in that class. */
  readonly classShare: number
  /** Below this share of differing parameters a differing parameter is a fault of its own; above, the weights as a whole differ. */
  readonly weightShare: number
  /** A first product that is off by less, with exact inputs, is reduced precision (TF32, HF32) and no origin. */
  readonly reducedProduct: number
  /** Relative difference of a scalar argument that counts. */
  readonly argument: number
  /** Jump over what is usual from which a threshold finding outranks exact evidence that comes later. */
  readonly clearJump: number
}

export const defaultThresholds: AdvisorThresholds = {
  floor32: 1.5e-6,
  floor16: 2 ** -11,
  floorBrain: 2 ** -8,
  gainForward: 5,
  gainBackward: 8,
  gainSteep: 16,
  margin: 0.7,
  window: 25,
  classShare: 0.3,
  weightShare: 0.5,
  reducedProduct: 2 ** -9,
  argument: 1e-6,
  clearJump: 20,
}
