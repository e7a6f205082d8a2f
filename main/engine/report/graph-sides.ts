// The sides of a graph result as both kinds of graph file hold them.
import type { Column, Dump, Ids, NodeRow } from '../model/index.ts'
import type { Graph, GraphPair, GraphResult, NodePeers } from '../graph/index.ts'
import type { GraphMode } from '../pair/index.ts'

export const taskNames: Readonly<Record<GraphMode, string>> = {
  tensor: 'all',
  statistics: 'summary',
  md5: 'md5',
  structure: 'structure',
}

export interface GraphSide {
  readonly source: 'NPU' | 'Bench'
  readonly graph: Graph
  readonly dump: Dump
  /** Node of the other side by node, -1 for none; null in a single graph. */
  readonly partner: Ids<NodeRow, NodeRow> | null
  readonly other: Graph | null
  readonly overflow: Column<Uint8Array, NodeRow> | null
  /** Peers of communication calls per node. */
  readonly peers: ReadonlyMap<NodeRow, NodePeers> | undefined
}

type Peers = GraphResult['peers']

export const pairSides = (
  pair: GraphPair,
  peers: Peers | undefined,
): Readonly<Record<'debug' | 'bench', GraphSide>> => ({
  debug: {
    source: 'NPU',
    graph: pair.debug,
    dump: pair.debugDump,
    partner: pair.matching.toBench,
    other: pair.bench,
    overflow: pair.overflow?.debug ?? null,
    peers: peers?.debug,
  },
  bench: {
    source: 'Bench',
    graph: pair.bench,
    dump: pair.benchDump,
    partner: pair.matching.toDebug,
    other: pair.debug,
    overflow: pair.overflow?.bench ?? null,
    peers: peers?.bench,
  },
})

export const singleSide = (
  { graph, dump, overflow }: NonNullable<GraphResult['single']>,
  peers: Peers | undefined,
): GraphSide => ({ source: 'NPU', graph, dump, partner: null, other: null, overflow, peers: peers?.debug })
