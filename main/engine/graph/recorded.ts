// What the device recorded of operations that overflowed, by where they stand in the graph.
import type { BoxOverflow, Dump, Ids, NodeRow, Overflowed } from '../model/index.ts'
import type { Graph } from './graph.ts'

/** Meanings that a box tells; a scope may hold hundreds of records. */
const most = 6

export class Recorded {
  /** Nodes with records, in the order of the records. */
  readonly nodes: Ids<number, NodeRow>
  readonly #graph: Graph
  /** With the place of its node, in the order of places. */
  readonly #placed: readonly { readonly place: number; readonly record: Overflowed }[]

  /** `nodeOf`: the node of an op's name, -1 for none. */
  constructor(graph: Graph, { about }: Pick<Dump, 'about'>, nodeOf: (name: string) => NodeRow) {
    this.#graph = graph
    const found = (about?.overflows ?? []).flatMap(record => {
      const node = record.op === '' ? -1 : nodeOf(record.op)
      return node < 0 ? [] : [{ node, place: graph.place[node], record }]
    })
    this.nodes = Int32Array.from(new Set(found.map(({ node }) => node)))
    this.#placed = found.toSorted((a, b) => a.place - b.place)
  }

  /** Of a node and of what lies below it; null where nothing was recorded. */
  below(node: NodeRow): BoxOverflow | null {
    const [from, to] = [this.#at(this.#graph.place[node]), this.#at(this.#graph.end[node])]
    if (from === to) return null
    const meanings = new Map<string, BoxOverflow['meanings'][number]>()
    for (const { record } of this.#placed.slice(from, to))
      for (const meaning of record.statuses.flatMap(status => status.meanings))
        if (meanings.size < most) meanings.set(`${meaning.code} ${meaning.bit}`, meaning)
    return { records: to - from, meanings: [...meanings.values()] }
  }

  /** How many records stand before a place. */
  #at(place: number): number {
    let [low, high] = [0, this.#placed.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#placed[middle].place < place) low = middle + 1
      else high = middle
    }
    return low
  }
}
