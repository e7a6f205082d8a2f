// An addition of a bias in a call of its own: one framework spreads over two calls what the other does in one.
import { type Ids, type ItemRow, type OpRow, State, itemShape } from '../model/index.ts'
import { Direction, firstResult, type SideView } from './side.ts'
import { wordOf } from './synonyms.ts'

/** Per side and op: the product that an addition of a bias completes, -1: none. */
export interface Completes {
  readonly debug: Ids<OpRow, OpRow>
  readonly bench: Ids<OpRow, OpRow>
}

/** For every addition of a bias the product before it, and for their backward halves likewise. */
export function productsCompleted(view: SideView): Ids<OpRow, OpRow> {
  const { dump, flow } = view
  const completes = new Int32Array(view.api.length).fill(-1)
  const backward = new Map<OpRow, OpRow>()
  for (let op = 0; op < view.api.length; op++)
    if (view.direction[op] === Direction.backward && view.module[op] === 0 && view.forward[op] >= 0)
      backward.set(view.forward[op], op)
  for (let op = 0; op < view.api.length; op++) {
    if (view.direction[op] !== Direction.forward || view.module[op] === 1 || !addsBias(view, op)) continue
    const maker = flow.producer[dump.ops.first[op]]
    const product = maker >= 0 ? dump.items.op[maker] : beforeCast(view, op)
    if (product < 0 || view.kind[product] !== 'product') continue
    completes[op] = product
    const [own, other] = [backward.get(op), backward.get(product)]
    if (own !== undefined && other !== undefined) completes[own] = other
  }
  return completes
}

/** By its name, or because a vector of the width of the result is added. */
function addsBias(view: SideView, op: OpRow): boolean {
  const api = view.names.text(view.api[op])
  if (/bias_?add/i.test(api)) return true
  if (wordOf(api) !== 'add') return false
  const { ops, items } = view.dump
  const [whole, bias] = [ops.first[op], ops.first[op] + 1]
  if (
    bias >= ops.first[op + 1] ||
    items.state[bias] !== State.input ||
    items.tensor[whole] === 0 ||
    items.tensor[bias] === 0 ||
    view.flow.producer[bias] >= 0
  )
    return false
  const dims = (item: ItemRow): number[] => (itemShape(view.dump, item).match(/\d+/g) ?? []).map(Number)
  const [of, by] = [dims(whole), dims(bias)]
  return of.length > 1 && by.length === 1 && by[0] === of.at(-1)
}

/** The call right before an op, when it gave the op's input in another precision: casts are not dumped. */
function beforeCast(view: SideView, op: OpRow): OpRow {
  let before: OpRow = op - 1
  while (before >= 0 && (view.module[before] === 1 || view.direction[before] !== Direction.forward)) before--
  if (before < 0 || view.parent[before] !== view.parent[op]) return -1
  const [given, read] = [firstResult(view, before), view.dump.ops.first[op]]
  if (given < 0 || view.numel[given] !== view.numel[read] || view.precision[given] === view.precision[read])
    return -1
  const { value } = view.dump.items.norm
  return Math.abs(value[given] - value[read]) <= 1e-2 * Math.abs(value[read]) ? before : -1
}

/** Items of an op, and what goes into (backward: comes out of) the product that it completes. */
export function partsOf(view: SideView, op: OpRow, completes: Ids<OpRow, OpRow>): readonly ItemRow[] {
  const { ops, items } = view.dump
  const own = Array.from({ length: ops.first[op + 1] - ops.first[op] }, (_, k) => ops.first[op] + k)
  const product = completes[op]
  if (product < 0) return own
  const state = view.direction[op] === Direction.backward ? State.output : State.input
  const passed = own
    .filter(i => items.state[i] === state && items.tensor[i] === 1)
    .sort((x, y) => view.numel[y] - view.numel[x])[0]
  const other = Array.from(
    { length: ops.first[product + 1] - ops.first[product] },
    (_, k) => ops.first[product] + k,
  ).filter(i => items.state[i] === state)
  return [...other, ...own.filter(i => i !== passed)]
}

const bias = /bias_?add/i

/**
 * A bias that is added in a call of its own meets a call that does it along the way: what passes between the
 * two is nothing there.
 */
export function passedInside(view: SideView, op: OpRow, other: SideView, partner: OpRow): ItemRow {
  if (!bias.test(view.names.text(view.api[op])) || bias.test(other.names.text(other.api[partner]))) return -1
  const { ops, items } = view.dump
  const state = view.direction[op] === Direction.backward ? State.output : State.input
  let found: ItemRow = -1
  for (let i = ops.first[op]; i < ops.first[op + 1]; i++)
    if (items.state[i] === state && items.tensor[i] === 1 && (found < 0 || view.numel[i] > view.numel[found]))
      found = i
  return found
}
