// The hierarchy of one dump or graph file as columns: one row per node, names as text codes, children as
// offsets into one list.
import type { Column, Ids, NameGrammar, NodeRow, OpRow, Problem, TextCode, TextPool } from '../model/index.ts'

/** Kind of a node, with the numbers that graph files use. */
export const NodeKind = { module: 0, api: 1, fused: 8, group: 9 } as const
export type NodeKind = (typeof NodeKind)[keyof typeof NodeKind]

/** Id of the node that everything hangs from. */
export const rootId = 'DefaultModel'

/** Nodes in order of creation: the root is node 0, groups of free APIs come last. */
export interface Graph {
  readonly length: number
  readonly texts: TextPool
  readonly names: NameGrammar
  /** Code of the node's id. */
  readonly name: Column<Uint32Array, NodeRow, TextCode>
  readonly kind: Column<Uint8Array, NodeRow>
  /** -1 for the root and for nodes that hang nowhere. */
  readonly parent: Ids<NodeRow, NodeRow>
  /** Children of n are children[firstChild[n]] … children[firstChild[n + 1] - 1], in execution order. */
  readonly firstChild: Column<Uint32Array, NodeRow>
  readonly children: Column<Uint32Array, number, NodeRow>
  readonly depth: Column<Uint16Array, NodeRow>
  /** Row of the op table that holds the node's items, -1 when the dump has none. */
  readonly op: Ids<NodeRow, OpRow>
  /** Micro step, -1 where the file carries none. */
  readonly micro: Column<Int32Array, NodeRow>
  readonly microSteps: number
  /** Nodes in execution order, parents before their children; nodes that hang nowhere come last. */
  readonly order: Column<Uint32Array, number, NodeRow>
  /** Place of a node in `order`; everything below it stands at place + 1 … end - 1. */
  readonly place: Column<Uint32Array, NodeRow>
  readonly end: Column<Uint32Array, NodeRow>
  readonly problems: readonly Problem[]
  /** Node of a text code, or -1. */
  nodeOf(nameCode: TextCode): NodeRow
}

export const nodeName = (graph: Graph, node: NodeRow): string => graph.texts.get(graph.name[node])
export const childCount = (graph: Graph, node: NodeRow): number =>
  graph.firstChild[node + 1] - graph.firstChild[node]

/** Node with this id, or -1. */
export function findNode(graph: Graph, id: string): NodeRow {
  const code = graph.texts.findPlain(id)
  return code < 0 ? -1 : graph.nodeOf(code)
}

/** Ids from the root down to the node itself. */
export function pathOf(graph: Graph, node: NodeRow): string[] {
  const path: string[] = []
  for (let at: NodeRow = node; at >= 0; at = graph.parent[at]) path.push(nodeName(graph, at))
  return path.reverse()
}

/**
 * Nodes in the order in which their calls return, as a dump has them: a module comes behind all that it calls.
 */
export function byReturn({ length, order, end }: Graph): Column<Uint32Array, number, NodeRow> {
  const returned = new Uint32Array(length)
  const open: NodeRow[] = []
  let count = 0
  for (let place = 0; place <= length; place++) {
    for (let last = open.at(-1); last !== undefined && end[last] <= place; last = open.at(-1)) {
      returned[count++] = last
      open.pop()
    }
    if (place < length) open.push(order[place])
  }
  return returned
}

/** What a builder knows of every node; the rest of the columns follows from it. */
interface GraphParts extends Pick<
  Graph,
  'length' | 'texts' | 'names' | 'name' | 'kind' | 'parent' | 'op' | 'micro' | 'microSteps' | 'problems'
> {
  /** All children in the order in which they stand below their parents. */
  readonly attached: Column<Uint32Array, number, NodeRow>
}

/** No network nests this deep; what a node costs grows with its depth, in files and on the screen. */
export const deepestLevel = 256

/** Hangs nodes of deeper levels from their ancestor on the last one; how many there were. */
export function cutDepth(parent: Ids<NodeRow, NodeRow>): number {
  const depth = new Uint16Array(parent.length)
  const down: NodeRow[] = []
  let cut = 0
  for (let node = 0; node < parent.length; node++) {
    for (let at = node; at >= 0 && depth[at] === 0; at = parent[at]) down.push(at)
    for (let at = down.pop(); at !== undefined; at = down.pop()) {
      if (parent[at] >= 0 && depth[parent[at]] > deepestLevel) {
        parent[at] = parent[parent[at]]
        cut++
      }
      depth[at] = parent[at] < 0 ? 1 : depth[parent[at]] + 1
    }
  }
  return cut
}

/**
 * Completes the columns: children, depth, execution order. Parents must be free of cycles. `nodeOf` spares
 * the index where there is one.
 */
export function finishGraph(parts: GraphParts, nodeOf?: Graph['nodeOf']): Graph {
  const { length, name, parent, attached } = parts
  const firstChild = new Uint32Array(length + 1)
  for (const node of attached) firstChild[parent[node] + 1]++
  for (let i = 0; i < length; i++) firstChild[i + 1] += firstChild[i]
  const children = new Uint32Array(attached.length)
  const next = firstChild.slice(0, length)
  for (const node of attached) children[next[parent[node]]++] = node

  const order = new Uint32Array(length)
  const place = new Uint32Array(length)
  const end = new Uint32Array(length)
  const depth = new Uint16Array(length)
  const cursor = firstChild.slice(0, length)
  let count = 0
  for (let top = 0; top < length; top++) {
    if (parent[top] >= 0) continue
    place[top] = count
    order[count++] = top
    for (let at: NodeRow = top; at >= 0;) {
      if (cursor[at] === firstChild[at + 1]) {
        end[at] = count
        at = at === top ? -1 : parent[at]
        continue
      }
      const below = children[cursor[at]++]
      depth[below] = depth[at] + 1
      place[below] = count
      order[count++] = below
      at = below
    }
  }
  if (nodeOf) return { ...parts, firstChild, children, depth, order, place, end, nodeOf }
  const byName = new NodeIndex(name, length)
  return { ...parts, firstChild, children, depth, order, place, end, nodeOf: code => byName.find(code) }
}

/**
 * Node by text code: open addressing over the codes, so that its size follows the nodes and not the texts.
 */
class NodeIndex {
  readonly #slots: Ids<number, NodeRow>
  readonly #name: Column<Uint32Array, NodeRow, TextCode>

  constructor(name: Column<Uint32Array, NodeRow, TextCode>, length: number) {
    let size = 16
    while (size < length * 2) size *= 2
    this.#slots = new Int32Array(size).fill(-1)
    this.#name = name
    for (let node = 0; node < length; node++) {
      const slot = this.#slot(name[node])
      if (this.#slots[slot] < 0) this.#slots[slot] = node
    }
  }

  find(code: TextCode): NodeRow {
    return this.#slots[this.#slot(code)]
  }

  #slot(code: TextCode): number {
    const mask = this.#slots.length - 1
    let slot = (Math.imul(code, 0x9e3779b1) >>> 7) & mask
    for (;;) {
      const node = this.#slots[slot]
      if (node < 0 || this.#name[node] === code) return slot
      slot = (slot + 1) & mask
    }
  }
}
