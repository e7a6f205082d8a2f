// Writes the nodes of one graph of a .vis file: everything that stays the same between nodes is kept as pieces.
import type { ItemRow, NodeRow, OpRow, Rules } from '../model/index.ts'
import { pyFloat } from '../python/index.ts'
import {
  type batchElements,
  Bytes,
  type DifferenceSpeller,
  encoded,
  type Graph,
  type GraphPair,
  itemSides,
  type ItemSpeller,
  jsonText,
  type Leaves,
  mergeInfo,
  nodeName,
  overflowNames,
  type Page,
  type PeerGroup,
  type Piece,
  stackLines,
} from '../graph/index.ts'
import type { GraphSide } from './graph-sides.ts'

/** One graph while it is written. */
export interface NodeWriting {
  readonly side: GraphSide
  readonly rules: Rules
  readonly fullStacks: boolean
  /** How deep the graph begins. */
  readonly depth: number
  readonly speller: ItemSpeller
  readonly differences: DifferenceSpeller | null
  readonly elementOf: ReturnType<typeof batchElements>
  /** Holds the precision indices, where this side shows them. */
  readonly pair: GraphPair | null
}

/** What stands between the fields of an item in a graph that begins at this depth. */
export const itemJoin = (depth: number): string => `,\n${' '.repeat((depth + 4) * 4)}`

const nothing = encoded('{}')
const emptyList = encoded('[]')
const none = encoded('"None"')

/** Where the id of a node stands on the page; no length where it cannot be copied from there. */
interface Id {
  readonly at: number
  readonly length: number
}

/** The indents of a node: its own, of its fields, of members of a field, of fields of an item. */
interface Pads {
  readonly node: string
  readonly field: string
  readonly member: string
  readonly item: string
}

const padsAt = (depth: number): Pads => {
  const pad = (deeper: number): string => ' '.repeat((depth + deeper) * 4)
  return { node: pad(1), field: pad(2), member: pad(3), item: pad(4) }
}

const piecesOf = (out: Page, { node, field, member, item }: Pads) => ({
  begin: out.keep(node),
  id: out.keep(`: {\n${field}"id": `),
  kind: out.keep(`,\n${field}"node_type": `),
  outputs: out.keep(`,\n${field}"output_data": `),
  inputs: out.keep(`,\n${field}"input_data": `),
  up: out.keep(`,\n${field}"upnode": `),
  children: out.keep(`,\n${field}"subnodes": `),
  link: out.keep(`,\n${field}"matched_node_link": `),
  stack: out.keep(`,\n${field}"suggestions": {},\n${field}"stack_info": `),
  micro: out.keep(`,\n${field}"micro_step_id": `),
  data: out.keep(`,\n${field}"data": `),
  end: out.keep(`\n${node}}`),
  open: out.keep('{\n'),
  close: out.keep(`\n${field}}`),
  item: out.keep(member),
  nextItem: out.keep(`,\n${member}`),
  fields: out.keep(`: {\n${item}`),
  endItem: out.keep(`\n${member}}`),
  list: out.keep(`[\n${member}`),
  endList: out.keep(`\n${field}]`),
})

export class NodeWriter {
  readonly #out: Page
  readonly #writing: NodeWriting
  readonly #pads: Pads
  readonly #part: ReturnType<typeof piecesOf>
  /** Side of each item: 0 input, 1 output. */
  readonly #sideOf: Uint8Array
  readonly #lines: (node: NodeRow) => readonly string[]
  readonly #stacks = new Map<readonly string[], Uint8Array>()
  readonly #link: PathWriter | null
  /** Ends of item names, with what stands between a name and its first field. */
  readonly #tails = new Map<number, Piece>()

  constructor(out: Page, writing: NodeWriting) {
    const { side, rules, fullStacks, depth } = writing
    this.#out = out
    this.#writing = writing
    this.#pads = padsAt(depth)
    this.#part = piecesOf(out, this.#pads)
    this.#sideOf = itemSides(side.dump, rules).side
    this.#lines = stackLines(side.graph, side.dump, rules, fullStacks)
    this.#link = side.other && new PathWriter(side.other, this.#pads.member)
  }

