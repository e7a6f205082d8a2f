// The hierarchy of one dump or graph file as columns: one row per node, names as text codes, children as offsets into one list.
import type { TextPool } from '../columns.ts'
import type { Problem } from '../problem.ts'

/** Kind of a node, with the numbers that graph files use. */
export const NodeKind = { module: 0, api: 1, fused: 8, group: 9 } as const
export type NodeKind = (typeof NodeKind)[keyof typeof NodeKind]

/** Id of the node that everything hangs from. */
export const rootId = 'DefaultModel'

/** Nodes in order of creation: the root is node 0, groups of free APIs come last. */
export interface Graph {
  readonly length: number
  readonly texts: TextPool
  /** Code of the node's id. */
  readonly name: Uint32Array
  readonly kind: Uint8Array
  /** -1 for the root and for nodes that hang nowhere. */
  readonly parent: Int32Array
  /** Children of n are children[firstChild[n]] … children[firstChild[n + 1] - 1], in execution order. */
  readonly firstChild: Uint32Array
  readonly children: Uint32Array
  readonly depth: Uint16Array
  /** Row of the op table that holds the node's items, -1 when the dump has none. */
  readonly op: Int32Array
  /** Micro step, -1 where the file carries none. */
  readonly micro: Int32Array
  readonly microSteps: number
  /** Nodes in execution order, parents before their children; nodes that hang nowhere come last. */
  readonly order: Uint32Array
  /** Place of a node in `order`; everything below it stands at place + 1 … end - 1. */
  readonly place: Uint32Array
  readonly end: Uint32Array
  readonly problems: readonly Problem[]
  /** Node of a text code, or -1. */
  nodeOf(nameCode: number): number
}

export const nodeName = (graph: Graph, node: number): string => graph.texts.get(graph.name[node])
export const childCount = (graph: Graph, node: number): number => graph.firstChild[node + 1] - graph.firstChild[node]

/** Node with this id, or -1. */
export function findNode(graph: Graph, id: string): number {
  const code = graph.texts.findPlain(id)
  return code < 0 ? -1 : graph.nodeOf(code)
}

/** Ids from the root down to the node itself. */
export function pathOf(graph: Graph, node: number): string[] {
  const path: string[] = []
  for (let at = node; at >= 0; at = graph.parent[at]) path.push(nodeName(graph, at))
  return path.reverse()
}

/** What a builder knows of every node; the rest of the columns follows from it. */
export interface GraphParts {
  readonly length: number
  readonly texts: TextPool
  readonly name: Uint32Array
  readonly kind: Uint8Array
  readonly parent: Int32Array
  readonly op: Int32Array
  readonly micro: Int32Array
  readonly microSteps: number
  /** All children in the order in which they stand below their parents. */
  readonly attached: Uint32Array
  readonly problems: readonly Problem[]
}

/** Completes the columns: children, depth, execution order. Parents must be free of cycles. `nodeOf` spares the index where there is one. */
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
    for (let at = top; at >= 0;) {
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

/** Node by text code: open addressing over the codes, so that its size follows the nodes and not the texts. */
class NodeIndex {
  readonly #slots: Int32Array
  readonly #name: Uint32Array

  constructor(name: Uint32Array, length: number) {
    let size = 16
    while (size < length * 2) size *= 2
    this.#slots = new Int32Array(size).fill(-1)
    this.#name = name
    for (let node = 0; node < length; node++) {
      const slot = this.#slot(name[node])
      if (this.#slots[slot] < 0) this.#slots[slot] = node
    }
  }

  find(code: number): number { return this.#slots[this.#slot(code)] }

  #slot(code: number): number {
    const mask = this.#slots.length - 1
    let slot = Math.imul(code, 0x9e3779b1) >>> 7 & mask
    for (;;) {
      const node = this.#slots[slot]
      if (node < 0 || this.#name[node] === code) return slot
      slot = (slot + 1) & mask
    }
  }
}
