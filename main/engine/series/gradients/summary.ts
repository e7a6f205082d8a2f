// The csv files of a gradient probe: names in their order, and numbers as points over steps and ranks.
import type { Files } from '../../io/index.ts'
import type { Problem, TextPool } from '../../model/index.ts'
import type { Job } from '../../work/index.ts'
import { Points } from '../points.ts'
import { numberIn, readRows } from '../text-rows.ts'
import type { Probe, ProbeRank } from './probe.ts'

export const nameColumn = 'param_name'
/** The code of an MD5 in the pool that both sides share. */
export const md5Stat = 'md5'
/** The share of elements that are zero. */
export const zeroStat = '=0'
/** Columns that hold no number. */
const texts: readonly string[] = [nameColumn, md5Stat, 'shape']

interface Reading {
  readonly files: Files
  readonly job: Job
  tell(found: Problem): void
}

/** Reads all csv files of the given ranks. */
export async function readSummaries(
  probe: Pick<Probe, 'ranks'>,
  sums: TextPool,
  reading: Reading,
): Promise<Points> {
  const points = new Points()
  const { files, job, tell } = reading
  for (const { rank, summaries } of probe.ranks)
    for (const [step, path] of summaries)
      await readRows(
        { files, path, job },
        { keys: [nameColumn] },
        (fields, header) => {
          const name = fields[header.at(nameColumn)]
          if (!name) return
          const row = points.add(rank, step, name)
          for (const [at, title] of header.titles.entries()) {
            const stat = title.toLowerCase()
            if (texts.includes(stat)) continue
            const value = numberIn(fields[at])
            if (value !== null) points.set(row, intervalText(stat), value)
          }
          const sum = fields[header.at(md5Stat)]
          if (sum) points.set(row, md5Stat, sums.add(sum))
        },
        tell,
      )
  return points
}

/** Names of the parameters in the first csv of a rank that the other side has too; null where there is none. */
export async function firstNames(
  mine: ProbeRank,
  theirs: ProbeRank,
  { files, job, tell }: Reading,
): Promise<readonly string[] | null> {
  const common = [...mine.summaries].find(([step]) => theirs.summaries.has(step))
  if (!common) return null
  const names: string[] = []
  let exact = true
  await readRows(
    { files, path: common[1], job },
    { keys: [nameColumn] },
    (fields, header) => {
      exact &&= header.titles.includes(nameColumn)
      names.push(fields[header.at(nameColumn)] ?? '')
    },
    tell,
  )
  return exact ? names : null
}

/** `(-inf, -1]`: bounds may be written with or without a space. */
const intervalText = (title: string): string => title.replace(/,\s*/, ', ')

/** Whether a statistic is the share of elements in an interval. */
export const isInterval = (stat: string): boolean => /^\(.*,.*[\])]$/.test(stat)
