// Which calls have the same noise: those of one operation, direction, dtype and reduced length.
import { type Dump, type ItemRow, itemShape, type OpRow, State } from '../model/index.ts'
import { Direction, type DumpView, isFloatItem } from '../pair/index.ts'

export interface CallKind {
  readonly op: string
  readonly backward: boolean
  readonly dtype: string
  readonly length: number
}

/** Null for entries that are no calls, and for calls without a result in floats. */
export function kindOfCall(
  view: DumpView,
  op: OpRow,
  benchDtype: (item: ItemRow) => string,
): CallKind | null {
  if (view.direction[op] === Direction.gradients) return null
  const result = itemOf(view, op, State.output)
  if (result < 0) return null
  const api = view.names.text(view.api[op])
  const forward = view.direction[op] === Direction.backward ? view.forward[op] : op
  return {
    op: api.slice(api.lastIndexOf('.') + 1).toLowerCase(),
    backward: view.direction[op] === Direction.backward,
    dtype: together(dtypeOf(view.dump, result), benchDtype(result)),
    length: forward < 0 ? 1 : powerAbove(reducedLength(view, forward)),
  }
}

export const keyOf = ({ op, backward, dtype, length }: CallKind): string =>
  `${op} ${backward ? 'backward' : 'forward'} ${dtype} ${length}`

export function dtypeOf({ items, texts }: Dump, item: ItemRow): string {
  const code = items.dtype[item]
  return code < 0 ? '' : texts.get(code).replace(/^.*\./, '').toLowerCase()
}

const together = (debug: string, bench: string): string =>
  bench === '' || bench === debug ? debug : `${debug}/${bench}`

const powerAbove = (length: number): number => 2 ** Math.ceil(Math.log2(Math.max(1, length)))

/** The first item of floats in a state, -1: none. */
function itemOf(view: DumpView, op: OpRow, state: number): ItemRow {
  const { ops, items } = view.dump
  for (let item = ops.first[op]; item < ops.first[op + 1]; item++)
    if (items.state[item] === state && isFloatItem(view, item)) return item
  return -1
}

/** How many numbers make one of the result. */
function reducedLength(view: DumpView, op: OpRow): number {
  const { ops, items } = view.dump
  const read: ItemRow[] = []
  for (let item = ops.first[op]; item < ops.first[op + 1] && read.length < 2; item++)
    if (items.state[item] !== State.output && isFloatItem(view, item)) read.push(item)
  const result = itemOf(view, op, State.output)
  if (read.length === 0 || result < 0) return 1
  const sizes = sizesOf(view.dump, read[0])
  const last = sizes.at(-1) ?? 1
  switch (view.kind[op]) {
    case 'product': {
      const weight = read[1] === undefined ? [] : sizesOf(view.dump, read[1])
      // A kernel of a convolution: all but its first size are summed over.
      return weight.length > 2 && weight.length === sizes.length && weight[1] === sizes[1]
        ? weight.slice(1).reduce((all, size) => all * size, 1)
        : last
    }
    case 'norm':
    case 'steep':
    case 'recurrent':
      return last
    case 'reduction':
    case 'loss':
      return Math.max(1, view.numel[read[0]] / Math.max(1, view.numel[result]))
    default:
      return 1
  }
}

const sizesOf = (dump: Dump, item: ItemRow): readonly number[] =>
  (itemShape(dump, item).match(/\d+/g) ?? []).map(Number)
