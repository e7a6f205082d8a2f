// The part of the inferred dataflow that is worth drawing: around one call, or inside one module, up to a number of calls.
import type { Dump } from '../dump.ts'
import { State } from '../model.ts'
import type { FlowDrawing, FlowEdge } from '../../../preload/contract/engine.ts'
import { edgeNames, type Flow } from './flow.ts'
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
  const isContainer = containers(dump, graph)
  for (let hop = 0; hop < (inside ? 1 : hops) && edge.length > 0; hop++) {
    const next: number[] = []
    for (const op of edge) {
      for (const [from, to] of edgesAt(flow, op)) {
        const other = dump.items.op[dump.items.op[from] === op ? to : from]
        if (chosen.has(other) || isContainer(other)) continue
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
      const from = flow.producer[item]
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

/** Modules with calls inside repeat what their calls say. */
function containers(dump: Dump, graph: Graph | null): (op: number) => boolean {
  if (!graph) return () => false
  return op => {
    const node = graph.nodeOf(dump.ops.name[op])
    return node >= 0 && childCount(graph, node) > 0
  }
}

function* edgesAt(flow: Flow, op: number): Generator<readonly [number, number]> {
  const { ops, items } = flow.dump
  for (let item = ops.first[op]; item < ops.first[op + 1]; item++) {
    if (items.state[item] !== State.output && flow.producer[item] >= 0) yield [flow.producer[item], item]
    for (let r = flow.first[item]; r < flow.first[item + 1]; r++) yield [item, flow.readers[r]]
  }
}
