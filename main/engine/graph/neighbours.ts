// The part of the inferred dataflow that is worth drawing: around one call, or inside one module, up to a
// number of calls.
import { edgeNames, type Flow, parentOps, readersOf, startOf } from '../flow/index.ts'
import {
  type Column,
  type Controls,
  Direction,
  type Dump,
  type EdgesFrom,
  type FlowDrawing,
  type FlowEdge,
  type Ids,
  type ItemRow,
  type OpRow,
  State,
  itemShape,
} from '../model/index.ts'
import { type TensorError, worse } from './tensor-error.ts'
import { childCount, findNode, type Graph } from './graph.ts'

export interface FlowMarks {
  /** Bucket of an op's node, and whether the error enters there. */
  bucket(op: OpRow): number
  isOrigin(op: OpRow): boolean
  label(name: string): string
  /** How far a tensor is off. */
  error(item: ItemRow): TensorError
}

/** Calls that hold data themselves below a node; the call itself when nothing below it does. */
function callsOf(dump: Dump, graph: Graph | null, name: string): OpRow[] {
  const node = graph ? findNode(graph, name) : -1
  const own = opOf(dump, name)
  const itself = own < 0 ? [] : [own]
  if (!graph || node < 0 || childCount(graph, node) === 0) return itself
  const found: OpRow[] = []
  for (let place = graph.place[node]; place < graph.end[node]; place++) {
    const at = graph.order[place]
    if (graph.op[at] >= 0 && childCount(graph, at) === 0) found.push(graph.op[at])
  }
  return found.length > 0 ? found : itself
}

export const edgesFrom = ({ edges }: Pick<Dump, 'edges'>): EdgesFrom => (edges ? 'graph' : 'data')

const noControls: Controls = { from: new Int32Array(0), to: new Int32Array(0) }

const opOf = (dump: Dump, name: string): OpRow => {
  const code = dump.texts.findPlain(name)
  return code < 0 ? -1 : dump.ops.name.indexOf(code)
}

/** What a drawing is taken from. */
interface FlowSource {
  readonly dump: Dump
  readonly flow: Flow
  readonly graph: Graph | null
}

export function flowAround(
  { dump, flow, graph }: FlowSource,
  name: string,
  { hops, most }: { readonly hops: number; readonly most: number },
  marks: FlowMarks,
): FlowDrawing {
  const start = callsOf(dump, graph, name)
  const around = reached(dump, callsOnly(flow, graph), start, {
    hops: start.length > 1 ? Math.min(hops, 1) : hops,
    most,
  })
  return drawn({ dump, flow, graph }, around, start, marks)
}

/** Some calls with the edges among them; `inside` are those that are asked about. */
function drawn(
  { dump, flow, graph }: FlowSource,
  { ops, cut }: { readonly ops: readonly OpRow[]; readonly cut: boolean },
  inside: readonly OpRow[],
  marks: FlowMarks,
): FlowDrawing {
  return {
    nodes: ops.map(op => {
      const id = nameOf(dump, op)
      return {
        id,
        label: marks.label(id),
        bucket: marks.bucket(op),
        origin: marks.isOrigin(op),
        backward: dump.names.direction(id) === Direction.backward,
        inside: inside.includes(op),
      }
    }),
    edges: [...edgesAmong(flow, callsOnly(flow, graph), ops, marks), ...controlsAmong(dump, ops)],
    cut,
    known: edgesFrom(dump),
  }
}

/** Calls so many edges away at most, in the order of the dump; `cut` where there are more than wanted. */
function reached(
  dump: Dump,
  calls: Calls,
  start: readonly OpRow[],
  { hops, most }: { readonly hops: number; readonly most: number },
): { readonly ops: OpRow[]; readonly cut: boolean } {
  const chosen = new Set(start.slice(0, most))
  let cut = start.length > most
  let edge = [...chosen]
  for (let hop = 0; hop < hops && edge.length > 0; hop++) {
    const next: OpRow[] = []
    const take = (op: OpRow): void => {
      if (chosen.has(op) || calls.container(op)) return
      if (chosen.size >= most) {
        cut = true
        return
      }
      chosen.add(op)
      next.push(op)
    }
    for (const op of edge)
      for (const [from, to] of edgesAt(dump, calls, op))
        take(dump.items.op[dump.items.op[from] === op ? to : from])
    // Who reads comes before who only waits, where not all can be drawn.
    for (const op of controlNeighbours(dump, new Set(edge))) take(op)
    edge = next
  }
  return { ops: [...chosen].sort((a, b) => a - b), cut }
}

