// What is derived of one compared unit when it is asked for: lookups, graphs, dataflow, findings; each made once per comparison.
import { advise } from './advisor/index.ts'
import type { Dump } from './dump.ts'
import type { Unit as UnitPlace } from './formats/detect.ts'
import { buildGraph } from './graph/build.ts'
import { compareGraphs } from './graph/compare.ts'
import { edgeNames, inferFlow, type Flow } from './graph/flow.ts'
import { handConfig, matchByHand, noHandMatches, readConfig, unmatchByHand, type HandMatches } from './graph/hand.ts'
import { sideMarks, singleSource, sourceOf, type ViewSource } from './graph/marks.ts'
import { flowAround } from './graph/neighbours.ts'
import type { GraphPair } from './graph/pair.ts'
import { GraphView, type KeptOps } from './graph/view.ts'
import { whyUnmatched } from './graph/why.ts'
import { job as newJob, type Job } from './job.ts'
import { firstFailing } from './match/index.ts'
import { byRow, type Measure } from './metrics/remembered.ts'
import { Verdict } from './model.ts'
import { problem, Refusal, type Problem } from './problem.ts'
import type { Comparison } from './result.ts'
import { lookupIn, type Lookup } from './view/lookup.ts'
import { nodeDetail, type NodeContext } from './view/node.ts'
import type { TensorFile } from './view/tensor-walk.ts'
import type { Advice, CompareOptions, FlowDrawing, ItemDetail, NodeDetail, NodeRef, Side } from '../../preload/contract/engine.ts'

/** Both dumps and what their comparison came to. */
export interface Compared {
  readonly debug: Dump
  readonly bench: Dump
  readonly comparison: Comparison
  /** A graph that the source brought itself. */
  readonly graph?: ViewSource | null
}

/** What graphs need besides. */
export interface GraphNeeds {
  readonly options: CompareOptions
  readonly measure: Measure
}

export interface UnitGraphs {
  readonly view: GraphView
  /** Null for a single graph. */
  readonly pair: GraphPair | null
}

export class UnitView {
  readonly loaded: Compared
  readonly lookup: Lookup
  readonly #place: UnitPlace
  #hand: HandMatches = noHandMatches
  readonly #made = new Map<string, Promise<unknown>>()

  constructor(loaded: Compared, place: UnitPlace) {
    this.loaded = loaded
    this.lookup = lookupIn(loaded.comparison)
    this.#place = place
  }

  rowOf(at: NodeRef): number { return this.lookup.rowsOf(at)[0] ?? -1 }

  async flow(side: Side, node: string, hops: number, most: number, needs: GraphNeeds): Promise<FlowDrawing> {
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
    return this.#once('flows', async () => ({ debug: await this.#flow('debug'), bench: await this.#flow('bench') }))
  }

