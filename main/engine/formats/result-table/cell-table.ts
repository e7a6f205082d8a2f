// Tables whose cells are plain numbers, truth values and texts, as files hold them.
import { Kind, type ColumnInfo, type Table } from '../../model/index.ts'
import { g16 } from '../../python/index.ts'

/** A table read from a file; the titles of its columns are those of the first row. */
export interface SheetTable extends Table {
  readonly path: string
}

export type PlainCell = string | number | boolean

/** `cell` gives '' where nothing stands. */
export const cellTable = (
  columns: readonly ColumnInfo[],
  length: number,
  cell: (row: number, column: number) => PlainCell,
): Table => ({
  columns,
  length,
  kind: (row, column) => kinds[typeof cell(row, column)] ?? Kind.text,
  number: (row, column) => {
    const value = cell(row, column)
    return typeof value === 'string' ? NaN : Number(value)
  },
  text: (row, column) => {
    const value = cell(row, column)
    if (typeof value === 'string') return value
    return typeof value === 'number' ? g16(value) : truthText(value)
  },
})

const kinds: Readonly<Record<string, Kind>> = { number: Kind.float, boolean: Kind.bool }

/** As Python and spreadsheets' readers print it. */
export const truthText = (value: boolean): string => (value ? 'True' : 'False')

/** Columns that are known by their titles alone. */
export const titled = (titles: readonly string[]): readonly ColumnInfo[] =>
  titles.map((title, i) => ({ id: String(i), title, numeric: false, extra: false }))

/** A cell as the file holds it. */
export const plainCell = (table: Table, row: number, column: number): PlainCell =>
  table.kind(row, column) === Kind.bool ? table.number(row, column) === 1 : cellOf(table, row, column)

/** A cell as the file holds it; a truth value as its text. */
export const cellOf = (table: Table, row: number, column: number): string | number =>
  table.kind(row, column) === Kind.float ? table.number(row, column) : table.text(row, column)