function edgesAmong(flow: Flow, calls: Calls, ops: readonly OpRow[], marks: FlowMarks): FlowEdge[] {
  const { dump } = flow
  const chosen = new Set(ops)
  const edges: FlowEdge[] = []
  for (const op of ops) {
    for (let item = dump.ops.first[op]; item < dump.ops.first[op + 1]; item++) {
      const from = calls.producer[item]
      if (from < 0 || !chosen.has(dump.items.op[from])) continue
      const error = worse(marks.error(from), marks.error(item))
      edges.push({
        from: nameOf(dump, dump.items.op[from]),
        to: nameOf(dump, op),
        item: dump.texts.get(dump.items.name[from]),
        input: dump.texts.get(dump.items.name[item]),
        shape: itemShape(dump, from),
        by: edgeNames[flow.by[item]],
        sure: flow.only[item] === 1,
        ...error,
      })
    }
  }
  return edges
}

/** Ops at the other end of an edge along which no tensor goes. */
function controlNeighbours({ edges }: Dump, ops: ReadonlySet<OpRow>): readonly OpRow[] {
  const { from, to } = edges?.controls ?? noControls
  const found: OpRow[] = []
  for (let i = 0; i < from.length; i++) {
    if (ops.has(from[i])) found.push(to[i])
    if (ops.has(to[i])) found.push(from[i])
  }
  return found
}

function controlsAmong(dump: Dump, ops: readonly OpRow[]): FlowEdge[] {
  const chosen = new Set(ops)
  const { from, to } = dump.edges?.controls ?? noControls
  const edges: FlowEdge[] = []
  for (let i = 0; i < from.length; i++)
    if (chosen.has(from[i]) && chosen.has(to[i]))
      edges.push({
        from: nameOf(dump, from[i]),
        to: nameOf(dump, to[i]),
        item: '',
        input: '',
        shape: '',
        by: 'control',
        sure: true,
        bucket: -1,
        level: NaN,
      })
  return edges
}

/** Most calls on the way from where the error enters. */
const longestWay = 40

/**
 * The way that the error takes: from where it enters along tensors that differ, to the first call that puts out
 * one that nobody reads, or as far as it leads.
 */
export function wayOfError(source: FlowSource, origin: OpRow, marks: FlowMarks): FlowDrawing {
  const way = wayFrom(source, origin, marks)
  return drawn(source, { ops: way.slice(0, longestWay), cut: way.length > longestWay }, way, marks)
}

function wayFrom(source: FlowSource, origin: OpRow, marks: FlowMarks): readonly OpRow[] {
  const { dump, flow, graph } = source
  const calls = callsOnly(flow, graph)
  const before = new Map<OpRow, OpRow>([[origin, -1]])
  let [last, end] = [origin, -1]
  // Readers stand behind writers: in the order of the dump each call is come to before what reads it.
  const found = [origin]
  for (let i = 0; i < found.length; i++) {
    const op = found[i]
    last = Math.max(last, op)
    if (op !== origin && leaves(source, calls, op, marks)) end = end < 0 ? op : Math.min(end, op)
    for (const [from, to] of edgesAt(dump, calls, op)) {
      const reader = dump.items.op[to]
      if (dump.items.op[from] !== op || before.has(reader) || calls.container(reader)) continue
      if (worse(marks.error(from), marks.error(to)).bucket < 1) continue
      before.set(reader, op)
      found.push(reader)
    }
  }
  const way: OpRow[] = []
  for (let op = end < 0 ? last : end; op >= 0; op = before.get(op) ?? -1) way.unshift(op)
  return way
}

