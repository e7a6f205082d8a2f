// What stands out in values that are on disk: NaN, jumps above the history, and where two runs part. Rows are gone
// through once, in the order of targets, ranks and steps.
import type { Piece } from '../io/index.ts'
import type { SeriesLimits, SeriesMark } from '../model/index.ts'
import type { Job } from '../work/index.ts'
import { apartness, partingOf } from './parting.ts'
import { block } from './blocks.ts'
import { columnOf } from './filling.ts'
import type { SeriesMetric } from './store.ts'

type Mark = Omit<SeriesMark, 'metric'>

/** What is judged; of others the size says little. */
const judgedStats = ['norm', 'mean', 'value', 'Norm', 'Mean'] as const
/** A history of fewer values is none. */
const leastHistory = 3
const decay = 0.99

const judgedOf = (stats: readonly string[]): readonly string[] => {
  const found = stats.filter(stat => judgedStats.some(one => one === stat))
  return found.length > 0 ? found : stats.slice(0, 1)
}

/** Values of one target and rank over the steps. */
interface Run {
  readonly rank: number
  readonly target: number
  readonly steps: readonly number[]
  /** Of each statistic that was asked for, of the first side and then of the second. */
  readonly values: readonly (readonly (number | null)[])[]
}

/** Values that are sorted in memory at once. */
const sortedMost = 4 << 20

/** Runs with these columns, as far as any row has what is asked for. */
async function* runsIn(
  metric: SeriesMetric,
  columns: readonly string[],
  where: string,
  job: Job,
): AsyncGenerator<Run> {
  for (const part of partsOf(metric)) {
    const rows = metric.store.stream(
      `SELECT t, r, s, ${columns.join(', ')} FROM ${metric.table}
       WHERE ${part} AND (${where}) ORDER BY t, r, s`,
    )
    yield* runsOf(metric, rows, job)
  }
}

/** Ranks and targets, so that what they have can be sorted in memory: blocks of them lie together on disk. */
function partsOf({ tiles, ranks, steps, targets }: SeriesMetric): readonly string[] {
  if (!tiles) return ['true']
  const parts: string[] = []
  const wide = block.target * Math.max(1, Math.floor(sortedMost / (steps.length * block.rank * block.target)))
  for (let t = 0; t < targets.size; t += wide)
    for (let r = 0; r < ranks.length; r += block.rank)
      parts.push(`t >= ${t} AND t < ${t + wide} AND r >= ${r} AND r < ${r + block.rank}`)
  return parts
}

async function* runsOf(
  { ranks, steps }: SeriesMetric,
  pieces: AsyncIterable<Piece>,
  job: Job,
): AsyncGenerator<Run> {
  let run: { rank: number; target: number; steps: number[]; values: (number | null)[][] } | null = null
  let last = { target: -1, rank: -1 }
  for await (const { length, columns } of pieces) {
    await job.breathe()
    const [target, rank, step, ...values] = columns
    for (let i = 0; i < length; i++) {
      const at = { target: target.values[i], rank: rank.values[i] }
      if (run && (last.target !== at.target || last.rank !== at.rank)) {
        yield run
        run = null
      }
      last = at
      run ??= { target: at.target, rank: ranks[at.rank], steps: [], values: values.map(() => []) }
      run.steps.push(steps[step.values[i]])
      for (const [k, column] of values.entries())
        run.values[k].push(column.has?.[i] === 0 ? null : column.values[i])
    }
  }
  if (run) yield run
}

/** NaN of any statistic, and jumps of those that are judged. */
export async function* jumpsIn(
  metric: SeriesMetric,
  { threshold }: Pick<SeriesLimits, 'threshold'>,
  job: Job,
): AsyncGenerator<Mark> {
  const { debug, targets } = metric
  if (debug.rows === 0 || debug.stats.length === 0) return
  const judged = judgedOf(debug.stats)
  const columns = debug.stats.map((_, i) => columnOf('debug', i))
  const some = columns.map(column => `${column} IS NOT NULL`).join(' OR ')
  for await (const run of runsIn(metric, columns, some, job))
    for (const [k, stat] of debug.stats.entries()) {
      const at = { rank: run.rank, target: targets.get(run.target), stat }
      const jumps = judged.includes(stat)
      let [history, seen] = [0, 0]
      for (const [i, value] of run.values[k].entries()) {
        if (value === null) continue
        const step = run.steps[i]
        if (!Number.isFinite(value)) {
          yield { ...at, step, why: 'nan', value, before: null }
          continue
        }
        if (jumps && seen >= leastHistory && Math.abs(value) > history * (1 + threshold))
          yield { ...at, step, why: 'jump', value, before: history }
        history = seen === 0 ? Math.abs(value) : decay * history + (1 - decay) * Math.abs(value)
        seen++
      }
    }
}

/** The first step of each target and rank at which the two runs part; of a log these targets only. */
export async function* partsIn(
  metric: SeriesMetric,
  limits: Pick<SeriesLimits, 'floor' | 'factor'>,
  only: readonly string[] | null,
  job: Job,
): AsyncGenerator<Mark> {
  const { debug, bench, targets } = metric
  const judged = judgedOf(debug.stats).filter(stat => bench?.stats.includes(stat))
  if (!bench || debug.rows === 0 || judged.length === 0) return
  const columns = judged.flatMap(stat => [
    columnOf('debug', debug.stats.indexOf(stat)),
    columnOf('bench', bench.stats.indexOf(stat)),
  ])
  const both = judged.map((_, k) => `(${columns[2 * k]} IS NOT NULL AND ${columns[2 * k + 1]} IS NOT NULL)`)
  for await (const run of runsIn(metric, columns, both.join(' OR '), job)) {
    const target = targets.get(run.target)
    if (only && !only.includes(target)) continue
    for (const [k, stat] of judged.entries()) {
      const [mine, theirs] = [run.values[2 * k], run.values[2 * k + 1]]
      const known = [...run.steps.keys()].filter(i => mine[i] !== null && theirs[i] !== null)
      const parting = partingOf(
        known.map(i => apartness(mine[i] ?? NaN, theirs[i] ?? NaN)),
        limits,
      )
      if (!parting) continue
      const step = run.steps[known[parting.at]]
      yield { rank: run.rank, target, stat, step, why: 'parts', value: parting.apart, before: parting.before }
    }
  }
}
