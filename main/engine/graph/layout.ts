// Where boxes stand: nested, in execution order from top to bottom, centred. What stands above an opened box
// never moves.
import type { NodeRow } from '../model/index.ts'
import { cutFront, labelOf, textWidth } from './labels.ts'
import { NodeKind, childCount, type Graph } from './graph.ts'

/** Layout units are pixels at zoom 1. */
const boxHeight = 24
const rowPitch = 30
const gap = 6
/** The title of an opened box, and what keeps its first row off it. */
const headHeight = 26 + gap
const inset = 8
const bottomInset = 8
const innerWidth = 250
const markRoom = 12
const boxInset = 9
const badgeRoom = 26

/** Rows of the children of one node. They depend on names only, not on what is open. */
interface Rows {
  /** First child of each row; one more entry than rows. */
  readonly start: Uint32Array
  /** Per child: left edge from the middle of the content, and width; 0 for one that is hidden. */
  readonly x: Float32Array
  readonly w: Float32Array
}

/** An opened node with its place inside its parent. */
interface OpenNode {
  readonly node: NodeRow
  readonly height: number
  /** Rows of opened children, and the room that they and those before them take beyond a closed row. */
  readonly rows: readonly number[]
  readonly extra: readonly number[]
  readonly children: readonly OpenNode[]
}

interface Placed {
  readonly node: NodeRow
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
  readonly open: boolean
  readonly label: string
}

/** Margin of frames in each other: sixty of them must still leave the names in view. */
function sideOf(nesting: number): number {
  if (nesting > 32) return 1
  return nesting > 16 ? 3 : inset
}

/** The part that is looked at, and what is done with its boxes. */
interface Band {
  readonly top: number
  readonly bottom: number
  take(box: Placed): void
}

export class Layout {
  readonly graph: Graph
  readonly #rows = new Map<NodeRow, Rows>()
  readonly #nesting: number
  readonly #side: number
  #cached: { readonly key: string; readonly root: OpenNode } | null = null

  readonly #hidden: (node: NodeRow) => boolean

  /** Calls that are `hidden` have no box. */
  constructor(graph: Graph, hidden: (node: NodeRow) => boolean = () => false) {
    this.graph = graph
    this.#hidden = hidden
    let nesting = 0
    for (let node = 0; node < graph.length; node++)
      if (childCount(graph, node) > 0 && graph.depth[node] > nesting) nesting = graph.depth[node]
    this.#nesting = nesting
    this.#side = sideOf(nesting)
  }

  /**
   * Width of an opened box at a depth: the deepest one has room for names, each one around it is a little
   * wider.
   */
  width(depth: number): number {
    return innerWidth + 2 * this.#side * (this.#nesting - Math.min(depth, this.#nesting) + 1)
  }

  /**
   * The opened boxes for a set of nodes; the root is always open, what is hidden inside closed boxes does not
   * count.
   */
  open(nodes: readonly NodeRow[]): OpenNode {
    const { graph } = this
    const key = nodes.join()
    if (this.#cached?.key === key) return this.#cached.root
    const wanted = new Set(nodes.filter(node => node > 0 && childCount(graph, node) > 0))
    const shown = [...wanted].filter(node => {
      let above = graph.parent[node]
      while (above > 0 && wanted.has(above)) above = graph.parent[above]
      return above === 0
    })
    shown.sort((a, b) => graph.place[b] - graph.place[a])
    const inside = new Map<NodeRow, OpenNode[]>()
    for (const node of shown) {
      const made = this.#openNode(node, (inside.get(node) ?? []).reverse())
      const above = graph.parent[node]
      const list = inside.get(above)
      if (list) list.push(made)
      else inside.set(above, [made])
    }
    const root = this.#openNode(0, (inside.get(0) ?? []).reverse())
    this.#cached = { key, root }
    return root
  }

  #openNode(node: NodeRow, children: readonly OpenNode[]): OpenNode {
    const rows = this.#rowsOf(node)
    const at: number[] = []
    const extra: number[] = []
    let sum = 0
    for (const child of children) {
      sum += child.height - boxHeight
      at.push(rowOf(rows, this.graph, child.node))
      extra.push(sum)
    }
    const count = rows.start.length - 1
    return {
      node,
      children,
      rows: at,
      extra,
      height: headHeight + count * rowPitch - (count > 0 ? gap : 0) + bottomInset + sum,
    }
  }

  /** Boxes that touch [top, bottom], each after the box around it. */
  boxes(root: OpenNode, top: number, bottom: number, take: (box: Placed) => void): void {
    this.#walk(root, 0, 0, { top, bottom, take })
  }

