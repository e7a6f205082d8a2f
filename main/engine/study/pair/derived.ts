// What is derived of a compared unit when somebody asks: lookups, graphs, dataflow, findings; each kept under
// the key of what it rests on.
import { type HandMatches, viewsOf } from '../../pair/index.ts'
import { firstFailing, firstRow, reasonOf } from '../../judge/index.ts'
import { type Advised, type AdviceTold, adviseOnFiles, reaches } from '../../advisor/index.ts'
import {
  type Advice,
  type Column,
  type CompareOptions,
  type Comparison,
  type Dump,
  dumpOn,
  isCompared,
  type ItemRows,
  type Made,
  type ExplainedBy,
  type Finding,
  type FlowDrawing,
  type ItemDetail,
  type ItemRow,
  type NodeDetail,
  type NodeMade,
  type NodeRef,
  opName,
  type PairRow,
  type Reason,
  problem,
  Refusal,
  RowState,
  type Side,
  type StepName,
  type TensorRef,
  type Walked,
} from '../../model/index.ts'
import { edgeNames, type Flow, inferFlow, inferFlows } from '../../flow/index.ts'
import type { UnitRef } from '../../layout/index.ts'
import {
  buildGraph,
  compareGraphs,
  flowAndWay,
  flowAround,
  type FlowMarks,
  type Graph,
  type GraphPair,
  GraphView,
  type KeptOps,
  matchByHand,
  noError,
  overflowError,
  nodeName,
  opsOfBuckets,
  type Origin,
  type Outcome,
  pairedGraphs,
  readConfig,
  type ReadConfig,
  rowsOfNodes,
  sideMarks,
  singleSource,
  sourceOf,
  tensorError,
  unmatchByHand,
  type ViewSource,
  walkRows,
  type WalkStep,
  wayOfError,
  whyUnmatched,
  type WhyUnmatched,
} from '../../graph/index.ts'
import type { Files } from '../../io/index.ts'
import { type Job, job as newJob, stepwise } from '../../work/index.ts'
import type { Measure } from '../../measure/index.ts'
import { type Lookup, lookupIn, type NodeContext, nodeDetail } from '../../view/index.ts'
import { MappingDesk } from '../../mapping/index.ts'
import { itemErrorsInSteps, KnownNoise, madeAt, type MadeColumns, madeOf } from '../../noise/index.ts'
import { Once } from '../once.ts'
import { Recomputed } from './recomputed.ts'
import type { SourceDumps } from '../sources.ts'
import { engineOf } from './settings.ts'
import type { NoiseKnown, NoiseReader } from './twins.ts'

/** A comparison as far as it is there, and the keys of the steps that made it. */
export interface Snapshot {
  readonly dumps: SourceDumps
  readonly table: ItemRows
  /** Where the error enters, as far as that is known. */
  readonly headline: Finding | null
  /** More rows may come. */
  readonly growing: boolean
  readonly keys: Readonly<Record<StepName, string>>
}

/** What graphs and findings need besides. */
export interface UnitNeeds {
  readonly options: CompareOptions
  readonly hand: HandMatches
  readonly measure: Measure
  readonly files: Files
  /** Null: findings are looked for in this thread. */
  readonly adviser: Adviser | null
  readonly noise: NoiseReader
}

/** Looks for findings beside this thread. */
export interface Adviser {
  /** Dumps that findings will be asked for; what can be known of them before they are compared. */
  prepare(debug: Dump, bench: Dump): void
  /** Null where these dumps were not prepared. */
  advise(comparison: Comparison, told: AdviceTold, job: Job): Promise<Advised> | null
}

export interface UnitGraphs {
  readonly view: GraphView
  /** Null for a single graph. */
  readonly pair: GraphPair | null
}

interface Matched {
  readonly source: ViewSource
  readonly why: WhyUnmatched | null
  readonly pair: GraphPair | null
}

/** Made when somebody asks; cannot be cancelled by one who asks, since others may wait for the same. */
export class UnitView {
  readonly snapshot: Snapshot
  readonly place: UnitRef
  readonly needs: UnitNeeds
  readonly #once: Once

  /** `once` outlives the snapshot: what rests on the same keys is there already. */
  constructor(snapshot: Snapshot, place: UnitRef, needs: UnitNeeds, once: Once) {
    this.snapshot = snapshot
    this.place = place
    this.needs = needs
    this.#once = once
  }

