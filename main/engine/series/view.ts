// Pictures and lines of values over steps and ranks: what is furthest from usual is never lost in a block.
import {
  CellKind,
  type SeriesFixed,
  type SeriesLine,
  type SeriesMap,
  type SeriesViewName,
  type SeriesWindow,
} from '../model/index.ts'
import { axes, block, odd, tile } from './blocks.ts'
import { columnOf } from './filling.ts'
import type { SeriesMetric } from './store.ts'

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

/** What a picture has across and down, in places. */
interface Spans {
  readonly across: Span
  readonly down: Span
}

/** Rows that are gone through within the time that a picture has. */
const usualRows = 24 << 20

export async function mapOf(metric: SeriesMetric, asked: MapAsked, mostRows = usualRows): Promise<SeriesMap> {
  const { fixed } = asked
  const rows = asked.targets ?? Array.from({ length: metric.targets.size }, (_, i) => i)
  const x = fixed === 'step' ? metric.ranks : metric.steps
  const height = fixed === 'target' ? metric.ranks.length : rows.length
  const size = { across: x.length, down: height }
  const { columns, edges, ...found } =
    gone(metric, asked, size) > mostRows
      ? await fromTiles(metric, asked, size)
      : await fromRows(metric, asked, size)
  const nameOf = (place: number): string =>
    fixed === 'target' ? String(metric.ranks[place] ?? '') : metric.targets.get(rows[place])
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

interface Size {
  readonly across: number
  readonly down: number
}

type Picture = Pick<SeriesMap, 'columns' | 'values' | 'kinds' | 'low' | 'high'> & {
  readonly edges: Int32Array
}

const spansOf = (size: Size, { columns, rows, window }: MapAsked): Spans => ({
  across: spanOf(size.across, columns, window?.x),
  down: spanOf(size.down, rows, window?.y),
})

/** How many rows would have to be gone through where tiles could answer, which know of no choice of targets. */
function gone(metric: SeriesMetric, asked: MapAsked, size: Size): number {
  if (!metric.tiles || asked.targets) return 0
  const { across, down } = spansOf(size, asked)
  const all = { rank: metric.ranks.length, step: metric.steps.length, target: metric.targets.size }
  const held = Math.min(block[asked.fixed], all[asked.fixed])
  return held * (across.to - across.from) * (down.to - down.from)
}

async function fromTiles(metric: SeriesMetric, asked: MapAsked, size: Size): Promise<Picture> {
  const { across, down } = spansOf(size, asked)
  const tiled = {
    across: spanOf(Math.ceil(size.across / tile.across), asked.columns, [
      Math.floor(across.from / tile.across),
      Math.ceil(across.to / tile.across),
    ]),
    down: spanOf(Math.ceil(size.down / tile.down), asked.rows, [
      Math.floor(down.from / tile.down),
      Math.ceil(down.to / tile.down),
    ]),
  }
  const at =
    metric.tiles?.views.findIndex(({ view, stat }) => view === asked.view && stat === asked.stat) ?? -1
  const query = `SELECT ${blockOf('x', tiled.across)} AS px, ${blockOf('y', tiled.down)} AS py,
      min(low${at}), max(high${at}), CAST(bit_or(CAST(coalesce(odd${at}, 0) AS INTEGER)) AS INTEGER)
    FROM ${metric.tiles?.tables[asked.fixed]}
    WHERE f = ${placeOf(metric, asked)} AND ${inside('x', tiled.across)} AND ${inside('y', tiled.down)}
    GROUP BY px, py`
  return {
    columns: edgesOf(tiled.across).map(edge => Math.min(size.across, edge * tile.across)),
    edges: edgesOf(tiled.down).map(edge => Math.min(size.down, edge * tile.down)),
    ...(await cellsOf(metric, asked, tiled, at < 0 ? null : query)),
  }
}

async function fromRows(metric: SeriesMetric, asked: MapAsked, size: Size): Promise<Picture> {
  const spans = spansOf(size, asked)
  return {
    columns: edgesOf(spans.across),
    edges: edgesOf(spans.down),
    ...(await cellsOf(metric, asked, spans, rowsQuery(metric, asked, spans))),
  }
}

async function cellsOf(
  { store }: SeriesMetric,
  { stat }: MapAsked,
  { across, down }: Spans,
  query: string | null,
): Promise<Pick<SeriesMap, 'values' | 'kinds' | 'low' | 'high'>> {
  const values = new Float32Array(across.blocks * down.blocks)
  const kinds = new Uint8Array(values.length)
  let [lowest, highest] = [Infinity, -Infinity]
  if (query !== null) {
    const answer = await store.ask(query)
    const [column, row, low, high, odds] = answer.columns
    for (let i = 0; i < answer.length; i++) {
      const into = Number(row[i]) * across.blocks + Number(column[i])
      const [least, most, bits] = [low[i], high[i], odds[i] ?? 0]
      if (least !== null && most !== null) {
        lowest = Math.min(lowest, least)
        highest = Math.max(highest, most)
        kinds[into] = CellKind.number
        const isLow = stat === lowestStat || Math.abs(least) > Math.abs(most)
        values[into] = isLow ? least : most
      }
      if (bits & odd.minusInf) kinds[into] = CellKind.minusInf
      if (bits & odd.inf) kinds[into] = CellKind.inf
      if (bits & odd.nan) kinds[into] = CellKind.nan
    }
  }
  const none = lowest > highest
  return { values, kinds, low: none ? NaN : lowest, high: none ? NaN : highest }
}

function rowsQuery(metric: SeriesMetric, asked: MapAsked, { across, down }: Spans): string | null {
  const { fixed, targets } = asked
  const value = valueOf(metric, asked)
  if (value === null) return null
  const [x, y] = [keyOf[axes[fixed].across], keyOf[axes[fixed].down]]
  const listed = targets && y === 't'
  const rows = `SELECT ${x} AS x, ${y} AS y, ${value} AS v FROM ${metric.table}
    WHERE ${keyOf[fixed]} = ${placeOf(metric, asked)} AND ${inside(x, across)} ${listed ? '' : `AND ${inside(y, down)}`}`
  const joined = listed
    ? `SELECT a.x, b.i AS y, a.v FROM (${rows}) a JOIN (${list(targets)}) b ON b.v = a.y WHERE ${inside('b.i', down)}`
    : rows
  return `SELECT ${blockOf('x', across)} AS px, ${blockOf('y', down)} AS py,
      min(v) FILTER (isfinite(v)), max(v) FILTER (isfinite(v)),
      CAST(bit_or(CASE WHEN isfinite(v) THEN 0 WHEN isnan(v) THEN ${odd.nan} WHEN v > 0 THEN ${odd.inf} ELSE ${odd.minusInf} END) AS INTEGER)
    FROM (${joined}) WHERE v IS NOT NULL GROUP BY px, py`
}

const keyOf = { rank: 'r', step: 's', target: 't' } as const

const inside = (column: string, { from, to }: Span): string => `${column} >= ${from} AND ${column} < ${to}`

/** Rows of (v, i): numbers, and their places in the list. */
const list = (values: readonly number[]): string =>
  `SELECT unnest([${values.join(',')}]::INTEGER[]) AS v, unnest(range(${values.length}))::INTEGER AS i`

/** Where what is held fast stands in its list; -1 where it is unknown. */
function placeOf(metric: SeriesMetric, { fixed, at, target }: MapAsked): number {
  if (fixed === 'target') return metric.targets.find(target)
  return (fixed === 'rank' ? metric.ranks : metric.steps).indexOf(at)
}

/** What is shown of a row, NULL where there is nothing; NaN equals NaN in the database. Null: never anything. */
function valueOf(
  { debug, bench }: SeriesMetric,
  { stat, view }: { readonly stat: string; readonly view: SeriesViewName },
): string | null {
  const of = (side: 'debug' | 'bench'): string | null => {
    const at = (side === 'debug' ? debug : bench)?.stats.indexOf(stat) ?? -1
    return at < 0 ? null : columnOf(side, at)
  }
  if (view === 'debug' || view === 'bench') return of(view)
  const [a, b] = [of('debug'), of('bench')]
  if (a === null || b === null) return null
  const either = view === 'ratio' ? `WHEN ${a} = ${b} AND NOT isnan(${a}) THEN 1` : `WHEN ${a} = ${b} THEN 0`
  const apart = view === 'ratio' ? `${a} / ${b}` : `abs(${a} - ${b}) / abs(${b})`
  return `CASE WHEN ${a} IS NULL OR ${b} IS NULL THEN NULL ${either} ELSE ${apart} END`
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
  const value = valueOf(metric, asked)
  const answer =
    value === null
      ? { columns: [[], []] }
      : await metric.store.ask(
          `SELECT s, v FROM (SELECT s, ${value} AS v FROM ${metric.table}
             WHERE r = ${metric.ranks.indexOf(rank)} AND t = ${metric.targets.find(target)})
           WHERE v IS NOT NULL ORDER BY s`,
        )
  // Of no rows there are no columns.
  const [places = [], found = []] = answer.columns
  const steps = places.map(place => metric.steps[place ?? -1] ?? NaN)
  const values = found.map(value => value ?? NaN)
  const kept = values.length > mostPoints ? extremes(values, mostPoints / 2) : [...values.keys()]
  return {
    rank,
    target,
    steps: Float64Array.from(kept, i => steps[i]),
    values: Float64Array.from(kept, i => values[i]),
    kinds: Uint8Array.from(kept, i => kindOf(values[i])),
  }
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
