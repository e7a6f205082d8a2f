// Pictures and lines of values over steps and ranks: what is furthest from usual is never lost in a block.
import {
  CellKind,
  type SeriesFixed,
  type SeriesLine,
  type SeriesMap,
  type SeriesViewName,
} from '../model/index.ts'
import type { Points } from './points.ts'

/** One metric of one side, or of two. */
export interface SeriesSides {
  readonly debug: Points
  readonly bench: Points | null
}

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
}

/** Names of both sides, the second's own behind those of the first. */
export function targetsOf({ debug, bench }: SeriesSides): readonly string[] {
  const names = Array.from({ length: debug.targets }, (_, target) => debug.target(target))
  for (let target = 0; target < (bench?.targets ?? 0); target++) {
    const name = bench?.target(target) ?? ''
    if (debug.targetOf(name) < 0) names.push(name)
  }
  return names
}

export const ranksOf = ({ debug, bench }: SeriesSides): readonly number[] => union(debug.ranks, bench?.ranks)
export const stepsOf = ({ debug, bench }: SeriesSides): readonly number[] => union(debug.steps, bench?.steps)

const union = (a: readonly number[], b: readonly number[] = []): readonly number[] =>
  [...new Set([...a, ...b])].sort((x, y) => x - y)

/** Cells of one side, or of both together, row by row. */
interface Cells {
  readonly values: Float64Array
  readonly has: Uint8Array
}

export function mapOf(sides: SeriesSides, asked: MapAsked): SeriesMap {
  const targets = targetsOf(sides)
  const [ranks, steps] = [ranksOf(sides), stepsOf(sides)]
  const x = asked.fixed === 'step' ? ranks : steps
  const y = asked.fixed === 'target' ? ranks.map(String) : targets
  const grid = { ...asked, places: { ranks, steps, targets }, width: x.length, height: y.length }
  const mine = asked.view === 'bench' ? null : cellsOf(sides.debug, grid)
  const theirs = asked.view === 'debug' || !sides.bench ? null : cellsOf(sides.bench, grid)
  const cells = together(mine, theirs, asked.view)
  const [columns, rows] = [blocks(x.length, asked.columns), blocks(y.length, asked.rows)]
  return {
    columns,
    rows,
    across: asked.fixed === 'step' ? 'rank' : 'step',
    down: asked.fixed === 'target' ? 'rank' : 'target',
    x: Float64Array.from(x),
    y: Array.from(rows.subarray(0, -1), row => y[row]),
    ...reduced(cells, { columns, rows, width: x.length, lowest: asked.stat === lowestStat }),
  }
}

/** Of similarities the lowest says most, of anything else the largest magnitude. */
const lowestStat = 'similarity'

interface Grid extends Pick<MapAsked, 'stat' | 'fixed' | 'at' | 'target'> {
  readonly places: {
    readonly ranks: readonly number[]
    readonly steps: readonly number[]
    readonly targets: readonly string[]
  }
  readonly width: number
  readonly height: number
}

function cellsOf(points: Points, { stat, fixed, at, target: only, places, width, height }: Grid): Cells {
  const values = new Float64Array(width * height)
  const has = new Uint8Array(width * height)
  const column = points.stat(stat)
  const across = placesOf(fixed === 'step' ? places.ranks : places.steps)
  const ranks = placesOf(places.ranks)
  const names = fixed === 'target' ? [only] : places.targets
  for (const [y, name] of names.entries()) {
    const target = points.targetOf(name)
    for (const row of column && target >= 0 ? points.rowsOf(target) : []) {
      const [rank, step] = [points.rankAt(row), points.stepAt(row)]
      if ((fixed === 'rank' && rank !== at) || (fixed === 'step' && step !== at) || !column?.has(row))
        continue
      const down = fixed === 'target' ? (ranks.get(rank) ?? 0) : y
      const cell = down * width + (across.get(fixed === 'step' ? rank : step) ?? 0)
      values[cell] = column.value(row)
      has[cell] = 1
    }
  }
  return { values, has }
}

