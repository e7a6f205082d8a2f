// Graphs of all ranks: build_… or compare_….vis of each, or one .vis.db of all.
import {
  findPeers,
  type GraphRequest,
  type GraphResult,
  nodeName,
  overflowNames,
  type RankGraph,
} from '../../../graph/index.ts'
import { openOutput, type Output } from '../../../io/index.ts'
import { graphShardOf, type GraphUnit, type Shard } from '../../../layout/index.ts'
import { type Problem, problem, type Rules } from '../../../model/index.ts'
import { pyFloat } from '../../../python/index.ts'
import { visDbWriter, writeSingleVis, writeVis } from '../../../report/index.ts'
import { graphName } from '../../../study/index.ts'
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

export type GraphTools = Pick<Tools, 'adviser' | 'files' | 'job' | 'measure' | 'pool' | 'tell' | 'written'>

/** Where graphs come from. */
export interface GraphWork {
  readonly units: readonly GraphUnit[]
  readonly problems: readonly Problem[]
  /** The graph of one of the units, or the pair that it makes. */
  graphsOf(unit: GraphUnit): Promise<GraphResult>
  close(): void
}

export interface GraphRun {
  /** The user named the output folder. */
  readonly chosen: boolean
  readonly shard: Shard | null
}

export async function writeGraphs(
  request: GraphRequest,
  work: GraphWork,
  { chosen, shard }: GraphRun,
  tools: GraphTools,
): Promise<GraphReport> {
  const units = shard ? graphShardOf(work.units, shard) : work.units
  const dumps = [request.debug, request.bench].filter(Boolean)
  const run = new Run(request, { ...work, units }, tools, () => openOutput(request.output, dumps, chosen))
  for (const found of work.problems) tools.tell(found)
  if (units.length === 0)
    tools.tell(problem('share-empty', request.debug, { units: work.units.length }, 'note'))
  try {
    for (const step of new Set(units.map(unit => unit.step)))
      await run.step(units.filter(unit => unit.step === step))
    return run.finish()
  } finally {
    run.abandon()
    work.close()
  }
}

type Database = { readonly output: Output; readonly writer: ReturnType<typeof visDbWriter> }

class Run {
  readonly #request: GraphRequest
  readonly #work: GraphWork
  readonly #tools: GraphTools
  readonly #openOutput: () => Output
  readonly #paths: string[] = []
  readonly #tries: Tries
  /** By what units of one step and rank differ in. */
  readonly #databases = new Map<string, Database>()

  constructor(request: GraphRequest, work: GraphWork, tools: GraphTools, output: () => Output) {
    this.#request = request
    this.#work = work
    this.#tools = tools
    this.#openOutput = output
    this.#tries = new Tries(tools, work.units.length === 1)
  }

  /** All ranks of a step; those that talk to others wait until all of them are known. */
  async step(units: readonly GraphUnit[]): Promise<void> {
    const waiting: GraphResult[] = []
    for (const unit of units)
      await this.#tries.of(unit.debug, async () => {
        const result = await this.#work.graphsOf(unit)
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
    for (const { writer, output } of this.#databases.values()) {
      writer.finish()
      this.#written(output.commit())
    }
    return {
      rules: this.#request.rules,
      files: this.#paths,
      units: this.#work.units.length,
      failed: this.#tries.failures.length,
      outcome: this.#tries.outcome,
    }
  }

  abandon(): void {
    for (const { writer, output } of this.#databases.values()) {
      writer.abandon()
      output.abandon()
    }
  }

  #peersOf(results: readonly GraphResult[], side: 'debug' | 'bench'): ReturnType<typeof findPeers> {
    const { rules, overflow } = this.#request
    return findPeers(
      results.map(result => rankGraph(result, side, overflow)),
      rules,
      this.#tools.files,
    )
  }

  async #write(result: GraphResult): Promise<void> {
    const { format } = this.#request
    const kind = result.pair ? 'compare' : 'build'
    if (format === 'vis.db') {
      const { group = '' } = result.unit
      const database = this.#databases.get(group) ?? this.#openDatabase(kind, group)
      this.#databases.set(group, database)
      await database.writer.add(result, this.#tools.job)
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

  #openDatabase(kind: 'build' | 'compare', group: string): Database {
    const output = this.#openOutput()
    const units = this.#work.units.filter(unit => (unit.group ?? '') === group)
    try {
      const sink = output.create(graphName(kind, group, 'vis.db'))
      return { output, writer: visDbWriter(this.#tools.files, this.#request, units, sink) }
    } catch (error) {
      output.abandon()
      throw error
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
