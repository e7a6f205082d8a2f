// What every node of an opened graph is marked with: bucket of its colour, rows that differ of its own and below,
// partner, and whether the error enters there.
import {
  type BenchNode,
  colourMeasures,
  type Colours,
  type Column,
  type DebugNode,
  Direction,
  type Dump,
  type Ids,
  type NameGrammar,
  type NodeRow,
  type OriginMark,
  type PairRow,
  type Rules,
  type Side,
} from '../model/index.ts'
import { callOfGradients } from '../names/index.ts'
import {
  bucketOf,
  errorScale,
  madeScale,
  noMeasure,
  noPartner,
  notComparable,
  overflowScale,
  scaleOf,
  type BucketScale,
} from './colors.ts'
import { findNode, type Graph, NodeKind } from './graph.ts'
import { overflowLevels } from './overflow.ts'
import { type JudgedRows, noRows, ownRows, type OwnRows, rowsOfPartners } from './own-rows.ts'
import type { GraphMode } from '../pair/index.ts'
import type { GraphPair } from './pair.ts'

/** Where the error enters, as the advisor says. */
export interface Origin {
  readonly side: Side
  /** Name of the call. */
  readonly node: string
  /** Row that shows it, -1 where there is none. */
  readonly row: PairRow
}

/** What a view of graphs needs; a pair of dumps, a single dump or a graph file can give it. */
export interface ViewSource {
  readonly rules: Rules
  readonly mode: GraphMode
  readonly debug: Graph
  readonly debugDump: Dump
  readonly bench: Graph | null
  readonly benchDump: Dump | null
  /** Partner per node of each side, -1 for none; null when there is no bench. */
  readonly toBench: Ids<DebugNode, BenchNode> | null
  readonly toDebug: Ids<BenchNode, DebugNode> | null
  /** msprobe's index per debug node, NaN for none. */
  readonly index: Column<Float64Array, DebugNode>
  /** Overflow level per node of each side; null where nobody looked. */
  readonly overflow: {
    readonly debug: Column<Uint8Array, NodeRow>
    readonly bench: Column<Uint8Array, NodeRow> | null
  } | null
  /** The scale of the index where it is not that of the rules (a file has its own). */
  readonly scale?: BucketScale
}

/** What became of the rows. */
export interface Outcome {
  /** The rows of each debug node; null until rows have been judged. */
  readonly rows: OwnRows<DebugNode> | null
  readonly origin: Origin | null
  /** What each debug node made of its error itself, NaN where that is not known. */
  readonly made?: Column<Float64Array, DebugNode>
  /** What arrived at it. */
  readonly arrived?: Column<Float64Array, DebugNode>
}

export const noOutcome: Outcome = { rows: null, origin: null }

export const sourceOf = (pair: GraphPair): ViewSource => ({
  rules: pair.rules,
  mode: pair.mode,
  debug: pair.debug,
  debugDump: pair.debugDump,
  bench: pair.bench,
  benchDump: pair.benchDump,
  toBench: pair.matching.toBench,
  toDebug: pair.matching.toDebug,
  index: pair.index,
  overflow: pair.overflow,
})

export const singleSource = (rules: Rules, graph: Graph, dump: Dump): ViewSource => ({
  rules,
  mode: 'structure',
  debug: graph,
  debugDump: dump,
  bench: null,
  benchDump: null,
  toBench: null,
  toDebug: null,
  index: new Float64Array(graph.length).fill(NaN),
  overflow: { debug: overflowLevels(graph, dump, rules), bench: null },
})

/** The rows of debug nodes; gradients of parameters are their module's. */
export const rowsOfNodes = (graph: Graph, rows: JudgedRows): OwnRows<DebugNode> =>
  ownRows(graph, rows, name => nodeFor({ graph }, name))

export interface SideMarks {
  readonly graph: Graph
  readonly dump: Dump
  /** Partner per node; null in a single graph. */
  readonly partner: Ids<NodeRow, NodeRow> | null
  /** 1: without partner, unless it is no call and all that it holds has one. */
  readonly lone: Column<Uint8Array, NodeRow>
  readonly bucket: Column<Int8Array, NodeRow>
  /** Rows of the node's own items, or of its partner's. */
  readonly rows: OwnRows<NodeRow>
  /** Rows that differ at places before this one, in execution order; length + 1 entries. */
  readonly before: Float64Array
  /** Where the error enters, -1 where that is not known. */
  readonly origin: NodeRow
}

