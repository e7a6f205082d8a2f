// Graphs of all ranks: build_… or compare_….vis of each, or one .vis.db of all.
import { type Place, wholeOf } from '../../../formats/index.ts'
import {
  buildGraph,
  compareGraphs,
  findPeers,
  type GraphRequest,
  type GraphResult,
  nodeName,
  overflowLevels,
  overflowNames,
  type RankGraph,
} from '../../../graph/index.ts'
import { join, openOutput, type Output } from '../../../io/index.ts'
import {
  dumpFormatOf,
  graphPlan,
  graphShardOf,
  type GraphPlan,
  type GraphUnitRef,
  type Shard,
} from '../../../layout/index.ts'
import { type Dump, type Problem, problem, Refusal, type Rules } from '../../../model/index.ts'
import { ruleSets } from '../../../rules/index.ts'
import { pyFloat } from '../../../python/index.ts'
import { visDbWriter, writeSingleVis, writeVis } from '../../../report/index.ts'
import { graphName } from '../../../study/index.ts'
import { portsOf } from '../ports.ts'
import type { Tools } from '../tools.ts'
import { Tries } from '../units.ts'
import type { Outcome } from '../verb.ts'

export interface GraphReport {
  readonly rules: Rules
  readonly files: readonly string[]
  readonly units: number
  /** Ranks that could not be done; the others were. */
  readonly failed: number
  readonly outcome: Outcome
}

type GraphTools = Pick<Tools, 'files' | 'job' | 'measure' | 'tell' | 'written'>

export interface GraphRun {
  /** The user named the output folder. */
  readonly chosen: boolean
  readonly shard: Shard | null
}

export async function writeGraphs(
  request: GraphRequest,
  { chosen, shard }: GraphRun,
  tools: GraphTools,
): Promise<GraphReport> {
  const whole = await graphPlan(tools.files, request.debug, request.bench, request.rules, tools.job)
  const plan = shard ? graphShardOf(whole, shard) : whole
  const dumps = [request.debug, request.bench].filter(Boolean)
  const run = new Run(request, plan, tools, () => openOutput(request.output, dumps, chosen))
  for (const found of plan.problems) tools.tell(found)
  if (plan.units.length === 0)
    tools.tell(problem('share-empty', request.debug, { units: whole.units.length }, 'note'))
  try {
    for (const step of new Set(plan.units.map(unit => unit.step)))
      await run.step(plan.units.filter(unit => unit.step === step))
    return run.finish()
  } finally {
    run.abandon()
  }
}

type Database = { readonly output: Output; readonly writer: ReturnType<typeof visDbWriter> }

class Run {
  readonly #request: GraphRequest
  readonly #plan: GraphPlan
  readonly #tools: GraphTools
  readonly #openOutput: () => Output
  readonly #paths: string[] = []
  readonly #tries: Tries
  #database: Database | null = null

  constructor(request: GraphRequest, plan: GraphPlan, tools: GraphTools, output: () => Output) {
    this.#request = request
    this.#plan = plan
    this.#tools = tools
    this.#openOutput = output
    this.#tries = new Tries(tools, plan.units.length === 1)
  }

