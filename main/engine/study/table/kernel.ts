// The comparison of static-graph dump trees, kernel by kernel; one table per rank and step.
import type { Files } from '../../io/index.ts'
import type { Job } from '../../work/index.ts'
import { arrayStatistics, type ArrayStatistics, metricColumns } from '../../measure/index.ts'
import { percent } from '../../python/index.ts'
import { accuracyOf, answerTexts, metricCell, noteTexts } from '../../judge/index.ts'
import {
  type Measured,
  Note,
  Outcome,
  Refusal,
  stats,
  statTitles,
  type Table,
  type TensorPair,
} from '../../model/index.ts'
import { cellTable, type KernelDump, type KernelEntry } from '../../formats/index.ts'

interface KernelDeps {
  readonly files: Files
  readonly job: Job
  measure(pairs: readonly TensorPair[], job: Job): Promise<Measured>
}

export interface KernelTable extends Table {
  readonly rank: number
  readonly step: number
}

/** Both sides of one rank and step; null where neither has a kernel. */
export async function compareKernels(
  debug: KernelDump,
  bench: KernelDump,
  deps: KernelDeps,
): Promise<KernelTable | null> {
  const rows = joined(debug.entries, bench.entries)
  if (rows.length === 0) return null
  await deps.job.breathe()
  return tableOf(debug, debug.mode === 'tensor' ? await tensorRows(rows, deps) : rows.map(statisticsRow))
}

// ---------------------------------------- matching

type Row = readonly [debug: KernelEntry | null, bench: KernelEntry | null]

/** Entries of one key meet by the order of their timestamps; what only the bench has comes last. */
function joined(debug: readonly KernelEntry[], bench: readonly KernelEntry[]): Row[] {
  const mine = numbered(debug)
  const theirs = numbered(bench)
  const byId = new Map(bench.map((entry, i) => [theirs[i], entry]))
  const known = new Set(mine)
  return [
    ...debug.map((entry, i): Row => [entry, byId.get(mine[i]) ?? null]),
    ...bench.filter((_, i) => !known.has(theirs[i])).map((entry): Row => [null, entry]),
  ]
}

function numbered(entries: readonly KernelEntry[]): string[] {
  const byTime = entries
    .map((_, i) => i)
    .sort((a, b) =>
      entries[a].timestamp < entries[b].timestamp
        ? -1
        : entries[a].timestamp > entries[b].timestamp
          ? 1
          : a - b,
    )
  const counts = new Map<string, number>()
  const ids: string[] = []
  for (const i of byTime) {
    const count = counts.get(entries[i].key) ?? 0
    counts.set(entries[i].key, count + 1)
    ids[i] = `${entries[i].key} ${count}`
  }
  return ids
}

// ---------------------------------------- rows

type CellValue = string | number
type Side = {
  readonly name: string
  readonly dtype: string
  readonly shape: string
  readonly max: CellValue
  readonly min: CellValue
  readonly mean: CellValue
  readonly norm: CellValue
}

const nobody: Side = { name: '', dtype: '', shape: '', max: '', min: '', mean: '', norm: '' }

const common = [
  'NPU Name',
  'Bench Name',
  'NPU Dtype',
  'Bench Dtype',
  'NPU Tensor Shape',
  'Bench Tensor Shape',
  'NPU max',
  'NPU min',
  'NPU mean',
  'NPU l2norm',
  'Bench max',
  'Bench min',
  'Bench mean',
  'Bench l2norm',
  'Accuracy Reached or Not',
  'Err_message',
]
const tensorMetrics = metricColumns['msprobe-1.2.2'].filter(metric => !metric.extra)
const metrics = {
  tensor: tensorMetrics.map(metric => metric.title),
  statistics: [...stats.map(stat => statTitles[stat][1]), ...stats.map(stat => statTitles[stat][2])],
} as const

const rowOf = (
  a: Side,
  b: Side,
  answer: string,
  message: string,
  last: readonly CellValue[],
): CellValue[] => [
  a.name,
  b.name,
  a.dtype,
  b.dtype,
  a.shape,
  b.shape,
  a.max,
  a.min,
  a.mean,
  a.norm,
  b.max,
  b.min,
  b.mean,
  b.norm,
  answer,
  message,
  ...last,
]

/** NaN is an empty cell. */
const shown = (x: number): CellValue => (Number.isNaN(x) ? '' : x)

// ---------------------------------------- tensors

const messages = {
  missing: 'Dump file is not ndarray.\n',
  empty: 'This is empty data, can not compare.\n',
  scalar: 'This is type of scalar data, can not compare.\n',
  shape: 'Shape of NPU and bench Tensor do not match.\n',
  dtype: 'Dtype of NPU and bench Tensor do not match. Skipped.\n',
  positions: 'The position of inf or nan in NPU and bench Tensor do not match.\n',
  statisticsShape: 'Tensor shapes do not match.\n',
} as const