  get table(): ItemRows {
    return this.snapshot.table
  }

  /** Refuses where nothing is compared. */
  get comparison(): Comparison {
    const { table } = this
    if (isCompared(table)) return table
    throw new Refusal(problem('option-unsupported', this.place.debug, { option: 'compare' }))
  }

  dump(side: Side): Dump {
    return dumpOn(this.table, side)
  }

  lookup(): Lookup {
    return this.#once.now('lookup', this.snapshot.keys.pairs, () => lookupIn(this.table))
  }

  /** What was recomputed of these pairs. */
  recomputed(): Recomputed {
    return this.#once.now('recomputed', this.snapshot.keys.pairs, () => new Recomputed(this.table))
  }

  /** What recomputing says of the rows; null where nothing was recomputed. */
  recomputedRows(): Column<Uint8Array, PairRow> | null {
    const recomputed = this.recomputed()
    return recomputed.any ? recomputed.rows(this.lookup()) : null
  }

  /** The same desk over all edits of mappings. */
  desk(): MappingDesk {
    const { debug, bench, rules } = this.comparison
    const { given } = this.snapshot.dumps
    const settings = { rules, engine: engineOf(debug), fuzzy: false, mapping: {} }
    return this.#once.now(
      'desk',
      `${this.snapshot.keys.dumps}|${rules}`,
      () => new MappingDesk(debug, bench, { ...settings, ...(given && { given }) }),
    )
  }

  /** What decided the state of a row; null where nothing is compared with. */
  reason(row: PairRow): Reason | null {
    const { table } = this
    return isCompared(table) ? reasonOf(table, row, this.needs.options.thresholds.tolerance) : null
  }

  rowOf(at: NodeRef): number {
    return this.lookup().rowsOf(at)[0] ?? -1
  }

  async flow(side: Side, node: string, hops: number, most: number): Promise<FlowDrawing> {
    const graphs = await this.graphs().catch(withoutGraph)
    const marks = graphs ? sideMarks(graphs.view.marks, side) : null
    const { table } = this
    const byOverflow = this.needs.options.colours === 'overflow'
    const dump = this.dump(side)
    const source = {
      dump,
      flow: byOverflow ? await this.#flowThroughBad(side) : flowOn(await this.#flows(), side),
      graph: marks?.graph ?? null,
    }
    const flowMarks: FlowMarks = {
      error: byOverflow
        ? overflowError(dump)
        : isCompared(table)
          ? item => tensorError(table, this.lookup().row(side, item))
          : () => noError,
      bucket: op => {
        const at = marks ? marks.graph.nodeOf(this.dump(side).ops.name[op]) : -1
        return marks && at >= 0 ? marks.bucket[at] : -1
      },
      isOrigin: op => {
        const at = marks?.graph.nodeOf(this.dump(side).ops.name[op]) ?? -1
        return at >= 0 && at === marks?.origin
      },
      label: name => name.replace(/^(?:Cell|Module)\./, ''),
    }
    const reach = { hops, most: Math.min(most, mostDrawn) }
    if (node !== '') return (byOverflow ? flowAndWay : flowAround)(source, node, reach, flowMarks)
    const origin = marks && marks.origin >= 0 ? nodeName(marks.graph, marks.origin) : ''
    const op = this.lookup().op(side, origin)
    if (op < 0) return { nodes: [], edges: [], cut: false, known: 'data' }
    const way = wayOfError(source, op, flowMarks)
    return way.nodes.length > 1 ? way : flowAround(source, origin, reach, flowMarks)
  }

  #flows(): Promise<Flows> {
    const { table } = this
    return this.#once.get('flows', this.snapshot.keys.metrics, async () =>
      isCompared(table)
        ? inferFlows(table, newJob())
        : { debug: await inferFlow(table.debug, { job: newJob() }), bench: null },
    )
  }

  /** Edges that lead through NaN, too. */
  #flowThroughBad(side: Side): Promise<Flow> {
    return this.#once.get(`flow through bad ${side}`, this.snapshot.keys.dumps, () =>
      inferFlow(this.dump(side), { job: newJob(), throughBad: true }),
    )
  }

  async node(at: NodeRef): Promise<NodeDetail> {
    const graphs = await this.graphs().catch(withoutGraph)
    const flows = await this.#flows()
    const lookup = this.lookup()
    await this.#once.get('gradients', this.snapshot.keys.pairs, () => stepwise(lookup.prepare(), newJob()))
    return nodeDetail(this.table, lookup, at, this.#context(graphs, flows))
  }

  async advice(job: Job = newJob()): Promise<Advice> {
    return (await this.advised(job)).advice
  }

  /** What the advisor says, and what noise explains. */
  advised(job: Job = newJob()): Promise<Advised> {
    return this.#once.get('advice', this.snapshot.keys.findings, () => this.#advise(job))
  }

  /** 1 for each row that a finding explains, or leaves open; none while rows come in. */
  async rowsExplained({ side, node, rest }: ExplainedBy): Promise<Uint8Array> {
    const { table } = this
    const wanted = new Uint8Array(table.length)
    if (this.snapshot.growing || !isCompared(table)) return wanted
    const { advice, reach } = await this.advised()
    const rows = reach[advice.findings.findIndex(finding => finding.side === side && finding.node === node)]
    if (!rows) return wanted
    for (let row = 0; row < wanted.length; row++)
      if (table.state[row] === RowState.differs && reaches(rows, row) !== rest) wanted[row] = 1
    return wanted
  }

  /** 1 for each row of a node of these colours; null where there is no hierarchy that has any. */
  async rowsColoured(buckets: readonly number[]): Promise<Uint8Array | null> {
    const coming = this.snapshot.growing && !this.hasHierarchies
    const graphs = coming ? null : await this.graphs().catch(withoutGraph)
    if (!graphs) return null
    const { debug, bench } = graphs.view.marks
    const [ours, theirs] = [opsOfBuckets(debug, buckets), bench && opsOfBuckets(bench, buckets)]
    const { debugItem, benchItem, length } = this.table
    const wanted = new Uint8Array(length)
    for (let row = 0; row < length; row++)
      if (debugItem[row] >= 0) wanted[row] = ours[this.table.debug.items.op[debugItem[row]]]
      else if (theirs && this.table.bench) wanted[row] = theirs[this.table.bench.items.op[benchItem[row]]]
    return wanted
  }

  /** The rows with what noise explains. */
  async judged(job: Job): Promise<Comparison> {
    const { explained } = await this.advised(job)
    return this.comparison.judged(this.needs.options.thresholds, explained)
  }

  /** Refuses where the dump has no hierarchy. */
  graphs(): Promise<UnitGraphs> {
    return this.#once.get('graphs', this.snapshot.keys.graph, async () => {
      const { source, why, pair } = await this.#matched()
      const outcome = {
        rows: rowsOfNodes(source.debug, this.table),
        origin: this.origin,
        ...(await this.#madeOfNodes(source.debug)),
      }
      return { view: new GraphView(source, outcome, why, this.needs.options.colours), pair }
    })
  }

  /** Where the error enters, with the row that shows it. */
  get origin(): Origin | null {
    const { headline } = this.snapshot
    return headline && headline.node !== ''
      ? { side: headline.side, node: headline.node, row: headline.proof[0] ?? -1 }
      : null
  }

  /** A step of a walk where there is no hierarchy. */
  walkRows(from: NodeRef | null, row: PairRow | null, to: WalkStep): Walked | null {
    const found = walkRows(this.table, this.origin, { at: from, row }, to)
    return found && { at: { [found.side]: found.node }, row: found.row }
  }

  /** The matches by hand with two nodes matched more, or with no bench a match undone. */
  async withMatch(debug: string, bench: string, descendants: boolean): Promise<HandMatches> {
    const pair = await this.#pair()
    return bench === ''
      ? unmatchByHand(pair, this.needs.hand, debug, descendants)
      : matchByHand(pair, this.needs.hand, debug, bench, descendants)
  }

  /** The files of a row's tensors; null where a side has none. */
  tensorsOf(row: PairRow): { readonly debug: TensorRef | null; readonly bench: TensorRef | null } {
    const { debugItem, benchItem } = this.table
    return {
      debug: this.dump('debug').tensors.ref(debugItem[row] ?? -1),
      bench: this.table.bench?.tensors.ref(benchItem[row] ?? -1) ?? null,
    }
  }

  /** The matches by hand with those of a mapping file of the plugin. */
  async withConfig(text: string, file: string): Promise<ReadConfig> {
    return readConfig(await this.#pair(), this.needs.hand, text, file)
  }

  /** Ops that an order of rows has rows of; with those that only the bench has, where they are asked for. */
  keptOps(rows: Uint32Array, benchOnly: boolean): KeptOps {
    const { debug, bench, debugItem, benchItem, benchOnly: alone } = this.table
    const kept = { debug: new Uint8Array(debug.ops.length), bench: new Uint8Array(bench?.ops.length ?? 0) }
    for (const row of rows) {
      if (debugItem[row] >= 0) kept.debug[debug.items.op[debugItem[row]]] = 1
      if (bench && benchItem[row] >= 0) kept.bench[bench.items.op[benchItem[row]]] = 1
    }
    if (bench && benchOnly) for (const item of alone) kept.bench[bench.items.op[item]] = 1
    return kept
  }

  async #pair(): Promise<GraphPair> {
    const { pair } = await this.graphs()
    if (!pair) throw new Refusal(problem('option-unsupported', this.place.debug, { option: 'match' }))
    return pair
  }

  /** Whether every side has its hierarchy. */
  get hasHierarchies(): boolean {
    const { debug, bench } = this.table
    return debug.construct.length > 0 && (bench === null || bench.construct.length > 0)
  }

  /** Who met whom among nodes; thresholds have no part in it. */
  #matched(): Promise<Matched> {
    return this.#once.get('nodes', this.snapshot.keys.metrics, () => this.#match(newJob()))
  }

  async #match(job: Job): Promise<Matched> {
    const { rules } = this.needs.options
    if (this.snapshot.dumps.graph) return { source: this.snapshot.dumps.graph, why: null, pair: null }
    const debug = await this.#hierarchy('debug', job)
    if (this.place.bench === '')
      return { source: singleSource(rules, debug, this.dump('debug')), why: null, pair: null }
    const bench = await this.#hierarchy('bench', job)
    const { hand } = this.needs
    const pair = await pairedGraphs(this.comparison, { debug, bench }, rules, hand, job)
    const { ops } = this.comparison.pairing
    const why = whyUnmatched(pair, { ops, hand, mapped: isMapped(this.needs.options) })
    return { source: sourceOf(pair), why, pair }
  }

  /** Refuses a dump without one. */
  #hierarchy(side: Side, job: Job): Promise<Graph> {
    const { rules } = this.needs.options
    const dump = this.dump(side)
    return this.#once.get(`hierarchy of ${side}`, `${this.snapshot.keys.dumps}|${rules}`, () => {
      if (dump.construct.length > 0) return buildGraph(dump, rules, job)
      const path = dump.construct.file || dump.file || this.place[side]
      throw new Refusal(problem('no-hierarchy', path))
    })
  }

  /** What msprobe's graph compare says of these dumps, with the matches by hand: for its files. */
  exported(job: Job): Promise<GraphPair> {
    // Names say nothing of who met whom there.
    if (this.snapshot.dumps.given) return this.#pair()
    const { options, measure, hand } = this.needs
    const { debug, bench, pairing } = this.comparison
    return compareGraphs(
      debug,
      bench,
      {
        rules: options.rules,
        fuzzy: options.fuzzy,
        layerMapping: null,
        overflow: true,
        hand,
        ...(isMapped(options) && { partners: pairing.ops.toBench }),
      },
      job,
      measure,
    )
  }

  /** What arrived at a node and what it made; null where nothing is known, or not yet. */
  async made(at: NodeRef): Promise<Made | null> {
    const columns = await this.#made()
    const op = columns && at.debug !== undefined ? this.lookup().op('debug', at.debug) : -1
    return columns && op >= 0 ? madeAt(columns, op) : null
  }

  /** By debug op; null while rows come in, and where nothing is compared. */
  #made(): Promise<MadeColumns | null> {
    const { table } = this
    const { keys, growing } = this.snapshot
    return this.#once.get(
      'made',
      `${keys.metrics}|${growing}|${this.needs.options.noise.join('|')}`,
      async () => {
        if (growing || !isCompared(table) || table.debug.header.stored) return null
        const { debug, bench } = await viewsOf(table.debug, table.bench)
        const errors = await stepwise(itemErrorsInSteps(table), newJob())
        const { profile } = await this.noise()
        const known =
          profile && new KnownNoise(profile, { debug, bench, toBench: errors.toBench, floor: () => 0 })
        return madeOf(debug, errors, known)
      },
    )
  }

  async #madeOfNodes(graph: Graph): Promise<Pick<Outcome, 'made' | 'arrived'>> {
    const columns = await this.#made()
    if (!columns) return {}
    const { ops } = this.dump('debug')
    const made = new Float64Array(graph.length).fill(Number.NaN)
    const arrived = new Float64Array(graph.length).fill(Number.NaN)
    for (let op = 0; op < ops.length; op++) {
      const node = graph.nodeOf(ops.name[op])
      if (node < 0) continue
      made[node] = columns.made[op]
      arrived[node] = columns.arrived[op]
    }
    return { made, arrived }
  }

  /** The same of every node whose result differs, in their order. */
  async madeByNode(): Promise<readonly NodeMade[]> {
    const columns = await this.#made()
    if (!columns) return []
    const dump = this.dump('debug')
    const found: NodeMade[] = []
    for (let op = 0; op < dump.ops.length; op++) {
      const made = columns.out[op] > 0 ? madeAt(columns, op) : null
      if (made) found.push({ ...made, node: opName(dump, op) })
    }
    return found
  }

  /** What the other runs that were given tell of noise. */
  noise(job: Job = newJob()): Promise<NoiseKnown> {
    const { options, noise } = this.needs
    const { debug, bench } = this.comparison
    return this.#once.get('noise', `${this.snapshot.keys.pairs}|${options.noise.join('|')}`, () =>
      noise(options, { debug, bench, place: this.place }, job),
    )
  }

  async #advise(job: Job): Promise<Advised> {
    const { comparison } = this
    const { profile } = await this.noise(job)
    const { step, rank } = this.place
    const { options, files, adviser } = this.needs
    const told = {
      step,
      rank,
      thresholds: options.thresholds,
      noise: profile,
      first: firstRow(firstFailing(comparison)),
    }
    const beside = adviser?.advise(comparison, told, job)
    if (beside) return beside
    const { debug, bench } = await this.#flows()
    if (!bench) throw new RangeError('there is no bench side')
    return adviseOnFiles({ comparison, ...told, flows: { debug, bench } }, files.roots(), job)
  }

  #context(graphs: UnitGraphs | null, flows: Flows): NodeContext {
    return {
      path: (side, name) => graphs?.view.path(side, name) ?? this.#path(side, name),
      links: (side, item) => linksOf(this.dump(side), flowOn(flows, side), side, item),
      whyUnmatched: at => graphs?.view.whyUnmatched(at) ?? [],
      reason: row => this.reason(row),
      tensorFile: (side, item) => this.dump(side).tensors.ref(item)?.file ?? '',
    }
  }

  #path(side: Side, name: string): readonly string[] {
    const { construct, texts } = this.dump(side)
    const path = [name]
    for (
      let entry = construct.find(texts.findPlain(name));
      entry >= 0 && construct.parent[entry] >= 0 && path.length < 200;
      entry = construct.find(construct.parent[entry])
    )
      path.unshift(texts.get(construct.parent[entry]))
    return path
  }
}

