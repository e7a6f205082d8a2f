// What is derived of one compared unit when it is asked for: lookups, graphs, dataflow, findings; each made once per comparison.
import { adviseOnFiles } from './advice.ts'
import { tensorFileOf, type Dump } from './dump.ts'
import type { Unit as UnitPlace } from './formats/detect.ts'
import { buildGraph } from './graph/build.ts'
import { compareGraphs } from './graph/compare.ts'
import { edgeNames, inferFlows, type Flow } from './graph/flow.ts'
import { matchByHand, readConfig, unmatchByHand, type ReadConfig } from './graph/hand.ts'
import { sideMarks, singleSource, sourceOf, type ViewSource } from './graph/marks.ts'
import { flowAround } from './graph/neighbours.ts'
import type { GraphPair } from './graph/pair.ts'
import { GraphView, type KeptOps } from './graph/view.ts'
import { whyUnmatched } from './graph/why.ts'
import type { Files } from './io/files.ts'
import { job as newJob, type Job } from './job.ts'
import { firstFailing, firstRow, type HandMatches } from './match/index.ts'
import type { Measure } from './metrics/remembered.ts'
import { Verdict } from './model.ts'
import { problem, Refusal } from './problem.ts'
import type { Comparison } from './result.ts'
import { lookupIn, type Lookup } from './view/lookup.ts'
import { nodeDetail, type NodeContext } from './view/node.ts'
import { tensorOf, type TensorFile } from './view/tensor-walk.ts'
import type { Advice, CompareOptions, FlowDrawing, ItemDetail, NodeDetail, NodeRef, Side } from '../../preload/contract/engine.ts'

/** Both dumps and what their comparison came to. */
export interface Compared {
  readonly debug: Dump
  readonly bench: Dump
  readonly comparison: Comparison
  /** A graph that the source brought itself. */
  readonly graph?: ViewSource | null
}

/** What graphs and findings need besides. */
export interface UnitNeeds {
  readonly options: CompareOptions
  readonly hand: HandMatches
  readonly measure: Measure
  readonly files: Files
}

export interface UnitGraphs {
  readonly view: GraphView
  /** Null for a single graph. */
  readonly pair: GraphPair | null
}

interface Matched {
  readonly source: ViewSource
  readonly why: ReturnType<typeof whyUnmatched> | undefined
  readonly pair: GraphPair | null
}

export class UnitView {
  readonly loaded: Compared
  readonly lookup: Lookup
  readonly #place: UnitPlace
  readonly #made = new Map<string, Promise<unknown>>()

  constructor(loaded: Compared, place: UnitPlace) {
    this.loaded = loaded
    this.lookup = lookupIn(loaded.comparison)
    this.#place = place
  }

  rowOf(at: NodeRef): number { return this.lookup.rowsOf(at)[0] ?? -1 }

  async flow(side: Side, node: string, hops: number, most: number, needs: UnitNeeds): Promise<FlowDrawing> {
    const graphs = await this.graphs(needs).catch(withoutGraph)
    const marks = graphs ? sideMarks(graphs.view.marks, side) : null
    return flowAround(this.loaded[side], (await this.#flows())[side], marks?.graph ?? null, node, hops, Math.min(most, mostDrawn), {
      bucket: op => {
        const at = marks ? marks.graph.nodeOf(this.loaded[side].ops.name[op]) : -1
        return marks && at >= 0 ? marks.bucket[at] : -1
      },
      label: name => name.replace(/^(?:Cell|Module)\./, ''),
    })
  }

