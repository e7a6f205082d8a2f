// What the window may ask about graphs: what to draw, the strip, the legend, ways to nodes, lists, search. Made once per comparison.
import type { Side } from '../model.ts'
import type { Problem } from '../problem.ts'
import type { Box, Colours, Legend, ListedNode, NodeList, NodeRef, NodeShape, Scene, SceneDrawing, SceneQuery, SceneSide, SearchHit, Strip } from '../../../preload/contract/engine.ts'
import { NodeKind, childCount, findNode, nodeName, pathOf } from './graph.ts'
import { labelOf } from './labels.ts'
import { Layout } from './layout.ts'
import { failingBelow, isBackward, isSuspicious, marksOf, nodeFor, sideMarks, type Marks, type SideMarks, type ViewSource } from './marks.ts'
import { noMeasure } from './colors.ts'
import { NameSearch } from './search.ts'

const shapes: Readonly<Record<number, NodeShape>> = { [NodeKind.module]: 'module', [NodeKind.api]: 'api', [NodeKind.group]: 'group', [NodeKind.fused]: 'fused' }

/** Ops that the grid's filter left, one flag per op of each side. */
export interface KeptOps { readonly debug: Uint8Array; readonly bench: Uint8Array }

export type WalkTo = 'first' | 'next' | 'previous' | 'parent' | 'child' | 'above' | 'below'

const mostOpen = 2000
/** Preparing the search goes on for so long at a time, and then lets others have their turn. */
const sliceMs = 4
const pauseMs = 4

export class GraphView {
  readonly marks: Marks
  readonly #layouts = new Map<Side, Layout>()
  readonly #lists = new Map<NodeList, Int32Array>()
  readonly #why: (side: Side, node: number) => readonly Problem[]
  readonly #search: NameSearch
  #prepared = false
  #kept: { readonly of: KeptOps; readonly debug: Uint32Array; readonly bench: Uint32Array } | null = null

  /** `why` says why a node found no partner. */
  constructor(source: ViewSource, why: (side: Side, node: number) => readonly Problem[] = () => [], colours: Colours = 'precision') {
    this.marks = marksOf(source, colours)
    this.#why = why
    this.#search = new NameSearch(this.marks)
  }

  scene(query: Pick<SceneQuery, 'debug' | 'bench'>, kept: KeptOps | null = null): Scene {
    return {
      debug: this.#drawing('debug', query.debug, kept),
      bench: query.bench && this.marks.bench ? this.#drawing('bench', query.bench, kept) : null,
    }
  }

  #drawing(name: Side, asked: SceneSide, kept: KeptOps | null): SceneDrawing {
    const side = this.#side(name)
    const { graph, bucket, own } = side
    const layout = this.#layout(name)
    const root = layout.open(this.#nodes(side, asked.open))
    const keptBefore = kept ? this.#keptBefore(kept)[name] : null
    const other = name === 'debug' ? this.marks.bench : this.marks.debug
    const boxes: Box[] = []
    layout.boxes(root, asked.top, asked.bottom, ({ node, x, y, w, h, open, label }) => {
      const id = nodeName(graph, node)
      const met = side.partner ? side.partner[node] : -1
      boxes.push({
        id, label, shape: shapes[graph.kind[node]] ?? 'module', x, y, w, h,
        from: graph.place[node] / graph.length, to: graph.end[node] / graph.length,
        depth: graph.depth[node], open, children: childCount(graph, node), backward: isBackward(id),
        bucket: bucket[node], failing: childCount(graph, node) > 0 ? failingBelow(side, node) : own[node],
        dim: keptBefore !== null && keptBefore[graph.end[node]] === keptBefore[graph.place[node]],
        partner: met >= 0 && other ? nodeName(other.graph, met) : '',
      })
    })
    return { boxes, width: layout.width(0), height: root.height }
  }

