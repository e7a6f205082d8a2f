// The csv files of a gradient probe: names in their order, and numbers as points over steps and ranks.
import type { Files } from '../../io/index.ts'
import type { Problem } from '../../model/index.ts'
import type { Job } from '../../work/index.ts'
import type { PointSink } from '../points.ts'
import { numberIn, readRows } from '../text-rows.ts'
import type { Probe, ProbeRank } from './probe.ts'

export const nameColumn = 'param_name'
/** An MD5 as a number: its first 52 bits, which are as good as all of them to tell whether two are the same. */
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

/** Reads all csv files of the given ranks; gives the names of each rank's parameters, in the order of its rows. */
export async function readSummaries<Sink extends PointSink>(
  probe: Pick<Probe, 'ranks'>,
  points: Sink,
  reading: Reading,
): Promise<ReadonlyMap<number, readonly string[]>> {
  const { files, job, tell } = reading
  const names = new Map<number, NameOrder>()
  for (const { rank, summaries } of probe.ranks) {
    const order = new NameOrder()
    names.set(rank, order)
    for (const [step, path] of summaries) {
      order.begin()
      await readRows(
        { files, path, job },
        { keys: [nameColumn] },
        (fields, header) => {
          const name = fields[header.at(nameColumn)]
          if (!name) return
          order.add(name)
          const row = points.add(rank, step, name)
          for (const [at, title] of header.titles.entries()) {
            const stat = title.toLowerCase()
            if (texts.includes(stat)) continue
            const value = numberIn(fields[at])
            if (value !== null) points.set(row, intervalText(stat), value)
          }
          const sum = fields[header.at(md5Stat)]
          if (sum) points.set(row, md5Stat, md5Number(sum))
        },
        tell,
      )
    }
  }
  return new Map([...names].map(([rank, order]) => [rank, order.names]))
}

/** NaN would be equal to another one; what is no MD5 is a text all the same. */
function md5Number(text: string): number {
  const value = Number.parseInt(text.trim().slice(0, 13), 16)
  return Number.isNaN(value) ? -1 : value
}

/** Names that come in several orders, each beside the one that it stands behind there. */
export class NameOrder {
  readonly #names: string[] = []
  readonly #known = new Set<string>()
  #at = 0

  get names(): readonly string[] {
    return this.#names
  }

  /** A new order begins. */
  begin(): void {
    this.#at = 0
  }

  add(name: string): void {
    if (this.#names[this.#at] === name) this.#at++
    else if (this.#known.has(name)) {
      const place = this.#names.indexOf(name, this.#at)
      if (place >= 0) this.#at = place + 1
    } else {
      this.#known.add(name)
      this.#names.splice(this.#at++, 0, name)
    }
  }
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
