// What the window may ask about graphs: what to draw, the strip, the legend, ways to nodes, lists, search.
// Made once per comparison.
import type {
  Box,
  Colours,
  Column,
  Ids,
  Legend,
  ListedNode,
  NodeList,
  NodePage,
  NodeRef,
  NodeRow,
  NodeShape,
  OpRow,
  Problem,
  Scene,
  SceneDrawing,
  SceneSide,
  SceneSides,
  SearchHit,
  Side,
  Strip,
  StripSide,
  Walked,
} from '../model/index.ts'
import { NodeKind, childCount, findNode, nodeName, pathOf } from './graph.ts'
import { labelOf } from './labels.ts'
import { Layout } from './layout.ts'
import {
  differingBelow,
  isBackward,
  isStop,
  marksOf,
  nodeFor,
  noOutcome,
  originMark,
  sideMarks,
  type Marks,
  type Outcome,
  type SideMarks,
  type ViewSource,
} from './marks.ts'
import { noMeasure, noPartner, notComparable } from './colors.ts'
import { nodesOfBucket, type ColouredNode } from './colour-nodes.ts'
import { isPlumbing } from '../pair/index.ts'
import { edgesFrom } from './neighbours.ts'
import { Recorded } from './recorded.ts'
import { NameSearch } from './search.ts'
import { Walk, type WalkStep } from './walk.ts'
import type { WhyUnmatched } from './why.ts'

const shapes: Readonly<Record<number, NodeShape>> = {
  [NodeKind.module]: 'module',
  [NodeKind.api]: 'api',
  [NodeKind.group]: 'group',
  [NodeKind.fused]: 'fused',
}

/** Ops that the grid's filter left, one flag per op of each side. */
export interface KeptOps {
  readonly debug: Column<Uint8Array, OpRow>
  readonly bench: Column<Uint8Array, OpRow>
}

type Stroll = 'parent' | 'child' | 'above' | 'below'

const mostOpen = 2000
/** Preparing the search goes on for so long at a time, and then lets others have their turn. */
const sliceMs = 4
const pauseMs = 4

export class GraphView {
  readonly marks: Marks
  readonly #layouts = new Map<string, Layout>()
  readonly #lists = new Map<NodeList, Ids<number, NodeRow>>()
  readonly #overflows = new Map<Side, Recorded>()
  readonly #coloured = new Map<number, readonly ColouredNode[]>()
  readonly #why: WhyUnmatched | null
  readonly #reasons = new Map<NodeList, readonly Problem['code'][]>()
  readonly #search: NameSearch
  #walk: Walk | null = null
  #prepared = false
  #kept: { readonly of: KeptOps; readonly debug: Uint32Array; readonly bench: Uint32Array } | null = null

  readonly #outcome: Outcome

  /** `why` says why a node found no partner. */
  constructor(
    source: ViewSource,
    outcome: Outcome = noOutcome,
    why: WhyUnmatched | null = null,
    colours: Colours = 'error',
  ) {
    this.marks = marksOf(source, outcome, colours)
    this.#outcome = outcome
    this.#why = why
    this.#search = new NameSearch(this.marks)
  }

  scene(query: SceneSides, kept: KeptOps | null = null): Scene {
    const drawing = (name: Side, asked: SceneSide): SceneDrawing =>
      this.#drawing(name, asked, this.#layout(name, query.plumbing ?? true), kept)
    return {
      debug: drawing('debug', query.debug),
      bench: query.bench && this.marks.bench ? drawing('bench', query.bench) : null,
    }
  }