  /** Where the box of a node is for a set of opened nodes, or null while it is hidden. */
  locate(name: Side, open: readonly string[], id: string): { x: number; y: number; w: number; h: number } | null {
    const side = sideMarks(this.marks, name)
    const node = side ? nodeFor(side, id) : -1
    if (!side || node < 0) return null
    const layout = this.#layout(name)
    const found = layout.locate(layout.open(this.#nodes(side, open)), node)
    return found && { x: found.x, y: found.y, w: found.w, h: found.h }
  }

  strip(slots: number): Strip {
    const one = ({ graph, bucket }: SideMarks): Strip['debug'] => {
      const count = Math.max(1, Math.min(slots, graph.length))
      const worst = new Int8Array(count).fill(noMeasure)
      const filled = new Uint8Array(count)
      for (let place = 0; place < graph.length; place++) {
        const slot = Math.floor(place * count / graph.length)
        const value = bucket[graph.order[place]]
        if (!filled[slot] || badness(value) > badness(worst[slot])) worst[slot] = value
        filled[slot] = 1
      }
      return { bucket: worst, position: Float64Array.from({ length: count }, (_, i) => i / count) }
    }
    return { debug: one(this.marks.debug), bench: this.marks.bench && one(this.marks.bench) }
  }

  legend(): Legend {
    const { scale, debug, bench, source } = this.marks
    const counts = new Map<number, number>()
    for (const value of debug.bucket) counts.set(value, (counts.get(value) ?? 0) + 1)
    return {
      measure: scale.measure, buckets: scale.steps.map(({ bucket, from, to }) => ({ bucket, from, to, count: counts.get(bucket) ?? 0 })),
      unmatchedDebug: lone(debug), unmatchedBench: lone(bench),
      overflow: source.overflow !== null && (source.overflow.debug.some(level => level > 0) || (source.overflow.bench?.some(level => level > 0) ?? false)),
    }
  }

  /** What must be open to see a node; on the other side its partner, or the nearest partner around it. */
  reveal(at: NodeRef): { readonly at: NodeRef; readonly debug: readonly string[]; readonly bench: readonly string[] } {
    const found = this.#find(at)
    if (!found) return { at, debug: [], bench: [] }
    const { name, side, node } = found
    const other = name === 'debug' ? this.marks.bench : this.marks.debug
    const mine = pathOf(side.graph, node).slice(0, -1)
    const theirs: string[] = []
    if (other && side.partner) {
      let met = node
      while (met >= 0 && side.partner[met] < 0) met = side.graph.parent[met]
      if (met >= 0) theirs.push(...pathOf(other.graph, side.partner[met]).slice(0, met === node ? -1 : undefined))
    }
    const ref = this.#ref(name, node)
    return name === 'debug' ? { at: ref, debug: mine, bench: theirs } : { at: ref, debug: theirs, bench: mine }
  }

  walk(from: NodeRef | null, to: WalkTo): NodeRef | null {
    const found = from && this.#find(from)
    if (to === 'first' || to === 'next' || to === 'previous') return this.#walkSuspicious(found, to)
    const { name, side, node } = found ?? { name: 'debug' as const, side: this.marks.debug, node: 0 }
    const { graph } = side
    const above = graph.parent[node]
    const sibling = (step: 1 | -1): number => {
      if (above < 0) return -1
      let at = graph.firstChild[above]
      while (graph.children[at] !== node) at++
      at += step
      return at >= graph.firstChild[above] && at < graph.firstChild[above + 1] ? graph.children[at] : -1
    }
    const next = { parent: () => above, child: () => (childCount(graph, node) > 0 ? graph.children[graph.firstChild[node]] : -1), above: () => sibling(-1), below: () => sibling(1) }[to]()
    return next < 0 ? null : this.#ref(name, next)
  }

  #walkSuspicious(from: Found | null, to: 'first' | 'next' | 'previous'): NodeRef | null {
    const { debug } = this.marks
    const list = this.#list('suspicious')
    if (list.length === 0) return null
    if (to === 'first' || !from) return this.#ref('debug', list[to === 'previous' ? list.length - 1 : 0])
    const place = this.#debugPlace(from)
    const step = to === 'next' ? list.find(node => debug.graph.place[node] > place) : list.findLast(node => debug.graph.place[node] < place)
    return step === undefined ? null : this.#ref('debug', step)
  }

  /** Place in the debug order of a node of either side; a bench node without partner stands with the nearest one before it. */
  #debugPlace({ name, side, node }: Found): number {
    if (name === 'debug') return side.graph.place[node]
    for (let place = side.graph.place[node]; place >= 0; place--) {
      const met = side.partner ? side.partner[side.graph.order[place]] : -1
      if (met >= 0) return this.marks.debug.graph.place[met]
    }
    return -1
  }