async function tensorRows(rows: readonly Row[], deps: KernelDeps): Promise<CellValue[][]> {
  const sides: (readonly [ArrayStatistics | null, ArrayStatistics | null])[] = []
  const pairs: TensorPair[] = []
  const pairOf: number[] = []
  for (const [mine, theirs] of rows) {
    const [a, b] = [await read(mine, deps), await read(theirs, deps)]
    sides.push([a, b])
    pairOf.push(
      mine && theirs && a && b && before(a, b) === ''
        ? pairs.push({ debug: { file: mine.path }, bench: { file: theirs.path } }) - 1
        : -1,
    )
  }
  const measured = await deps.measure(pairs, deps.job)
  return rows.map(([mine, theirs], row) => {
    const [a, b] = sides[row]
    const pair = pairOf[row]
    const message =
      before(a, b) ||
      (measured.outcome[pair] === Outcome.nanPositions
        ? messages.positions
        : measured.outcome[pair] === Outcome.measured
          ? ''
          : messages.missing)
    if (message)
      return rowOf(
        arraySide(mine, a),
        arraySide(theirs, b),
        '',
        message,
        metrics.tensor.map(() => ''),
      )
    return rowOf(arraySide(mine, a), arraySide(theirs, b), ...tensorCells(measured, pair))
  })
}

async function read(entry: KernelEntry | null, deps: KernelDeps): Promise<ArrayStatistics | null> {
  if (!entry) return null
  try {
    return await arrayStatistics(deps.files, entry.path, deps.job)
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

/** What keeps two arrays from being measured. */
function before(a: ArrayStatistics | null, b: ArrayStatistics | null): string {
  if (!a || !b) return messages.missing
  if (a.size === 0 || b.size === 0) return messages.empty
  const scalar = a.shape.length === 0 || b.shape.length === 0 ? messages.scalar : ''
  const shape = a.shape.join() === b.shape.join() && a.shape.length === b.shape.length ? '' : messages.shape
  return scalar + shape + (a.dtype === b.dtype ? '' : messages.dtype)
}

const arraySide = (entry: KernelEntry | null, s: ArrayStatistics | null): Side =>
  entry && s
    ? {
        name: entry.name,
        dtype: s.dtype,
        shape: tuple(s.shape),
        max: shown(s.max),
        min: shown(s.min),
        mean: shown(s.mean),
        norm: shown(s.norm),
      }
    : nobody

const tuple = (shape: readonly number[]): string =>
  shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(', ')})`

function tensorCells(
  measured: Measured,
  pair: number,
): [answer: string, message: string, cells: CellValue[]] {
  const single = (measured.notes[pair] & Note.single) !== 0
  return [
    single ? 'None' : answerTexts[accuracyOf(measured, pair)],
    noteTexts(measured.notes[pair]),
    tensorMetrics.map(metric => metricCell(metric, measured, pair)),
  ]
}

// ---------------------------------------- statistics

function statisticsRow([mine, theirs]: Row): CellValue[] {
  const [a, b] = [statisticsSide(mine), statisticsSide(theirs)]
  const s = mine?.statistics
  const t = theirs?.statistics
  if (!s || !t)
    return rowOf(
      a,
      b,
      '',
      messages.statisticsShape + messages.dtype,
      metrics.statistics.map(() => ''),
    )
  const shape = !s.shape || !t.shape ? messages.scalar : s.shape === t.shape ? '' : messages.statisticsShape
  const message = shape + (s.dtype === t.dtype ? '' : messages.dtype)
  if (message)
    return rowOf(
      a,
      b,
      '',
      message,
      metrics.statistics.map(() => ''),
    )
  const diffs = stats.map(stat => Math.fround(Math.abs(s[stat] - t[stat])))
  const relatives = stats.map((stat, i) => relative(diffs[i], t[stat]))
  return rowOf(a, b, reached(s.max, t.max, diffs[0]) ? 'Yes' : 'No', '', [...diffs.map(shown), ...relatives])
}

const statisticsSide = (entry: KernelEntry | null): Side => {
  const s = entry?.statistics
  return entry && s
    ? {
        name: entry.name,
        dtype: s.dtype,
        shape: s.shape,
        max: shown(s.max),
        min: shown(s.min),
        mean: shown(s.mean),
        norm: shown(s.norm),
      }
    : nobody
}

function relative(diff: number, bench: number): string {
  const quotient = bench > 0 ? Math.fround(diff / bench) : 0
  return Number.isNaN(quotient) ? '' : bench > 0 ? percent(quotient * 100) : '0%'
}

/** Against the signed larger maximum. */
function reached(mine: number, theirs: number, diff: number): boolean {
  const m = Number.isNaN(mine) && Number.isNaN(theirs) ? 0 : diff / (Math.max(mine, theirs) + 1e-10)
  return m <= 0.5
}

// ---------------------------------------- tables

const idOf = (title: string): string =>
  title.toLowerCase().replace(/[^a-z0-9]+(\w)/g, (_, letter: string) => letter.toUpperCase())

function tableOf(dump: KernelDump, rows: readonly (readonly CellValue[])[]): KernelTable {
  const titles = [...common, ...metrics[dump.mode === 'tensor' ? 'tensor' : 'statistics']]
  const columns = titles.map((title, i) => ({
    id: idOf(title),
    title,
    numeric: i > 5 && i !== 14 && i !== 15,
    extra: false,
  }))
  return {
    rank: dump.rank,
    step: dump.step,
    ...cellTable(columns, rows.length, (row, column) => rows[row][column]),
  }
}
