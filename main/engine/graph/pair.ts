// Two graphs that were compared: who met whom, item by item, and which index msprobe gives each node.
import type {
  BenchItem,
  Column,
  DebugItem,
  DebugNode,
  Dump,
  Ids,
  Measured,
  MeasuredRow,
  NodeRow,
  Problem,
  Rules,
  Side,
} from '../model/index.ts'
import { type GraphMode, meetByPosition } from '../pair/index.ts'
import type { Graph } from './graph.ts'
import { itemSides } from './items.ts'
import type { Matching, Sides } from './match.ts'

export const Overflow = { none: 0, medium: 1, high: 2, critical: 3 } as const
export type Overflow = (typeof Overflow)[keyof typeof Overflow]
export const overflowNames = ['', 'medium', 'high', 'critical'] as const

/** Bench item of an item that no node compares, and of one that has no counterpart. */
export const notCompared = -2
export const surplus = -1

export interface GraphPair {
  readonly rules: Rules
  readonly mode: GraphMode
  readonly debug: Graph
  readonly bench: Graph
  readonly debugDump: Dump
  readonly benchDump: Dump
  readonly matching: Matching
  /** Per debug item: bench item, `surplus` or `notCompared`. */
  readonly benchItem: Ids<DebugItem, BenchItem>
  /** Precision index per debug node as the rules write it; NaN for none. */
  readonly index: Column<Float64Array, DebugNode>
  /** Whether that number is one that Python holds as an int. */
  readonly indexInt: Column<Uint8Array, DebugNode>
  /** Tensor mode: row of `measured` per debug item, -1 for none. */
  readonly measuredRow: Ids<DebugItem, MeasuredRow>
  readonly measured: Measured | null
  /** Overflow level per node of both sides; null when it was not asked for. */
  readonly overflow: Readonly<Record<Side, Column<Uint8Array, NodeRow>>> | null
  readonly problems: readonly Problem[]
}

/** Items of met nodes meet by position within inputs, parameters, outputs and gradients. */
export function pairItems(
  { rules, debug, bench, debugDump, benchDump }: Sides,
  matching: Matching,
): Ids<DebugItem, BenchItem> {
  const mine = itemSides(debugDump, rules).side
  const theirs = itemSides(benchDump, rules).side
  const pairs = new Int32Array(debugDump.items.length).fill(notCompared)
  const shown = {
    debug: (item: DebugItem) => mine[item] !== 2,
    bench: (item: BenchItem) => theirs[item] !== 2,
  }
  const meet = (item: DebugItem, there: BenchItem): void => {
    pairs[item] = there < 0 ? surplus : there
  }
  for (let node = 0; node < debug.length; node++) {
    const there = matching.toBench[node]
    if (there >= 0)
      meetByPosition(
        { dump: debugDump, op: debug.op[node] },
        { dump: benchDump, op: bench.op[there] },
        meet,
        shown,
      )
  }
  return pairs
}