const placesOf = (of: readonly number[]): ReadonlyMap<number, number> =>
  new Map(of.map((value, i) => [value, i]))

function together(mine: Cells | null, theirs: Cells | null, view: SeriesViewName): Cells {
  if (!mine || !theirs) return mine ?? theirs ?? { values: new Float64Array(0), has: new Uint8Array(0) }
  const has = mine.has.map((there, i) => there & theirs.has[i])
  const values = mine.values.map((value, i) => combined(value, theirs.values[i], view))
  return { values, has }
}

/** What is shown of the values of both sides. */
function combined(a: number, b: number, view: SeriesViewName): number {
  if (view === 'ratio') return a === b ? 1 : a / b
  if (a === b || (Number.isNaN(a) && Number.isNaN(b))) return 0
  return Math.abs(a - b) / Math.abs(b)
}

/** Where blocks begin, and where the last one ends. */
function blocks(length: number, most: number): Int32Array {
  const count = Math.min(length, Math.max(1, most))
  return Int32Array.from({ length: count + 1 }, (_, i) => Math.floor((i * length) / Math.max(1, count)))
}

interface Reducing {
  readonly columns: Int32Array
  readonly rows: Int32Array
  readonly width: number
  readonly lowest: boolean
}

function reduced(
  { values, has }: Cells,
  { columns, rows, width, lowest }: Reducing,
): Pick<SeriesMap, 'values' | 'kinds' | 'low' | 'high'> {
  const across = columns.length - 1
  const found = new Float32Array(across * (rows.length - 1))
  const kinds = new Uint8Array(found.length)
  const weights = new Float64Array(found.length)
  let [low, high] = [Infinity, -Infinity]
  for (let r = 0; r + 1 < rows.length; r++)
    for (let c = 0; c < across; c++) {
      const into = r * across + c
      for (let y = rows[r]; y < rows[r + 1]; y++)
        for (let x = columns[c]; x < columns[c + 1]; x++) {
          const at = y * width + x
          if (has[at] !== 1) continue
          const value = values[at]
          const kind = kindOf(value)
          const weight = weightOf(value, kind, lowest)
          if (kinds[into] === CellKind.none || weight > weights[into]) {
            found[into] = value
            kinds[into] = kind
            weights[into] = weight
          }
          if (kind !== CellKind.number) continue
          low = Math.min(low, value)
          high = Math.max(high, value)
        }
    }
  return { values: found, kinds, low: low > high ? NaN : low, high: low > high ? NaN : high }
}

function weightOf(value: number, kind: number, lowest: boolean): number {
  if (kind !== CellKind.number) return Infinity
  return lowest ? -value : Math.abs(value)
}

function kindOf(value: number): number {
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
export function lineOf(sides: SeriesSides, { stat, view, rank, target }: LineAsked): SeriesLine {
  const steps: number[] = []
  const values: number[] = []
  for (const step of stepsOf(sides)) {
    const at = { rank, step, target }
    const value = shownOf(valueAt(sides.debug, stat, at), valueAt(sides.bench, stat, at), view)
    if (value === null) continue
    steps.push(step)
    values.push(value)
  }
  const kept = values.length > mostPoints ? extremes(values, mostPoints / 2) : [...values.keys()]
  return {
    rank,
    target,
    steps: Float64Array.from(kept, i => steps[i]),
    values: Float64Array.from(kept, i => values[i]),
    kinds: Uint8Array.from(kept, i => kindOf(values[i])),
  }
}

function shownOf(a: number | null, b: number | null, view: SeriesViewName): number | null {
  if (view === 'debug') return a
  if (view === 'bench') return b
  return a === null || b === null ? null : combined(a, b, view)
}

function valueAt(
  points: Points | null,
  stat: string,
  { rank, step, target }: { readonly rank: number; readonly step: number; readonly target: string },
): number | null {
  const column = points?.stat(stat)
  const row = points?.find(rank, step, points.targetOf(target)) ?? -1
  return column && row >= 0 && column.has(row) ? column.value(row) : null
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
