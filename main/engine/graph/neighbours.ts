// The part of the inferred dataflow that is worth drawing: around one call, or inside one module, up to a number of calls.
import type { Dump } from '../dump.ts'
import { State } from '../model.ts'
import type { FlowDrawing, FlowEdge } from '../../../preload/contract/engine.ts'
import { edgeNames, parentOps, readersOf, startOf, type Flow } from './flow.ts'
import { childCount, findNode, type Graph } from './graph.ts'

export interface FlowMarks {
  /** Bucket of suspicion of an op's node. */
  bucket(op: number): number
  label(name: string): string
}

/** Calls that hold data themselves below a node; the call itself when nothing below it does. */
function callsOf(dump: Dump, graph: Graph | null, name: string): number[] {
  const node = graph ? findNode(graph, name) : -1
  const own = opOf(dump, name)
  if (!graph || node < 0 || childCount(graph, node) === 0) return own < 0 ? [] : [own]
  const found: number[] = []
  for (let place = graph.place[node]; place < graph.end[node]; place++) {
    const at = graph.order[place]
    if (graph.op[at] >= 0 && childCount(graph, at) === 0) found.push(graph.op[at])
  }
  return found.length > 0 ? found : own < 0 ? [] : [own]
}

const opOf = (dump: Dump, name: string): number => {
  const code = dump.texts.find(name)
  return code < 0 ? -1 : dump.ops.name.indexOf(code)
}

export function flowAround(dump: Dump, flow: Flow, graph: Graph | null, name: string, hops: number, most: number, marks: FlowMarks): FlowDrawing {
  const start = callsOf(dump, graph, name)
  const chosen = new Set(start.slice(0, most))
  const inside = start.length > 1
  let cut = start.length > most
  let edge = [...chosen]
  const calls = callsOnly(flow, graph)
  for (let hop = 0; hop < (inside ? 1 : hops) && edge.length > 0; hop++) {
    const next: number[] = []
    for (const op of edge) {
      for (const [from, to] of edgesAt(dump, calls, op)) {
        const other = dump.items.op[dump.items.op[from] === op ? to : from]
        if (chosen.has(other) || calls.container(other)) continue
        if (chosen.size >= most) { cut = true; continue }
        chosen.add(other)
        next.push(other)
      }
    }
    edge = next
  }
  const ops = [...chosen].sort((a, b) => a - b)
  const edges: FlowEdge[] = []
  for (const op of ops) {
    for (let item = dump.ops.first[op]; item < dump.ops.first[op + 1]; item++) {
      const from = calls.producer[item]
      if (from < 0 || !chosen.has(dump.items.op[from])) continue
      edges.push({
        from: nameOf(dump, dump.items.op[from]), to: nameOf(dump, op), item: dump.texts.get(dump.items.name[from]), input: dump.texts.get(dump.items.name[item]),
        shape: dump.items.shape[from] < 0 ? '' : dump.texts.get(dump.items.shape[from]), by: edgeNames[flow.by[item]], sure: flow.only[item] === 1,
      })
    }
  }
  return {
    nodes: ops.map(op => {
      const id = nameOf(dump, op)
      return { id, label: marks.label(id), bucket: marks.bucket(op), backward: /\.backward(?:\.|$)/.test(id), inside: start.includes(op) }
    }),
    edges, cut,
  }
}

const nameOf = (dump: Dump, op: number): string => dump.texts.get(dump.ops.name[op])

/** Edges between calls alone: modules with calls inside repeat what their calls say. */
interface Calls {
  container(op: number): boolean
  /** Output item of a call, or -1, per input item. */
  readonly producer: Int32Array
  readonly first: Uint32Array
  readonly readers: Int32Array
}

const known = new WeakMap<Flow, { readonly graph: Graph | null; readonly calls: Calls }>()

function callsOnly(flow: Flow, graph: Graph | null): Calls {
  const before = known.get(flow)
  if (before?.graph === graph) return before.calls
  const { dump } = flow
  const container = (op: number): boolean => {
    const node = graph ? graph.nodeOf(dump.ops.name[op]) : -1
    return graph !== null && node >= 0 && childCount(graph, node) > 0
  }
  const inside = graph ? writersInside(flow, container) : null
  const producer = inside ? flow.producer.map(item => (item >= 0 && container(dump.items.op[item]) ? inside(item) : item)) : flow.producer
  const calls = { container, producer, ...readersOf(producer) }
  known.set(flow, { graph, calls })
  return calls
}

/** The call inside a module that wrote what the module puts out; a module that only passes on leads to who wrote its input. */
function writersInside({ dump, identity, view, producer }: Flow, container: (op: number) => boolean): (item: number) => number {
  const { ops, items } = dump
  const start = startOf(parentOps(dump))
  const found = new Map<number, number>()
  const among = (op: number, output: boolean, of: Int32Array, what: number): number => {
    if (what < 0) return -1
    for (let item = ops.first[op]; item < ops.first[op + 1]; item++) if ((items.state[item] === State.output) === output && of[item] === what) return item
    return -1
  }
  const search = (item: number): number => {
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
  const resolve = (item: number): number => {
    let writer = found.get(item)
    if (writer === undefined) found.set(item, (writer = search(item)))
    return writer
  }
  return resolve
}

function* edgesAt({ ops, items }: Dump, { producer, first, readers }: Calls, op: number): Generator<readonly [number, number]> {
  for (let item = ops.first[op]; item < ops.first[op + 1]; item++) {
    if (items.state[item] !== State.output && producer[item] >= 0) yield [producer[item], item]
    for (let r = first[item]; r < first[item + 1]; r++) yield [item, readers[r]]
  }
}
