// What every node of an opened graph is marked with: bucket of suspicion, failing rows of its own and below, partner.
import type { Dump } from '../dump.ts'
import { Kind, State, type Rules, type Side } from '../model.ts'
import { bucketOf, noMeasure, noPartner, overflowScale, scaleOf, type BucketScale } from './colors.ts'
import { findNode, type Graph } from './graph.ts'
import { overflowLevels } from './overflow.ts'
import type { GraphMode, GraphPair } from './pair.ts'
import type { Colours } from '../../../preload/contract/engine.ts'

/** What a view of graphs needs; a pair of dumps, a single dump or a graph file can give it. */
export interface ViewSource {
  readonly rules: Rules
  readonly mode: GraphMode
  readonly debug: Graph
  readonly debugDump: Dump
  readonly bench: Graph | null
  readonly benchDump: Dump | null
  /** Partner per node of each side, -1 for none; null when there is no bench. */
  readonly toBench: Int32Array | null
  readonly toDebug: Int32Array | null
  /** Index per debug node, NaN for none. */
  readonly index: Float64Array
  /** Failing rows per debug op; null until rows have been judged. */
  readonly failingPerOp: Int32Array | null
  /** Overflow level per node of each side; null where nobody looked. */
  readonly overflow: { readonly debug: Uint8Array; readonly bench: Uint8Array | null } | null
  /** The scale of the index where it is not that of the rules (a file has its own). */
  readonly scale?: BucketScale
}

export const sourceOf = (pair: GraphPair, failingPerOp: Int32Array | null): ViewSource => ({
  rules: pair.rules, mode: pair.mode, debug: pair.debug, debugDump: pair.debugDump, bench: pair.bench, benchDump: pair.benchDump,
  toBench: pair.matching.toBench, toDebug: pair.matching.toDebug, index: pair.index, failingPerOp, overflow: pair.overflow,
})

export const singleSource = (rules: Rules, graph: Graph, dump: Dump): ViewSource => ({
  rules, mode: 'structure', debug: graph, debugDump: dump, bench: null, benchDump: null, toBench: null, toDebug: null,
  index: new Float64Array(graph.length).fill(NaN), failingPerOp: null,
  overflow: { debug: overflowLevels(graph, dump, rules), bench: null },
})

export interface SideMarks {
  readonly graph: Graph
  readonly dump: Dump
  /** Partner per node; null in a single graph. */
  readonly partner: Int32Array | null
  readonly bucket: Int8Array
  /** Failing rows of the node's own items. */
  readonly own: Int32Array
  /** Failing rows at places before this one, in execution order; length + 1 entries. */
  readonly before: Float64Array
}

export interface Marks {
  readonly source: ViewSource
  readonly scale: BucketScale
  readonly debug: SideMarks
  readonly bench: SideMarks | null
}

export function marksOf(source: ViewSource, colours: Colours = 'precision'): Marks {
  const { debug, bench, toBench, toDebug, failingPerOp } = source
  const levels = colours === 'overflow' ? source.overflow : null
  const scale = levels ? overflowScale : source.scale ?? scaleOf(source.mode, source.rules)
  const bucket = new Int8Array(debug.length)
  const own = new Int32Array(debug.length)
  for (let node = 0; node < debug.length; node++) {
    bucket[node] = levels ? overflowBucket(levels.debug[node]) : toBench && toBench[node] < 0 ? noPartner : bucketOf(scale, source.index[node])
    if (failingPerOp && debug.op[node] >= 0) own[node] = failingPerOp[debug.op[node]]
    if (!levels && own[node] > 0 && bucket[node] >= 0 && breaksAlone(source, node)) bucket[node] = worst
  }
  const mine: SideMarks = { graph: debug, dump: source.debugDump, partner: toBench, bucket, own, before: sumsBefore(debug, own) }
  if (!bench || !source.benchDump || !toDebug) return { source, scale, debug: mine, bench: null }
  const benchBucket = new Int8Array(bench.length)
  const benchOwn = new Int32Array(bench.length)
  for (let node = 0; node < bench.length; node++) {
    benchBucket[node] = levels?.bench ? overflowBucket(levels.bench[node]) : toDebug[node] < 0 ? noPartner : noMeasure
    if (toDebug[node] >= 0) benchOwn[node] = own[toDebug[node]]
  }
  return { source, scale, debug: mine, bench: { graph: bench, dump: source.benchDump, partner: toDebug, bucket: benchBucket, own: benchOwn, before: sumsBefore(bench, benchOwn) } }
}

const worst = 5

/** NaN or Inf comes out on one side only. No index of the reference counts that, and nothing is worse; its own rules stay as they are. */
function breaksAlone({ rules, mode, debug, bench, debugDump, benchDump, toBench }: ViewSource, node: number): boolean {
  const there = toBench?.[node] ?? -1
  if (rules !== 'plumbline' || mode === 'md5' || !bench || !benchDump || there < 0 || bench.op[there] < 0) return false
  return givesWild(debugDump, debug.op[node]) !== givesWild(benchDump, bench.op[there])
}

function givesWild({ ops, items }: Dump, op: number): boolean {
  const { max, min, norm } = items
  for (let i = ops.first[op]; i < ops.first[op + 1]; i++) {
    if (items.state[i] !== State.output) continue
    for (const { kind, value } of [max, min, norm]) if (kind[i] === Kind.float && !Number.isFinite(value[i])) return true
  }
  return false
}

const overflowBucket = (level: number): number => overflowScale.steps[level]?.bucket ?? noMeasure

function sumsBefore(graph: Graph, own: Int32Array): Float64Array {
  const before = new Float64Array(graph.length + 1)
  for (let place = 0; place < graph.length; place++) before[place + 1] = before[place] + own[graph.order[place]]
  return before
}

/** Failing rows of a node and of everything below it. */
export const failingBelow = ({ graph, before }: SideMarks, node: number): number => before[graph.end[node]] - before[graph.place[node]]

/** From which bucket on a node is worth a look by itself. */
export const suspiciousFrom = 2

export const isSuspicious = (side: SideMarks, node: number): boolean => side.own[node] > 0 || side.bucket[node] >= suspiciousFrom

export const sideMarks = (marks: Marks, side: Side): SideMarks | null => (side === 'debug' ? marks.debug : marks.bench)

/** The node that stands for a name: itself, or for a record of gradients the last backward call of its module. -1 when there is none. */
export function nodeFor({ graph }: SideMarks, name: string): number {
  const exact = findNode(graph, name)
  if (exact >= 0) return exact
  const [, module] = /^(.*)\.parameters_grad(?:\.\d+)?$/s.exec(name) ?? []
  if (module === undefined) return -1
  let found = -1
  for (let call = 0; ; call++) {
    const node = findNode(graph, `${module}.backward.${call}`)
    if (node < 0) break
    found = node
  }
  return found >= 0 ? found : findNode(graph, `${module}.forward.0`)
}

export const isBackward = (id: string): boolean => /\.backward(?:\.\d+)?$|\.parameters_grad(?:\.\d+)?$/.test(id)