  #drawing(name: Side, asked: SceneSide, layout: Layout, kept: KeptOps | null): SceneDrawing {
    const side = this.#side(name)
    const { graph, bucket, rows } = side
    const root = layout.open(this.#nodes(side, asked.open))
    const keptBefore = kept ? this.#keptBefore(kept)[name] : null
    const other = name === 'debug' ? this.marks.bench : this.marks.debug
    const recorded = this.#recorded(name)
    const boxes: Box[] = []
    layout.boxes(root, asked.top, asked.bottom, ({ node, x, y, w, h, open, label }) => {
      const id = nodeName(graph, node)
      const met = side.partner ? side.partner[node] : -1
      boxes.push({
        id,
        label,
        shape: shapes[graph.kind[node]] ?? 'module',
        x,
        y,
        w,
        h,
        from: graph.place[node] / graph.length,
        to: graph.end[node] / graph.length,
        depth: graph.depth[node],
        open,
        children: childCount(graph, node),
        backward: isBackward(graph.names, id),
        bucket: bucket[node],
        differing: differingBelow(side, node),
        own: { rows: rows.all[node], differs: rows.differs[node], level: rows.level[node] },
        made: name === 'debug' ? this.#madeAt(node) : null,
        origin: originMark(side, node),
        dim: keptBefore !== null && keptBefore[graph.end[node]] === keptBefore[graph.place[node]],
        partner: met >= 0 && other ? nodeName(other.graph, met) : '',
        overflow: recorded.below(node),
      })
    })
    return { boxes, width: layout.width(0), height: root.height }
  }