  write(node: NodeRow): void {
    const out = this.#out
    const part = this.#part
    const { graph, dump, partner, peers } = this.#writing.side
    const { field, member } = this.#pads
    const leaves: Leaves = { current: undefined }
    const above = graph.parent[node]
    out.put(part.begin)
    this.#name(node)
    out.put(part.id)
    const id = this.#id(node)
    out.put(part.kind)
    out.byte(0x30 + graph.kind[node])
    out.put(part.outputs)
    this.#items(node, 1, leaves, id)
    out.put(part.inputs)
    this.#items(node, 0, leaves, id)
    out.put(part.up)
    if (above < 0) out.raw(none)
    else this.#name(above)
    out.put(part.children)
    this.#children(node)
    out.put(part.link)
    this.#partner(partner ? partner[node] : -1)
    out.put(part.stack)
    out.raw(this.#stackText(node))
    this.#micro(node)
    out.put(part.data)
    this.#data(node)
    const groups = peers?.get(node)
    if (groups) out.text(peersText(groups, this.#pads.field))
    const merged = mergeInfo(dump, graph.op[node])
    if (merged.length > 0)
      out.text(
        `,\n${field}"parallel_merge_info": [\n${merged.map(line => member + jsonText(line)).join(',\n')}\n${field}]`,
      )
    out.put(part.end)
  }

  #name(node: NodeRow): void {
    const { graph } = this.#writing.side
    this.#out.name(graph.texts, graph.name[node])
  }

  #id(node: NodeRow): Id {
    const out = this.#out
    const { graph, dump } = this.#writing.side
    const at = out.length
    this.#name(node)
    const op = graph.op[node]
    const written = out.length - at
    // An id that is spelled with escapes is not copied, nor one that is not the name of the items' op.
    const asItems =
      op >= 0 &&
      dump.ops.name[op] === graph.name[node] &&
      written === graph.texts.bytesOf(graph.name[node]) + 2
    // With its opening quote.
    return { at, length: asItems ? written - 1 : 0 }
  }

  #items(node: NodeRow, output: 0 | 1, leaves: Leaves, id: Id): void {
    const out = this.#out
    const part = this.#part
    const sideOf = this.#sideOf
    const { side, speller, differences, elementOf, depth } = this.#writing
    const { ops } = side.dump
    const op = side.graph.op[node]
    const end = op < 0 ? 0 : ops.first[op + 1]
    let any = false
    for (let item = op < 0 ? 0 : ops.first[op]; item < end; item++) {
      if (sideOf[item] !== output) continue
      if (any) out.put(part.nextItem)
      else {
        out.put(part.open)
        out.put(part.item)
      }
      any = true
      const element = elementOf(op, item)
      if (element) {
        out.text(element.name)
        out.put(part.fields)
      } else this.#itemName(item, op, id)
      speller.fields(out, op, item, leaves)
      if (element && !speller.isNull(item))
        for (const field of element.fields) out.text(itemJoin(depth) + field)
      if (differences && !speller.isNull(item)) differences.fields(out, node, item)
      out.put(part.endItem)
    }
    if (any) out.put(part.close)
    else out.raw(nothing)
  }

  /** The name of an item mostly begins as the id of its node, which is copied. */
  #itemName(item: ItemRow, op: OpRow, id: Id): void {
    const { texts, items, ops } = this.#writing.side.dump
    const code = items.name[item]
    const tail = id.length > 0 ? texts.tailAfter(code, ops.name[op]) : -1
    if (tail < 0) {
      this.#out.name(texts, code)
      return this.#out.put(this.#part.fields)
    }
    let piece = this.#tails.get(tail)
    if (piece === undefined) {
      piece = this.#out.keep(`${jsonText(texts.get(tail)).slice(1)}: {\n${this.#pads.item}`)
      this.#tails.set(tail, piece)
    }
    this.#out.again(id.at, id.length, piece)
  }

  #children(node: NodeRow): void {
    const { graph } = this.#writing.side
    const first = graph.firstChild[node]
    const last = graph.firstChild[node + 1]
    for (let i = first; i < last; i++) {
      this.#out.put(i === first ? this.#part.list : this.#part.nextItem)
      this.#name(graph.children[i])
    }
    if (last > first) this.#out.put(this.#part.endList)
    else this.#out.raw(emptyList)
  }

  #partner(partner: NodeRow): void {
    if (partner < 0 || !this.#link) return this.#out.raw(emptyList)
    this.#out.put(this.#part.list)
    this.#link.write(this.#out, partner)
    this.#out.put(this.#part.endList)
  }

  #stackText(node: NodeRow): Uint8Array {
    const lines = this.#lines(node)
    const known = this.#stacks.get(lines)
    if (known) return known
    const { field, member } = this.#pads
    const text =
      lines.length === 0
        ? emptyList
        : encoded(`[\n${lines.map(line => member + jsonText(line)).join(',\n')}\n${field}]`)
    this.#stacks.set(lines, text)
    return text
  }

  #micro(node: NodeRow): void {
    const { side } = this.#writing
    const micro = side.source === 'Bench' ? benchMicro(side, node) : side.graph.micro[node]
    if (micro < 0) return
    this.#out.put(this.#part.micro)
    this.#out.text(String(micro))
  }

  #data(node: NodeRow): void {
    const { pair, side, differences } = this.#writing
    const index = pair ? indexText(pair, node) : ''
    const level = side.overflow ? overflowNames[side.overflow[node]] : ''
    if (index === '' && !level) return this.#out.raw(nothing)
    const fields: string[] = []
    if (index !== '') {
      fields.push(`"precision_index": ${index}`)
      const result = differences?.nodeResult(node, index) ?? ''
      if (result) fields.push(`"Result": "${result}"`)
    }
    if (level) fields.push(`"overflow_level": "${level}"`)
    this.#out.put(this.#part.open)
    for (const [i, field] of fields.entries()) {
      this.#out.put(i === 0 ? this.#part.item : this.#part.nextItem)
      this.#out.text(field)
    }
    this.#out.put(this.#part.close)
  }
}

