// What stands out in values that are on disk: NaN, jumps above the history, and where two runs part. Rows are gone
// through once, in the order of targets, ranks and steps.
import type { Answer } from '../io/index.ts'
import type { SeriesLimits, SeriesMark } from '../model/index.ts'
import type { Job } from '../work/index.ts'
import { apartness, partingOf } from './parting.ts'
import { columnOf, type SeriesMetric } from './store.ts'

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

async function* runsIn(answers: AsyncIterable<Answer>, job: Job): AsyncGenerator<Run> {
  let run: { rank: number; target: number; steps: number[]; values: (number | null)[][] } | null = null
  for await (const { length, columns } of answers) {
    await job.breathe()
    const [target, rank, step, ...values] = columns
    for (let i = 0; i < length; i++) {
      const [of, at] = [Number(target[i]), Number(rank[i])]
      if (run && (run.target !== of || run.rank !== at)) {
        yield run
        run = null
      }
      run ??= { target: of, rank: at, steps: [], values: values.map(() => []) }
      run.steps.push(Number(step[i]))
      for (const [k, column] of values.entries()) run.values[k].push(column[i])
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
  const { debug, store, targets } = metric
  if (debug.rows === 0 || debug.stats.length === 0) return
  const judged = judgedOf(debug.stats)
  const columns = debug.stats.map((_, i) => columnOf(i)).join(', ')
  const answers = store.stream(
    `SELECT target, rank, step, ${columns} FROM ${debug.name} ORDER BY target, rank, step`,
  )
  for await (const run of runsIn(answers, job))
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
  const { debug, bench, store, targets } = metric
  const judged = judgedOf(debug.stats).filter(stat => bench?.stats.includes(stat))
  if (!bench || debug.rows === 0 || judged.length === 0) return
  const columns = judged.map(
    stat => `a.${columnOf(debug.stats.indexOf(stat))}, b.${columnOf(bench.stats.indexOf(stat))}`,
  )
  const answers = store.stream(
    `SELECT a.target, a.rank, a.step, ${columns.join(', ')} FROM ${debug.name} a
     JOIN ${bench.name} b ON a.rank = b.rank AND a.step = b.step AND a.target = b.target
     ORDER BY a.target, a.rank, a.step`,
  )
  for await (const run of runsIn(answers, job)) {
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
