// Writes graphs as one .vis.db for all steps and ranks, in the tables that the viewers of 8.2 and 26 read.
import type { NodeRow } from '../model/index.ts'
import { ruleSets } from '../rules/index.ts'
import {
  batchElements,
  colorsOf,
  columnTips,
  DifferenceSpeller,
  type Graph,
  type GraphRequest,
  type GraphResult,
  itemSides,
  ItemSpeller,
  jsonText,
  type Leaves,
  mergeInfo,
  nodeName,
  type NodePeers,
  overflowNames,
  Page,
  pathOf,
  rangeOf,
  RawEntries,
  stackLines,
} from '../graph/index.ts'
import type { GraphUnit } from '../layout/index.ts'
import { createSqlite, type Files, type Sink, type SqliteValue } from '../io/index.ts'
import type { Job } from '../work/index.ts'
import { type GraphSide, pairSides, singleSide, taskNames } from './graph-sides.ts'

const tables = `
CREATE TABLE tb_nodes (
  id TEXT PRIMARY KEY, graph_id TEXT NOT NULL, node_order INTEGER NOT NULL, node_name TEXT NOT NULL,
  node_type TEXT NOT NULL, up_node TEXT, sub_nodes TEXT, precision_index INTEGER, overflow_level TEXT,
  micro_step_id INTEGER NOT NULL, matched_node_link TEXT, stack_id TEXT, parallel_merge_info TEXT,
  matched_distributed TEXT, modified INTEGER NOT NULL, input_data TEXT, output_data TEXT, data_source TEXT,
  dump_data_dir TEXT, step INTEGER NOT NULL, rank INTEGER NOT NULL, is_distributed INTEGER);
CREATE TABLE tb_stack (id TEXT PRIMARY KEY, stack_info TEXT);
CREATE TABLE tb_config (
  id TEXT PRIMARY KEY, graph_type TEXT NOT NULL, task TEXT, tool_tip TEXT, micro_steps INTEGER,
  overflow_check INTEGER, node_colors TEXT NOT NULL, rank_list TEXT NOT NULL, step_list TEXT NOT NULL);`
const indexes = [
  'step, rank, data_source, up_node, node_order',
  'step, rank, data_source, node_name',
  'step, rank, data_source, node_order',
  'step, rank, node_order',
  'step, rank, micro_step_id, node_order',
  'step, rank, modified, matched_node_link',
  'is_distributed',
]

interface VisDbWriter {
  add(result: GraphResult, job: Job): Promise<void>
  finish(): void
  abandon(): void
}

/** `units`: all that the database is going to hold. */
export function visDbWriter(
  files: Files,
  request: GraphRequest,
  units: readonly GraphUnit[],
  sink: Sink,
): VisDbWriter {
  const database = createSqlite()
  database.exec(tables)
  const node = database.inserter('tb_nodes', 22)
  const stack = database.inserter('tb_stack', 2)
  const config = database.inserter('tb_config', 9)
  let configured = false

  return {
    async add(result, job) {
      if (!configured) config(configOf(result, request, units))
      configured = true
      for (const side of sidesOf(result))
        await new SideWriter(side, result, { files, request, node, stack }).write(job)
    },
    finish() {
      indexes.forEach((columns, i) => database.exec(`CREATE INDEX index${i + 1} ON tb_nodes (${columns})`))
      database.finish(sink)
    },
    abandon: () => database.abandon(),
  }
}

function sidesOf({ pair, single, peers }: GraphResult): readonly GraphSide[] {
  if (pair) {
    const { debug, bench } = pairSides(pair, peers)
    return [debug, bench]
  }
  return single ? [singleSide(single, peers)] : []
}

const numbers = (list: readonly number[]): string =>
  `[${[...new Set(list)].sort((a, b) => a - b).join(', ')}]`

function configOf(
  { pair, single }: GraphResult,
  request: GraphRequest,
  units: readonly GraphUnit[],
): readonly SqliteValue[] {
  const steps = (pair?.debug ?? single?.graph)?.microSteps ?? 1
  const colors =
    pair &&
    Object.fromEntries(
      colorsOf(pair.mode, request.rules).map(({ color, value, description, level }) => [
        color,
        { value, description, ...(level && { accuracy_level: level }) },
      ]),
    )
  const tips = pair ? columnTips[pair.mode] : {}
  return [
    '1',
    pair ? 'compare' : 'build',
    pair ? taskNames[pair.mode] : '',
    Object.keys(tips).length > 0 ? JSON.stringify(tips) : null,
    steps,
    request.overflow ? 1 : 0,
    JSON.stringify(colors),
    numbers(units.map(unit => unit.rank)),
    numbers(units.map(unit => unit.step)),
  ]
}

type Insert = (values: readonly SqliteValue[]) => void

/** Where the rows of a side go, and how they are asked for. */
interface Target {
  readonly files: Files
  readonly request: GraphRequest
  readonly node: Insert
  readonly stack: Insert
}

/** One side of one step and rank. */
class SideWriter {
  readonly #side: GraphSide
  readonly #result: GraphResult
  readonly #target: Target
  readonly #graphId: string
  readonly #raw: RawEntries
  readonly #out = new Page(1 << 14)
  readonly #speller: ItemSpeller
  readonly #differences: DifferenceSpeller | null
  readonly #sideOf: Uint8Array
  readonly #elementOf: ReturnType<typeof batchElements>
  readonly #lines: (node: NodeRow) => readonly string[]
  readonly #stackIds = new Map<string, string>()