/** The index as Python prints it: an int without a point. */
function indexText(pair: GraphPair, node: NodeRow): string {
  const index = pair.index[node]
  if (Number.isNaN(index)) return ''
  return pair.indexInt[node] ? String(index) : pyFloat(index)
}

/** On the bench side the step of the partner; a child of the root that gets none has its call number. */
function benchMicro({ graph, other, partner }: GraphSide, node: NodeRow): number {
  const met = partner ? partner[node] : -1
  const step = met >= 0 && other ? other.micro[met] : -1
  if (step >= 0 || graph.parent[node] !== 0) return step
  const last = nodeName(graph, node).split('.').at(-1) ?? ''
  return /^\d+$/.test(last) ? Number(last) : 0
}

function peersText(groups: readonly PeerGroup[], pad: string): string {
  const deeper = `${pad}    `
  const peers =
    groups.length === 1
      ? peerText(groups[0], pad)
      : `[\n${groups.map(group => deeper + peerText(group, deeper)).join(',\n')}\n${pad}]`
  return `,\n${pad}"matched_distributed": ${peers}`
}

function peerText(group: PeerGroup, pad: string): string {
  const deeper = `${pad}    `
  const ranks = [...group.nodes].map(([rank, [index, id]]) => {
    const texts = [index, id].map(text => `${deeper}        ${jsonText(text)}`)
    return `${deeper}    "${rank}": [\n${texts.join(',\n')}\n${deeper}    ]`
  })
  const nodes = ranks.length > 0 ? `{\n${ranks.join(',\n')}\n${deeper}}` : '{}'
  return `{\n${deeper}"communications_type": "${group.type}",\n${deeper}"nodes_info": ${nodes}\n${pad}}`
}

/** Writes ids from the root to a node as lines of a list; what is above a node is made once. */
class PathWriter {
  readonly #graph: Graph
  readonly #between: Uint8Array
  readonly #above: (Uint8Array | undefined)[] = []
  readonly #scratch = new Bytes(1 << 12)

  constructor(graph: Graph, pad: string) {
    this.#graph = graph
    this.#between = encoded(`,\n${pad}`)
  }

  write(out: Bytes, node: NodeRow): void {
    const { parent, texts, name } = this.#graph
    if (parent[node] >= 0) out.raw(this.#upTo(parent[node]))
    out.name(texts, name[node])
  }

  #upTo(node: NodeRow): Uint8Array {
    const { parent, texts, name } = this.#graph
    const above = this.#above
    const scratch = this.#scratch
    const unknown: NodeRow[] = []
    for (let at = node; at >= 0 && !above[at]; at = parent[at]) unknown.push(at)
    for (const at of unknown.reverse()) {
      scratch.at = 0
      const before = parent[at] < 0 ? undefined : above[parent[at]]
      if (before) scratch.raw(before)
      scratch.name(texts, name[at])
      scratch.raw(this.#between)
      above[at] = scratch.buffer.slice(0, scratch.at)
    }
    return above[node] ?? this.#between
  }
}
