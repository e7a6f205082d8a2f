// Writes graphs as one .vis.db for all steps and ranks, in the tables that the viewers of 8.2 and 26 read.
import type { Dump } from '../dump.ts'
import { batchElements } from '../graph/batch-elements.ts'
import type { GraphBatch } from '../graph/batch.ts'
import { colorsOf, columnTips } from '../graph/colors.ts'
import type { GraphRequest, GraphResult } from '../graph/command.ts'
import { nodeName, pathOf, type Graph } from '../graph/graph.ts'
import { DifferenceSpeller, ItemSpeller, RawEntries, type Leaves } from '../graph/item-texts.ts'
import { itemSides, rangeOf } from '../graph/items.ts'
import { Page } from '../graph/page.ts'
import { overflowNames } from '../graph/pair.ts'
import type { NodePeers } from '../graph/peers.ts'
import { stackLines } from '../graph/stacks.ts'
import { jsonText } from '../graph/texts.ts'
import type { Files } from '../io/files.ts'
import type { Sink } from '../io/output.ts'
import { createSqlite, type SqliteValue } from '../io/sqlite.ts'
import type { Job } from '../job.ts'
import { taskNames } from './vis.ts'

const tables = `
CREATE TABLE tb_nodes (id TEXT PRIMARY KEY, graph_id TEXT NOT NULL, node_order INTEGER NOT NULL, node_name TEXT NOT NULL, node_type TEXT NOT NULL, up_node TEXT, sub_nodes TEXT,
  precision_index INTEGER, overflow_level TEXT, micro_step_id INTEGER NOT NULL, matched_node_link TEXT, stack_id TEXT, parallel_merge_info TEXT, matched_distributed TEXT,
  modified INTEGER NOT NULL, input_data TEXT, output_data TEXT, data_source TEXT, dump_data_dir TEXT, step INTEGER NOT NULL, rank INTEGER NOT NULL, is_distributed INTEGER);
CREATE TABLE tb_stack (id TEXT PRIMARY KEY, stack_info TEXT);
CREATE TABLE tb_config (id TEXT PRIMARY KEY, graph_type TEXT NOT NULL, task TEXT, tool_tip TEXT, micro_steps INTEGER, overflow_check INTEGER, node_colors TEXT NOT NULL, rank_list TEXT NOT NULL, step_list TEXT NOT NULL);`
const indexes = [
  'step, rank, data_source, up_node, node_order', 'step, rank, data_source, node_name', 'step, rank, data_source, node_order', 'step, rank, node_order',
  'step, rank, micro_step_id, node_order', 'step, rank, modified, matched_node_link', 'is_distributed',
]

export interface VisDbWriter {
  add(result: GraphResult, job: Job): Promise<void>
  finish(): void
  abandon(): void
}

export function visDbWriter(files: Files, request: GraphRequest, batch: GraphBatch, sink: Sink): VisDbWriter {
  const database = createSqlite()
  database.exec(tables)
  const node = database.inserter('tb_nodes', 22)
  const stack = database.inserter('tb_stack', 2)
  const config = database.inserter('tb_config', 9)
  let configured = false

  return {
    async add(result, job) {
      if (!configured) config(configOf(result, request, batch))
      configured = true
      const { unit, pair, single, peers } = result
      const both: readonly SideWriting[] = pair
        ? [
            { source: 'NPU', graph: pair.debug, dump: pair.debugDump, partner: pair.matching.toBench, other: pair.bench, index: pair.index, overflow: pair.overflow?.debug ?? null, peers: peers.debug, result },
            { source: 'Bench', graph: pair.bench, dump: pair.benchDump, partner: pair.matching.toDebug, other: pair.debug, index: null, overflow: pair.overflow?.bench ?? null, peers: peers.bench, result },
          ]
        : single ? [{ source: 'NPU', graph: single.graph, dump: single.dump, partner: null, other: null, index: null, overflow: single.overflow, peers: peers.debug, result }] : []
      for (const side of both) await writeSide(files, request, unit, side, node, stack, job)
    },
    finish() {
      indexes.forEach((columns, i) => database.exec(`CREATE INDEX index${i + 1} ON tb_nodes (${columns})`))
      database.finish(sink)
    },
    abandon: () => database.abandon(),
  }
}

const numbers = (list: readonly number[]): string => `[${[...new Set(list)].sort((a, b) => a - b).join(', ')}]`

function configOf({ pair, single }: GraphResult, request: GraphRequest, { units }: GraphBatch): readonly SqliteValue[] {
  const steps = (pair?.debug ?? single?.graph)?.microSteps ?? 1
  const colors = pair && Object.fromEntries(colorsOf(pair.mode, request.rules).map(({ color, value, description, level }) => [color, { value, description, ...(level && { accuracy_level: level }) }]))
  const tips = pair ? columnTips[pair.mode] : {}
  return [
    '1', pair ? 'compare' : 'build', pair ? taskNames[pair.mode] : '', Object.keys(tips).length > 0 ? JSON.stringify(tips) : null, steps, request.overflow ? 1 : 0,
    JSON.stringify(colors), numbers(units.map(unit => unit.rank)), numbers(units.map(unit => unit.step)),
  ]
}

