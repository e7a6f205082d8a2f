// Why a call is not recomputed.

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

/** Ends a recomputation with a reason. */
export class Unsupported extends Error {
  readonly reason: SkipReason
  /** What it is about, for people: a name, a shape. */
  readonly detail: string
  constructor(reason: SkipReason, detail = '') {
    super(`${reason} ${detail}`)
    this.reason = reason
    this.detail = detail
  }
}

/** Sizes that no array can have come from arguments that do not fit; null for an error of another kind. */
export function whyNot(error: unknown): Unsupported | null {
  if (error instanceof Unsupported) return error
  return error instanceof RangeError ? new Unsupported('shapes', error.message) : null
}
