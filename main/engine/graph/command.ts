// The graph command: `plumbline [-f framework] graph -i compare.json -o out [-lm yaml] [-f] [-cs] [-oc] [--rules …]` and `plumbline graph <debug> [<bench>]`.
// Takes paths and switches, writes build_… or compare_….vis per rank (one .vis.db for the newest rules), tells what it wrote and what was wrong.
import type { Dump } from '../dump.ts'
import { dumpFilesOf, readDump } from '../formats/msprobe.ts'
import type { Files } from '../io/files.ts'
import type { Output, Sink } from '../io/output.ts'
import { dirOf, isAbsolute, join } from '../io/paths.ts'
import type { Job } from '../job.ts'
import type { Rules } from '../model.ts'
import { problem, Refusal, type Problem } from '../problem.ts'
import { batchOf, type GraphBatch, type GraphUnit } from './batch.ts'
import { buildGraph } from './build.ts'
import { compareGraphs, type GraphOptions, type MeasureTensors } from './compare.ts'
import { nodeName, type Graph } from './graph.ts'
import { overflowLevels } from './overflow.ts'
import { overflowNames, type GraphPair } from './pair.ts'
import { findPeers, type NodePeers, type RankGraph } from './peers.ts'
import { pyFloat } from '../formats/python.ts'

export interface GraphRequest {
  readonly debug: string
  /** '' for a single graph. */
  readonly bench: string
  readonly output: string
  readonly rules: Rules
  readonly fuzzy: boolean
  /** Keep all stack lines (`-cs`). */
  readonly fullStacks: boolean
  /** Overflow levels (`-oc`). */
  readonly overflow: boolean
  /** Text of the layer mapping; null when none was given. */
  readonly layerMapping: string | null
  /** 'vis' unless asked otherwise; the newest rules write 'vis.db'. */
  readonly format: 'vis' | 'vis.db'
}

/** One finished rank: a pair or a single graph, with its peers. */
export interface GraphResult {
  readonly unit: GraphUnit
  readonly pair: GraphPair | null
  readonly single: { readonly graph: Graph; readonly dump: Dump; readonly overflow: Uint8Array | null } | null
  readonly peers: { readonly debug: ReadonlyMap<number, NodePeers>; readonly bench: ReadonlyMap<number, NodePeers> }
}

/** Writers of files, which lie further down the house (report/). */
export interface GraphWriters {
  vis(result: GraphResult, request: GraphRequest, sink: Sink, job: Job): Promise<void>
  /** A database that takes rank after rank; `finish` gives its bytes to the sink. */
  database(request: GraphRequest, batch: GraphBatch, sink: Sink): { add(result: GraphResult, job: Job): Promise<void>; finish(): void; abandon(): void }
}

export interface GraphDeps {
  readonly files: Files
  readonly measure: MeasureTensors
  readonly writers: GraphWriters
  openOutput(folder: string, dumps: readonly string[]): Output
  /** `YYYYMMDDHHMMSS`, the same for all files of a run. */
  readonly stamp: string
  /** Told of each file and each problem as it comes. */
  told?(news: { readonly written?: string; readonly unit?: string; readonly problem?: Problem }): void
}

export interface GraphReport {
  readonly paths: readonly string[]
  readonly units: number
  /** Ranks that could not be done; the others were. */
  readonly failed: number
  readonly problems: readonly Problem[]
}

