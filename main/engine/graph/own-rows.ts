// What a node's own rows come to: how many there are, how many differ, how far, and the first that does.
import {
  type BenchNode,
  type Column,
  type DebugNode,
  type DebugOp,
  type Ids,
  type ItemRows,
  type NodeRow,
  type PairRow,
  RowState,
} from '../model/index.ts'
import type { Graph } from './graph.ts'

/** The columns of rows that say so. */
export type JudgedRows = Pick<ItemRows, 'debug' | 'debugItem' | 'state' | 'level' | 'length'>

/** One entry per op, or per node. */
export interface OwnRows<By extends number> {
  readonly all: Column<Int32Array, By>
  /** Of which so many are equal, within noise or different. */
  readonly compared: Column<Int32Array, By>
  readonly differs: Column<Int32Array, By>
  /** Largest error; infinity where a row differs by nobody knows how much, NaN where none is known. */
  readonly level: Column<Float64Array, By>
  /** First row that differs, -1 none. */
  readonly first: Ids<By, PairRow>
}

export const noRows = (length: number): OwnRows<number> => ({
  all: new Int32Array(length),
  compared: new Int32Array(length),
  differs: new Int32Array(length),
  level: new Float64Array(length).fill(NaN),
  first: new Int32Array(length).fill(-1),
})

/** Rows of the nodes of the debug graph; `gradients` tells whose the gradients of parameters are. */
export function ownRows(
  graph: Graph,
  rows: JudgedRows,
  gradients: (name: string) => NodeRow,
): OwnRows<DebugNode> {
  const byOp = rowsOfOps(rows)
  const own: OwnRows<DebugNode> = noRows(graph.length)
  const { ops, texts } = rows.debug
  const taken: Column<Uint8Array, DebugOp> = new Uint8Array(ops.length)
  for (let node = 0; node < graph.length; node++) {
    const op = graph.op[node]
    if (op < 0) continue
    taken[op] = 1
    add(own, node, byOp, op)
  }
  for (let op = 0; op < ops.length; op++) {
    if (taken[op] === 1 || byOp.all[op] === 0) continue
    const node = gradients(texts.get(ops.name[op]))
    if (node >= 0) add(own, node, byOp, op)
  }
  return own
}

function rowsOfOps({ debug, debugItem, state, level, length }: JudgedRows): OwnRows<DebugOp> {
  const own: OwnRows<DebugOp> = noRows(debug.ops.length)
  for (let row = 0; row < length; row++) {
    if (debugItem[row] < 0) continue
    const op = debug.items.op[debugItem[row]]
    own.all[op]++
    const differs = state[row] === RowState.differs
    own.level[op] = larger(own.level[op], differs && Number.isNaN(level[row]) ? Infinity : level[row])
    if (state[row] !== RowState.incomparable && state[row] !== RowState.unpaired) own.compared[op]++
    if (!differs) continue
    own.differs[op]++
    if (own.first[op] < 0) own.first[op] = row
  }
  return own
}

/** The one that is known, the larger where both are. */
const larger = (a: number, b: number): number => (b > a || Number.isNaN(a) ? b : a)

function add(own: OwnRows<number>, at: number, from: OwnRows<number>, of: number): void {
  own.all[at] += from.all[of]
  own.compared[at] += from.compared[of]
  own.differs[at] += from.differs[of]
  own.level[at] = larger(own.level[at], from.level[of])
  if (own.first[at] < 0) own.first[at] = from.first[of]
}

/** The same of the partners on the bench side. */
export function rowsOfPartners(
  own: OwnRows<DebugNode>,
  toDebug: Ids<BenchNode, DebugNode>,
  length: number,
): OwnRows<BenchNode> {
  const theirs: OwnRows<BenchNode> = noRows(length)
  for (let node = 0; node < length; node++) if (toDebug[node] >= 0) add(theirs, node, own, toDebug[node])
  return theirs
}
