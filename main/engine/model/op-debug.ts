// Overflow records of NPUs: what a device says of an operation that overflowed. Plain data, as JSON has it.

/** A 64-bit number: decimal text where a double does not hold it. */
export type Wide = number | string

/** Addresses are texts such as `0x1000`. A list where a status takes several words. */
export type OpDebugFields = Readonly<Record<string, Wide | readonly Wide[]>>

/** The first form: one entry for each of three units. */
interface OpDebugUnits {
  readonly 'DHA Atomic Add': OpDebugFields
  readonly 'L2 Atomic Add': OpDebugFields
  readonly 'AI Core': OpDebugFields
}

/** The second form: one entry for the unit that it was. */
interface OpDebugEntry {
  readonly magic: string
  readonly version: number
  readonly acc_list: {
    readonly valid: number
    readonly acc_type: string
    readonly rsv: number
    readonly data_len: number
    readonly data: OpDebugFields
  }
}

export type OpDebugRecord = OpDebugUnits | OpDebugEntry

/** What a bit or a code of a status means; `words/tensorflow.ts` has a sentence for each. */
export const overflowCodes = [
  'negation',
  'integer',
  'float',
  'unsigned',
  'half',
  'cube',
  'atomic-overflow',
  'atomic-underflow',
  'atomic-source-nan',
  'atomic-target-nan',
  'atomic-both-nan',
  'unknown-bit',
  'unknown-code',
] as const
export type OverflowCode = (typeof overflowCodes)[number]

/** One record, with the operation that it speaks of. */
export interface Overflowed {
  /** Microseconds, as its file has them. */
  readonly time: string
  readonly task: number
  readonly stream: number
  /** '' where no dump of it lies beside the record. */
  readonly op: string
  readonly type: string
  readonly statuses: readonly OverflowStatus[]
}

/** What one unit reports. */
export interface OverflowStatus {
  /** `AI Core`, `DHA Atomic Add`, `L2 Atomic Add`, or `AIC`, `AIV`, `AICPU`, `SDMA`. */
  readonly unit: string
  /** In hex, all words of it. */
  readonly status: string
  /** `bit`: which one, or the code where it is a number. */
  readonly meanings: readonly { readonly code: OverflowCode; readonly bit: number }[]
}
