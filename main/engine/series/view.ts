// Pictures and lines of values over steps and ranks: what is furthest from usual is never lost in a block.
import type { Answer } from '../io/index.ts'
import {
  CellKind,
  type SeriesFixed,
  type SeriesLine,
  type SeriesMap,
  type SeriesViewName,
  type SeriesWindow,
} from '../model/index.ts'
import { columnOf, type SeriesMetric, type SeriesTable } from './store.ts'

export interface MapAsked {
  readonly stat: string
  readonly view: SeriesViewName
  readonly fixed: SeriesFixed
  /** The rank or step that is fixed; of a target its name. */
  readonly at: number
  readonly target: string
  /** At most so many. */
  readonly columns: number
  readonly rows: number
  /** Which part of the whole picture; null: all of it. */
  readonly window: SeriesWindow | null
  /** Numbers of the targets that are shown, in their order; null: all. */
  readonly targets: readonly number[] | null
}

/** Of similarities the lowest says most, of anything else the largest magnitude. */
const lowestStat = 'similarity'

/** Places from one on, before another, and the blocks that they are shown in. */
interface Span {
  readonly from: number
  readonly to: number
  readonly blocks: number
}

function spanOf(length: number, most: number, part: readonly [number, number] | undefined): Span {
  const from = Math.min(Math.max(0, Math.floor(part?.[0] ?? 0)), Math.max(0, length - 1))
  const to = Math.min(length, Math.max(from + 1, Math.ceil(part?.[1] ?? length)))
  return { from, to, blocks: Math.max(0, Math.min(to - from, Math.max(1, most))) }
}

/** Where blocks begin, and where the last one ends. */
const edgesOf = ({ from, to, blocks }: Span): Int32Array =>
  Int32Array.from(
    { length: blocks + 1 },
    (_, i) => from + Math.floor((i * (to - from)) / Math.max(1, blocks)),
  )

/** The block that holds the place, in SQL: the opposite of the edges. */
const blockOf = (place: string, { from, to, blocks }: Span): string =>
  `CAST(((${place} - ${from} + 1) * ${blocks} - 1) // ${Math.max(1, to - from)} AS INTEGER)`

export async function mapOf(metric: SeriesMetric, asked: MapAsked): Promise<SeriesMap> {
  const { fixed, window } = asked
  const rows = asked.targets ?? Array.from({ length: metric.targets.size }, (_, i) => i)
  const x = fixed === 'step' ? metric.ranks : metric.steps
  const height = fixed === 'target' ? metric.ranks.length : rows.length
  const across = spanOf(x.length, asked.columns, window?.x)
  const down = spanOf(height, asked.rows, window?.y)
  const [columns, edges] = [edgesOf(across), edgesOf(down)]
  const nameOf = (place: number): string =>
    fixed === 'target' ? String(metric.ranks[place] ?? '') : metric.targets.get(rows[place])
  const found = await cellsOf(metric, asked, { across, down })
  return {
    columns,
    rows: edges,
    across: fixed === 'step' ? 'rank' : 'step',
    down: fixed === 'target' ? 'rank' : 'target',
    x: Float64Array.from(columns.subarray(0, -1), at => x[at] ?? NaN),
    ends: Float64Array.from(columns.subarray(1), at => x[at - 1] ?? NaN),
    y: Array.from(edges.subarray(0, -1), nameOf),
    width: x.length,
    height,
    ...found,
  }
}

type Spans = Readonly<Record<'across' | 'down', Span>>

async function cellsOf(
  metric: SeriesMetric,
  asked: MapAsked,
  { across, down }: Spans,
): Promise<Pick<SeriesMap, 'values' | 'kinds' | 'low' | 'high'>> {
  const values = new Float32Array(across.blocks * down.blocks)
  const kinds = new Uint8Array(values.length)
  const answer = await metric.store.ask(mapQuery(metric, asked, { across, down }))
  const [column, row, low, high, nan, inf, minusInf] = answer.columns
  let [lowest, highest] = [Infinity, -Infinity]
  for (let i = 0; i < answer.length; i++) {
    const into = Number(row[i]) * across.blocks + Number(column[i])
    const [least, most] = [low[i], high[i]]
    if (least !== null && most !== null) {
      lowest = Math.min(lowest, least)
      highest = Math.max(highest, most)
      kinds[into] = CellKind.number
      const isLow = asked.stat === lowestStat || Math.abs(least) > Math.abs(most)
      values[into] = isLow ? least : most
    }
    if (minusInf[i] === 1) kinds[into] = CellKind.minusInf
    if (inf[i] === 1) kinds[into] = CellKind.inf
    if (nan[i] === 1) kinds[into] = CellKind.nan
  }
  const none = lowest > highest
  return { values, kinds, low: none ? NaN : lowest, high: none ? NaN : highest }
}

function mapQuery(metric: SeriesMetric, asked: MapAsked, { across, down }: Spans): string {
  const { fixed, targets } = asked
  const cells = selection(metric, asked, whereOf(metric, asked))
  const [x, y] = [fixed === 'step' ? 'rank' : 'step', fixed === 'target' ? 'rank' : 'target'] as const
  const places = `JOIN ${metric.places[x]} a ON a.v = c.${x}`
  let [rows, place] = ['', 'c.target']
  if (y === 'rank') [rows, place] = [`JOIN ${metric.places.rank} b ON b.v = c.rank`, 'b.i']
  else if (targets) [rows, place] = [`JOIN (${listed(targets)}) b ON b.v = c.target`, 'b.i']
  return `SELECT ${blockOf('a.i', across)} AS x, ${blockOf(place, down)} AS y,
      min(c.v) FILTER (isfinite(c.v)), max(c.v) FILTER (isfinite(c.v)),
      CAST(bool_or(isnan(c.v)) AS INTEGER), CAST(bool_or(c.v = 'inf'::DOUBLE) AS INTEGER),
      CAST(bool_or(c.v = '-inf'::DOUBLE) AS INTEGER)
    FROM (${cells}) c ${places} ${rows}
    WHERE a.i >= ${across.from} AND a.i < ${across.to} AND ${place} >= ${down.from} AND ${place} < ${down.to}
    GROUP BY x, y`
}

