// The same numbers of many ranks side by side: how far they lie apart, and which rank is far from all others.
import { plainCell, rankInName, readCsv, readSheet, readSheets, type Place } from '../../formats/index.ts'
import { type Files, join } from '../../io/index.ts'
import { problem, type Problem, type SetupFinding, type Table } from '../../model/index.ts'
import type { Job } from '../../work/index.ts'
import { mergeRanks, type RankResult } from '../table/merge.ts'
import type { SheetsData } from './data.ts'
import { column, numberIn, Sheet, type SheetCell } from './sheet.ts'

interface Ports {
  readonly files: Files
  readonly job: Job
  tell(found: Problem): void
}

/** Every beginning of a name. */
const everyApi = ['']

/** Results of a folder, one per rank. */
export async function ranksIn({ path }: Place, ports: Ports): Promise<SheetsData> {
  const results = await resultsIn(path, ports)
  const { sheets, problems } = mergeRanks(results, { apis: everyApi, metrics: [] }, 'plumbline')
  for (const found of problems) ports.tell(found)
  return { holds: 'ranks', ...ranked(sheets, collectives(results)) }
}

/** A workbook that merges results already. */
export async function ranksOf({ path }: Place, { files, job }: Ports): Promise<SheetsData> {
  const sheets = (await readSheets(files, path, job)).filter(({ columns }) => columns.length > 1)
  return { holds: 'ranks', ...ranked(sheets, []) }
}

/** Of several results of one rank the newest counts: their names end with the time. */
async function resultsIn(folder: string, { files, job, tell }: Ports): Promise<readonly RankResult[]> {
  const newest = new Map<number, string>()
  const timeIn = (name: string): string => /(\d{14})\.\w+$/.exec(name)?.[1] ?? ''
  for (const { name } of files.list(folder)) {
    const rank = rankInName(name)
    if (rank === null) continue
    const known = newest.get(rank)
    if (known !== undefined) tell(problem('ranks-older', join(folder, known), { rank }, 'note'))
    if (known === undefined || timeIn(known) < timeIn(name)) newest.set(rank, name)
  }
  const results: RankResult[] = []
  for (const [rank, name] of newest) {
    const read = /\.csv$/i.test(name) ? readCsv : readSheet
    results.push({ rank, ...(await read(files, join(folder, name), job)) })
  }
  return results
}

// ---------------------------------------- one number of all ranks

type Metric = Table & { readonly name: string }

/** A rank is odd that lies so many times further off than any other, and by such a share. */
const odder = 10
const leastShare = 0.01
/** Two ranks never say which of them is odd. */
const leastRanks = 3

interface Odd {
  readonly rank: number
  readonly value: number
  readonly others: number
}

interface OddRow extends Odd {
  readonly row: number
  readonly metric: Metric
}

function ranked(
  metrics: readonly Metric[],
  before: readonly SetupFinding[],
): Pick<SheetsData, 'sheets' | 'findings'> {
  const odd: OddRow[] = []
  const sheets = metrics.map(metric => {
    const values = (row: number): readonly number[] =>
      metric.columns.slice(1).map((_, rank) => numberIn(plainCell(metric, row, rank + 1)))
    const found = new Map<number, Odd>()
    for (let row = 0; row < metric.length; row++) {
      const one = oddOf(values(row))
      if (one) found.set(row, one)
    }
    for (const [row, one] of found) odd.push({ ...one, row, metric })
    return rankSheet(metric, values, row => found.has(row))
  })
  return { sheets, findings: [...before, ...oddRanks(odd)] }
}

/** Each odd rank once: in how many rows, and in which first. */
function oddRanks(odd: readonly OddRow[]): readonly SetupFinding[] {
  const byRank = new Map<string, OddRow[]>()
  for (const one of odd) {
    const rank = one.metric.columns[one.rank + 1].title
    byRank.set(rank, [...(byRank.get(rank) ?? []), one])
  }
  return [...byRank]
    .map(([rank, rows]): SetupFinding => {
      const [first] = rows.toSorted((a, b) => a.row - b.row)
      const { metric, row, value, others } = first
      return {
        part: metric.name,
        level: 'warning',
        reason: 'rank-odd',
        facts: {
          rank,
          count: new Set(rows.map(at => at.row)).size,
          of: metric.length,
          name: metric.text(row, 0),
          metric: metric.name,
          value: short(value),
          others: short(others),
        },
      }
    })
    .toSorted((a, b) => countIn(b) - countIn(a))
}

