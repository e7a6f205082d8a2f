// What values over steps and ranks come to once they are read: metrics of one run or of two, and what is suspect.
import type { SeriesPart } from '../../formats/index.ts'
import type { Files } from '../../io/index.ts'
import {
  problem,
  type Problem,
  Refusal,
  type Rules,
  type SeriesInfo,
  type SeriesLimits,
  type SeriesMark,
  type SeriesMarks,
  TextPool,
} from '../../model/index.ts'
import {
  type Alert,
  alertsOf,
  compareGradients,
  md5Stat,
  monitorAt,
  type MonitorFolder,
  Points,
  probeAt,
  ranksOf,
  type RankSimilarity,
  readMonitor,
  readSummaries,
  type SeriesSides,
  similarityAt,
  stepsOf,
  summaryAt,
  suspectsOf,
  targetOf,
  targetsOf,
  usualRules,
} from '../../series/index.ts'
import type { Job } from '../../work/index.ts'

interface Metric extends SeriesSides {
  readonly name: string
  readonly run: number
}

export interface SeriesData {
  readonly holds: SeriesPart
  readonly metrics: readonly Metric[]
  /** Of two gradient probes. */
  readonly similarities: readonly RankSimilarity[]
  /** Folders of a monitor's debug side, by run. */
  readonly runs: readonly (readonly MonitorFolder[])[]
}

interface Ports {
  readonly files: Files
  readonly job: Job
  tell(found: Problem): void
}

const similarity = 'similarity'
/** Over all parameters. */
const summary = 'summary'

export async function readGradients(
  debug: string,
  bench: string | null,
  rules: Rules,
  ports: Ports,
): Promise<SeriesData> {
  const none = { holds: 'gradients', runs: [] } as const
  if (bench === null) {
    const probe = probeAt(ports.files, debug)
    for (const found of probe.problems) ports.tell(found)
    const points = await readSummaries(probe, new TextPool(), ports)
    return { ...none, metrics: [{ name: '', run: 0, debug: points, bench: null }], similarities: [] }
  }
  const { ranks, sides, problems } = await compareGradients([debug, bench], rules, ports)
  for (const found of problems) ports.tell(found)
  const agreeing = { name: similarity, run: 0, debug: similarityPoints(ranks), bench: null }
  const numbers = { name: '', run: 0, debug: sides[0], bench: sides[1] }
  const signed = ranks.some(({ steps }) => steps.length > 0)
  return { ...none, metrics: signed ? [agreeing, numbers] : [numbers], similarities: ranks }
}

function similarityPoints(ranks: readonly RankSimilarity[]): Points {
  const points = new Points()
  for (const of of ranks)
    for (const [s, step] of of.steps.entries()) {
      const { equal, size } = summaryAt(of, s)
      if (size > 0) points.set(points.add(of.rank, step, summary), similarity, equal / size)
      for (const [p, name] of of.params.entries()) {
        const value = similarityAt(of, p, s)
        const row = points.add(of.rank, step, name)
        if (value !== null) points.set(row, similarity, value)
      }
    }
  return points
}

export async function readMonitors(debug: string, bench: string | null, ports: Ports): Promise<SeriesData> {
  const sides = [debug, ...(bench === null ? [] : [bench])].map(root => monitorAt(ports.files, root))
  for (const { root, runs, problems } of sides) {
    if (runs.length === 0) throw new Refusal(problem('monitor-none', root))
    for (const found of problems) ports.tell(found)
  }
  const [mine, theirs] = sides
  const metrics: Metric[] = []
  for (const [run, folders] of mine.runs.entries()) {
    const own = await readMonitor(folders, ports)
    const others = theirs?.runs[run] ? await readMonitor(theirs.runs[run], ports) : null
    for (const [name, points] of own)
      metrics.push({
        name,
        run: mine.runs.length > 1 ? run + 1 : 0,
        debug: points,
        bench: others?.get(name) ?? null,
      })
  }
  return { holds: 'monitor', metrics, similarities: [], runs: mine.runs }
}

export const infoOf = ({ holds, metrics }: SeriesData): SeriesInfo => ({
  holds,
  metrics: metrics.map(metric => ({
    name: metric.name,
    run: metric.run,
    // The number of an MD5 says nothing by itself.
    stats: metric.debug.stats.map(({ name }) => name).filter(name => name !== md5Stat),
    both: metric.bench !== null,
    ranks: ranksOf(metric),
    steps: stepsOf(metric),
    targets: targetsOf(metric).length,
  })),
})

export const rowsOf = ({ metrics }: SeriesData): number =>
  metrics.reduce((all, { debug, bench }) => all + debug.length + (bench?.length ?? 0), 0)

export const bytesOf = ({ metrics }: SeriesData): number =>
  metrics.reduce((all, { debug, bench }) => all + debug.bytes + (bench?.bytes ?? 0), 0)

// ---------------------------------------- what is suspect

const mostMarks = 500

export async function marksOf(data: SeriesData, limits: SeriesLimits, ports: Ports): Promise<SeriesMarks> {
  const marks =
    data.holds === 'gradients' ? suspectMarks(data, limits) : await alertMarks(data, limits, ports)
  return { marks: marks.slice(0, mostMarks), count: marks.length }
}

function suspectMarks({ similarities }: SeriesData, limits: SeriesLimits): readonly SeriesMark[] {
  return similarities
    .flatMap(of => suspectsOf(of, limits))
    .sort((a, b) => a.step - b.step || b.param - a.param || a.rank - b.rank)
    .map(({ rank, step, name, why, similarity: value, before }) => ({
      metric: 0,
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
  ports: Ports,
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