  async node(at: NodeRef, needs: GraphNeeds): Promise<NodeDetail> {
    const graphs = await this.graphs(needs).catch(withoutGraph)
    const flows = await this.#flows()
    return nodeDetail(this.loaded.comparison, this.lookup, at, this.#context(graphs, flows))
  }

  advice(job: Job): Promise<Advice> { return this.#once('advice', () => this.#advise(job)) }

  /** Refuses where the dump has no hierarchy. */
  graphs(needs: GraphNeeds): Promise<UnitGraphs> { return this.#once('graphs', () => this.#graphs(needs)) }

  /** Matches two nodes by hand, or with no bench undoes a match. */
  async match(debug: string, bench: string, descendants: boolean, needs: GraphNeeds): Promise<void> {
    const pair = await this.#pair(needs)
    this.#setHand(bench === '' ? unmatchByHand(pair, this.#hand, debug, descendants) : matchByHand(pair, this.#hand, debug, bench, descendants))
  }

  /** The files of a row's tensors; null where a side has none. */
  tensorsOf(row: number): { readonly debug: TensorFile | null; readonly bench: TensorFile | null } {
    const of = (side: Side, item: number): TensorFile | null => {
      const file = item < 0 ? '' : tensorFileOf(this.loaded[side], item)
      const { items, texts } = this.loaded[side]
      return file === '' ? null : { file, ...(items.dtype[item] >= 0 && { dtype: texts.get(items.dtype[item]) }) }
    }
    return { debug: of('debug', this.loaded.comparison.debugItem[row] ?? -1), bench: of('bench', this.loaded.comparison.benchItem[row] ?? -1) }
  }

  handText(): string { return handConfig(this.#hand) }

  async applyHand(text: string, file: string, needs: GraphNeeds): Promise<{ total: number; applied: number; failed: readonly Problem[] }> {
    const read = readConfig(await this.#pair(needs), this.#hand, text, file)
    this.#setHand(read.hand)
    return read
  }

  /** Carries matches made by hand over to a newer comparison of the same unit. */
  takeHand(from: UnitView): void { this.#setHand(from.#hand) }

  /** Ops that an order of rows has rows of. */
  keptOps(rows: Uint32Array): KeptOps {
    const { debug, bench, debugItem, benchItem } = this.loaded.comparison
    const kept = { debug: new Uint8Array(debug.ops.length), bench: new Uint8Array(bench.ops.length) }
    for (const row of rows) {
      if (debugItem[row] >= 0) kept.debug[debug.items.op[debugItem[row]]] = 1
      if (benchItem[row] >= 0) kept.bench[bench.items.op[benchItem[row]]] = 1
    }
    return kept
  }

  #setHand(hand: HandMatches): void {
    this.#hand = hand
    this.#made.delete('graphs')
  }

  /** Made once; what fails or is cancelled is forgotten. */
  #once<T>(key: string, make: () => Promise<T>): Promise<T> {
    const known = this.#made.get(key)
    if (known) return known as Promise<T>
    const made = make()
    this.#made.set(key, made)
    made.catch(() => { if (this.#made.get(key) === made) this.#made.delete(key) })
    return made
  }

  async #pair(needs: GraphNeeds): Promise<GraphPair> {
    const { pair } = await this.graphs(needs)
    if (!pair) throw new Refusal(problem('option-unsupported', this.#place.debug, { option: 'match' }))
    return pair
  }

  async #graphs({ options, measure }: GraphNeeds): Promise<UnitGraphs> {
    const { debug, bench, comparison } = this.loaded
    const job = newJob()
    if (this.loaded.graph) return { view: new GraphView({ ...this.loaded.graph, failingPerOp: failingPerOp(comparison) }), pair: null }
    if (debug.construct.length === 0) throw new Refusal(problem('no-hierarchy', debug.files.construct || debug.files.dump, { level: debug.header.level }))
    if (this.#place.bench === '') return { view: new GraphView(singleSource(options.rules, await buildGraph(debug, options.rules, job), debug)), pair: null }
    if (bench.construct.length === 0) throw new Refusal(problem('no-hierarchy', bench.files.construct || bench.files.dump, { level: bench.header.level }))
    const mapped = Object.values(options.mapping).some(text => text !== undefined)
    const pair = await compareGraphs(debug, bench, {
      rules: options.rules, fuzzy: options.fuzzy, layerMapping: null, overflow: true, hand: this.#hand,
      ...(mapped && { partners: opPartners(comparison) }),
    }, job, measure)
    const why = whyUnmatched(pair, options.fuzzy ? 'fuzzy' : mapped ? 'map' : 'place')
    return { view: new GraphView(sourceOf(pair, failingPerOp(comparison)), why), pair }
  }

  async #flow(side: Side): Promise<Flow> {
    const { comparison } = this.loaded
    const hashes = hashesOf(comparison, side)
    return inferFlow(this.loaded[side], { job: newJob(), ...(hashes && { hashes }) })
  }

  async #advise(job: Job): Promise<Advice> {
    const { comparison } = this.loaded
    const first = firstFailing(comparison)
    return advise({
      comparison, step: this.#place.step, rank: this.#place.rank,
      first: first && { line: first.row, node: first.node, advice: first.advice },
      ...(comparison.measured && comparison.pairOf && { measured: byRow(comparison.measured, comparison.pairOf) }),
    }, job)
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

/** Path of the file that holds an item's values, '' when there is none. */
export function tensorFileOf(dump: Dump, item: number): string {
  const code = dump.items.dataName[item]
  const name = code < 0 ? '' : dump.texts.get(code)
  return name === '' || dump.files.tensors === '' || /[\\/\0]/.test(name) || name === '..' ? '' : `${dump.files.tensors}/${name}`
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

/** Hashes per item of one side, where tensors were read. */
function hashesOf({ measured, pairOf, debugItem, benchItem, ...table }: Comparison, side: Side): Uint32Array | null {
  if (!measured || !pairOf) return null
  const items = side === 'debug' ? debugItem : benchItem
  const from = side === 'debug' ? measured.debugHash : measured.benchHash
  const hashes = new Uint32Array(table[side].items.length * 2)
  for (let row = 0; row < items.length; row++) {
    if (items[row] < 0 || pairOf[row] < 0) continue
    hashes[items[row] * 2] = from[pairOf[row] * 2]
    hashes[items[row] * 2 + 1] = from[pairOf[row] * 2 + 1]
  }
  return hashes
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