const countIn = ({ facts }: SetupFinding): number => ('count' in facts ? Number(facts.count) : 0)
const short = (value: number): string => String(Number(value.toPrecision(4)))

function rankSheet(
  metric: Metric,
  values: (row: number) => readonly number[],
  isOdd: (row: number) => boolean,
): Sheet {
  const ranks = metric.columns.slice(1).map(({ title }) => title)
  const spreads = Float64Array.from({ length: metric.length }, (_, row) => spreadOf(values(row)))
  return new Sheet({
    id: metric.name,
    columns: [column('name'), ...ranks.map(rank => column(rank, true)), column('spread', true)],
    length: metric.length,
    cell: (row, at) => cellAt(metric, row, at, spreads[row], ranks.length),
    level: row => (isOdd(row) ? 'warning' : 'pass'),
    weight: row => (Number.isNaN(spreads[row]) ? -1 : spreads[row]),
  })
}

function cellAt(table: Table, row: number, at: number, spread: number, ranks: number): SheetCell {
  if (at > ranks) return Number.isNaN(spread) ? null : spread
  const cell = plainCell(table, row, at)
  return cell === '' ? null : cell
}

function spreadOf(values: readonly number[]): number {
  const known = values.filter(value => !Number.isNaN(value))
  if (known.length < 2) return NaN
  const [low, high] = [Math.min(...known), Math.max(...known)]
  return low === high ? 0 : high - low
}

/** The rank that is far from all others, which agree. */
function oddOf(values: readonly number[]): Odd | null {
  const known = values.flatMap((value, rank) => (Number.isNaN(value) ? [] : [{ rank, value }]))
  if (known.length < leastRanks) return null
  const sorted = known.toSorted((a, b) => a.value - b.value)
  const median = sorted[Math.floor((sorted.length - 1) / 2)].value
  if (!Number.isFinite(median)) return null
  const off = known
    .map(one => ({ ...one, by: one.value === median ? 0 : Math.abs(one.value - median) }))
    .toSorted((a, b) => b.by - a.by)
  const [first, second] = off
  const isOdd = first.by > leastShare * Math.abs(median) && first.by > odder * second.by
  return isOdd ? { rank: first.rank, value: first.value, others: median } : null
}

// ---------------------------------------- what all ranks share

/** Calls whose output is the same on every member of a group. */
const shared = /(?:^|\.)(?:all_reduce|all_gather\w*|broadcast)\.\d+\.forward\.output(?:\.|$)/i

/** Where the bench's ranks agree they are one group, and so must the others. */
function collectives(results: readonly RankResult[]): readonly SetupFinding[] {
  const [byMine, byTheirs] = ['NPU max', 'Bench max'].map(title => valuesOf(results, title))
  return [...byMine].flatMap(([name, mine]): readonly SetupFinding[] => {
    const theirs = byTheirs.get(name)
    if (!theirs || mine.size < 2 || new Set(theirs.values()).size > 1) return []
    const counts = new Map<string, number>()
    for (const value of mine.values()) counts.set(value, (counts.get(value) ?? 0) + 1)
    if (counts.size < 2) return []
    const [usual] = [...counts].toSorted((a, b) => b[1] - a[1])[0]
    const [rank, value] = [...mine].find(([, one]) => one !== usual) ?? [0, '']
    return [
      {
        part: '',
        level: 'error',
        reason: 'collective-differs',
        facts: { name, rank: `rank${rank}`, value, others: usual },
      },
    ]
  })
}

/** Of each shared output, what every rank has. */
function valuesOf(
  results: readonly RankResult[],
  title: string,
): ReadonlyMap<string, ReadonlyMap<number, string>> {
  const found = new Map<string, Map<number, string>>()
  for (const result of results) {
    const at = result.columns.findIndex(one => one.title === title)
    if (at < 0) continue
    for (let row = 0; row < result.length; row++) {
      const name = result.text(row, 0)
      if (!shared.test(name)) continue
      const of = found.get(name) ?? new Map<number, string>()
      found.set(name, of.set(result.rank, result.text(row, at)))
    }
  }
  return found
}
