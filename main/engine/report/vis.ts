// Writes graphs as .vis files, piece by piece, in the layout that the TensorBoard plugin reads.
import type { Dump } from '../dump.ts'
import type { Files } from '../io/files.ts'
import type { Sink } from '../io/output.ts'
import type { Job } from '../job.ts'
import type { Rules } from '../model.ts'
import { colorsOf, columnTips } from '../graph/colors.ts'
import { nodeName, type Graph } from '../graph/graph.ts'
import { DifferenceSpeller, ItemSpeller, RawEntries, type Leaves } from '../graph/item-texts.ts'
import { itemSides, rangeOf } from '../graph/items.ts'
import { overflowNames, type GraphMode, type GraphPair } from '../graph/pair.ts'
import type { NodePeers, PeerGroup } from '../graph/peers.ts'
import { stackLines } from '../graph/stacks.ts'
import { jsonText } from '../graph/texts.ts'
import { pyFloat } from '../formats/python.ts'

export const taskNames: Readonly<Record<GraphMode, string>> = { tensor: 'all', statistics: 'summary', md5: 'md5', structure: 'structure' }

export interface VisOptions {
  /** All stack lines in place of the telling one. */
  readonly fullStacks: boolean
  readonly overflow: boolean
  /** Peers of communication calls per node, by side. */
  readonly peers?: { readonly debug: ReadonlyMap<number, NodePeers>; readonly bench: ReadonlyMap<number, NodePeers> }
}

/** A single graph. */
export interface SingleGraph {
  readonly rules: Rules
  readonly graph: Graph
  readonly dump: Dump
  readonly overflow: Uint8Array | null
}

/** Text that is gathered and handed on in pieces of a few megabytes; ASCII only. */
class Pieces {
  readonly #sink: Sink
  readonly #bytes = new Uint8Array(4 << 20)
  readonly #encoder = new TextEncoder()
  #text = ''