/** Paths of a compare.json as this command reads it: folders; without bench_path a single graph. */
export function readGraphInput(files: Files, file: string): { readonly debug: string; readonly bench: string } {
  files.allow(dirOf(file))
  let json: unknown
  try {
    json = JSON.parse(new TextDecoder().decode(files.readAll(file, 1 << 20)))
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new Refusal(problem('compare-json-invalid', file, { reason: error instanceof Error ? error.message : '' }))
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw new Refusal(problem('compare-json-invalid', file, { reason: 'no object' }))
  const fields: Readonly<Record<string, unknown>> = { ...json }
  const side = (key: string, needed: boolean): string => {
    const value = fields[key]
    if (value === undefined || value === null || value === '') {
      if (needed) throw new Refusal(problem('compare-json-missing-key', file, { key }))
      return ''
    }
    if (typeof value !== 'string') throw new Refusal(problem('compare-json-invalid', file, { reason: key }))
    return isAbsolute(value) ? value : join(dirOf(file), value)
  }
  const log = fields['is_print_compare_log']
  if (log !== undefined && typeof log !== 'boolean') throw new Refusal(problem('compare-json-not-boolean', file, { key: 'is_print_compare_log' }))
  return { debug: side('npu_path', true), bench: side('bench_path', false) }
}

export async function graphCommand(request: GraphRequest, job: Job, deps: GraphDeps): Promise<GraphReport> {
  const batch = batchOf(deps.files, request.debug, request.bench, request.rules)
  const run = new Run(request, batch, job, deps)
  batch.problems.forEach(found => run.tell(found))
  for (const step of new Set(batch.units.map(unit => unit.step))) await run.step(batch.units.filter(unit => unit.step === step))
  return run.finish()
}

class Run {
  readonly #request: GraphRequest
  readonly #batch: GraphBatch
  readonly #job: Job
  readonly #deps: GraphDeps
  readonly #problems: Problem[] = []
  readonly #paths: string[] = []
  #failed = 0
  #database: { readonly output: Output; readonly writer: ReturnType<GraphWriters['database']> } | null = null

  constructor(request: GraphRequest, batch: GraphBatch, job: Job, deps: GraphDeps) {
    this.#request = request
    this.#batch = batch
    this.#job = job
    this.#deps = deps
  }

  tell(found: Problem): void {
    this.#problems.push(found)
    this.#deps.told?.({ problem: found })
  }

  /** All ranks of a step; those that talk to others wait until all of them are known. */
  async step(units: readonly GraphUnit[]): Promise<void> {
    const waiting: GraphResult[] = []
    for (const unit of units) {
      await this.#attempt(unit, async () => {
        const result = await this.#compare(unit)
        if (units.length > 1 && talks(result)) waiting.push(result)
        else await this.#write(result)
      })
    }
    if (waiting.length === 0) return
    const { files } = this.#deps
    const { rules, overflow } = this.#request
    const debug = findPeers(waiting.map(result => rankGraph(result, 'debug', overflow)), rules, files)
    const bench = waiting.every(result => result.pair) ? findPeers(waiting.map(result => rankGraph(result, 'bench', overflow)), rules, files) : []
    for (const [i, result] of waiting.entries()) {
      await this.#attempt(result.unit, () => this.#write({ ...result, peers: { debug: debug[i], bench: bench[i] ?? new Map() } }))
    }
  }

  finish(): GraphReport {
    if (this.#database) {
      this.#database.writer.finish()
      this.#written(this.#database.output.commit())
    }
    return { paths: this.#paths, units: this.#batch.units.length, failed: this.#failed, problems: this.#problems }
  }

  /** One failing rank does not stop the others, unless there is only one. */
  async #attempt(unit: GraphUnit, act: () => Promise<void>): Promise<void> {
    try {
      await act()
    } catch (error) {
      if (!(error instanceof Refusal) || this.#batch.units.length === 1) {
        this.#database?.writer.abandon()
        this.#database?.output.abandon()
        throw error
      }
      this.#failed++
      this.tell(error.problem)
      this.tell(problem('rank-failed', unit.debug, { name: unit.label }))
    }
  }

  async #compare(unit: GraphUnit): Promise<GraphResult> {
    const { rules, fuzzy, layerMapping, overflow } = this.#request
    const { measure } = this.#deps
    const peers = { debug: new Map(), bench: new Map() }
    const dump = await this.#read(unit.debug)
    if (unit.bench === '') {
      const graph = await buildGraph(dump, rules, this.#job)
      this.#note(graph.problems)
      return { unit, pair: null, single: { graph, dump, overflow: overflow ? overflowLevels(graph, dump, rules) : null }, peers }
    }
    const options: GraphOptions = { rules, fuzzy, layerMapping, overflow }
    const pair = await compareGraphs(dump, await this.#read(unit.bench), options, this.#job, measure)
    this.#note(pair.problems)
    return { unit, pair, single: null, peers }
  }

  async #read(dir: string): Promise<Dump> {
    const { files } = this.#deps
    const where = dumpFilesOf(files, dir)
    const missing = (['dump', 'construct', 'stack'] as const).find(file => where[file] === '')
    if (missing && (missing !== 'stack' || this.#request.rules !== 'plumbline')) throw new Refusal(problem('not-found', join(dir, `${missing}.json`)))
    const dump = await readDump(files, where, this.#job)
    const broken = dump.ops.length === 0 ? dump.problems.find(found => found.severity === 'error') : undefined
    if (broken) throw new Refusal(broken)
    this.#note(dump.problems)
    if (missing) this.tell(problem('stacks-missing', dir, {}, 'note'))
    return dump
  }

  #note(problems: readonly Problem[]): void {
    for (const found of problems) {
      if (found.code === 'no-hierarchy' && this.#request.rules === 'msprobe-26') throw new Refusal(found)
      this.tell(found)
    }
  }

  async #write(result: GraphResult): Promise<void> {
    const { debug, bench, output: folder, format } = this.#request
    const { openOutput, writers, stamp } = this.#deps
    const kind = result.pair ? 'compare' : 'build'
    if (format === 'vis.db') {
      if (!this.#database) {
        const output = openOutput(folder, [debug, bench].filter(Boolean))
        this.#database = { output, writer: writers.database(this.#request, this.#batch, output.create(`${kind}_${stamp}.vis.db`)) }
      }
      await this.#database.writer.add(result, this.#job)
      this.#deps.told?.({ unit: result.unit.label })
      return
    }
    const output = openOutput(folder, [debug, bench].filter(Boolean))
    try {
      await writers.vis(result, this.#request, output.create([kind, result.unit.label, stamp].filter(Boolean).join('_') + '.vis'), this.#job)
      this.#written(output.commit())
    } catch (error) {
      output.abandon()
      throw error
    }
  }

  #written(paths: readonly string[]): void {
    for (const path of paths) {
      this.#paths.push(path)
      this.#deps.told?.({ written: path })
    }
  }
}

function talks({ pair, single }: GraphResult): boolean {
  const graph = pair?.debug ?? single?.graph
  if (!graph) return false
  for (let node = 0; node < graph.length; node++) if (nodeName(graph, node).startsWith('Distributed.')) return true
  return false
}

/** What the peers of a rank show: the index of the debug side, or the overflow level where that was asked for. */
function rankGraph({ unit, pair, single }: GraphResult, side: 'debug' | 'bench', overflow: boolean): RankGraph {
  const graph = pair ? pair[side] : single?.graph
  const dump = pair ? (side === 'debug' ? pair.debugDump : pair.benchDump) : single?.dump
  if (!graph || !dump) throw new RangeError(`rank ${unit.rank} has no ${side} graph`)
  const levels = pair ? pair.overflow?.[side] ?? null : single?.overflow ?? null
  return {
    rank: unit.rank, graph, dump,
    shown(node) {
      if (overflow) return (levels && overflowNames[levels[node]]) || 'Nan'
      if (!pair || side === 'bench' || Number.isNaN(pair.index[node])) return 'Nan'
      return pair.indexInt[node] ? String(pair.index[node]) : pyFloat(pair.index[node])
    },
  }
}