interface SideWriting {
  readonly source: 'NPU' | 'Bench'
  readonly graph: Graph
  readonly dump: Dump
  readonly partner: Int32Array | null
  readonly other: Graph | null
  readonly index: Float64Array | null
  readonly overflow: Uint8Array | null
  readonly peers: ReadonlyMap<number, NodePeers>
  readonly result: GraphResult
}

type Insert = (values: readonly SqliteValue[]) => void

async function writeSide(files: Files, request: GraphRequest, unit: { readonly step: number; readonly rank: number }, side: SideWriting, node: Insert, stack: Insert, job: Job): Promise<void> {
  const { source, graph, dump, partner, other } = side
  const graphId = `${source}_${unit.step}_${unit.rank}`
  const raw = new RawEntries(files, dump)
  const out = new Page(1 << 14)
  const speller = new ItemSpeller(out, dump, request.rules, raw, ', ')
  const differences = source === 'NPU' && side.result.pair ? new DifferenceSpeller(out, side.result.pair, speller.spelling, ', ') : null
  const { side: sideOf } = itemSides(dump, request.rules)
  const elementOf = batchElements(dump, request.rules, files)
  const lines = stackLines(graph, dump, request.rules, request.fullStacks || request.rules === 'msprobe-26')
  const stackIds = new Map<string, string>()
  const stackId = (at: number): string => {
    const text = jsonList(lines(at))
    let id = stackIds.get(text)
    if (id === undefined) {
      stackIds.set(text, (id = `${graphId}_${stackIds.size}`))
      stack([id, text])
    }
    return id
  }
  const items = (at: number, output: 0 | 1, leaves: Leaves): string => {
    out.clear()
    out.byte(0x7b)
    for (let [item, end] = rangeOf(dump, graph.op[at]); item < end; item++) {
      if (sideOf[item] !== output) continue
      if (out.length > 1) out.text(', ')
      const element = elementOf(graph.op[at], item)
      if (element) out.text(element.name)
      else out.name(dump.texts, dump.items.name[item])
      out.text(': {')
      speller.fields(out, graph.op[at], item, leaves)
      if (element && !speller.isNull(item)) for (const field of element.fields) out.text(`, ${field}`)
      if (differences && !speller.isNull(item)) differences.fields(out, at, item)
      out.byte(0x7d)
    }
    out.byte(0x7d)
    return out.since(out.start)
  }
  try {
    for (const [order, at] of postOrder(graph).entries()) {
      if ((order & 63) === 63) {
        await job.breathe()
        job.report({ what: 'job.writing', done: order, total: graph.length, unit: 'items' })
      }
      const name = nodeName(graph, at)
      const leaves: Leaves = { current: undefined }
      const children = Array.from(graph.children.subarray(graph.firstChild[at], graph.firstChild[at + 1]), child => nodeName(graph, child))
      const met = partner ? partner[at] : -1
      const index = side.index ? side.index[at] : NaN
      const level = side.overflow ? overflowNames[side.overflow[at]] : ''
      const micro = source === 'Bench' && other ? (met >= 0 ? other.micro[met] : graph.micro[at]) : graph.micro[at]
      node([
        `${graphId}_${name}`, graphId, order, name, String(graph.kind[at]), graph.parent[at] < 0 ? '' : nodeName(graph, graph.parent[at]), children.length > 0 ? jsonList(children) : '',
        Number.isNaN(index) ? null : index, level || null, Math.max(0, micro), met >= 0 && other ? jsonList(pathOf(other, met)) : '[]', stackId(at), '', peersJson(side.peers.get(at)),
        0, items(at, 0, leaves), items(at, 1, leaves), source, dump.files.tensors || null, unit.step, unit.rank, name.startsWith('Distributed') ? 1 : 0,
      ])
    }
  } finally {
    raw.close()
  }
}

const jsonList = (texts: readonly string[]): string => `[${texts.map(jsonText).join(', ')}]`

function peersJson(peers: NodePeers | undefined): string {
  if (!peers) return '{}'
  const groups = peers.map(({ type, nodes }) => `{"communications_type": "${type}", "nodes_info": {${[...nodes].map(([rank, [shown, id]]) => `"${rank}": [${jsonText(shown)}, ${jsonText(id)}]`).join(', ')}}}`)
  return groups.length === 1 ? groups[0] : `[${groups.join(', ')}]`
}

/** Children before their parents, siblings in order; the root comes last. Nodes that hang nowhere are left out: viewers cannot show them. */
function postOrder(graph: Graph): number[] {
  const order: number[] = []
  const stack: { readonly node: number; next: number }[] = [{ node: 0, next: graph.firstChild[0] }]
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    if (top.next < graph.firstChild[top.node + 1]) {
      const child = graph.children[top.next++]
      stack.push({ node: child, next: graph.firstChild[child] })
    } else {
      order.push(top.node)
      stack.pop()
    }
  }
  return order
}