  #madeAt(node: NodeRow): Box['made'] {
    const { made, arrived } = this.#outcome
    if (!made || !arrived || !(made[node] >= 0)) return null
    return { made: made[node], arrived: Number.isNaN(arrived[node]) ? 0 : arrived[node] }
  }

  /** Where the box of a node is for a set of opened nodes, or null while it is hidden. */
  locate(
    name: Side,
    open: readonly string[],
    id: string,
    plumbing = true,
  ): { x: number; y: number; w: number; h: number } | null {
    const side = sideMarks(this.marks, name)
    const node = side ? nodeFor(side, id) : -1
    if (!side || node < 0) return null
    const layout = this.#layout(name, plumbing)
    const found = layout.locate(layout.open(this.#nodes(side, open)), node)
    return found && { x: found.x, y: found.y, w: found.w, h: found.h }
  }

  strip(slots: number, noted: readonly NodeRef[] = []): Strip {
    const one = (name: Side, side: SideMarks): StripSide => {
      const { graph, bucket, origin } = side
      const count = Math.max(1, Math.min(slots, graph.length))
      const worst = new Int8Array(count).fill(noMeasure)
      const filled = new Uint8Array(count)
      for (let place = 0; place < graph.length; place++) {
        const slot = Math.floor((place * count) / graph.length)
        const value = bucket[graph.order[place]]
        if (!filled[slot] || badness(value) > badness(worst[slot])) worst[slot] = value
        filled[slot] = 1
      }
      return {
        bucket: worst,
        position: Float64Array.from({ length: count }, (_, i) => i / count),
        origin: origin < 0 ? -1 : graph.place[origin] / graph.length,
        noted: Float64Array.from(
          noted.map(at => nodeFor(side, at[name] ?? '')).filter(node => node >= 0),
          node => graph.place[node] / graph.length,
        ),
      }
    }
    const { debug, bench } = this.marks
    return { debug: one('debug', debug), bench: bench && one('bench', bench) }
  }

  legend(): Legend {
    const { colours, choices, scale, debug, bench } = this.marks
    const counts = new Map<number, number>()
    for (const value of debug.bucket) counts.set(value, (counts.get(value) ?? 0) + 1)
    return {
      colours,
      measure: scale.measure,
      choices: choices.map(choice => ({ colours: choice.colours, measure: choice.scale.measure })),
      buckets: scale.steps.map(({ bucket, from, to }) => ({
        bucket,
        from,
        to,
        count: counts.get(bucket) ?? 0,
      })),
      unmatchedDebug: lone(debug),
      unmatchedBench: lone(bench),
      incomparable: counts.get(notComparable) ?? 0,
      overflowed: this.#recorded('debug').nodes.length,
      edges: edgesFrom(debug.dump),
    }
  }

  /** What must be open to see a node; on the other side its partner, or the nearest partner around it. */
  reveal(at: NodeRef): {
    readonly at: NodeRef
    readonly debug: readonly string[]
    readonly bench: readonly string[]
  } {
    const found = this.#find(at)
    if (!found) return { at, debug: [], bench: [] }
    const { name, side, node } = found
    const other = name === 'debug' ? this.marks.bench : this.marks.debug
    const mine = pathOf(side.graph, node).slice(0, -1)
    const theirs: string[] = []
    if (other && side.partner) {
      let met = node
      while (met >= 0 && side.partner[met] < 0) met = side.graph.parent[met]
      if (met >= 0)
        theirs.push(...pathOf(other.graph, side.partner[met]).slice(0, met === node ? -1 : undefined))
    }
    const ref = this.#ref(name, node)
    return name === 'debug'
      ? { at: ref, debug: mine, bench: theirs }
      : { at: ref, debug: theirs, bench: mine }
  }

  /** The next node that is worth a look. `been`: the walk has been to the node that it starts from. */
  walk(from: NodeRef | null, to: WalkStep, been: boolean): Walked | null {
    const { origin, debug } = this.marks
    if (to === 'first' && origin) {
      const found = this.#find({ [origin.side]: origin.node })
      const at = found ? this.#ref(found.name, found.node) : { [origin.side]: origin.node }
      return { at, row: origin.row }
    }
    const walk = this.#walkOver()
    const start = from && to !== 'first' ? this.#find(from) : null
    const node = start ? this.#step(walk, start, to, been) : (walk.stops.at(to === 'previous' ? -1 : 0) ?? -1)
    return node < 0 ? null : { at: this.#ref('debug', node), row: debug.rows.first[node] }
  }

  #step(walk: Walk, found: Found, to: WalkStep, been: boolean): NodeRow {
    const [node, same] = this.#onDebug(found)
    return node < 0
      ? (walk.stops[0] ?? -1)
      : walk.from(node, to === 'next' ? 'next' : 'previous', been || !same)
  }

  #walkOver(): Walk {
    const { debug } = this.marks
    return (this.#walk ??= new Walk(debug.graph, node => isStop(this.marks, debug, node)))
  }

  /** The node of the debug side; for a bench node without partner the nearest one before it. */
  #onDebug({ name, side, node }: Found): readonly [node: NodeRow, same: boolean] {
    if (name === 'debug') return [node, true]
    for (let place = side.graph.place[node]; place >= 0; place--) {
      const met = side.partner ? side.partner[side.graph.order[place]] : -1
      if (met >= 0) return [met, side.graph.order[place] === node]
    }
    return [-1, false]
  }

  /** A step in the hierarchy. */
  stroll(from: NodeRef | null, to: Stroll): NodeRef | null {
    const found = from && this.#find(from)
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
    const next = {
      parent: () => above,
      child: () => (childCount(graph, node) > 0 ? graph.children[graph.firstChild[node]] : -1),
      above: () => sibling(-1),
      below: () => sibling(1),
    }[to]()
    return next < 0 ? null : this.#ref(name, next)
  }

  /** Nodes to open: to a depth, all, or the ways to what differs; each side from the counterpart on. */
  expand(
    at: NodeRef | null,
    to: number | 'all' | 'differing',
  ): { readonly debug: readonly string[]; readonly bench: readonly string[] } {
    const found = at ? this.#find(at) : { name: 'debug' as const, side: this.marks.debug, node: 0 }
    if (!found) return { debug: [], bench: [] }
    const { name, side, node } = found
    const met = side.partner ? side.partner[node] : -1
    const mine = this.#toOpen(side, node, to)
    const other = name === 'debug' ? this.marks.bench : this.marks.debug
    const theirs = other && met >= 0 ? this.#toOpen(other, met, to) : []
    return name === 'debug' ? { debug: mine, bench: theirs } : { debug: theirs, bench: mine }
  }

  #toOpen(side: SideMarks, top: number, to: number | 'all' | 'differing'): string[] {
    const { graph } = side
    const open: string[] = []
    const deepest = typeof to === 'number' ? graph.depth[top] + to : Infinity
    const bad = to === 'differing' ? this.#stopsBefore(side) : null
    for (let place = graph.place[top]; place < graph.end[top] && open.length < mostOpen; place++) {
      const node = graph.order[place]
      if (childCount(graph, node) === 0 || graph.depth[node] >= deepest) continue
      if (bad && bad[graph.end[node]] === bad[place + 1]) continue
      open.push(nodeName(graph, node))
    }
    return open
  }

  /** Suspicious nodes at places before this one; on the bench side those whose partners are. */
  #stopsBefore(side: SideMarks): Uint32Array {
    const { debug } = this.marks
    const before = new Uint32Array(side.graph.length + 1)
    for (let place = 0; place < side.graph.length; place++) {
      const node = side.graph.order[place]
      const partner = side.partner ? side.partner[node] : -1
      const at = side === debug ? node : partner
      before[place + 1] = before[place] + (at >= 0 && isStop(this.marks, debug, at) ? 1 : 0)
    }
    return before
  }

  nodeAt(name: Side, position: number): NodeRef | null {
    const side = sideMarks(this.marks, name)
    if (!side || side.graph.length === 0) return null
    const place = Math.max(0, Math.min(side.graph.length - 1, Math.floor(position * side.graph.length)))
    return this.#ref(name, side.graph.order[place])
  }

  /** Nodes of a list, of one reason if any is given, and how many there are of each. */
  list(list: NodeList, first: number, count: number, reason: Problem['code'] | null = null): NodePage {
    const name: Side = list === 'unmatched-bench' ? 'bench' : 'debug'
    const side = sideMarks(this.marks, name)
    if (!side) return { total: 0, nodes: [], reasons: [] }
    const reasons = this.#reasonsOf(list)
    const whole = this.#list(list)
    const all = reason === null ? whole : whole.filter((_, i) => reasons[i] === reason)
    const nodes = Array.from(all.subarray(first, first + count), (node): ListedNode => ({
      at: this.#ref(name, node),
      label: labelOf(side.graph, node),
      parent: side.graph.parent[node] >= 0 ? labelOf(side.graph, side.graph.parent[node]) : '',
      bucket: side.bucket[node],
      differing: differingBelow(side, node),
      origin: node === side.origin,
      backward: isBackward(side.graph.names, nodeName(side.graph, node)),
      why: isUnmatched(list) ? this.#whyOf(name, node) : [],
    }))
    return { total: all.length, nodes, reasons: counted(reasons) }
  }

  /** Why a node has no partner, and who might be it. */
  #whyOf(name: Side, node: NodeRow): readonly Problem[] {
    const side = sideMarks(this.marks, name)
    if (!this.#why || !side?.partner || side.partner[node] >= 0) return []
    return [this.#why.reason(name, node), ...this.#why.candidates(name, node)]
  }

  /** Why each node of a list has no partner; none where the list is of others. */
  #reasonsOf(list: NodeList): readonly Problem['code'][] {
    const why = this.#why
    if (!isUnmatched(list) || !why) return []
    let made = this.#reasons.get(list)
    const name: Side = list === 'unmatched-bench' ? 'bench' : 'debug'
    if (!made) this.#reasons.set(list, (made = Array.from(this.#list(list), n => why.reason(name, n).code)))
    return made
  }

  /** Nodes of a list: what differs in the order of the walk, the others in execution order. */
  #list(list: NodeList): Ids<number, NodeRow> {
    let made = this.#lists.get(list)
    if (made) return made
    if (list === 'differing') made = this.#walkOver().stops
    else if (list === 'overflowed') made = this.#recorded('debug').nodes
    else {
      const side = list === 'unmatched-bench' ? this.marks.bench : this.marks.debug
      made = Int32Array.from(side?.graph.order ?? []).filter(node => side?.lone[node] === 1)
    }
    this.#lists.set(list, made)
    return made
  }

  /** One of the nodes of a colour, counted from 0; behind the last one comes the first again. */
  ofBucket(
    bucket: number,
    at: number,
  ): { readonly total: number; readonly at: number; readonly node: NodeRef | null } {
    let nodes = this.#coloured.get(bucket)
    if (!nodes) this.#coloured.set(bucket, (nodes = nodesOfBucket(this.marks, bucket)))
    const total = nodes.length
    const place = total === 0 ? 0 : ((at % total) + total) % total
    const found = nodes[place]
    return { total, at: place, node: found ? this.#ref(found.side, found.node) : null }
  }

  search(text: string, limit: number): readonly SearchHit[] {
    return this.#search.find(text, limit)
  }

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
    return found ? this.#whyOf(found.name, found.node) : []
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

  #ref(name: Side, node: NodeRow): NodeRef {
    const side = this.#side(name)
    const other: Side = name === 'debug' ? 'bench' : 'debug'
    const there = sideMarks(this.marks, other)
    const met = side.partner ? side.partner[node] : -1
    return {
      [name]: nodeName(side.graph, node),
      ...(there && met >= 0 ? { [other]: nodeName(there.graph, met) } : {}),
    }
  }

  #side(name: Side): SideMarks {
    const side = sideMarks(this.marks, name)
    if (!side) throw new RangeError('a single graph has no bench side')
    return side
  }

  #recorded(name: Side): Recorded {
    let made = this.#overflows.get(name)
    if (made) return made
    const side = this.#side(name)
    this.#overflows.set(name, (made = new Recorded(side.graph, side.dump, op => nodeFor(side, op))))
    return made
  }

  /** Where the error enters is drawn in any case. */
  #layout(name: Side, plumbing: boolean): Layout {
    const key = `${name} ${plumbing}`
    let layout = this.#layouts.get(key)
    if (layout) return layout
    const { graph, origin } = this.#side(name)
    const passesOn = (node: NodeRow): boolean =>
      node !== origin && isPlumbing(graph.names, graph.names.parse(nodeName(graph, node)).owner)
    layout = plumbing ? new Layout(graph) : new Layout(graph, passesOn)
    this.#layouts.set(key, layout)
    return layout
  }

  #nodes({ graph }: SideMarks, ids: readonly string[]): NodeRow[] {
    return ids.map(id => findNode(graph, id)).filter(node => node >= 0)
  }

  #keptBefore(kept: KeptOps): { readonly debug: Uint32Array; readonly bench: Uint32Array } {
    if (this.#kept?.of === kept) return this.#kept
    this.#kept = {
      of: kept,
      debug: flaggedBefore(this.marks.debug, kept.debug),
      bench: flaggedBefore(this.marks.bench, kept.bench),
    }
    return this.#kept
  }
}

const isUnmatched = (list: NodeList): boolean => list === 'unmatched-debug' || list === 'unmatched-bench'

interface Found {
  readonly name: Side
  readonly side: SideMarks
  readonly node: NodeRow
}

const lone = (side: SideMarks | null): number => (side ? side.lone.reduce((sum, one) => sum + one, 0) : 0)

/** How often each reason is given, the most frequent first. */
function counted(reasons: readonly Problem['code'][]): NodePage['reasons'] {
  const counts = new Map<Problem['code'], number>()
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  return [...counts].map(([code, count]) => ({ code, count })).sort((a, b) => b.count - a.count)
}

/** Flagged ops at places before this one. */
function flaggedBefore(side: SideMarks | null, flags: Uint8Array): Uint32Array {
  if (!side) return new Uint32Array(0)
  const sums = new Uint32Array(side.graph.length + 1)
  side.graph.order.forEach((node, place) => {
    sums[place + 1] = sums[place] + (side.graph.op[node] >= 0 ? flags[side.graph.op[node]] : 0)
  })
  return sums
}

/** Order of buckets in a slot of the strip: the worst share wins, then what has no partner. */
const badness = (bucket: number): number => (bucket === noPartner ? 0.5 : bucket)
