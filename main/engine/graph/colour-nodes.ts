// The nodes of one colour, for walking from one to the next, and the calls whose rows are theirs.
import type { Column, NodeRow, OpRow, Side } from '../model/index.ts'
import { noPartner } from './colors.ts'
import { nodeFor, type Marks, type SideMarks } from './marks.ts'

export interface ColouredNode {
  readonly side: Side
  readonly node: NodeRow
}

/**
 * In execution order, as the legend counts them: nodes of the debug side, and behind them those of the bench
 * that have no partner.
 */
export function nodesOfBucket({ debug, bench }: Marks, bucket: number): readonly ColouredNode[] {
  return [
    ...coloured('debug', debug, bucket),
    ...(bench && bucket === noPartner ? coloured('bench', bench, bucket) : []),
  ]
}

const coloured = (side: Side, { graph, bucket }: SideMarks, wanted: number): readonly ColouredNode[] =>
  Array.from(graph.order, node => ({ side, node })).filter(({ node }) => bucket[node] === wanted)

/** 1 for each op of a node of these colours; gradients of parameters are of their module's colour. */
export function opsOfBuckets(side: SideMarks, wanted: readonly number[]): Column<Uint8Array, OpRow> {
  const { graph, dump, bucket } = side
  const { ops, texts } = dump
  const picked = new Uint8Array(ops.length)
  for (let op = 0; op < ops.length; op++) {
    const own = graph.nodeOf(ops.name[op])
    const node = own >= 0 ? own : nodeFor(side, texts.get(ops.name[op]))
    if (node >= 0 && wanted.includes(bucket[node])) picked[op] = 1
  }
  return picked
}