  #walk(open: OpenNode, left: number, y: number, band: Band): void {
    const { graph } = this
    const { top, bottom, take } = band
    const w = this.width(graph.depth[open.node])
    take({
      node: open.node,
      x: left,
      y,
      w,
      h: open.height,
      open: true,
      label: cutFront(labelOf(graph, open.node), w - 2 * boxInset - markRoom - badgeRoom),
    })
    const rows = this.#rowsOf(open.node)
    const count = rows.start.length - 1
    const first = graph.firstChild[open.node]
    const middle = left + w / 2
    let row = firstRowBelow(open, count, top - y - boxHeight)
    let next = lowerBound(open.rows, row)
    for (; row < count; row++) {
      const rowTop = y + rowTopIn(open, row, next)
      if (rowTop > bottom) break
      if (next < open.rows.length && open.rows[next] === row) {
        const child = open.children[next++]
        this.#walk(child, middle - this.width(graph.depth[child.node]) / 2, rowTop, band)
        continue
      }
      if (rowTop + boxHeight < top) continue
      for (let i = rows.start[row]; i < rows.start[row + 1]; i++) {
        const node = graph.children[first + i]
        if (rows.w[i] === 0) continue
        take({
          node,
          x: middle + rows.x[i],
          y: rowTop,
          w: rows.w[i],
          h: boxHeight,
          open: false,
          label: cutFront(
            labelOf(graph, node),
            rows.w[i] - 2 * boxInset - markRoom - badgeOf(graph, node) + 1,
          ),
        })
      }
    }
  }

  /** The box of a node, or null while something around it is closed. */
  locate(root: OpenNode, node: NodeRow): Placed | null {
    const { graph } = this
    const way: number[] = []
    for (let at = node; at > 0; at = graph.parent[at]) way.push(at)
    let open: OpenNode | undefined = root
    let y = 0
    for (let step = way.pop(); step !== undefined; step = way.pop()) {
      if (!open) return null
      const row = rowOf(this.#rowsOf(open.node), graph, step)
      y += rowTopIn(open, row, lowerBound(open.rows, row))
      open = open.children.find(child => child.node === step)
    }
    let found: Placed | null = null
    this.boxes(root, y, y, box => {
      if (box.node === node) found = box
    })
    return found
  }

  #rowsOf(node: NodeRow): Rows {
    let rows = this.#rows.get(node)
    if (!rows) this.#rows.set(node, (rows = this.#pack(node)))
    return rows
  }

  /** Pills side by side as long as they fit, everything else in a row of its own. */
  #pack(node: NodeRow): Rows {
    const { graph } = this
    const count = childCount(graph, node)
    const first = graph.firstChild[node]
    const room = this.width(graph.depth[node]) - 2 * this.#side
    const x = new Float32Array(count)
    const w = new Float32Array(count)
    const start: number[] = []
    let from = 0
    let used = 0
    const close = (to: number): void => {
      if (used === 0) return
      start.push(from)
      let at = -(used - gap) / 2
      for (let i = from; i < to; i++) {
        if (w[i] === 0) continue
        x[i] = at
        at += w[i] + gap
      }
      from = to
      used = 0
    }
    for (let i = 0; i < count; i++) {
      const child = graph.children[first + i]
      if (isPill(graph, child) && this.#hidden(child)) continue
      w[i] = Math.min(
        room,
        Math.ceil(textWidth(labelOf(graph, child)) + 2 * boxInset + markRoom + badgeOf(graph, child)),
      )
      const pill = isPill(graph, child)
      if (!pill || used + w[i] > room) close(i)
      used += w[i] + gap
      if (!pill) close(i + 1)
    }
    close(count)
    return { start: Uint32Array.from([...start, count]), x, w }
  }
}

const isPill = (graph: Graph, node: NodeRow): boolean =>
  graph.kind[node] === NodeKind.api && childCount(graph, node) === 0
/** Room for the count of rows that differ, which comes later and must not move anything. */
const badgeOf = (graph: Graph, node: NodeRow): number => (isPill(graph, node) ? 0 : badgeRoom)

function rowOf(rows: Rows, graph: Graph, node: NodeRow): number {
  const place = graph.place[node]
  const above = graph.parent[node]
  const first = graph.firstChild[above]
  let low = first
  let high = graph.firstChild[above + 1] - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (graph.place[graph.children[middle]] <= place) low = middle
    else high = middle - 1
  }
  return lowerBound(rows.start, low - first + 1) - 1
}

/** First index whose entry is not below a value. */
function lowerBound(list: ArrayLike<number>, value: number): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (list[middle] < value) low = middle + 1
    else high = middle
  }
  return low
}

/** Top of a row inside its box; `next` is the first opened row at or after it. */
const rowTopIn = (open: OpenNode, row: number, next: number): number =>
  headHeight + row * rowPitch + (next > 0 ? open.extra[next - 1] : 0)

/** The first row that may reach below `y`: the last one that begins at or above it. */
function firstRowBelow(open: OpenNode, count: number, y: number): number {
  let low = 0
  let high = Math.max(0, count - 1)
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (rowTopIn(open, middle, lowerBound(open.rows, middle)) <= y) low = middle
    else high = middle - 1
  }
  return low
}
