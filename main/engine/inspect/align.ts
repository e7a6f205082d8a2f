// Tensors of unlike shapes laid over each other: axes in another order, or another shape of as many elements. Nothing is copied: the
// reference says where the elements lie then.
import { OpenTensor, rangeOf } from '../formats/index.ts'
import { type Files, quickFiles } from '../io/index.ts'
import {
  problem,
  Refusal,
  type TensorAlignment,
  type TensorProposal,
  type TensorProposals,
  type TensorRef,
} from '../model/index.ts'
import { Side } from './side.ts'
import { sameDims } from './survey.ts'

const countOf = (shape: readonly number[]): number => shape.reduce((size, dim) => size * dim, 1)
const stepsOf = (shape: readonly number[]): number[] => shape.map((_, axis) => countOf(shape.slice(axis + 1)))

/** The same elements in the order that was asked for; refuses what does not fit. */
export function alignedRef(files: Files, ref: TensorRef, { axes, shape }: TensorAlignment): TensorRef {
  const tensor = new OpenTensor(quickFiles(files.roots()), ref)
  const { layout } = tensor
  tensor.close()
  const refusal = (): Refusal =>
    new Refusal(problem('align-unfit', ref.file, { shape: `[${layout.shape.join(', ')}]` }))
  const range = rangeOf(layout)
  if (!range || range.packing || range.tiling) throw refusal()
  let dims = range.shape
  let steps: readonly number[] = range.strides ?? stepsOf(range.shape)
  if (axes) {
    if (axes.toSorted((a, b) => a - b).join() !== dims.map((_, axis) => axis).join()) throw refusal()
    steps = axes.map(axis => steps[axis])
    dims = axes.map(axis => range.shape[axis])
  }
  if (shape) {
    if (countOf(shape) !== countOf(dims) || shape.some(dim => !Number.isSafeInteger(dim) || dim < 0))
      throw refusal()
    const reshaped = restepped(dims, steps, shape)
    if (!reshaped) throw refusal()
    ;[dims, steps] = [shape, reshaped]
  }
  const { strides: _, ...rest } = range
  const isPlain = stepsOf(dims).every((step, axis) => step === steps[axis] || dims[axis] === 1)
  const part = { ...rest, shape: dims, ...(!isPlain && { strides: steps }) }
  return { ...ref, part }
}

/** Steps of another shape; null where elements would have to be moved. */
function restepped(
  dims: readonly number[],
  steps: readonly number[],
  shape: readonly number[],
): readonly number[] | null {
  if (stepsOf(dims).every((step, axis) => step === steps[axis] || dims[axis] === 1)) return stepsOf(shape)
  const long = dims.flatMap((dim, axis) => (dim === 1 ? [] : [axis]))
  const same = sameDims(
    long.map(axis => dims[axis]),
    shape.filter(dim => dim !== 1),
  )
  if (!same) return null
  let next = 0
  return shape.map(dim => (dim === 1 ? 1 : steps[long[next++]]))
}

const looked = 2048
const mostProposals = 6
const mostAxes = 5

/** Ways to lay the bench side over the debug side, what agrees most first. */
export function proposalsOf(files: Files, debug: TensorRef, bench: TensorRef): TensorProposals {
  const quick = quickFiles(files.roots())
  const mine = new Side(quick, debug)
  try {
    const theirs = new Side(quick, bench)
    try {
      const specs = {
        debug: { dtype: mine.dtype.name, shape: mine.shape },
        bench: { dtype: theirs.dtype.name, shape: theirs.shape },
      }
      if (mine.size !== theirs.size || mine.size === 0 || mine.isPacked || theirs.isPacked)
        return { ...specs, proposals: [] }
      return { ...specs, proposals: rated(mine, theirs) }
    } finally {
      theirs.close()
    }
  } finally {
    mine.close()
  }
}

function rated(mine: Side, theirs: Side): readonly TensorProposal[] {
  const { shape, size } = mine
  const wanted = Array.from({ length: Math.min(looked, size) }, (_, i) =>
    Math.floor((i * size) / Math.min(looked, size)),
  )
  const values = (side: Side, elements: readonly number[]): readonly number[] =>
    elements.map(element => (side.read(element, 1) === 1 ? side.values[0] : NaN))
  const left = values(mine, wanted)
  const most = left.reduce((size, x) => (Number.isFinite(x) ? Math.max(size, Math.abs(x)) : size), 0)
  const found = waysOf(shape, theirs.shape).map(({ axes, reshape }): TensorProposal => {
    const dims = axes.map(axis => theirs.shape[axis])
    const steps = stepsOf(theirs.shape)
    const elementOf = (n: number): number => {
      let [rest, element] = [n, 0]
      for (let at = dims.length - 1; at >= 0; at--) {
        element += (rest % dims[at]) * steps[axes[at]]
        rest = Math.floor(rest / dims[at])
      }
      return element
    }
    const right = values(theirs, wanted.map(elementOf))
    const agree = left.filter(
      (x, i) => x === right[i] || Math.abs(x - right[i]) <= 1e-3 * most + 1e-2 * Math.abs(right[i]),
    )
    const isMoved = axes.some((axis, i) => axis !== i)
    return {
      ...(isMoved && { axes }),
      ...(reshape && { shape }),
      becomes: shape,
      agree: agree.length / wanted.length,
    }
  })
  return found.toSorted((a, b) => b.agree - a.agree).slice(0, mostProposals)
}

interface Way {
  readonly axes: readonly number[]
  readonly reshape: boolean
}

/** Orders of the axes that give the shape, axes of one aside; and the same order in another shape. */
function waysOf(to: readonly number[], from: readonly number[]): readonly Way[] {
  const identity = from.map((_, axis) => axis)
  const ways: Way[] = sameDims(to, from) ? [] : [{ axes: identity, reshape: true }]
  const long = to.filter(dim => dim !== 1)
  if (from.length > mostAxes) return ways
  for (const axes of ordersOf(identity)) {
    if (axes.every((axis, i) => axis === i)) continue
    const dims = axes.map(axis => from[axis])
    if (sameDims(dims, to)) ways.push({ axes, reshape: false })
    else if (
      sameDims(
        dims.filter(dim => dim !== 1),
        long,
      ) &&
      isNew(ways, axes, from)
    )
      ways.push({ axes, reshape: true })
  }
  return ways
}

/** Where axes of one stand makes no other order. */
const isNew = (ways: readonly Way[], axes: readonly number[], from: readonly number[]): boolean => {
  const key = (of: readonly number[]): string => of.filter(axis => from[axis] !== 1).join()
  return !ways.some(way => key(way.axes) === key(axes))
}

function* ordersOf(items: readonly number[]): Generator<readonly number[]> {
  if (items.length <= 1) yield items
  else
    for (const [i, first] of items.entries())
      for (const rest of ordersOf(items.toSpliced(i, 1))) yield [first, ...rest]
}
