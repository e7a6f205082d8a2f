// Why a call is not recomputed.

import type { SkipReason } from '../model/index.ts'

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

/**
 * Sizes that no array can have, and axes that an argument lacks, come from arguments that do not fit; null for an error of
 * another kind. A dump may hold anything: one odd call must not end all others.
 */
export function whyNot(error: unknown): Unsupported | null {
  if (error instanceof Unsupported) return error
  return error instanceof RangeError || error instanceof TypeError ? new Unsupported('shapes') : null
}
