// A graph file opened as if its dumps were there: graphs, dumps made of its items, who met whom, and the
// numbers as stored.
import {
  type BenchItem,
  type BenchNode,
  type DebugItem,
  type DebugNode,
  type Dump,
  type Ids,
  type Measured,
  type NodeRow,
  Note,
  Outcome,
  problem,
  type Rules,
  type TensorPair,
  type TextCode,
  namedRow,
} from '../model/index.ts'
import { type FileDump, type FileSide, type GraphFile, loadSide } from '../formats/index.ts'
import type { Job } from '../work/index.ts'
import { type GraphMode, meetByPosition } from '../pair/index.ts'
import { emptyMeasured, metrics } from '../measure/index.ts'
import { msprobeNames } from '../names/index.ts'
import type { BucketScale } from './colors.ts'
import { byReturn, cutDepth, deepestLevel, finishGraph, NodeKind, type Graph } from './graph.ts'
import type { ViewSource } from './marks.ts'

export interface OpenedGraph {
  readonly file: GraphFile
  /** The rule set whose scale the file has. */
  readonly rules: Rules
  readonly mode: GraphMode
  readonly debug: Graph
  readonly bench: Graph | null
  readonly debugDump: Dump
  /** Null for single graphs. */
  readonly benchDump: Dump | null
  readonly source: ViewSource
  /** Bench item per debug item by the matches of the file, -1 for none; for a list of pairs. */
  readonly benchItem: Ids<DebugItem, BenchItem>
  /** Metric texts of a debug item as stored, by the file's keys. */
  stored(item: DebugItem): readonly { readonly key: string; readonly text: string }[]
  /** Answers measurements with the numbers that the file holds; nothing is read from tensors. */
  measure(pairs: readonly TensorPair[]): Promise<Measured>
}

const modes: Readonly<Record<string, GraphMode>> = { all: 'tensor', summary: 'statistics', md5: 'md5' }

/** Hierarchies, links and colours: what is known before the items are read. */
type Outline = Pick<
  ViewSource,
  'rules' | 'mode' | 'debug' | 'bench' | 'toBench' | 'toDebug' | 'index' | 'overflow' | 'scale'
>

export function outlineOf(file: GraphFile): Outline {
  const debug = graphOf(file, file.debug)
  const bench = file.bench && graphOf(file, file.bench)
  const toBench = bench && file.bench ? partners(file.debug, file.bench, debug, bench) : null
  const toDebug = bench && toBench ? new Int32Array(bench.length).fill(-1) : null
  if (toBench && toDebug)
    toBench.forEach((there, node) => {
      if (there >= 0) toDebug[there] = node
    })
  const mode = namedRow(modes, file.task) ?? 'structure'
  return {
    rules: rulesOf(file),
    mode,
    debug,
    bench,
    toBench,
    toDebug,
    index: file.debug.index,
    overflow: { debug: file.debug.overflow, bench: file.bench?.overflow ?? null },
    ...(file.colors.length > 0 && { scale: scaleIn(file, mode) }),
  }
}

/** With the items of all nodes, or of the first ones of each side. */
export async function openGraphFile(
  file: GraphFile,
  job: Job,
  outline: Outline = outlineOf(file),
  most = Infinity,
): Promise<OpenedGraph> {
  const mine = await loadSide(file, file.debug, byReturn(outline.debug).subarray(0, most), job)
  const theirs =
    file.bench && outline.bench
      ? await loadSide(file, file.bench, byReturn(outline.bench).subarray(0, most), job)
      : null
  const debug: Graph = { ...outline.debug, op: mine.op }
  const bench: Graph | null = outline.bench && theirs ? { ...outline.bench, op: theirs.op } : null
  const benchDump = theirs?.dump ?? null
  return {
    file,
    rules: outline.rules,
    mode: outline.mode,
    debug,
    bench,
    debugDump: mine.dump,
    benchDump,
    source: { ...outline, debug, bench, debugDump: mine.dump, benchDump: bench && benchDump },
    benchItem: pairsOf(mine, theirs, outline.toBench, debug, bench),
    stored(item) {
      const list: { key: string; text: string }[] = []
      for (const [key, codes] of mine.metrics)
        if (codes[item] >= 0) list.push({ key, text: mine.dump.texts.get(codes[item]) })
      return list
    },
    measure: pairs => Promise.resolve(storedNumbers(mine, pairs)),
  }
}

function graphOf({ file, microSteps }: GraphFile, side: FileSide): Graph {
  const parent = side.parent.slice()
  const deep = cutDepth(parent)
  const kind = side.kind.map(value =>
    value === NodeKind.api || value === NodeKind.group || value === NodeKind.fused ? value : NodeKind.module,
  )
  return finishGraph({
    length: side.length,
    texts: side.texts,
    names: msprobeNames,
    name: side.name,
    kind,
    parent,
    op: new Int32Array(side.length).fill(-1),
    micro: side.micro,
    microSteps,
    attached: side.attached,
    problems: deep > 0 ? [problem('graph-deep', file, { count: deep, levels: deepestLevel }, 'warning')] : [],
  })
}

