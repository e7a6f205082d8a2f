// What is asked of a graph file, and what one finished rank comes to.
import type { GraphUnit } from '../layout/index.ts'
import type { Column, Dump, NodeRow, Rules, Together } from '../model/index.ts'
import type { Graph } from './graph.ts'
import type { GraphPair } from './pair.ts'
import type { NodePeers } from './peers.ts'

export interface GraphRequest {
  readonly debug: string
  /** '' for a single graph. */
  readonly bench: string
  readonly output: string
  readonly rules: Rules
  readonly fuzzy: boolean
  /** Keep all stack lines (`-cs`). */
  readonly fullStacks: boolean
  /** Overflow levels (`-oc`). */
  readonly overflow: boolean
  /** Text of the layer mapping; null when none was given. */
  readonly layerMapping: string | null
  /** 'vis' unless asked otherwise; msprobe 26 writes 'vis.db'. */
  readonly format: 'vis' | 'vis.db'
  /** Ranks that hold one model together are one graph. */
  readonly together?: Together | undefined
}

/** One finished rank: a pair or a single graph, with its peers. */
export interface GraphResult {
  readonly unit: GraphUnit
  readonly pair: GraphPair | null
  readonly single: {
    readonly graph: Graph
    readonly dump: Dump
    readonly overflow: Column<Uint8Array, NodeRow> | null
  } | null
  readonly peers: {
    readonly debug: ReadonlyMap<NodeRow, NodePeers>
    readonly bench: ReadonlyMap<NodeRow, NodePeers>
  }
}