  /** All ranks of a step; those that talk to others wait until all of them are known. */
  async step(units: readonly GraphUnitRef[]): Promise<void> {
    const waiting: GraphResult[] = []
    for (const unit of units)
      await this.#tries.of(unit.debug, async () => {
        const result = await this.#compare(unit)
        if (units.length > 1 && talks(result)) waiting.push(result)
        else await this.#write(result)
      })
    if (waiting.length === 0) return
    const debug = this.#peersOf(waiting, 'debug')
    const bench = waiting.every(result => result.pair) ? this.#peersOf(waiting, 'bench') : []
    for (const [i, result] of waiting.entries())
      await this.#tries.of(result.unit.debug, () =>
        this.#write({ ...result, peers: { debug: debug[i], bench: bench[i] ?? new Map() } }),
      )
  }

  finish(): GraphReport {
    if (this.#database) {
      this.#database.writer.finish()
      this.#written(this.#database.output.commit())
    }
    return {
      rules: this.#request.rules,
      files: this.#paths,
      units: this.#plan.units.length,
      failed: this.#tries.failures.length,
      outcome: this.#tries.outcome,
    }
  }

  abandon(): void {
    this.#database?.writer.abandon()
    this.#database?.output.abandon()
  }

  #peersOf(results: readonly GraphResult[], side: 'debug' | 'bench'): ReturnType<typeof findPeers> {
    const { rules, overflow } = this.#request
    return findPeers(
      results.map(result => rankGraph(result, side, overflow)),
      rules,
      this.#tools.files,
    )
  }

  async #compare(unit: GraphUnitRef): Promise<GraphResult> {
    const { rules, fuzzy, layerMapping, overflow } = this.#request
    const { job, measure } = this.#tools
    const peers = { debug: new Map(), bench: new Map() }
    const dump = await this.#read(unit, unit.places.debug)
    if (!unit.places.bench) {
      const graph = await buildGraph(dump, rules, job)
      this.#note(graph.problems)
      const levels = overflow ? overflowLevels(graph, dump, rules) : null
      return { unit, pair: null, single: { graph, dump, overflow: levels }, peers }
    }
    const options = { rules, fuzzy, layerMapping, overflow }
    const other = await this.#read(unit, unit.places.bench)
    const pair = await compareGraphs(dump, other, options, job, (pairs, work) => measure(pairs, work))
    this.#note(pair.problems)
    return { unit, pair, single: null, peers }
  }

  async #read(unit: GraphUnitRef, place: Place): Promise<Dump> {
    const { job, tell } = this.#tools
    const { rules } = this.#request
    const dump = await wholeOf(dumpFormatOf(unit).open(place, portsOf(this.#tools, rules), job))
    const { construct, stacks } = dump
    if (construct.file === '' && construct.length === 0)
      throw new Refusal(problem('not-found', join(place.path, 'construct.json')))
    const hasStacks = stacks.file !== '' || stacks.length > 0
    if (!hasStacks && ruleSets[rules].graph.stacksNeeded)
      throw new Refusal(problem('not-found', join(place.path, 'stack.json')))
    const broken = dump.ops.length === 0 ? dump.problems.find(found => found.severity === 'error') : undefined
    if (broken) throw new Refusal(broken)
    this.#note(dump.problems)
    if (!hasStacks) tell(problem('stacks-missing', place.path, {}, 'note'))
    return dump
  }

  #note(problems: readonly Problem[]): void {
    for (const found of problems) {
      if (found.code === 'no-hierarchy' && ruleSets[this.#request.rules].graph.hierarchyNeeded)
        throw new Refusal(found)
      this.#tools.tell(found)
    }
  }

  async #write(result: GraphResult): Promise<void> {
    const { format } = this.#request
    const kind = result.pair ? 'compare' : 'build'
    if (format === 'vis.db') {
      this.#database ??= this.#openDatabase(graphName(kind, '', format))
      await this.#database.writer.add(result, this.#tools.job)
      return
    }
    const output = this.#openOutput()
    try {
      await this.#writeVis(result, output, graphName(kind, result.unit.label, format))
      this.#written(output.commit())
    } finally {
      output.abandon()
    }
  }

  #openDatabase(name: string): Database {
    const output = this.#openOutput()
    return {
      output,
      writer: visDbWriter(this.#tools.files, this.#request, this.#plan.units, output.create(name)),
    }
  }

  async #writeVis({ pair, single, peers }: GraphResult, output: Output, name: string): Promise<void> {
    const { fullStacks, overflow, rules } = this.#request
    const { files, job } = this.#tools
    const options = { fullStacks, overflow, peers }
    if (pair) await writeVis(pair, options, files, output.create(name), job)
    else if (single) await writeSingleVis({ rules, ...single }, options, files, output.create(name), job)
  }

  #written(paths: readonly string[]): void {
    this.#paths.push(...paths)
    this.#tools.written(paths)
  }
}

function talks({ pair, single }: GraphResult): boolean {
  const graph = pair?.debug ?? single?.graph
  if (!graph) return false
  for (let node = 0; node < graph.length; node++)
    if (graph.names.communication(nodeName(graph, node)) !== null) return true
  return false
}

/**
 * What the peers of a rank show: the index of the debug side, or the overflow level where that was asked for.
 */
function rankGraph(
  { unit, pair, single }: GraphResult,
  side: 'debug' | 'bench',
  overflow: boolean,
): RankGraph {
  const graph = pair ? pair[side] : single?.graph
  const dump = pair ? (side === 'debug' ? pair.debugDump : pair.benchDump) : single?.dump
  if (!graph || !dump) throw new RangeError(`rank ${unit.rank} has no ${side} graph`)
  const levels = pair ? (pair.overflow?.[side] ?? null) : (single?.overflow ?? null)
  return {
    rank: unit.rank,
    graph,
    dump,
    shown(node) {
      if (overflow) return (levels && overflowNames[levels[node]]) || 'Nan'
      if (!pair || side === 'bench' || Number.isNaN(pair.index[node])) return 'Nan'
      return pair.indexInt[node] ? String(pair.index[node]) : pyFloat(pair.index[node])
    },
  }
}
