// The ranks of one step, read in threads.
import type { Place } from '../formats/index.ts'
import type { Files } from '../io/index.ts'
import { type Problem, problem, Refusal, usualGrowth } from '../model/index.ts'
import type { Job, Pool } from '../work/index.ts'
import type { RankPlace, RankRecord } from './record.ts'
import type { OverflowWanted, RankAnswer } from './task.ts'

export interface OverflowPorts {
  readonly files: Files
  readonly pool: Pick<Pool, 'run' | 'size'>
}

export interface StepRecords {
  readonly records: readonly RankRecord[]
  /** What is wrong with the dumps, and ranks that could not be read. */
  readonly problems: readonly Problem[]
}

interface StepOptions {
  /** How often norms may grow. */
  readonly growth?: number
  /** Gets the list of each rank, in no order. */
  readonly onTable?: (table: Uint8Array) => void
}

/** Ranks by number. `rank` alone is rank 0; processes without a number of their own follow each other. */
export function ranksOf(places: readonly Place[]): readonly RankPlace[] {
  const taken = new Set(places.flatMap(({ rank }) => (rank === null ? [] : [rank])))
  let next = 0
  return places
    .map(place => {
      if (place.rank !== null) return { place, rank: place.rank }
      while (taken.has(next)) next++
      taken.add(next)
      return { place, rank: next }
    })
    .toSorted((a, b) => a.rank - b.rank)
}

/** What every thread is told of its rank. */
export interface RankOrder {
  /** Where the dump may be read, as it really lies. */
  readonly roots: readonly string[]
  readonly place: Place
  readonly rank: number
}

interface RankRead {
  readonly record: { readonly rank: number }
  /** What is wrong with the dump, as far as it was read. */
  readonly problems: readonly Problem[]
}

const rootsOf = (files: Files): readonly string[] => files.roots().map(({ real }) => real)

/** A rank that fails costs that rank only; where all fail the first says why. */
export async function eachRank<Answer extends RankRead>(
  { files, pool }: OverflowPorts,
  ranks: readonly RankPlace[],
  job: Job,
  { task, more, onAnswer }: { task: string; more: object; onAnswer?: (answer: Answer) => void },
): Promise<{ readonly found: readonly Answer[]; readonly problems: readonly Problem[] }> {
  const roots = rootsOf(files)
  const found: Answer[] = []
  const problems: Problem[] = []
  let next = 0
  let done = 0
  const work = async (): Promise<void> => {
    while (next < ranks.length) {
      const { place, rank } = ranks[next++]
      const order: RankOrder = { ...more, roots, place: reallyAt(files, place), rank }
      try {
        const answer = await pool.run<Answer>(task, order, { signal: job.signal })
        found.push(answer)
        problems.push(...answer.problems)
        onAnswer?.(answer)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        problems.push(error.problem, problem('rank-failed', place.path))
      }
      job.report({ what: 'job.reading', done: ++done, total: ranks.length, countedIn: 'files' })
    }
  }
  await Promise.all(Array.from({ length: Math.min(Math.max(1, pool.size), ranks.length) }, work))
  if (found.length === 0 && problems.length > 0) throw new Refusal(problems[0])
  return { found: found.sort((a, b) => a.record.rank - b.record.rank), problems }
}

/** One rank by itself. */
export function readRank(
  { files, pool }: OverflowPorts,
  { place, rank }: RankPlace,
  job: Job,
  { growth, calls }: Required<Pick<OverflowWanted, 'growth' | 'calls'>>,
): Promise<RankAnswer> {
  const order: RankOrder & OverflowWanted = {
    roots: rootsOf(files),
    place: reallyAt(files, place),
    rank,
    growth,
    calls,
    table: false,
  }
  return pool.run<RankAnswer>('overflow', order, { signal: job.signal })
}

export async function readStep(
  ports: OverflowPorts,
  ranks: readonly RankPlace[],
  job: Job,
  { growth = usualGrowth, onTable }: StepOptions = {},
): Promise<StepRecords> {
  const more: OverflowWanted = { growth, table: onTable !== undefined }
  const { found, problems } = await eachRank<RankAnswer>(ports, ranks, job, {
    task: 'overflow',
    more,
    onAnswer: ({ table }) => {
      if (table) onTable?.(table)
    },
  })
  return { records: found.map(({ record }) => record), problems }
}

/** A thread does not know what archives were unpacked to. */
const reallyAt = (files: Files, place: Place): Place => ({
  ...place,
  path: files.real(place.path),
  ...(place.dump !== undefined && { dump: files.real(place.dump) }),
})