/** Rows of (v, i): numbers, and their places in the list. */
const listed = (values: readonly number[]): string =>
  `SELECT unnest([${values.join(',')}]::INTEGER[]) AS v, unnest(range(${values.length}))::INTEGER AS i`

const fixedWhere: Readonly<Record<SeriesFixed, (metric: SeriesMetric, asked: MapAsked) => string>> = {
  rank: (_, { at }) => `rank = ${numeral(at)}`,
  step: (_, { at }) => `step = ${numeral(at)}`,
  target: (metric, { target }) => `target = ${metric.targets.find(target)}`,
}
const whereOf = (metric: SeriesMetric, asked: MapAsked): string => fixedWhere[asked.fixed](metric, asked)

/** As SQL reads it, whatever it was asked with. */
const numeral = (value: number): string => (Number.isSafeInteger(value) ? String(value) : 'NULL')

/** Rows of (rank, step, target, v, n), later ones with a higher n: of one side, or of both together. */
function selection(
  { debug, bench }: SeriesMetric,
  { stat, view }: { readonly stat: string; readonly view: SeriesViewName },
  where: string,
): string {
  const [mine, theirs] = [sideRows(debug, stat, where), sideRows(bench, stat, where)]
  if (view === 'debug') return mine
  if (view === 'bench') return theirs
  return `SELECT a.rank, a.step, a.target, ${combined[view]} AS v, a.n + b.n AS n
    FROM (${mine}) a JOIN (${theirs}) b ON a.rank = b.rank AND a.step = b.step AND a.target = b.target`
}

const nothing = 'SELECT 0::DOUBLE AS rank, 0::DOUBLE AS step, 0 AS target, 0::DOUBLE AS v, 0 AS n WHERE false'

function sideRows(table: SeriesTable | null, stat: string, where: string): string {
  const at = table?.stats.indexOf(stat) ?? -1
  if (!table || at < 0) return nothing
  const column = columnOf(at)
  return `SELECT rank, step, target, ${column} AS v, rowid AS n FROM ${table.name} WHERE ${where} AND ${column} IS NOT NULL`
}

/** What is shown of the values of both sides; NaN equals NaN there. */
const combined: Readonly<Record<'difference' | 'ratio', string>> = {
  ratio: 'CASE WHEN a.v = b.v AND NOT isnan(a.v) THEN 1 ELSE a.v / b.v END',
  difference: 'CASE WHEN a.v = b.v THEN 0 ELSE abs(a.v - b.v) / abs(b.v) END',
}

export function kindOf(value: number): number {
  if (Number.isNaN(value)) return CellKind.nan
  if (Number.isFinite(value)) return CellKind.number
  return value > 0 ? CellKind.inf : CellKind.minusInf
}

// ---------------------------------------- lines

export interface LineAsked {
  readonly stat: string
  readonly view: SeriesViewName
  readonly rank: number
  readonly target: string
}

/** So many steps are drawn as they are; of more, the lowest and the highest of each stretch. */
const mostPoints = 4000

/** The values of one target of one rank over the steps. */
export async function lineOf(metric: SeriesMetric, asked: LineAsked): Promise<SeriesLine> {
  const { rank, target } = asked
  const where = `rank = ${numeral(rank)} AND target = ${metric.targets.find(target)}`
  const answer = await metric.store.ask(
    `SELECT step, v FROM (${selection(metric, asked, where)}) ORDER BY step, n`,
  )
  const { steps, values } = lastOfEach(answer)
  const kept = values.length > mostPoints ? extremes(values, mostPoints / 2) : [...values.keys()]
  return {
    rank,
    target,
    steps: Float64Array.from(kept, i => steps[i]),
    values: Float64Array.from(kept, i => values[i]),
    kinds: Uint8Array.from(kept, i => kindOf(values[i])),
  }
}

/** Of several rows of a step the last one counts. */
function lastOfEach({ columns: [step, value], length }: Answer): {
  readonly steps: readonly number[]
  readonly values: readonly number[]
} {
  const found = new Map<number, number>()
  for (let i = 0; i < length; i++) found.set(Number(step[i]), value[i] ?? NaN)
  return { steps: [...found.keys()], values: [...found.values()] }
}

/** The lowest and the highest of each stretch, and whatever is no number. */
function extremes(values: readonly number[], stretches: number): readonly number[] {
  const kept = new Set<number>()
  for (let s = 0; s < stretches; s++) {
    const [from, to] = [s, s + 1].map(k => Math.floor((k * values.length) / stretches))
    let [low, high] = [from, from]
    for (let i = from; i < to; i++) {
      if (!Number.isFinite(values[i])) kept.add(i)
      if (!(values[i] >= values[low])) low = i
      if (!(values[i] <= values[high])) high = i
    }
    kept.add(low).add(high)
  }
  return [...kept].sort((a, b) => a - b)
}
