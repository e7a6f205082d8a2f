// Csv files of a training monitor into a trend database: looked through once for what there is, then read row by row.
import type { Sink } from '../io/index.ts'
import { problem, type Rules } from '../model/index.ts'
import { monitorAt, type MonitorFolder, type MonitorRow, readMonitorFile, valuesOf } from '../series/index.ts'
import { type TrendPorts, TrendStore } from './store.ts'
import { monitorTags } from '../series/index.ts'

const metrics: ReadonlySet<string> = new Set([
  'actv',
  'actv_grad',
  'exp_avg',
  'exp_avg_sq',
  'grad_unreduced',
  'grad_reduced',
  'param_origin',
  'param_updated',
  'other',
])

const supported = [
  'norm',
  'min',
  'max',
  'zeros',
  'nans',
  'mean',
  'entropy',
  'softmax_max',
  'sr',
  'kernel_norm',
  'std_x',
  'jacobian',
  'proxy',
  'token_similarity',
]

export interface MonitorRequest {
  readonly root: string
  /** Steps are counted in micro steps. */
  readonly micro: boolean
  /** msprobe imports folders of the first monitor only. */
  readonly rules: Rules
}

/** False where there is nothing of a monitor to import. */
export async function importMonitor(
  { root, micro, rules }: MonitorRequest,
  ports: TrendPorts,
  create: () => Sink,
): Promise<boolean> {
  const folders = latestOf(root, ports).filter(({ generation }) => generation === 1 || rules === 'plumbline')
  const found = await surveyed(folders, ports)
  if (found.stats.size === 0 || found.counts.size === 0) return false
  const steps = [...found.counts.keys()].sort((a, b) => a - b)
  const starts = startsOf(steps, found.counts)
  const named = [...found.stats.keys()]
  const stats = supported.filter(stat => [...found.stats.values()].some(of => of.has(stat)))
  const store = new TrendStore(stats, named, monitorTags)
  try {
    await eachRow(folders, ports, (row, { rank }) => {
      const values = new Map(valuesOf(row))
      const part = Math.max(0, row.micro ?? 0)
      store.add({
        rank,
        step: micro ? (starts.get(row.step) ?? 0) + part : row.step,
        name: row.name,
        vpp: Number(row.vpp ?? 0) || 0,
        micro: micro ? 0 : part,
        metric: row.metric,
        values: stats.map(stat => values.get(stat) ?? null),
      })
    })
    const [first, last] = [steps[0], steps[steps.length - 1]]
    const [minStep, maxStep] = micro
      ? [starts.get(first) ?? 0, (starts.get(last) ?? 0) + (found.counts.get(last) ?? 1) - 1]
      : [first, last]
    const of = new Map(named.map(name => [name, stats.filter(stat => found.stats.get(name)?.has(stat))]))
    const maxRank = folders.reduce((most, { rank }) => Math.max(most, rank), 0)
    store.finish({ maxRank, minStep, maxStep, metrics: of }, create())
    return true
  } catch (error) {
    store.abandon()
    throw error
  }
}

/** Of each rank its latest run. */
function latestOf(root: string, { files, tell }: TrendPorts): readonly MonitorFolder[] {
  const { runs } = monitorAt(files, root)
  if (runs.length > 1) tell(problem('trend-runs', root, { count: runs.length }, 'note'))
  const latest = new Map(runs.flat().map(folder => [folder.rank, folder] as const))
  return [...latest.values()].sort((a, b) => a.rank - b.rank)
}

async function eachRow(
  folders: readonly MonitorFolder[],
  ports: TrendPorts,
  take: (row: MonitorRow, folder: MonitorFolder) => void,
): Promise<void> {
  for (const [done, folder] of folders.entries()) {
    ports.job.report({ what: 'job.writing', done, total: folders.length, countedIn: 'items' })
    for (const file of folder.files) {
      if (folder.generation === 1 && !metrics.has(file.task)) continue
      await ports.job.breathe()
      await readMonitorFile(folder, file, ports, row => {
        if (metrics.has(row.metric)) take(row, folder)
      })
    }
  }
}

interface Survey {
  /** Statistics of each metric. */
  readonly stats: ReadonlyMap<string, ReadonlySet<string>>
  /** Micro steps of each step. */
  readonly counts: ReadonlyMap<number, number>
}

async function surveyed(folders: readonly MonitorFolder[], ports: TrendPorts): Promise<Survey> {
  const stats = new Map<string, Set<string>>()
  const counts = new Map<number, number>()
  // What is wrong with a file is told when it is read for its values.
  await eachRow(folders, { ...ports, tell: () => {} }, ({ metric, header, step, micro }) => {
    let of = stats.get(metric)
    if (!of) stats.set(metric, (of = new Set()))
    for (const title of header.titles) if (supported.includes(title)) of.add(title)
    counts.set(step, Math.max(counts.get(step) ?? 1, (micro ?? 0) + 1))
  })
  return { stats, counts }
}

/** Where each step begins when micro steps are counted. */
function startsOf(steps: readonly number[], counts: Survey['counts']): ReadonlyMap<number, number> {
  let at = 0
  return new Map(
    steps.map(step => {
      const start = at
      at += counts.get(step) ?? 1
      return [step, start] as const
    }),
  )
}
