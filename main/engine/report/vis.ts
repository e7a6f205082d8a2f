// Writes graphs as .vis files, piece by piece, in the layout that the TensorBoard plugin reads.
import type { Dump } from '../dump.ts'
import type { Files } from '../io/files.ts'
import type { Sink } from '../io/output.ts'
import type { Job } from '../job.ts'
import type { Rules } from '../model.ts'
import { batchElements } from '../graph/batch-elements.ts'
import { colorsOf, columnTips } from '../graph/colors.ts'
import { Bytes, encoded } from '../graph/bytes.ts'
import { Page, type Piece } from '../graph/page.ts'
import { nodeName, type Graph } from '../graph/graph.ts'
import { DifferenceSpeller, ItemSpeller, RawEntries, type Leaves } from '../graph/item-texts.ts'
import { itemSides } from '../graph/items.ts'
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

/** Bytes that are gathered before they are handed on. */
const gathered = 1 << 20

/** A page that is handed on whenever enough is on it. */
class Pieces {
  readonly page = new Page(gathered + (1 << 16))
  readonly #sink: Sink

  constructor(sink: Sink) { this.#sink = sink }

  text(text: string): void { this.page.text(text) }

  pass(): void { if (this.page.length > gathered) this.flush() }

  flush(): void {
    this.#sink.write(this.page.written)
    this.page.clear()
  }
}

export async function writeVis(pair: GraphPair, options: VisOptions, files: Files, sink: Sink, job: Job): Promise<void> {
  const out = new Pieces(sink)
  const raw = new RawEntries(files, pair.debugDump)
  const benchRaw = new RawEntries(files, pair.benchDump)
  try {
    const total = pair.debug.length + pair.bench.length
    const speller = new ItemSpeller(out.page, pair.debugDump, pair.rules, raw, itemJoin(2))
    const differences = new DifferenceSpeller(out.page, pair, speller.spelling, itemJoin(2))
    out.text('{\n    "NPU": {\n')
    await writeGraph(out, 2, {
      graph: pair.debug, dump: pair.debugDump, rules: pair.rules, speller, elementOf: batchElements(pair.debugDump, pair.rules, files), differences, partner: pair.matching.toBench, other: pair.bench,
      index: node => indexText(pair, node), overflow: pair.overflow?.debug ?? null, peers: options.peers?.debug, options, done: 0, total,
    }, job)
    out.text('\n    },\n    "Bench": {\n')
    await writeGraph(out, 2, {
      graph: pair.bench, dump: pair.benchDump, rules: pair.rules, speller: new ItemSpeller(out.page, pair.benchDump, pair.rules, benchRaw, itemJoin(2)),
      elementOf: batchElements(pair.benchDump, pair.rules, files), differences: null,
      partner: pair.matching.toDebug, other: pair.debug, index: () => '', overflow: pair.overflow?.bench ?? null, peers: options.peers?.bench, options, done: pair.debug.length, total,
    }, job)
    const tip = asciiJson(columnTips[pair.mode])
    out.text(`\n    },\n${tip === '{}' ? '' : `    "ToolTip": ${jsonText(tip)},\n`}    "Colors": {\n${colorLines(pair)}\n    },\n    "MicroSteps": ${pair.debug.microSteps},\n    "task": "${taskNames[pair.mode]}",\n    "OverflowCheck": ${options.overflow}\n}`)
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
    out.text('{\n')
    await writeGraph(out, 1, {
      graph: single.graph, dump: single.dump, rules: single.rules, speller: new ItemSpeller(out.page, single.dump, single.rules, raw, itemJoin(1)),
      elementOf: batchElements(single.dump, single.rules, files), differences: null,
      partner: null, other: null, index: () => '', overflow: single.overflow, peers: options.peers?.debug, options, done: 0, total: single.graph.length,
    }, job)
    out.text(`,\n    "MicroSteps": ${single.graph.microSteps},\n    "OverflowCheck": ${options.overflow}\n}`)
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
  readonly elementOf: ReturnType<typeof batchElements>
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

/** What stands between the fields of an item in a graph that begins at this depth. */
const itemJoin = (depth: number): string => `,\n${' '.repeat((depth + 4) * 4)}`

async function writeGraph(out: Pieces, depth: number, w: GraphWriting, job: Job): Promise<void> {
  const { graph, dump } = w
  const p = ' '.repeat(depth * 4)
  out.text(`${p}"root": ${jsonText(nodeName(graph, 0))},\n${p}"dump_data_dir": ${dump.files.tensors ? jsonText(dump.files.tensors) : 'null'},\n${p}"node": {\n`)
  const write = nodeWriter(out.page, w, depth)
  for (let node = 0; node < graph.length; node++) {
    if (node > 0) out.text(',\n')
    write(node)
    out.pass()
    if ((node & 127) === 127) {
      await job.breathe()
      if ((node & 4095) === 4095) job.report({ what: 'job.writing', done: w.done + node, total: w.total, unit: 'items' })
    }
  }
  out.text(`\n${p}}`)
}

const nothing = encoded('{}')
const emptyList = encoded('[]')
const none = encoded('"None"')

function nodeWriter(out: Page, w: GraphWriting, depth: number): (node: number) => void {
  const { graph, dump, options } = w
  const p1 = ' '.repeat((depth + 1) * 4)
  const p2 = `${p1}    `
  const p3 = `${p2}    `
  const p4 = `${p3}    `
  const { side } = itemSides(dump, w.rules)
  const lines = stackLines(graph, dump, w.rules, options.fullStacks)
  const stacks = new Map<readonly string[], Uint8Array>()
  const stackText = (node: number): Uint8Array => {
    const shown = lines(node)
    let text = stacks.get(shown)
    if (text === undefined) stacks.set(shown, (text = shown.length === 0 ? emptyList : encoded(`[\n${shown.map(line => p3 + jsonText(line)).join(',\n')}\n${p2}]`)))
    return text
  }
  const link = w.other ? pathWriter(w.other, p3) : null
  const keep = (text: string): Piece => out.keep(text)
  const part = {
    begin: keep(p1), id: keep(`: {\n${p2}"id": `), kind: keep(`,\n${p2}"node_type": `), outputs: keep(`,\n${p2}"output_data": `), inputs: keep(`,\n${p2}"input_data": `),
    up: keep(`,\n${p2}"upnode": `), children: keep(`,\n${p2}"subnodes": `), link: keep(`,\n${p2}"matched_node_link": `), stack: keep(`,\n${p2}"suggestions": {},\n${p2}"stack_info": `),
    micro: keep(`,\n${p2}"micro_step_id": `), data: keep(`,\n${p2}"data": `), end: keep(`\n${p1}}`), open: keep('{\n'), close: keep(`\n${p2}}`),
    item: keep(p3), nextItem: keep(`,\n${p3}`), fields: keep(`: {\n${p4}`), endItem: keep(`\n${p3}}`), list: keep(`[\n${p3}`), endList: keep(`\n${p2}]`),
  }
  const name = (node: number): void => out.name(graph.texts, graph.name[node])
  const dataField = (first: boolean): void => {
    if (first) out.put(part.open)
    out.put(first ? part.item : part.nextItem)
  }

  /** Ends of item names, with what stands between a name and its first field. */
  const tails = new Map<number, Piece>()
  const itemName = (item: number, op: number, idAt: number, idLength: number): void => {
    const code = dump.items.name[item]
    const tail = idLength > 0 ? dump.texts.tailAfter(code, op) : -1
    if (tail < 0) {
      out.name(dump.texts, code)
      return out.put(part.fields)
    }
    let piece = tails.get(tail)
    if (piece === undefined) tails.set(tail, (piece = keep(`${jsonText(dump.texts.get(tail)).slice(1)}: {\n${p4}`)))
    out.again(idAt, idLength, piece)
  }

  const itemsOf = (node: number, output: 0 | 1, leaves: Leaves, idAt: number, idLength: number): void => {
    const op = graph.op[node]
    const end = op < 0 ? 0 : dump.ops.first[op + 1]
    let any = false
    for (let item = op < 0 ? 0 : dump.ops.first[op]; item < end; item++) {
      if (side[item] !== output) continue
      if (any) out.put(part.nextItem)
      else {
        out.put(part.open)
        out.put(part.item)
      }
      any = true
      const element = w.elementOf(op, item)
      if (element) {
        out.text(element.name)
        out.put(part.fields)
      } else itemName(item, dump.ops.name[op], idAt, idLength)
      w.speller.fields(out, op, item, leaves)
      if (element && !w.speller.isNull(item)) for (const field of element.fields) out.text(itemJoin(depth) + field)
      if (w.differences && !w.speller.isNull(item)) w.differences.fields(out, node, item)
      out.put(part.endItem)
    }
    if (any) out.put(part.close)
    else out.raw(nothing)
  }

  return node => {
    const leaves: Leaves = { current: undefined }
    const above = graph.parent[node]
    const met = w.partner ? w.partner[node] : -1
    const micro = w.partner && w.other && w.differences === null ? benchMicro(w, node, met) : graph.micro[node]
    const op = graph.op[node]
    out.put(part.begin)
    name(node)
    out.put(part.id)
    const idAt = out.length
    name(node)
    // With its opening quote; an id that is spelled with escapes is not copied.
    const idLength = op >= 0 && dump.ops.name[op] === graph.name[node] && out.length - idAt === graph.texts.bytesOf(graph.name[node]) + 2 ? out.length - idAt - 1 : 0
    out.put(part.kind)
    out.byte(0x30 + graph.kind[node])
    out.put(part.outputs)
    itemsOf(node, 1, leaves, idAt, idLength)
    out.put(part.inputs)
    itemsOf(node, 0, leaves, idAt, idLength)
    out.put(part.up)
    if (above < 0) out.raw(none)
    else name(above)
    out.put(part.children)
    const first = graph.firstChild[node]
    const last = graph.firstChild[node + 1]
    for (let i = first; i < last; i++) {
      out.put(i === first ? part.list : part.nextItem)
      name(graph.children[i])
    }
    if (last > first) out.put(part.endList)
    else out.raw(emptyList)
    out.put(part.link)
    if (met < 0 || !link) out.raw(emptyList)
    else {
      out.put(part.list)
      link(out, met)
      out.put(part.endList)
    }
    out.put(part.stack)
    out.raw(stackText(node))
    if (micro >= 0) {
      out.put(part.micro)
      out.text(String(micro))
    }
    out.put(part.data)
    dataOf(out, w, node, dataField, part.close)
    if (w.peers?.has(node)) out.text(peersText(w, node, p2))
    out.put(part.end)
  }
}

/** On the bench side the step of the partner; a child of the root that gets none has its call number. */
function benchMicro({ graph, other }: GraphWriting, node: number, met: number): number {
  const step = met >= 0 && other ? other.micro[met] : -1
  if (step >= 0 || graph.parent[node] !== 0) return step
  const last = nodeName(graph, node).split('.').at(-1) ?? ''
  return /^\d+$/.test(last) ? Number(last) : 0
}

function dataOf(out: Page, w: GraphWriting, node: number, field: (first: boolean) => void, close: Piece): void {
  const index = w.index(node)
  const level = w.overflow ? overflowNames[w.overflow[node]] : ''
  if (index === '' && !level) return out.raw(nothing)
  let first = true
  const put = (text: string): void => {
    field(first)
    first = false
    out.text(text)
  }
  if (index !== '') {
    put('"precision_index": ')
    out.text(index)
    const result = w.differences?.nodeResult(node, index) ?? ''
    if (result) put(`"Result": "${result}"`)
  }
  if (level) put(`"overflow_level": "${level}"`)
  out.put(close)
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

/** Ids from the root to a node as lines of a list; what is above a node is made once. */
function pathWriter(graph: Graph, pad: string): (out: Bytes, node: number) => void {
  const between = encoded(`,\n${pad}`)
  const above: (Uint8Array | undefined)[] = []
  const scratch = new Bytes(1 << 12)
  const upTo = (node: number): Uint8Array => {
    const way: number[] = []
    for (let at = node; at >= 0 && !above[at]; at = graph.parent[at]) way.push(at)
    for (const at of way.reverse()) {
      scratch.at = 0
      const before = graph.parent[at] < 0 ? undefined : above[graph.parent[at]]
      if (before) scratch.raw(before)
      scratch.name(graph.texts, graph.name[at])
      scratch.raw(between)
      above[at] = scratch.buffer.slice(0, scratch.at)
    }
    return above[node] ?? between
  }
  return (out, node) => {
    if (graph.parent[node] >= 0) out.raw(upTo(graph.parent[node]))
    out.name(graph.texts, graph.name[node])
  }
}
