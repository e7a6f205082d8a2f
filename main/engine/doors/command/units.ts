// Units of a run one after the other: what one has come to is there when it is done, whatever becomes of the others.
import type { Output, Sink } from '../../io/index.ts'
import type { Job } from '../../work/index.ts'
import { problem, type Problem, Refusal } from '../../model/index.ts'
import type { Tools } from './tools.ts'
import type { Outcome } from './verb.ts'

export interface UnitsDone<R> {
  readonly results: readonly R[]
  /** Units that could not be done. */
  readonly failed: number
  readonly outcome: Outcome
}

interface UnitsPlan<U> {
  readonly units: readonly U[]
  /** A unit that fails ends the run. */
  readonly stopsAtFailure?: boolean
  folderOf(unit: U): string
}

interface UnitsRun {
  /** All may fail: that is told of each, and is a result. */
  readonly mayFail?: boolean
  /** So many at the same time: while one waits for a thread, another is read. */
  readonly lanes?: number
}

/** Null among the results is left out: a unit that came to nothing. */
export async function eachUnit<U, R>(
  { units, stopsAtFailure = false, folderOf }: UnitsPlan<U>,
  tools: Pick<Tools, 'job' | 'tell'>,
  act: (unit: U, job: Job) => Promise<R | null>,
  { mayFail = false, lanes = 1 }: UnitsRun = {},
): Promise<UnitsDone<R>> {
  const results: (R | null)[] = units.map(() => null)
  const tries = new Tries(tools, stopsAtFailure || (units.length === 1 && !mayFail))
  const waiting = [...units.entries()]
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [i, unit] = next
      await tries.of(folderOf(unit), async () => {
        results[i] = await act(unit, units.length === 1 ? tools.job : partOf(tools.job, i, units.length))
      })
    }
  }
  const running = Array.from({ length: lanes }, lane)
  try {
    await Promise.all(running)
  } finally {
    // What one throws the others may not outlive.
    waiting.length = 0
    await Promise.allSettled(running)
  }
  const { failures, outcome } = tries
  if (!mayFail && failures.length > 0 && failures.length === units.length)
    throw outcome === 'bug' ? failures[0] : new Refusal(problem('ranks-failed', '', { count: units.length }))
  return { results: results.filter(result => result !== null), failed: failures.length, outcome }
}

/** A unit that fails is told and costs that unit only, unless it ends the run. */
export class Tries {
  readonly failures: unknown[] = []
  readonly #tools: Pick<Tools, 'job' | 'tell'>
  readonly #ends: boolean

  constructor(tools: Pick<Tools, 'job' | 'tell'>, ends: boolean) {
    this.#tools = tools
    this.#ends = ends
  }

  async of(folder: string, act: () => Promise<void>): Promise<void> {
    const { job, tell } = this.#tools
    try {
      await act()
    } catch (error) {
      if (this.#ends || job.signal.aborted) throw error
      this.failures.push(error)
      tell(problemOf(error))
      tell(problem('rank-failed', folder))
    }
  }

  get outcome(): Outcome {
    return outcomeOf(this.failures)
  }
}

const outcomeOf = (failures: readonly unknown[]): Outcome => {
  if (failures.length === 0) return 'ran'
  return failures.some(error => problemOf(error).code === 'internal') ? 'bug' : 'refused'
}

/** Progress of one of several units as a part of the whole. */
const partOf = (job: Job, index: number, of: number): Job => ({
  ...job,
  report: progress =>
    job.report({ ...progress, done: index * progress.total + progress.done, total: of * progress.total }),
})

/** What is told of an error, foreseen or not. */
export const problemOf = (error: unknown): Problem =>
  error instanceof Refusal
    ? { ...error.problem, severity: 'error' }
    : problem('internal', '', {
        reason: error instanceof Error ? (error.stack ?? error.message) : String(error),
      })

/** Files of a unit get their names when the unit is done; those of one that fails are dropped. */
export async function writingUnit(
  output: Output,
  { written }: Pick<Tools, 'written'>,
  act: (output: Output) => Promise<void>,
  keep: 'now' | 'later' = 'now',
): Promise<readonly string[]> {
  const begun = new Set<Sink>()
  const own: Output = {
    ...output,
    create(name) {
      const sink = output.create(name)
      begun.add(sink)
      return sink
    },
    drop(sink) {
      begun.delete(sink)
      output.drop(sink)
    },
  }
  try {
    await act(own)
  } catch (error) {
    for (const sink of begun) output.drop(sink)
    throw error
  }
  const paths = [...begun].map(sink => sink.path)
  if (keep === 'now') written(output.commit())
  return paths
}

export const writeText = (output: Output, name: string, text: string): void =>
  output.create(name).write(new TextEncoder().encode(text))
