// The nodes of one colour, for walking from one to the next.
import type { NodeRow, Side } from '../model/index.ts'
import { noPartner } from './colors.ts'
import type { Marks, SideMarks } from './marks.ts'

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
