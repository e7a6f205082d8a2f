// What values over steps and ranks come to once they are read: metrics of one run or of two, and what is suspect.
import type { SeriesPart } from '../../formats/index.ts'
import type { Files } from '../../io/index.ts'
import {
  problem,
  type Problem,
  Refusal,
  type Rules,
  type SeriesHolds,
  type SeriesInfo,
  type SeriesLimits,
  type SeriesMark,
  type SeriesMarks,
  type SeriesTag,
} from '../../model/index.ts'
import {
  type Alert,
  alertsOf,
  compareGradients,
  dumpTags,
  flushing,
  judgedOfLogs,
  jumpsIn,
  md5Stat,
  type MetricWriter,
  monitorAt,
  type MonitorFolder,
  monitorTags,
  partsIn,
  type PointSink,
  probeAt,
  type RankSimilarity,
  readLog,
  readMonitor,
  readSummaries,
  type SeriesMetric,
  SeriesStore,
  similarityAt,
  summaryAt,
  suspectsOf,
  type Tag,
  targetOf,
  usualRules,
} from '../../series/index.ts'
import type { Job } from '../../work/index.ts'
import type { SheetsData } from '../sheets/data.ts'
import { filesBelow, type Keeping, keepingOf, type Kept } from './kept.ts'

export interface NamedMetric {
  readonly name: string
  readonly run: number
  readonly values: SeriesMetric
  /** Beside values that were given, those of the opened dumps. */
  readonly ofDumps?: true
}

const holdsOf = (data: Pick<SeriesData, 'holds'>, metric: NamedMetric): SeriesHolds =>
  metric.ofDumps ? 'dumps' : data.holds

export interface SeriesData {
  readonly holds: SeriesHolds
  readonly metrics: readonly NamedMetric[]
  readonly pattern: string
  /** Of two gradient probes. */
  readonly similarities: readonly RankSimilarity[]
  /** Folders of a monitor's debug side, by run. */
  readonly runs: readonly (readonly MonitorFolder[])[]
  /** Hyper-parameters that both logs tell. */
  readonly settings: SheetsData | null
  /** Targets by tag, where files say so themselves; of others names do. */
  readonly tags: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>
  /** When the files were read, in ms, where that was in an earlier session; null: now. */
  readonly readAt: number | null
  close(): void
}

export interface SeriesPorts {
  readonly files: Files
  readonly job: Job
  tell(found: Problem): void
}

export interface SeriesAsked {
  readonly debug: string
  readonly bench: string | null
  readonly rules: Rules
  readonly pattern: string
}

type Read = Partial<Pick<SeriesData, 'similarities' | 'runs' | 'tags' | 'settings'>>

const similarity = 'similarity'
/** Over all parameters. */
const summary = 'summary'

/** Metrics while they are filled: by run and name, in the order in which they came. */
export class Filling {
  readonly #store: SeriesStore
  readonly #writers = new Map<
    string,
    { readonly name: string; readonly run: number; readonly to: MetricWriter }
  >()

  constructor(store: SeriesStore) {
    this.#store = store
  }

  metric(name: string, run = 0): MetricWriter {
    const key = `${run} ${name}`
    let known = this.#writers.get(key)
    if (!known) this.#writers.set(key, (known = { name, run, to: this.#store.metric() }))
    return known.to
  }

