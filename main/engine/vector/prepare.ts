// How two tensors are laid over each other: the layout that the left one is read in, and what of it is compared.
import { formatName, type RawTensor, type RawWish } from '../formats/index.ts'

export interface LeftOrigin {
  /** Layout of the original shape as the graph tells it; '' not told. */
  readonly format: string
  readonly shape: readonly number[]
}

const same = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((dim, i) => dim === b[i])
export const sizeOf = (shape: readonly number[]): number => shape.reduce((size, dim) => size * dim, 1)

/** Where the other side's tensor is written in the other order of letters, the left one is turned to it. */
const turns: readonly (readonly [from: string, to: string, axes: readonly number[]])[] = [
  ['NHWC', 'NCHW', [0, 3, 1, 2]],
  ['NCHW', 'NHWC', [0, 2, 3, 1]],
]

/** How the left tensor is to be read. */
export function wishFor(tensor: RawTensor, origin: LeftOrigin, right: readonly number[]): RawWish {
  const known = origin.shape.length > 0 && origin.shape.every(dim => dim >= 0) ? origin.shape : null
  const shape = tensor.originalShape ?? known
  const wish = {
    ...(origin.format !== '' && { original: origin.format }),
    ...(tensor.originalShape === null && shape !== null && { shape }),
  }
  if (shape?.length !== 4 || right.length !== 4 || same(shape, right)) return wish
  const turn = turns.find(
    ([from, , axes]) =>
      from === origin.format &&
      same(
        axes.map(axis => shape[axis]),
        right,
      ),
  )
  return turn ? { ...wish, layout: turn[1] } : wish
}

/** Layouts that are turned back even where the other side has no order of axes. */
const alwaysTurned = new Set(['FRACTAL_NZ', 'NDC1HWC0'])

/** A tensor whose axes mean nothing to the other side is taken as one row of elements. */
export function isFlat(tensor: RawTensor, origin: LeftOrigin): boolean {
  const format = formatName(tensor.format)
  const target = origin.format === '' ? format : origin.format
  return (target === 'ND' && !alwaysTurned.has(format)) || tensor.shape.every(dim => dim === 1)
}

export interface Overlay {
  /** As the table shows it. */
  readonly shape: readonly number[]
  /** What is read of the left tensor: its leading block; null: all of it. */
  readonly block: readonly number[] | null
  /** The same elements under another shape. */
  readonly reshaped: boolean
}

/** How a left tensor of a shape lies over a right one; null where it does not. */
export function overlay(left: readonly number[], right: readonly number[], flat: boolean): Overlay | null {
  if (flat) return flatOverlay(sizeOf(left), right)
  if (sizeOf(left) === sizeOf(right)) {
    const alike = same(withoutOnes(left), withoutOnes(right))
    if (!alike && !merges(left, right) && !merges(right, left)) return null
    return { shape: left, block: null, reshaped: !alike }
  }
  if (left.length < right.length) return null
  const axes = Math.max(4, left.length)
  const [mine, theirs] = [padded(left, axes), padded(right, axes)]
  return mine.every((dim, i) => dim >= theirs[i]) ? { shape: theirs, block: theirs, reshaped: false } : null
}

function flatOverlay(size: number, right: readonly number[]): Overlay | null {
  if (size === sizeOf(right)) return { shape: [size], block: null, reshaped: false }
  return right.length === 1 && size > right[0]
    ? { shape: padded(right, 4), block: right, reshaped: false }
    : null
}

const withoutOnes = (shape: readonly number[]): readonly number[] => shape.filter(dim => dim !== 1)
export const padded = (shape: readonly number[], axes: number): readonly number[] => [
  ...shape,
  ...Array.from({ length: Math.max(0, axes - shape.length) }, () => 1),
]

/** Whether neighbouring axes of the first shape, multiplied, give the second one. */
function merges(many: readonly number[], few: readonly number[]): boolean {
  let at = 0
  const rest = withoutOnes(many)
  for (const dim of withoutOnes(few)) {
    let size = 1
    while (at < rest.length && size < dim) size *= rest[at++]
    if (size !== dim) return false
  }
  return at === rest.length
}
