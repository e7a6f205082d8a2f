// The table of a full-net compare: its columns as the reference writes them, and where they are in tables of all ages.
import { cellTable, missingVectorColumns, tensorIndexOf, vectorPlaces } from '../formats/index.ts'
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
  /** Whether the left tensor is full of the largest halves: `YES`, `NO`, or `NaN` of other types. */
  readonly overflow: string
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
  overflow: none,
  cells: noMetrics,
  ...of,
})

/** Which columns there are depends on the sides: npy files have no address. Overflow is looked for where asked. */
export interface VectorSides {
  readonly npuAddress: boolean
  readonly truthAddress: boolean
  readonly overflow: boolean
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
    ...(sides.overflow ? [['OverFlow', (row: VectorRow) => row.overflow] as const] : []),
    ...vectorMetrics.map(({ title }, i) => [title, (row: VectorRow) => row.cells[i]] as const),
    ['CompareFailReason', row => row.reason],
  ]
  return cellTable(
    columns.map(([title], i): ColumnInfo => ({ id: String(i), title, numeric: false, extra: false })),
    rows.length,
    (row, column) => columns[column][1](rows[row]),
  )
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
  if (!places) throw new Refusal(problem('csv-invalid', path, { reason: missingVectorColumns(table) }))
  const rows: ResultRow[] = []
  for (let row = 0; row < table.length; row++) {
    const tensor = tensorIndexOf(table.text(row, places.tensor))
    if (!tensor) continue
    rows.push({
      row,
      index: Number(table.text(row, places.index)),
      ...tensor,
      npu: table.text(row, places.npu),
      truth: table.text(row, places.truth),
      cosine: numberAt(table, row, places.cosine),
    })
  }
  return rows
}

function numberAt(table: Table, row: number, column: number): number {
  if (table.kind(row, column) === Kind.float) return table.number(row, column)
  const text = table.text(row, column).trim()
  return text === '' ? NaN : Number(text)
}
