// From one node that is worth a look to the next: calls come before the modules around them.
import { type Column, type Ids, type NodeRef, type NodeRow, type PairRow, RowState } from '../model/index.ts'
import { byReturn, type Graph } from './graph.ts'
import type { Origin } from './marks.ts'
import type { JudgedRows } from './own-rows.ts'

export type WalkStep = 'first' | 'next' | 'previous'

/** Nodes that a walk stops at, in the order of the walk. */
export class Walk {
  readonly stops: Ids<number, NodeRow>
  readonly #graph: Graph
  /** Place of each node in the order in which calls return. */
  readonly #returned: Column<Int32Array, NodeRow>

  constructor(graph: Graph, isStop: (node: NodeRow) => boolean) {
    this.#graph = graph
    const order = byReturn(graph)
    this.#returned = new Int32Array(graph.length)
    order.forEach((node, at) => (this.#returned[node] = at))
    this.stops = Int32Array.from(order).filter(isStop)
  }

  /**
   * The stop behind or before a node, -1 when there is none. `been`: the walk has been to the node itself; a
   * module that was come to in another way is entered first.
   */
  from(node: NodeRow, to: 'next' | 'previous', been: boolean): NodeRow {
    const returned = this.#returned
    // Where the first call inside of it returns: all that began before has returned, but for what lies around it.
    const begins = this.#graph.place[node] - this.#graph.depth[node]
    const found =
      to === 'next'
        ? this.stops.find(stop => stop !== node && returned[stop] >= (been ? returned[node] : begins))
        : this.stops.findLast(stop => returned[stop] < (been ? returned[node] : begins))
    return found ?? -1
  }
}

type Rows = Pick<JudgedRows, 'debug' | 'debugItem' | 'state' | 'length'>

interface Standing {
  readonly at: NodeRef | null
  /** Where calls share a name, only the row tells which one it is. */
  readonly row: PairRow | null
}

/** A step where there is no hierarchy: from call to call, in the order of the rows. */
export function walkRows(rows: Rows, origin: Origin | null, from: Standing, to: WalkStep): Origin | null {
  if (to === 'first' && origin) return origin
  const { debug, debugItem, length } = rows
  const opOf = (row: PairRow): number => (debugItem[row] < 0 ? -1 : debug.items.op[debugItem[row]])
  const here = from.row ?? firstOf(rows, opOf, from.at)
  const stops = firstRows(rows, opOf)
  const found = {
    first: () => stops[0],
    next: () => (here === length ? stops[0] : stops.find(row => row > here && opOf(row) !== opOf(here))),
    previous: () => stops.findLast(row => row < here && (here === length || opOf(row) !== opOf(here))),
  }[to]()
  return found === undefined
    ? null
    : { side: 'debug', node: debug.texts.get(debug.ops.name[opOf(found)]), row: found }
}

/** The first row of a call; behind the last where there is none. */
function firstOf({ debug, length }: Rows, opOf: (row: PairRow) => number, at: NodeRef | null): PairRow {
  const name = at?.debug === undefined ? -1 : debug.texts.findPlain(at.debug)
  let row = name < 0 ? length : 0
  while (row < length && (opOf(row) < 0 || debug.ops.name[opOf(row)] !== name)) row++
  return row
}

/** The first row that differs of each call. */
function firstRows({ state, length }: Rows, opOf: (row: PairRow) => number): PairRow[] {
  const stops: PairRow[] = []
  for (let row = 0, last = -1; row < length; row++) {
    const op = opOf(row)
    if (state[row] !== RowState.differs || op < 0 || op === last) continue
    last = op
    stops.push(row)
  }
  return stops
}
