// What kind of difference two tensors have, and what is left after it.

export const kindsOfDifference = [
  'sign',
  'scale',
  'offset',
  'affine',
  'constant',
  'truncated',
  'transposed',
  'rolled',
  'interleaved',
  'grouped',
  'shards',
  'permuted',
  'channel',
  'suffix',
  'padding',
  'period',
  'bits',
  'few',
  'longer',
  'nonfinite',
] as const
export type KindOfDifference = (typeof kindsOfDifference)[number]

interface Left {
  readonly mismatched: number
  readonly maxAbs: number
  /** Norm of the error by the norm of the right side. */
  readonly relative: number
}

export interface DifferenceKind {
  /** Null where none of them holds. */
  readonly kind: KindOfDifference | null
  readonly facts: Readonly<Record<string, number | string>>
  /** Null where the shapes differ. */
  readonly before: Left | null
  readonly after: Left | null
  /** What is left is rounding at most. */
  readonly exact: boolean
  /** Elements that it was tested on; not all of them where the tensors are large. */
  readonly elements: number
  readonly whole: boolean
  /** Elements that are NaN or infinite on one side only, where the kind is that of all others. */
  readonly apart: { readonly count: number; readonly first: number } | null
  /** The kind inside of the place where they differ. */
  readonly within: DifferenceKind | null
}