/** Dataflow of each side that there is. */
interface Flows {
  readonly debug: Flow
  readonly bench: Flow | null
}

function flowOn(flows: Flows, side: Side): Flow {
  const flow = flows[side]
  if (!flow) throw new RangeError(`there is no ${side} side`)
  return flow
}

const isMapped = ({ mapping }: CompareOptions): boolean =>
  Object.values(mapping).some(text => text !== undefined)

function withoutGraph(error: unknown): null {
  if (error instanceof Refusal) return null
  throw error
}

const shownReaders = 8
const mostDrawn = 300

/** The producer of an input, the readers of an output. */
function linksOf(dump: Dump, flow: Flow, side: Side, item: ItemRow): ItemDetail['links'] {
  const link = (to: number, edge: number): ItemDetail['links'][number] => ({
    node: dump.texts.get(dump.ops.name[dump.items.op[to]]),
    item: dump.texts.get(dump.items.name[to]),
    by: edgeNames[flow.by[edge]],
    sure: flow.only[edge] === 1,
    side,
  })
  if (flow.producer[item] >= 0) return [link(flow.producer[item], item)]
  return [
    ...flow.readers.subarray(
      flow.first[item],
      Math.min(flow.first[item + 1], flow.first[item] + shownReaders),
    ),
  ].map(reader => link(reader, reader))
}