  constructor(side: GraphSide, result: GraphResult, target: Target) {
    const { files, request } = target
    const { source, graph, dump } = side
    const { rules } = request
    this.#side = side
    this.#result = result
    this.#target = target
    this.#graphId = `${source}_${result.unit.step}_${result.unit.rank}`
    this.#raw = new RawEntries(files, dump)
    this.#speller = new ItemSpeller(this.#out, dump, rules, this.#raw, ', ')
    this.#differences =
      source === 'NPU' && result.pair
        ? new DifferenceSpeller(this.#out, result.pair, this.#speller.spelling, ', ')
        : null
    this.#sideOf = itemSides(dump, rules).side
    this.#elementOf = batchElements(dump, rules, files)
    this.#lines = stackLines(graph, dump, rules, request.fullStacks || ruleSets[rules].graph.fullStacks)
  }

  async write(job: Job): Promise<void> {
    const { graph } = this.#side
    try {
      for (const [order, node] of postOrder(graph).entries()) {
        if ((order & 63) === 63) {
          await job.breathe()
          job.report({ what: 'job.writing', done: order, total: graph.length, countedIn: 'items' })
        }
        this.#target.node(this.#row(node, order))
      }
    } finally {
      this.#raw.close()
    }
  }

  /** The columns of tb_nodes. */
  #row(node: NodeRow, order: number): readonly SqliteValue[] {
    const { source, graph, dump, other, partner, peers, overflow } = this.#side
    const { unit, pair } = this.#result
    const name = nodeName(graph, node)
    const leaves: Leaves = { current: undefined }
    const children = Array.from(
      graph.children.subarray(graph.firstChild[node], graph.firstChild[node + 1]),
      child => nodeName(graph, child),
    )
    const met = partner ? partner[node] : -1
    const index = pair && source === 'NPU' ? pair.index[node] : NaN
    const level = overflow ? overflowNames[overflow[node]] : ''
    const micro = source === 'Bench' && other && met >= 0 ? other.micro[met] : graph.micro[node]
    return [
      `${this.#graphId}_${name}`,
      this.#graphId,
      order,
      name,
      String(graph.kind[node]),
      graph.parent[node] < 0 ? '' : nodeName(graph, graph.parent[node]),
      children.length > 0 ? jsonList(children) : '',
      Number.isNaN(index) ? null : index,
      level || null,
      Math.max(0, micro),
      met >= 0 && other ? jsonList(pathOf(other, met)) : '[]',
      this.#stackId(node),
      mergedText(mergeInfo(dump, graph.op[node])),
      peersJson(peers?.get(node)),
      0,
      this.#items(node, 0, leaves),
      this.#items(node, 1, leaves),
      source,
      dump.tensors.place || null,
      unit.step,
      unit.rank,
      dump.names.communication(name) === null ? 0 : 1,
    ]
  }

  #stackId(node: NodeRow): string {
    const text = jsonList(this.#lines(node))
    let id = this.#stackIds.get(text)
    if (id === undefined) {
      id = `${this.#graphId}_${this.#stackIds.size}`
      this.#stackIds.set(text, id)
      this.#target.stack([id, text])
    }
    return id
  }

  #items(node: NodeRow, output: 0 | 1, leaves: Leaves): string {
    const out = this.#out
    const speller = this.#speller
    const { graph, dump } = this.#side
    const op = graph.op[node]
    out.clear()
    out.byte(0x7b)
    for (let [item, end] = rangeOf(dump, op); item < end; item++) {
      if (this.#sideOf[item] !== output) continue
      if (out.length > 1) out.text(', ')
      const element = this.#elementOf(op, item)
      if (element) out.text(element.name)
      else out.name(dump.texts, dump.items.name[item])
      out.text(': {')
      speller.fields(out, op, item, leaves)
      if (!speller.isNull(item)) {
        for (const field of element?.fields ?? []) out.text(`, ${field}`)
        this.#differences?.fields(out, node, item)
      }
      out.byte(0x7d)
    }
    out.byte(0x7d)
    return out.since(out.start)
  }
}

const mergedText = (lines: readonly string[]): string => (lines.length > 0 ? jsonList(lines) : '')
const jsonList = (texts: readonly string[]): string => `[${texts.map(jsonText).join(', ')}]`

function peersJson(peers: NodePeers | undefined): string {
  if (!peers) return '{}'
  const groups = peers.map(({ type, nodes }) => {
    const ranks = [...nodes].map(([rank, [shown, id]]) => `"${rank}": [${jsonText(shown)}, ${jsonText(id)}]`)
    return `{"communications_type": "${type}", "nodes_info": {${ranks.join(', ')}}}`
  })
  return groups.length === 1 ? groups[0] : `[${groups.join(', ')}]`
}

/**
 * Children before their parents, siblings in order; the root comes last. Nodes that hang nowhere are left
 * out: viewers cannot show them.
 */
function postOrder(graph: Graph): NodeRow[] {
  const order: NodeRow[] = []
  const stack: { readonly node: NodeRow; next: number }[] = [{ node: 0, next: graph.firstChild[0] }]
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
