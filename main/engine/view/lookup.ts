// Finds rows of a comparison and ops of its dumps by name: dense indexes, made once per comparison.
import {
  Direction,
  type Dump,
  dumpOn,
  type Ids,
  type ItemRow,
  type ItemRows,
  type NodeRef,
  type OpRow,
  type PairRow,
  type Side,
  sides,
  type TextCode,
} from '../model/index.ts'
import { callOfGradients } from '../names/index.ts'
import { atOnce, overRows, type Steps } from '../work/index.ts'

export interface Lookup {
  /** Op of a key on one side, or -1. */
  op(side: Side, name: string): OpRow
  /** Finds the records of gradients, step by step; who asks for one before waits for all. */
  prepare(): Steps<void>
  /** The record of the gradients of its parameters that belongs to a call, as an op; -1 none. */
  gradientsOf(side: Side, name: string): OpRow
  /** First row of an item, or -1. */
  row(side: Side, item: ItemRow): PairRow
  /**
   * Rows of a node, in the table's order; debug side first, then rows that only its bench side is part of.
   */
  rowsOf(at: NodeRef): PairRow[]
}

export function lookupIn(comparison: ItemRows): Lookup {
  const ops = { debug: opIndex(comparison.debug), bench: opIndex(comparison.bench) }
  const rows = {
    debug: rowIndex(comparison.debugItem, comparison.debug),
    bench: rowIndex(comparison.benchItem, comparison.bench),
  }
  const op = (side: Side, name: string): OpRow => {
    const code = comparison[side]?.texts.findPlain(name) ?? -1
    return code < 0 || code >= ops[side].length ? -1 : ops[side][code]
  }
  const rowsOnSide = (side: Side, name: string | undefined): PairRow[] => {
    const at = name === undefined ? -1 : op(side, name)
    if (at < 0) return []
    const found: PairRow[] = []
    const { first } = dumpOn(comparison, side).ops
    for (let item = first[at]; item < first[at + 1]; item++)
      if (rows[side][item] >= 0) found.push(rows[side][item])
    return found
  }
  const gradients: { [S in Side]?: ReadonlyMap<string, OpRow> } = {}
  function* prepare(): Steps<void> {
    for (const side of sides) {
      const dump = comparison[side]
      if (dump) gradients[side] ??= yield* gradientsIn(dump, call => op(side, call) >= 0)
    }
  }
  return {
    op,
    prepare,
    gradientsOf(side, name) {
      if (comparison[side] && !gradients[side]) atOnce(prepare())
      return gradients[side]?.get(name) ?? -1
    },
    row: (side, item) => rows[side][item] ?? -1,
    rowsOf: at =>
      [...new Set([...rowsOnSide('debug', at.debug), ...rowsOnSide('bench', at.bench)])].sort(
        (a, b) => a - b,
      ),
  }
}

/** Records of gradients by the call that they belong to. */
export function* gradientsIn(
  { ops, texts, names, construct }: Dump,
  isOp: (name: string) => boolean,
): Steps<ReadonlyMap<string, OpRow>> {
  const found = new Map<string, OpRow>()
  yield* overRows(ops.length, (from, to) => {
    for (let op: OpRow = from; op < to; op++) {
      const name = texts.get(ops.name[op])
      if (names.direction(name) !== Direction.gradients) continue
      const call = callOfGradients(names, name, at => isOp(at) || construct.find(texts.findPlain(at)) >= 0)
      if (call !== null) found.set(call, op)
    }
  })
  return found
}

function opIndex(dump: Dump | null): Ids<TextCode, OpRow> {
  if (!dump) return new Int32Array(0)
  const index = new Int32Array(dump.texts.size).fill(-1)
  for (let op = dump.ops.length - 1; op >= 0; op--) index[dump.ops.name[op]] = op
  return index
}

function rowIndex(items: Ids<PairRow, ItemRow>, dump: Dump | null): Ids<ItemRow, PairRow> {
  if (!dump) return new Int32Array(0)
  const index = new Int32Array(dump.items.length).fill(-1)
  for (let row = items.length - 1; row >= 0; row--) if (items[row] >= 0) index[items[row]] = row
  return index
}