  #flows(): Promise<Readonly<Record<Side, Flow>>> {
    return this.#once('flows', () => inferFlows(this.loaded.comparison, newJob()))
  }

  async node(at: NodeRef, needs: UnitNeeds): Promise<NodeDetail> {
    const graphs = await this.graphs(needs).catch(withoutGraph)
    const flows = await this.#flows()
    return nodeDetail(this.loaded.comparison, this.lookup, at, this.#context(graphs, flows))
  }

  advice(needs: UnitNeeds): Promise<Advice> { return this.#once('advice', () => this.#advise(needs, newJob())) }

  /** Refuses where the dump has no hierarchy. */
  graphs(needs: UnitNeeds): Promise<UnitGraphs> { return this.#once(`graphs by ${needs.options.colours}`, () => this.#graphs(needs)) }

  /** The matches by hand with two nodes matched more, or with no bench a match undone. */
  async withMatch(debug: string, bench: string, descendants: boolean, needs: UnitNeeds): Promise<HandMatches> {
    const pair = await this.#pair(needs)
    return bench === '' ? unmatchByHand(pair, needs.hand, debug, descendants) : matchByHand(pair, needs.hand, debug, bench, descendants)
  }

  /** The files of a row's tensors; null where a side has none. */
  tensorsOf(row: number): { readonly debug: TensorFile | null; readonly bench: TensorFile | null } {
    const { debugItem, benchItem } = this.loaded.comparison
    return { debug: tensorOf(this.loaded.debug, debugItem[row] ?? -1), bench: tensorOf(this.loaded.bench, benchItem[row] ?? -1) }
  }

  /** The matches by hand with those of a mapping file of the plugin. */
  async withConfig(text: string, file: string, needs: UnitNeeds): Promise<ReadConfig> { return readConfig(await this.#pair(needs), needs.hand, text, file) }

  /** Ops that an order of rows has rows of; with those that only the bench has, where they are asked for. */
  keptOps(rows: Uint32Array, benchOnly: boolean): KeptOps {
    const { debug, bench, debugItem, benchItem, benchOnly: alone } = this.loaded.comparison
    const kept = { debug: new Uint8Array(debug.ops.length), bench: new Uint8Array(bench.ops.length) }
    for (const row of rows) {
      if (debugItem[row] >= 0) kept.debug[debug.items.op[debugItem[row]]] = 1
      if (benchItem[row] >= 0) kept.bench[bench.items.op[benchItem[row]]] = 1
    }
    if (benchOnly) for (const item of alone) kept.bench[bench.items.op[item]] = 1
    return kept
  }

  /** Made once for all who ask, so none of them can cancel it; what fails is forgotten. */
  #once<T>(key: string, make: () => Promise<T>): Promise<T> {
    const known = this.#made.get(key)
    if (known) return known as Promise<T>
    const made = make()
    this.#made.set(key, made)
    made.catch(() => { if (this.#made.get(key) === made) this.#made.delete(key) })
    return made
  }

  async #pair(needs: UnitNeeds): Promise<GraphPair> {
    const { pair } = await this.graphs(needs)
    if (!pair) throw new Refusal(problem('option-unsupported', this.#place.debug, { option: 'match' }))
    return pair
  }

  /** Other colours look at the same graphs. */
  async #graphs(needs: UnitNeeds): Promise<UnitGraphs> {
    const { source, why, pair } = await this.#once('graphs', () => this.#matched(needs))
    return { view: new GraphView(source, why, needs.options.colours), pair }
  }

  async #matched({ options, measure, hand }: UnitNeeds): Promise<Matched> {
    const { debug, bench, comparison } = this.loaded
    const job = newJob()
    if (this.loaded.graph) return { source: { ...this.loaded.graph, failingPerOp: failingPerOp(comparison) }, why: undefined, pair: null }
    if (debug.construct.length === 0) throw new Refusal(problem('no-hierarchy', debug.files.construct || debug.files.dump || this.#place.debug, { level: debug.header.level }))
    if (this.#place.bench === '') return { source: singleSource(options.rules, await buildGraph(debug, options.rules, job), debug), why: undefined, pair: null }
    if (bench.construct.length === 0) throw new Refusal(problem('no-hierarchy', bench.files.construct || bench.files.dump || this.#place.bench, { level: bench.header.level }))
    const mapped = Object.values(options.mapping).some(text => text !== undefined)
    const pair = await compareGraphs(debug, bench, {
      rules: options.rules, fuzzy: options.fuzzy, layerMapping: null, overflow: true, hand,
      ...(mapped && { partners: opPartners(comparison) }),
    }, job, measure)
    const why = whyUnmatched(pair, options.fuzzy ? 'fuzzy' : mapped ? 'map' : 'place')
    return { source: sourceOf(pair, failingPerOp(comparison)), why, pair }
  }

  async #advise({ options, files }: UnitNeeds, job: Job): Promise<Advice> {
    const { comparison } = this.loaded
    const { step, rank } = this.#place
    return adviseOnFiles({ comparison, step, rank, thresholds: options.advisor, flows: await this.#flows(), first: firstRow(firstFailing(comparison)) }, files.roots(), job)
  }

  #context(graphs: UnitGraphs | null, flows: Readonly<Record<Side, Flow>>): NodeContext {
    return {
      path: (side, name) => graphs?.view.path(side, name) ?? this.#path(side, name),
      links: (side, item) => linksOf(this.loaded[side], flows[side], side, item),
      whyUnmatched: at => graphs?.view.whyUnmatched(at) ?? [],
      tensorFile: (side, item) => tensorFileOf(this.loaded[side], item),
    }
  }

  #path(side: Side, name: string): readonly string[] {
    const { construct, texts } = this.loaded[side]
    const path = [name]
    for (let entry = construct.find(texts.find(name)); entry >= 0 && construct.parent[entry] >= 0 && path.length < 200; entry = construct.find(construct.parent[entry])) path.unshift(texts.get(construct.parent[entry]))
    return path
  }
}

function withoutGraph(error: unknown): null {
  if (error instanceof Refusal) return null
  throw error
}

function failingPerOp({ debug, debugItem, verdict, length }: Comparison): Int32Array {
  const failing = new Int32Array(debug.ops.length)
  for (let row = 0; row < length; row++) if (verdict[row] === Verdict.disagree && debugItem[row] >= 0) failing[debug.items.op[debugItem[row]]]++
  return failing
}

/** Bench op per debug op, as the rows have them; -1 for none. */
function opPartners({ debug, bench, debugItem, benchItem, length }: Comparison): Int32Array {
  const partners = new Int32Array(debug.ops.length).fill(-1)
  for (let row = 0; row < length; row++) {
    if (debugItem[row] < 0 || benchItem[row] < 0) continue
    const op = debug.items.op[debugItem[row]]
    if (partners[op] < 0) partners[op] = bench.items.op[benchItem[row]]
  }
  return partners
}

const shownReaders = 8
const mostDrawn = 300

/** The producer of an input, the readers of an output. */
function linksOf(dump: Dump, flow: Flow, side: Side, item: number): ItemDetail['links'] {
  const link = (to: number, edge: number): ItemDetail['links'][number] => ({
    node: dump.texts.get(dump.ops.name[dump.items.op[to]]), item: dump.texts.get(dump.items.name[to]), by: edgeNames[flow.by[edge]], sure: flow.only[edge] === 1, side,
  })
  if (flow.producer[item] >= 0) return [link(flow.producer[item], item)]
  return [...flow.readers.subarray(flow.first[item], Math.min(flow.first[item + 1], flow.first[item] + shownReaders))].map(reader => link(reader, reader))
}