  constructor(sink: Sink) { this.#sink = sink }

  add(text: string): void {
    this.#text += text
    if (this.#text.length > 1 << 20) this.flush()
  }

  flush(): void {
    for (let text = this.#text; text.length > 0;) {
      const { read, written } = this.#encoder.encodeInto(text, this.#bytes)
      this.#sink.write(this.#bytes.subarray(0, written))
      text = text.slice(read)
    }
    this.#text = ''
  }
}

export async function writeVis(pair: GraphPair, options: VisOptions, files: Files, sink: Sink, job: Job): Promise<void> {
  const out = new Pieces(sink)
  const raw = new RawEntries(files, pair.debugDump)
  const benchRaw = new RawEntries(files, pair.benchDump)
  try {
    const total = pair.debug.length + pair.bench.length
    const speller = new ItemSpeller(pair.debugDump, pair.rules, raw)
    const differences = new DifferenceSpeller(pair, speller.spelling)
    out.add('{\n    "NPU": {\n')
    await writeGraph(out, 2, {
      graph: pair.debug, dump: pair.debugDump, rules: pair.rules, speller, differences, partner: pair.matching.toBench, other: pair.bench,
      index: node => indexText(pair, node), overflow: pair.overflow?.debug ?? null, peers: options.peers?.debug, options, done: 0, total,
    }, job)
    out.add('\n    },\n    "Bench": {\n')
    await writeGraph(out, 2, {
      graph: pair.bench, dump: pair.benchDump, rules: pair.rules, speller: new ItemSpeller(pair.benchDump, pair.rules, benchRaw), differences: null,
      partner: pair.matching.toDebug, other: pair.debug, index: () => '', overflow: pair.overflow?.bench ?? null, peers: options.peers?.bench, options, done: pair.debug.length, total,
    }, job)
    const tip = asciiJson(columnTips[pair.mode])
    out.add(`\n    },\n${tip === '{}' ? '' : `    "ToolTip": ${jsonText(tip)},\n`}    "Colors": {\n${colorLines(pair)}\n    },\n    "MicroSteps": ${pair.debug.microSteps},\n    "task": "${taskNames[pair.mode]}",\n    "OverflowCheck": ${options.overflow}\n}`)
    out.flush()
  } finally {
    raw.close()
    benchRaw.close()
  }
}

export async function writeSingleVis(single: SingleGraph, options: VisOptions, files: Files, sink: Sink, job: Job): Promise<void> {
  const out = new Pieces(sink)
  const raw = new RawEntries(files, single.dump)
  try {
    out.add('{\n')
    await writeGraph(out, 1, {
      graph: single.graph, dump: single.dump, rules: single.rules, speller: new ItemSpeller(single.dump, single.rules, raw), differences: null,
      partner: null, other: null, index: () => '', overflow: single.overflow, peers: options.peers?.debug, options, done: 0, total: single.graph.length,
    }, job)
    out.add(`,\n    "MicroSteps": ${single.graph.microSteps},\n    "OverflowCheck": ${options.overflow}\n}`)
    out.flush()
  } finally {
    raw.close()
  }
}

const asciiJson = (tips: Readonly<Record<string, string>>): string => `{${Object.entries(tips).map(([key, text]) => `${jsonText(key)}: ${jsonText(text)}`).join(', ')}}`

function colorLines(pair: GraphPair): string {
  const pad = ' '.repeat(8)
  return colorsOf(pair.mode, pair.rules).map(({ color, value, description, level }) => {
    const range = value.length === 0 ? '[]' : `[\n${pad}        ${value[0]},\n${pad}        ${value[1]}\n${pad}    ]`
    return `${pad}"${color}": {\n${pad}    "value": ${range},\n${pad}    "description": ${jsonText(description)}${level ? `,\n${pad}    "accuracy_level": "${level}"` : ''}\n${pad}}`
  }).join(',\n')
}

/** The index as Python prints it: an int without a point. */
export function indexText(pair: GraphPair, node: number): string {
  const index = pair.index[node]
  return Number.isNaN(index) ? '' : pair.indexInt[node] ? String(index) : pyFloat(index)
}

interface GraphWriting {
  readonly graph: Graph
  readonly dump: Dump
  readonly rules: Rules
  readonly speller: ItemSpeller
  readonly differences: DifferenceSpeller | null
  readonly partner: Int32Array | null
  readonly other: Graph | null
  index(node: number): string
  readonly overflow: Uint8Array | null
  readonly peers: ReadonlyMap<number, NodePeers> | undefined
  readonly options: VisOptions
  readonly done: number
  readonly total: number
}

async function writeGraph(out: Pieces, depth: number, w: GraphWriting, job: Job): Promise<void> {
  const { graph, dump } = w
  const p = ' '.repeat(depth * 4)
  const names = nameTexts(graph)
  out.add(`${p}"root": ${names(0)},\n${p}"dump_data_dir": ${dump.files.tensors ? jsonText(dump.files.tensors) : 'null'},\n${p}"node": {\n`)
  const nodeAt = nodeWriter(w, depth, names)
  for (let node = 0; node < graph.length; node++) {
    out.add(`${node > 0 ? ',\n' : ''}${nodeAt(node)}`)
    if ((node & 127) === 127) {
      await job.breathe()
      if ((node & 4095) === 4095) job.report({ what: 'job.writing', done: w.done + node, total: w.total, unit: 'items' })
    }
  }
  out.add(`\n${p}}`)
}

/** Ids as JSON texts, made once. */
function nameTexts(graph: Graph): (node: number) => string {
  const made: (string | undefined)[] = []
  return node => made[node] ??= jsonText(nodeName(graph, node))
}

const listOf = (texts: readonly string[], pad: string): string => (texts.length === 0 ? '[]' : `[\n${texts.map(text => pad + text).join(',\n')}\n${pad.slice(4)}]`)

function nodeWriter(w: GraphWriting, depth: number, names: (node: number) => string): (node: number) => string {
  const { graph, dump, options } = w
  const p1 = ' '.repeat((depth + 1) * 4)
  const p2 = `${p1}    `
  const p3 = `${p2}    `
  const p4 = `${p3}    `
  const join = `,\n${p4}`
  const { side } = itemSides(dump, w.rules)
  const lines = stackLines(graph, dump, w.rules, options.fullStacks)
  const stackTexts = new Map<readonly string[], string>()
  const stackText = (node: number): string => {
    const shown = lines(node)
    let text = stackTexts.get(shown)
    if (text === undefined) stackTexts.set(shown, (text = listOf(shown.map(jsonText), p3)))
    return text
  }
  const paths = w.other ? pathTexts(w.other, p3) : null

  const itemsOf = (node: number, output: 0 | 1, leaves: Leaves): string => {
    const op = graph.op[node]
    let text = ''
    for (let [item, end] = rangeOf(dump, op); item < end; item++) {
      if (side[item] !== output) continue
      const fields = w.speller.fields(op, item, join, leaves)
      const difference = w.differences && !w.speller.isNull(item) ? w.differences.fields(node, item, join) : ''
      text += `${text ? ',\n' : ''}${p3}${jsonText(dump.texts.get(dump.items.name[item]))}: {\n${p4}${fields}${difference}\n${p3}}`
    }
    return text ? `{\n${text}\n${p2}}` : '{}'
  }

  return node => {
    const leaves: Leaves = { current: undefined }
    const kids: string[] = []
    for (let i = graph.firstChild[node]; i < graph.firstChild[node + 1]; i++) kids.push(names(graph.children[i]))
    const outputs = itemsOf(node, 1, leaves)
    const inputs = itemsOf(node, 0, leaves)
    const above = graph.parent[node]
    const met = w.partner ? w.partner[node] : -1
    const micro = w.partner && w.other && w.differences === null ? benchMicro(w, node, met) : graph.micro[node]
    return `${p1}${names(node)}: {\n${p2}"id": ${names(node)},\n${p2}"node_type": ${graph.kind[node]},\n${p2}"output_data": ${outputs},\n${p2}"input_data": ${inputs},\n`
      + `${p2}"upnode": ${above < 0 ? '"None"' : names(above)},\n${p2}"subnodes": ${listOf(kids, p3)},\n${p2}"matched_node_link": ${met < 0 || !paths ? '[]' : paths(met)},\n`
      + `${p2}"suggestions": {},\n${p2}"stack_info": ${stackText(node)},\n${micro >= 0 ? `${p2}"micro_step_id": ${micro},\n` : ''}${p2}"data": ${dataOf(w, node, p2)}${peersText(w, node, p2)}\n${p1}}`
  }
}

/** On the bench side the step of the partner; a lone child of the root has its call number. */
function benchMicro({ graph, other }: GraphWriting, node: number, met: number): number {
  if (met >= 0) return other ? other.micro[met] : -1
  if (graph.parent[node] !== 0) return -1
  const last = nodeName(graph, node).split('.').at(-1) ?? ''
  return /^\d+$/.test(last) ? Number(last) : 0
}

function dataOf(w: GraphWriting, node: number, pad: string): string {
  const fields: string[] = []
  const index = w.index(node)
  if (index !== '') {
    fields.push(`"precision_index": ${index}`)
    const result = w.differences?.nodeResult(node, index) ?? ''
    if (result) fields.push(`"Result": "${result}"`)
  }
  const level = w.overflow ? overflowNames[w.overflow[node]] : ''
  if (level) fields.push(`"overflow_level": "${level}"`)
  return fields.length === 0 ? '{}' : `{\n${fields.map(field => `${pad}    ${field}`).join(',\n')}\n${pad}}`
}

function peersText(w: GraphWriting, node: number, pad: string): string {
  const peers = w.peers?.get(node)
  if (!peers) return ''
  const deeper = `${pad}    `
  return `,\n${pad}"matched_distributed": ${peers.length === 1 ? peerText(peers[0], pad) : `[\n${peers.map(group => deeper + peerText(group, deeper)).join(',\n')}\n${pad}]`}`
}

function peerText(group: PeerGroup, p: string): string {
  const ranks = [...group.nodes].map(([rank, [index, id]]) => `${p}        "${rank}": [\n${p}            ${jsonText(index)},\n${p}            ${jsonText(id)}\n${p}        ]`)
  return `{\n${p}    "communications_type": "${group.type}",\n${p}    "nodes_info": ${ranks.length > 0 ? `{\n${ranks.join(',\n')}\n${p}    }` : '{}'}\n${p}}`
}

/** Ids from the root to a node as lines of a list. */
function pathTexts(graph: Graph, pad: string): (node: number) => string {
  const known: (string | undefined)[] = []
  const linesTo = (node: number): string => {
    const way: number[] = []
    for (let at = node; at >= 0 && known[at] === undefined; at = graph.parent[at]) way.push(at)
    for (const at of way.reverse()) {
      const own = pad + jsonText(nodeName(graph, at))
      known[at] = graph.parent[at] < 0 ? own : `${known[graph.parent[at]]},\n${own}`
    }
    return known[node] ?? ''
  }
  return node => `[\n${linesTo(node)}\n${pad.slice(4)}]`
}

