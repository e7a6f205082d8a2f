// Two graphs that were compared: who met whom, item by item, and how suspicious each node is.
import type { Dump } from '../dump.ts'
import type { Measured } from '../metrics/measured.ts'
import { State, type Mode, type Rules } from '../model.ts'
import type { Problem } from '../problem.ts'
import type { Graph } from './graph.ts'
import { itemSides, rangeOf } from './items.ts'
import type { Matching } from './match.ts'

export type GraphMode = Mode | 'structure'

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
  readonly benchItem: Int32Array
  /** Precision index per debug node as the rules write it; NaN for none. */
  readonly index: Float64Array
  /** Whether that number is one that Python holds as an int. */
  readonly indexInt: Uint8Array
  /** Tensor mode: row of `measured` per debug item, -1 for none. */
  readonly measuredRow: Int32Array
  readonly measured: Measured | null
  /** Overflow level per node of both sides; null when it was not asked for. */
  readonly overflow: { readonly debug: Uint8Array; readonly bench: Uint8Array } | null
  readonly problems: readonly Problem[]
}

const groups = [State.input, State.parameters, State.output, State.parametersGrad] as const

/** Items of met nodes meet by position within inputs, parameters, outputs and gradients. */
export function pairItems(rules: Rules, debug: Graph, bench: Graph, debugDump: Dump, benchDump: Dump, matching: Matching): Int32Array {
  const mine = itemSides(debugDump, rules).side
  const theirs = itemSides(benchDump, rules).side
  const pairs = new Int32Array(debugDump.items.length).fill(notCompared)
  for (let node = 0; node < debug.length; node++) {
    const there = matching.toBench[node]
    if (there < 0) continue
    const [from, to] = rangeOf(debugDump, debug.op[node])
    const [benchFrom, benchTo] = rangeOf(benchDump, bench.op[there])
    for (const state of groups) {
      let b = benchFrom
      for (let a = from; a < to; a++) {
        if (debugDump.items.state[a] !== state || mine[a] === 2) continue
        while (b < benchTo && (benchDump.items.state[b] !== state || theirs[b] === 2)) b++
        pairs[a] = b < benchTo ? b++ : surplus
      }
    }
  }
  return pairs
}