export interface Marks {
  readonly source: ViewSource
  /** Whether rows have been judged. */
  readonly judged: boolean
  readonly origin: Origin | null
  /** What the colours show, and what they could show. */
  readonly colours: Colours
  readonly choices: readonly { readonly colours: Colours; readonly scale: BucketScale }[]
  readonly scale: BucketScale
  readonly debug: SideMarks
  readonly bench: SideMarks | null
}

export function marksOf(source: ViewSource, outcome = noOutcome, asked: Colours = 'error'): Marks {
  const { debug, bench, benchDump, toBench, toDebug } = source
  const choices = colourMeasures.flatMap(colours => {
    const painter = painters[colours](source, outcome)
    return painter ? [{ colours, scale: painter.scale, painter }] : []
  })
  const { colours, scale, painter } = choices.find(choice => choice.colours === asked) ?? choices[0]
  const at = originNodes(source, outcome.origin)
  const rows = outcome.rows ?? noRows(debug.length)
  const mine: SideMarks = {
    graph: debug,
    dump: source.debugDump,
    partner: toBench,
    lone: loneNodes(debug, toBench),
    bucket: painted(debug.length, painter.debug),
    rows,
    before: sumsBefore(debug, rows.differs),
    origin: at.debug,
  }
  spareWhole(mine)
  if (colours === 'error') rollUpGroups(mine)
  const marks = {
    source,
    judged: outcome.rows !== null,
    origin: outcome.origin,
    colours,
    choices,
    scale,
    debug: mine,
  }
  if (!bench || !benchDump || !toDebug) return { ...marks, bench: null }
  const partners = rowsOfPartners(rows, toDebug, bench.length)
  const theirs: SideMarks = {
    graph: bench,
    dump: benchDump,
    partner: toDebug,
    lone: loneNodes(bench, toDebug),
    bucket: painted(bench.length, painter.bench),
    rows: partners,
    before: sumsBefore(bench, partners.differs),
    origin: at.bench,
  }
  spareWhole(theirs)
  return { ...marks, bench: theirs }
}

/** The bucket of each node by one measure. */
interface Painter {
  readonly scale: BucketScale
  debug(node: DebugNode): number
  bench(node: BenchNode): number
}

function painted(length: number, bucketOfNode: (node: NodeRow) => number): Column<Int8Array, NodeRow> {
  const bucket = new Int8Array(length)
  for (let node = 0; node < length; node++) bucket[node] = bucketOfNode(node)
  return bucket
}

const paired =
  <Of extends number>(partner: Ids<Of, NodeRow> | null, bucket: (node: Of) => number) =>
  (node: Of): number =>
    partner && partner[node] < 0 ? noPartner : bucket(node)
/** The bench is what is measured against: it has no colour of its own. */
const plainBench = ({ toDebug }: ViewSource): Painter['bench'] => paired(toDebug, () => noMeasure)

/** Null where a source has nothing to measure by. */
const painters: Readonly<Record<Colours, (source: ViewSource, outcome: Outcome) => Painter | null>> = {
  error: (source, { rows }) =>
    rows &&
    source.toBench && {
      scale: errorScale,
      debug: paired(source.toBench, node => errorBucket(rows, node)),
      bench: plainBench(source),
    },
  made: ({ toBench, ...source }, { made }) =>
    made && toBench
      ? {
          scale: madeScale,
          debug: paired(toBench, node => (made[node] >= 0 ? bucketOf(madeScale, made[node]) : noMeasure)),
          bench: plainBench({ toBench, ...source }),
        }
      : null,
  msprobe: source => {
    const { index, toBench, mode, rules } = source
    const scale = source.scale ?? scaleOf(mode, rules)
    return { scale, debug: paired(toBench, node => bucketOf(scale, index[node])), bench: plainBench(source) }
  },
  overflow: source => {
    const { overflow } = source
    if (!overflow || !(hasOverflow(overflow.debug) || hasOverflow(overflow.bench))) return null
    const { debug, bench } = overflow
    return {
      scale: overflowScale,
      debug: node => overflowBucket(debug[node]),
      bench: bench ? node => overflowBucket(bench[node]) : plainBench(source),
    }
  },
}

const hasOverflow = (levels: Column<Uint8Array, NodeRow> | null): boolean =>
  levels?.some(level => level > 0) ?? false