function rulesOf({ colors, overflowChecked }: GraphFile): Rules {
  if (colors.some(color => color.level !== '')) return 'msprobe-26'
  return overflowChecked === null ? 'plumbline' : 'msprobe-1.2.2'
}

/** The scale that the file's own colours give. */
function scaleIn({ colors }: GraphFile, mode: GraphMode): BucketScale {
  if (colors.some(color => color.from === 1 && color.to === 1))
    return {
      measure: 'md5',
      steps: [
        { bucket: 0, from: 1, to: 1 },
        { bucket: 5, from: 0, to: 0 },
      ],
    }
  if (colors.some(color => color.level !== '')) {
    const bucket: Readonly<Record<string, number>> = { pass: 0, warning: 3, error: 5 }
    return {
      measure: 'grade',
      steps: colors
        .filter(color => color.level in bucket)
        .map(color => ({ bucket: bucket[color.level], from: color.from, to: color.to })),
    }
  }
  const sorted = colors.toSorted((a, b) => a.from - b.from)
  return {
    measure: mode === 'tensor' ? 'fall' : 'relative',
    steps: [
      { bucket: 0, from: 0, to: 0 },
      ...sorted.map((color, i) => ({
        bucket: Math.min(5, i + 1 + Math.max(0, 5 - sorted.length)),
        from: color.from,
        to: color.to,
      })),
    ],
  }
}

function nodeOf(from: FileSide, code: TextCode, graph: Graph): NodeRow {
  if (code < 0) return -1
  const there = graph.texts.findPlainBytes(from.texts.bytes(code))
  return there < 0 ? -1 : graph.nodeOf(there)
}

/** Links name ids; a link that only one side has counts too. */
function partners(
  debugSide: FileSide,
  benchSide: FileSide,
  debug: Graph,
  bench: Graph,
): Ids<DebugNode, BenchNode> {
  const toBench = new Int32Array(debug.length).fill(-1)
  for (let node = 0; node < debug.length; node++)
    toBench[node] = nodeOf(debugSide, debugSide.partner[node], bench)
  for (let there = 0; there < bench.length; there++) {
    const node = nodeOf(benchSide, benchSide.partner[there], debug)
    if (node >= 0 && toBench[node] < 0) toBench[node] = there
  }
  return toBench
}

function pairsOf(
  mine: FileDump,
  theirs: FileDump | null,
  toBench: Ids<DebugNode, BenchNode> | null,
  debug: Graph,
  bench: Graph | null,
): Ids<DebugItem, BenchItem> {
  const pairs = new Int32Array(mine.dump.items.length).fill(-1)
  if (!theirs || !toBench || !bench) return pairs
  for (let node = 0; node < debug.length; node++) {
    const there = toBench[node] < 0 ? -1 : bench.op[toBench[node]]
    const op = debug.op[node]
    if (op < 0 || there < 0) continue
    meetByPosition(
      { dump: mine.dump, op },
      { dump: theirs.dump, op: there },
      (item, other) => (pairs[item] = other),
    )
  }
  return pairs
}

/**
 * Stored tensor metrics in the shape of fresh ones; what stands instead of numbers says how the measuring
 * ended.
 */
function storedNumbers({ dump, metrics: stored }: FileDump, pairs: readonly TensorPair[]): Measured {
  const measured = emptyMeasured(pairs.length)
  const text = (key: string, item: DebugItem): string => {
    const code = stored.get(key)?.[item] ?? -1
    return code < 0 ? '' : dump.texts.get(code)
  }
  pairs.forEach((pair, row) => {
    const item = pair.item ?? -1
    if (item < 0) {
      measured.outcome[row] = Outcome.debugMissing
      return
    }
    const textOf = (key: string): string => text(key, item)
    measured.outcome[row] = outcomeIn(textOf)
    if (measured.outcome[row] === Outcome.measured && textOf('Cosine') === 'unsupported')
      measured.notes[row] = Note.single
    for (const { id, title } of metrics) measured[id][row] = Number(text(title, item) || NaN)
  })
  return measured
}

/** How measuring ended, from the texts that a file has instead of numbers. */
function outcomeIn(text: (key: string) => string): Outcome {
  const cosine = text('Cosine')
  if (cosine === 'shape unmatched') return Outcome.shapesDiffer
  if (cosine === 'N/A') return Outcome.nanPositions
  if (cosine === '' || text('MaxAbsErr') === 'unsupported') return Outcome.benchMissing
  return text('One Thousandth Err Ratio') === 'unsupported' ? Outcome.scalar : Outcome.measured
}