/** The calls around one, and, of a call, the way that what is wrong with it takes from there. */
export function flowAndWay(
  source: FlowSource,
  name: string,
  reach: { readonly hops: number; readonly most: number },
  marks: FlowMarks,
): FlowDrawing {
  const start = callsOf(source.dump, source.graph, name)
  if (start.length !== 1) return flowAround(source, name, reach, marks)
  const way = wayFrom(source, start[0], marks)
  const around = reached(source.dump, callsOnly(source.flow, source.graph), start, reach)
  const ops = [...new Set([...around.ops, ...way.slice(0, longestWay)])].sort((a, b) => a - b)
  return drawn(source, { ops, cut: around.cut || way.length > longestWay }, way, marks)
}

/** Whether a tensor that differs comes out of a call, and nobody reads it. */
function leaves({ dump: { ops, items } }: FlowSource, calls: Calls, op: OpRow, marks: FlowMarks): boolean {
  for (let item = ops.first[op]; item < ops.first[op + 1]; item++) {
    const unread = items.state[item] === State.output && calls.first[item] === calls.first[item + 1]
    if (unread && marks.error(item).bucket >= 1) return true
  }
  return false
}

const nameOf = (dump: Dump, op: OpRow): string => dump.texts.get(dump.ops.name[op])

/** Edges between calls alone: modules with calls inside repeat what their calls say. */
interface Calls {
  container(op: OpRow): boolean
  /** Output item of a call, or -1, per input item. */
  readonly producer: Ids<ItemRow, ItemRow>
  readonly first: Column<Uint32Array, ItemRow>
  readonly readers: Ids<number, ItemRow>
}

const known = new WeakMap<Flow, { readonly graph: Graph | null; readonly calls: Calls }>()

function callsOnly(flow: Flow, graph: Graph | null): Calls {
  const before = known.get(flow)
  if (before?.graph === graph) return before.calls
  const { dump } = flow
  const container = (op: OpRow): boolean => {
    const node = graph ? graph.nodeOf(dump.ops.name[op]) : -1
    return graph !== null && node >= 0 && childCount(graph, node) > 0
  }
  const inside = graph ? writersInside(flow, container) : null
  const producer = inside
    ? flow.producer.map(item => (item >= 0 && container(dump.items.op[item]) ? inside(item) : item))
    : flow.producer
  const calls = { container, producer, ...readersOf(producer) }
  known.set(flow, { graph, calls })
  return calls
}

/**
 * The call inside a module that wrote what the module puts out; a module that only passes on leads to who
 * wrote its input.
 */
function writersInside(
  { dump, identity, view, producer }: Flow,
  container: (op: OpRow) => boolean,
): (item: ItemRow) => ItemRow {
  const { ops, items } = dump
  const start = startOf(parentOps(dump))
  const found = new Map<ItemRow, ItemRow>()
  const among = (op: OpRow, output: boolean, of: Int32Array, what: number): number => {
    if (what < 0) return -1
    for (let item = ops.first[op]; item < ops.first[op + 1]; item++)
      if ((items.state[item] === State.output) === output && of[item] === what) return item
    return -1
  }
  const search = (item: ItemRow): ItemRow => {
    const op = items.op[item]
    for (const of of [identity, view]) {
      for (let inner = op - 1; inner >= start[op]; inner--) {
        const written = container(inner) ? -1 : among(inner, true, of, of[item])
        if (written >= 0) return written
      }
    }
    const passed = among(op, false, identity, identity[item])
    const from = passed < 0 ? -1 : producer[passed]
    return from >= 0 && from < item && container(items.op[from]) ? resolve(from) : from
  }
  const resolve = (item: ItemRow): ItemRow => {
    let writer = found.get(item)
    if (writer === undefined) found.set(item, (writer = search(item)))
    return writer
  }
  return resolve
}

function* edgesAt(
  { ops, items }: Dump,
  { producer, first, readers }: Calls,
  op: OpRow,
): Generator<readonly [ItemRow, ItemRow]> {
  for (let item = ops.first[op]; item < ops.first[op + 1]; item++) {
    if (items.state[item] !== State.output && producer[item] >= 0) yield [producer[item], item]
    for (let r = first[item]; r < first[item + 1]; r++) yield [item, readers[r]]
  }
}