  /** Nodes to open: to a depth, all, or the ways to failing nodes; each side from the counterpart on. */
  expand(at: NodeRef | null, to: number | 'all' | 'failing'): { readonly debug: readonly string[]; readonly bench: readonly string[] } {
    const found = at ? this.#find(at) : { name: 'debug' as const, side: this.marks.debug, node: 0 }
    if (!found) return { debug: [], bench: [] }
    const { name, side, node } = found
    const met = side.partner ? side.partner[node] : -1
    const mine = this.#toOpen(side, node, to)
    const other = name === 'debug' ? this.marks.bench : this.marks.debug
    const theirs = other && met >= 0 ? this.#toOpen(other, met, to) : []
    return name === 'debug' ? { debug: mine, bench: theirs } : { debug: theirs, bench: mine }
  }

  #toOpen(side: SideMarks, top: number, to: number | 'all' | 'failing'): string[] {
    const { graph } = side
    const open: string[] = []
    const deepest = typeof to === 'number' ? graph.depth[top] + to : Infinity
    const bad = to === 'failing' ? this.#suspiciousBefore(side) : null
    for (let place = graph.place[top]; place < graph.end[top] && open.length < mostOpen; place++) {
      const node = graph.order[place]
      if (childCount(graph, node) === 0 || graph.depth[node] >= deepest) continue
      if (bad && bad[graph.end[node]] === bad[place + 1]) continue
      open.push(nodeName(graph, node))
    }
    return open
  }

  /** Suspicious nodes at places before this one; on the bench side those whose partners are. */
  #suspiciousBefore(side: SideMarks): Uint32Array {
    const { debug } = this.marks
    const before = new Uint32Array(side.graph.length + 1)
    for (let place = 0; place < side.graph.length; place++) {
      const node = side.graph.order[place]
      const at = side === debug ? node : side.partner ? side.partner[node] : -1
      before[place + 1] = before[place] + (at >= 0 && isSuspicious(debug, at) ? 1 : 0)
    }
    return before
  }

  nodeAt(name: Side, position: number): NodeRef | null {
    const side = sideMarks(this.marks, name)
    if (!side || side.graph.length === 0) return null
    const place = Math.max(0, Math.min(side.graph.length - 1, Math.floor(position * side.graph.length)))
    return this.#ref(name, side.graph.order[place])
  }

  list(list: NodeList, first: number, count: number): { readonly total: number; readonly nodes: readonly ListedNode[] } {
    const name: Side = list === 'unmatched-bench' ? 'bench' : 'debug'
    const side = sideMarks(this.marks, name)
    const all = this.#list(list)
    if (!side) return { total: 0, nodes: [] }
    const nodes = Array.from(all.subarray(first, first + count), (node): ListedNode => ({
      at: this.#ref(name, node), label: labelOf(side.graph, node), parent: side.graph.parent[node] >= 0 ? labelOf(side.graph, side.graph.parent[node]) : '',
      bucket: side.bucket[node], failing: failingBelow(side, node), backward: isBackward(nodeName(side.graph, node)),
      why: list === 'suspicious' ? [] : this.#why(name, node),
    }))
    return { total: all.length, nodes }
  }

  /** Nodes of a list in execution order. */
  #list(list: NodeList): Int32Array {
    let made = this.#lists.get(list)
    if (made) return made
    const side = list === 'unmatched-bench' ? this.marks.bench : this.marks.debug
    const fits = list === 'suspicious' ? (node: number) => side !== null && isSuspicious(side, node) : (node: number) => side?.partner != null && side.partner[node] < 0
    made = side ? Int32Array.from(side.graph.order).filter(fits) : new Int32Array(0)
    this.#lists.set(list, made)
    return made
  }

  search(text: string, limit: number): readonly SearchHit[] { return this.#search.find(text, limit) }

  /** Makes the search ready in the pauses between other work. */
  prepareSearch(): void {
    if (this.#prepared) return
    this.#prepared = true
    const go = (): void => {
      const until = performance.now() + sliceMs
      while (performance.now() < until) if (!this.#search.prepare()) return
      setTimeout(go, pauseMs)
    }
    setTimeout(go, pauseMs)
  }

  /** Ids from the root down to a name's node. */
  path(name: Side, id: string): readonly string[] {
    const side = sideMarks(this.marks, name)
    const node = side ? nodeFor(side, id) : -1
    return side && node >= 0 ? pathOf(side.graph, node) : [id]
  }

  whyUnmatched(at: NodeRef): readonly Problem[] {
    const found = this.#find(at)
    return found && found.side.partner && found.side.partner[found.node] < 0 ? this.#why(found.name, found.node) : []
  }

  #find(at: NodeRef): Found | null {
    for (const name of ['debug', 'bench'] as const) {
      const id = at[name]
      const side = sideMarks(this.marks, name)
      const node = id !== undefined && side ? nodeFor(side, id) : -1
      if (side && node >= 0) return { name, side, node }
    }
    return null
  }

  #ref(name: Side, node: number): NodeRef {
    const side = this.#side(name)
    const other: Side = name === 'debug' ? 'bench' : 'debug'
    const there = sideMarks(this.marks, other)
    const met = side.partner ? side.partner[node] : -1
    return { [name]: nodeName(side.graph, node), ...(there && met >= 0 ? { [other]: nodeName(there.graph, met) } : {}) }
  }

  #side(name: Side): SideMarks {
    const side = sideMarks(this.marks, name)
    if (!side) throw new RangeError('a single graph has no bench side')
    return side
  }

  #layout(name: Side): Layout {
    let layout = this.#layouts.get(name)
    if (!layout) this.#layouts.set(name, (layout = new Layout(this.#side(name).graph)))
    return layout
  }

  #nodes({ graph }: SideMarks, ids: readonly string[]): number[] {
    return ids.map(id => findNode(graph, id)).filter(node => node >= 0)
  }

  #keptBefore(kept: KeptOps): { readonly debug: Uint32Array; readonly bench: Uint32Array } {
    if (this.#kept?.of === kept) return this.#kept
    this.#kept = { of: kept, debug: flaggedBefore(this.marks.debug, kept.debug), bench: flaggedBefore(this.marks.bench, kept.bench) }
    return this.#kept
  }
}

interface Found {
  readonly name: Side
  readonly side: SideMarks
  readonly node: number
}

const lone = (side: SideMarks | null): number => (side?.partner ? side.partner.reduce((sum, there) => sum + (there < 0 ? 1 : 0), 0) : 0)

/** Flagged ops at places before this one. */
function flaggedBefore(side: SideMarks | null, flags: Uint8Array): Uint32Array {
  if (!side) return new Uint32Array(0)
  const sums = new Uint32Array(side.graph.length + 1)
  side.graph.order.forEach((node, place) => { sums[place + 1] = sums[place] + (side.graph.op[node] >= 0 ? flags[side.graph.op[node]] : 0) })
  return sums
}

/** Order of buckets in a slot of the strip: the worst share wins, then what has no partner. */
const badness = (bucket: number): number => (bucket === -2 ? 0.5 : bucket)