  flush = async (): Promise<void> => {
    for (const { to } of this.#writers.values()) await to.flush()
  }

  async finish(job: Job): Promise<readonly NamedMetric[]> {
    const metrics: NamedMetric[] = []
    for (const { name, run, to } of this.#writers.values()) {
      const values = await to.finish(job)
      if (values) metrics.push({ name, run, values })
    }
    return metrics
  }
}

/** What is read, and where it is kept between openings. */
export interface Filled {
  readonly holds: SeriesHolds
  readonly pattern: string
  /** What the files are known by; null where they are not kept. */
  readonly keeping: Keeping | null
}

/** What was kept of the same files; otherwise reads them into a store, which is closed again where that fails. */
export async function filled(
  what: Filled,
  ports: SeriesPorts,
  read: (into: Filling, ports: SeriesPorts) => Promise<Read>,
): Promise<SeriesData> {
  const { holds, pattern, keeping } = what
  const known = await keeping?.find()
  if (known) {
    for (const found of known.problems) ports.tell(found)
    return { ...known.data, holds, pattern }
  }
  const problems: Problem[] = []
  const tell = (found: Problem): void => {
    problems.push(found)
    ports.tell(found)
  }
  const store = await SeriesStore.open(keeping?.room)
  try {
    const into = new Filling(store)
    const found = await read(into, { ...ports, tell, job: flushing(ports.job, into.flush) })
    const metrics = await into.finish(ports.job)
    const data = {
      holds,
      pattern,
      metrics,
      ...nothingElse,
      ...found,
      readAt: null,
      close: () => store.close(),
    }
    return keeping ? await keeping.keep(data, store, problems) : data
  } catch (error) {
    store.close()
    throw error
  }
}

const nothingElse = {
  similarities: [],
  runs: [],
  settings: null,
  tags: new Map<string, ReadonlyMap<string, readonly string[]>>(),
}

const readers: Readonly<
  Record<SeriesPart, (asked: SeriesAsked, into: Filling, ports: SeriesPorts) => Promise<Read>>
> = { gradients: readGradients, monitor: readMonitors, trend: readTrends, log: readLogs }

export async function readSeries(
  part: SeriesPart,
  asked: SeriesAsked,
  ports: SeriesPorts,
  kept: Kept | null = null,
): Promise<SeriesData> {
  const { debug, bench, rules, pattern } = asked
  const roots = [debug, ...(bench === null ? [] : [bench])]
  // A log is read as fast as anything else, and its settings with it.
  const keeping =
    kept && part !== 'log'
      ? await keepingOf(kept, [part, rules], () => filesBelow(roots, ports), ports.job)
      : null
  return filled({ holds: part, pattern, keeping }, ports, (into, inner) => readers[part](asked, into, inner))
}

async function readGradients(asked: SeriesAsked, into: Filling, ports: SeriesPorts): Promise<Read> {
  const { debug, bench, rules } = asked
  if (bench === null) {
    const probe = probeAt(ports.files, debug)
    for (const found of probe.problems) ports.tell(found)
    await readSummaries(probe, into.metric('').side('debug'), ports)
    return {}
  }
  // The picture of signs comes first.
  const signs = into.metric(similarity)
  const numbers = into.metric('')
  const sinks = [numbers.side('debug'), numbers.side('bench')] as const
  const { ranks, problems } = await compareGradients([debug, bench], rules, sinks, ports)
  for (const found of problems) ports.tell(found)
  for (const rank of ranks) {
    addSimilarities(rank, signs.side('debug'))
    await ports.job.breathe()
  }
  // Ranks without sign files have nothing alike or unlike; their numbers speak.
  return { similarities: ranks.filter(({ size }) => size.some(elements => elements > 0)) }
}

function addSimilarities(of: RankSimilarity, into: PointSink): void {
  for (const [s, step] of of.steps.entries()) {
    const { equal, size } = summaryAt(of, s)
    if (size > 0) into.set(into.add(of.rank, step, summary), similarity, equal / size)
    for (const [p, name] of of.params.entries()) {
      const value = similarityAt(of, p, s)
      const row = into.add(of.rank, step, name)
      if (value !== null) into.set(row, similarity, value)
    }
  }
}

async function readMonitors({ debug, bench }: SeriesAsked, into: Filling, ports: SeriesPorts): Promise<Read> {
  const sides = [debug, ...(bench === null ? [] : [bench])].map(root => monitorAt(ports.files, root))
  for (const { root, runs, problems } of sides) {
    if (runs.length === 0) throw new Refusal(problem('monitor-none', root))
    for (const found of problems) ports.tell(found)
  }
  const [mine, theirs] = sides
  for (const [run, folders] of mine.runs.entries()) {
    const number = mine.runs.length > 1 ? run + 1 : 0
    const known = new Set<string>()
    await readMonitor(
      folders,
      name => {
        known.add(name)
        return into.metric(name, number).side('debug')
      },
      ports,
    )
    // What the other run alone has watched has nothing to stand beside.
    if (theirs?.runs[run])
      await readMonitor(
        theirs.runs[run],
        name => (known.has(name) ? into.metric(name, number).side('bench') : nowhere),
        ports,
      )
  }
  return { runs: mine.runs }
}

const nowhere: PointSink = { add: () => -1, set: () => {}, know: () => {} }

async function readTrends({ debug, bench }: SeriesAsked, into: Filling, ports: SeriesPorts): Promise<Read> {
  const sides = [[debug, 'debug'] as const, ...(bench === null ? [] : [[bench, 'bench'] as const])]
  // A library for databases comes with it.
  const { readTrend } = await import('../../trend/index.ts')
  let tags: Read['tags']
  for (const [path, side] of sides) {
    const contents = await readTrend(
      ports.files,
      path,
      ({ metric, rank, step, module, values }, stats) => {
        const sink = into.metric(metric).side(side)
        const row = sink.add(rank, step, module)
        for (const [i, value] of values.entries()) if (value !== null) sink.set(row, stats[i], value)
      },
      ports.job,
    )
    if (contents.rows === 0) throw new Refusal(problem('trend-empty', path))
    tags ??= contents.tags
  }
  return tags ? { tags } : {}
}

/** A log that nothing is found in leaves room for a pattern. */
async function readLogs(asked: SeriesAsked, into: Filling, ports: SeriesPorts): Promise<Read> {
  const { debug, bench, pattern } = asked
  const sides = [[debug, 'debug'] as const, ...(bench === null ? [] : [[bench, 'bench'] as const])]
  const metric = into.metric('')
  // Loaded with a log.
  const { LogSettingsReader, settingsSheets } = await import('../sheets/settings.ts')
  const settings = { debug: new LogSettingsReader(), bench: new LogSettingsReader() }
  for (const [path, side] of sides)
    try {
      const beside = (line: string): void => settings[side].take(line)
      await readLog(path, pattern, metric.side(side), { ...ports, beside })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      ports.tell({ ...error.problem, severity: 'warning' })
    }
  return { settings: settingsSheets(settings.debug, settings.bench) }
}

export const infoOf = ({ holds, metrics, pattern, settings, readAt }: SeriesData): SeriesInfo => ({
  holds,
  readAt,
  pattern,
  settings: settings !== null,
  metrics: metrics.map(({ name, run, values }) => ({
    name,
    run,
    // The number of an MD5 says nothing by itself.
    stats: values.debug.stats.filter(stat => stat !== md5Stat),
    both: values.bench !== null,
    ranks: values.ranks,
    steps: values.steps,
    targets: values.targets.size,
  })),
})

export const rowsOf = ({ metrics }: SeriesData): number =>
  metrics.reduce((all, { values }) => all + values.debug.rows + (values.bench?.rows ?? 0), 0)

/** What is in memory: names, and how far signs agree. */
export const bytesOf = ({ metrics, similarities }: SeriesData): number =>
  metrics.reduce(
    (all, { values }) => all + values.targets.heapBytes + (values.ranks.length + values.steps.length) * 8,
    0,
  ) + similarities.reduce((all, { equal }) => all + equal.byteLength * 3, 0)

// ---------------------------------------- tags

const mostTags = 1000

/** Tags of a metric's targets, those of most targets first. */
export function tagsOf(data: SeriesData, metric: number): readonly SeriesTag[] {
  const counts = new Map<string, SeriesTag>()
  for (const [name, targets] of tagged(data, metric)) {
    // What is on everything tells nothing apart.
    if (targets.size > 0) counts.set(name, { name, count: targets.size })
  }
  return [...counts.values()].sort((a, b) => b.count - a.count).slice(0, mostTags)
}

/** Numbers of the targets that have all of these tags and hold this text, in the order of the model. */
export function pickedTargets(
  data: SeriesData,
  metric: number,
  { tags, search }: { readonly tags: readonly string[]; readonly search: string },
): readonly number[] | null {
  const found = data.metrics[metric]
  if (!found || (tags.length === 0 && search === '')) return null
  const sets = tagged(data, metric)
  const wanted = search.toLowerCase()
  const { targets } = found.values
  return Array.from({ length: targets.size }, (_, i) => i).filter(
    i =>
      tags.every(tag => sets.get(tag)?.has(i)) &&
      (wanted === '' || targets.get(i).toLowerCase().includes(wanted)),
  )
}

const tagKinds: Readonly<Partial<Record<SeriesHolds, (name: string) => readonly Tag[]>>> = {
  gradients: monitorTags,
  monitor: monitorTags,
  dumps: dumpTags,
}

const kept = new WeakMap<SeriesMetric, ReadonlyMap<string, ReadonlySet<number>>>()

function tagged(data: SeriesData, metric: number): ReadonlyMap<string, ReadonlySet<number>> {
  const found = data.metrics[metric]
  if (!found) return new Map()
  const known = kept.get(found.values)
  if (known) return known
  const made = taggedAnew(data, found)
  kept.set(found.values, made)
  return made
}

function taggedAnew(data: SeriesData, metric: NamedMetric): ReadonlyMap<string, ReadonlySet<number>> {
  const { name, values } = metric
  const { targets } = values
  const made = new Map<string, Set<number>>()
  const put = (tag: string, target: number): void => {
    const set = made.get(tag) ?? new Set()
    made.set(tag, set.add(target))
  }
  const own = data.tags.get(name)
  if (own) {
    for (const [tag, modules] of own)
      for (const module of modules) {
        const target = targets.find(module)
        if (target >= 0) put(tag, target)
      }
    return made
  }
  const tagsIn = tagKinds[holdsOf(data, metric)]
  if (!tagsIn) return made
  for (let target = 0; target < targets.size; target++)
    for (const [tag] of tagsIn(targets.get(target))) put(tag, target)
  return made
}

// ---------------------------------------- what is suspect

const mostMarks = 500

export async function marksOf(
  data: SeriesData,
  limits: SeriesLimits,
  ports: SeriesPorts,
): Promise<SeriesMarks> {
  if (data.holds === 'gradients' && data.similarities.length > 0) return first(suspectMarks(data, limits))
  if (data.holds === 'monitor') return first(await alertMarks(data, limits, ports))
  return storedMarks(data, limits, ports)
}

const first = (marks: readonly SeriesMark[]): SeriesMarks => ({
  marks: marks.slice(0, mostMarks),
  count: marks.length,
})

function suspectMarks({ similarities, metrics }: SeriesData, limits: SeriesLimits): readonly SeriesMark[] {
  const metric = metrics.findIndex(({ name }) => name === similarity)
  return similarities
    .flatMap(of => suspectsOf(of, limits))
    .sort((a, b) => a.step - b.step || b.param - a.param || a.rank - b.rank)
    .map(({ rank, step, name, why, similarity: value, before }) => ({
      metric,
      stat: similarity,
      rank,
      step,
      target: name,
      why,
      value,
      before,
    }))
}

async function alertMarks(
  { runs, metrics }: SeriesData,
  { threshold }: SeriesLimits,
  ports: SeriesPorts,
): Promise<readonly SeriesMark[]> {
  const rules = usualRules('plumbline').map(rule =>
    rule.name === 'AnomalyTurbulence' ? { ...rule, threshold } : rule,
  )
  const found: SeriesMark[] = []
  for (const [run, folders] of runs.entries())
    for (const folder of folders)
      for (const alert of await alertsOf(folder, 'plumbline', rules, ports)) {
        const metric = metrics.findIndex(
          one => one.name === alert.metric && (one.run === 0 || one.run === run + 1),
        )
        found.push({ ...markOf(alert), metric })
      }
  return found.sort((a, b) => a.step - b.step)
}

const markOf = (alert: Alert): Omit<SeriesMark, 'metric'> => ({
  stat: alert.op,
  rank: alert.rank,
  step: alert.step,
  target: targetOf(alert),
  why: alert.rule === 'AnomalyNan' ? 'nan' : 'jump',
  value: alert.value,
  before: null,
})

/** Of two runs where they part, of one what jumps or is no number; the earliest are kept, all are counted. */
async function storedMarks(
  data: SeriesData,
  limits: SeriesLimits,
  { job }: SeriesPorts,
): Promise<SeriesMarks> {
  let marks: SeriesMark[] = []
  let count = 0
  const trim = (): void => void (marks = marks.sort((a, b) => a.step - b.step).slice(0, mostMarks))
  for (const [metric, named] of data.metrics.entries()) {
    const { values } = named
    const holds = holdsOf(data, named)
    const only = holds === 'log' ? judgedOfLogs : null
    const found = values.bench ? partsIn(values, limits, only, job) : jumpsIn(values, limits, job)
    for await (const mark of found) {
      if (only && !only.includes(mark.target)) continue
      // From one step to the next of a model anything may jump; what is no number never should be there.
      if (holds === 'dumps' && mark.why === 'jump') continue
      count++
      marks.push({ ...mark, metric })
      if (marks.length > 2 * mostMarks) trim()
    }
  }
  trim()
  return { marks, count }
}
