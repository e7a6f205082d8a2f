// The table of a full-net compare: its columns as the reference writes them, and where they are in tables of all ages.
import { cellTable, type SheetTable } from '../formats/index.ts'
import { type ColumnInfo, Kind, problem, Refusal, type Table } from '../model/index.ts'
import { noMetrics, vectorMetrics } from './metrics.ts'

/** One compared tensor, or one op that has none. */
export interface VectorRow {
  readonly index: number
  readonly opType: string
  /** Ops of the run, with commas; `*` where there is none. */
  readonly npu: string
  readonly npuType: string
  readonly npuAddress: string
  readonly truth: string
  readonly truthType: string
  readonly truthAddress: string
  /** `op:output:0`; `NaN` for an op without tensors. */
  readonly tensor: string
  readonly shape: string
  readonly cells: readonly string[]
  readonly reason: string
}

const none = 'NaN'

/** An op that has nothing to compare. */
export const emptyRow = (
  of: Pick<VectorRow, 'index' | 'opType' | 'npu' | 'truth' | 'reason'>,
): VectorRow => ({
  npuType: none,
  npuAddress: none,
  truthType: none,
  truthAddress: none,
  tensor: none,
  shape: none,
  cells: noMetrics,
  ...of,
})

/** Which columns there are depends on the sides: npy files have no address. */
export interface VectorSides {
  readonly npuAddress: boolean
  readonly truthAddress: boolean
}

export function vectorTable(rows: readonly VectorRow[], sides: VectorSides): Table {
  const columns: (readonly [title: string, cell: (row: VectorRow) => string])[] = [
    ['Index', row => String(row.index)],
    ['OpType', row => row.opType],
    ['NPUDump', row => row.npu],
    ['DataType', row => row.npuType],
    ...(sides.npuAddress ? [['Address', (row: VectorRow) => row.npuAddress] as const] : []),
    ['GroundTruth', row => row.truth],
    ['DataType', row => row.truthType],
    ...(sides.truthAddress ? [['Address', (row: VectorRow) => row.truthAddress] as const] : []),
    ['TensorIndex', row => row.tensor],
    ['Shape', row => row.shape],
    ...vectorMetrics.map(({ title }, i) => [title, (row: VectorRow) => row.cells[i]] as const),
    ['CompareFailReason', row => row.reason],
  ]
  return cellTable(
    columns.map(([title], i): ColumnInfo => ({ id: String(i), title, numeric: false, extra: false })),
    rows.length,
    (row, column) => columns[column][1](rows[row]),
  )
}

/** Columns of a table by what they hold; -1 where a table lacks one. */
export interface VectorPlaces {
  readonly index: number
  readonly opType: number
  readonly npu: number
  readonly truth: number
  readonly tensor: number
  readonly shape: number
  readonly cosine: number
  readonly reason: number
}

/** Tables of older versions call the sides otherwise. */
const titles: Readonly<Record<keyof VectorPlaces, readonly string[]>> = {
  index: ['Index'],
  opType: ['OpType'],
  npu: ['NPUDump', 'LeftOp'],
  truth: ['GroundTruth', 'RightOp'],
  tensor: ['TensorIndex'],
  shape: ['Shape'],
  cosine: ['CosineSimilarity'],
  reason: ['CompareFailReason'],
}
const needed = ['index', 'npu', 'truth', 'tensor', 'cosine'] as const

/** Where the columns of a result are; null where it is none of a full-net compare. */
export function vectorPlaces(table: Table): VectorPlaces | null {
  const at = table.columns.map(({ title }) => title.trim())
  const placeOf = (names: readonly string[]): number => at.findIndex(title => names.includes(title))
  const places = Object.fromEntries(
    Object.entries(titles).map(([key, names]) => [key, placeOf(names)]),
  ) as unknown as VectorPlaces
  return needed.every(key => places[key] >= 0) ? places : null
}

/** A compared tensor as it stands in a result. */
export interface ResultRow {
  /** Row of the table. */
  readonly row: number
  readonly index: number
  readonly op: string
  readonly io: 'input' | 'output'
  readonly at: number
  readonly npu: string
  readonly truth: string
  /** NaN where it was not compared. */
  readonly cosine: number
}

/** Rows that speak of a tensor, in the table's order. Refuses a table with other columns. */
export function resultRows(table: Table, path = ''): readonly ResultRow[] {
  const places = vectorPlaces(table)
  if (!places) throw new Refusal(problem('csv-invalid', path, { reason: missing(table) }))
  const rows: ResultRow[] = []
  for (let row = 0; row < table.length; row++) {
    // The name of an op may hold colons itself.
    const [, op, io, at] = /^(.*):(input|output):(\d+)$/s.exec(table.text(row, places.tensor)) ?? []
    if (op === undefined) continue
    rows.push({
      row,
      index: Number(table.text(row, places.index)),
      op,
      io: io === 'input' ? 'input' : 'output',
      at: Number(at),
      npu: table.text(row, places.npu),
      truth: table.text(row, places.truth),
      cosine: numberAt(table, row, places.cosine),
    })
  }
  return rows
}

const missing = (table: Table): string =>
  needed
    .map(key => titles[key])
    .filter(names => !table.columns.some(({ title }) => names.includes(title.trim())))
    .map(names => names[0])
    .join(', ')

function numberAt(table: Table, row: number, column: number): number {
  if (table.kind(row, column) === Kind.float) return table.number(row, column)
  const text = table.text(row, column).trim()
  return text === '' ? NaN : Number(text)
}

/** A sheet that was read, when its columns are those of a full-net compare. */
export const isVectorTable = (table: SheetTable): boolean => vectorPlaces(table) !== null