const overflowBucket = (level: number): number => overflowScale.steps[level]?.bucket ?? noMeasure

function errorBucket({ all, compared, differs, level }: OwnRows<DebugNode>, node: DebugNode): number {
  if (differs[node] > 0) return Math.max(1, bucketOf(errorScale, level[node]))
  if (compared[node] > 0) return 0
  return all[node] > 0 ? notComparable : noMeasure
}

/** A module that is no call lacks nothing where all that it holds has a partner, under whatever module. */
function loneNodes(graph: Graph, partner: Ids<NodeRow, NodeRow> | null): Column<Uint8Array, NodeRow> {
  const lone = new Uint8Array(graph.length)
  if (!partner) return lone
  // Children come before what holds them.
  for (let i = graph.order.length - 1; i >= 0; i--) {
    const node = graph.order[i]
    if (partner[node] >= 0) continue
    const held = graph.children.subarray(graph.firstChild[node], graph.firstChild[node + 1])
    const whole = graph.op[node] < 0 && held.length > 0 && !held.some(child => lone[child] === 1)
    lone[node] = whole ? 0 : 1
  }
  return lone
}

function spareWhole({ bucket, lone }: SideMarks): void {
  for (let node = 0; node < bucket.length; node++)
    if (bucket[node] === noPartner && lone[node] === 0) bucket[node] = noMeasure
}

/** Groups of free calls have no rows of their own: they show the worst of what they hold. */
function rollUpGroups({ graph, bucket, rows }: SideMarks): void {
  for (let node = 0; node < graph.length; node++) {
    if (graph.kind[node] !== NodeKind.group || rows.all[node] > 0 || bucket[node] === noPartner) continue
    for (let i = graph.firstChild[node]; i < graph.firstChild[node + 1]; i++)
      bucket[node] = Math.max(bucket[node], bucket[graph.children[i]])
  }
}

/** The node where the error enters, and its partner. */
function originNodes(
  { debug, bench, toBench, toDebug }: ViewSource,
  origin: Origin | null,
): Readonly<Record<Side, NodeRow>> {
  if (!origin) return { debug: -1, bench: -1 }
  if (origin.side === 'debug') {
    const node = nodeFor({ graph: debug }, origin.node)
    return { debug: node, bench: toBench?.[node] ?? -1 }
  }
  const node = bench ? nodeFor({ graph: bench }, origin.node) : -1
  return { debug: toDebug?.[node] ?? -1, bench: node }
}

function sumsBefore(graph: Graph, own: Column<Int32Array, NodeRow>): Float64Array {
  const before = new Float64Array(graph.length + 1)
  for (let place = 0; place < graph.length; place++)
    before[place + 1] = before[place] + own[graph.order[place]]
  return before
}

export function originMark({ graph, origin }: SideMarks, node: NodeRow): OriginMark {
  if (origin < 0) return 'none'
  if (node === origin) return 'here'
  const place = graph.place[origin]
  return graph.place[node] < place && place < graph.end[node] ? 'inside' : 'none'
}

/** Rows that differ, of a node and of everything below it. */
export const differingBelow = ({ graph, before }: SideMarks, node: NodeRow): number =>
  before[graph.end[node]] - before[graph.place[node]]

/** From which bucket on a node is worth a look by itself. */
const stopFrom = 2

/** Whether a walk stops at a node: a row of its own differs; its colour decides where no row was judged. */
export const isStop = ({ colours, judged }: Marks, side: SideMarks, node: NodeRow): boolean =>
  side.rows.differs[node] > 0 || ((colours === 'overflow' || !judged) && side.bucket[node] >= stopFrom)

export const sideMarks = (marks: Marks, side: Side): SideMarks | null =>
  side === 'debug' ? marks.debug : marks.bench

/**
 * The node that stands for a name: itself, or for a record of gradients the last backward call of its module.
 * -1 when there is none.
 */
export function nodeFor({ graph }: Pick<SideMarks, 'graph'>, name: string): number {
  const exact = findNode(graph, name)
  if (exact >= 0) return exact
  const call = callOfGradients(graph.names, name, at => findNode(graph, at) >= 0)
  return call === null ? -1 : findNode(graph, call)
}

/** Gradients of parameters are written behind the backward pass. */
export function isBackward(names: NameGrammar, id: string): boolean {
  const direction = names.direction(id)
  return direction === Direction.backward || direction === Direction.gradients
}
