// Tables whose cells are plain numbers and texts, as files hold them.
import { Kind, type ColumnInfo, type Table } from '../../model/index.ts'
import { g16 } from '../../python/index.ts'

/** A table read from a file; the titles of its columns are those of the first row. */
export interface SheetTable extends Table {
  readonly path: string
}

/** `cell` gives '' where nothing stands. */
export const cellTable = (
  columns: readonly ColumnInfo[],
  length: number,
  cell: (row: number, column: number) => string | number,
): Table => ({
  columns,
  length,
  kind: (row, column) => (typeof cell(row, column) === 'number' ? Kind.float : Kind.text),
  number: (row, column) => {
    const value = cell(row, column)
    return typeof value === 'number' ? value : NaN
  },
  text: (row, column) => {
    const value = cell(row, column)
    return typeof value === 'number' ? g16(value) : value
  },
})

/** Columns that are known by their titles alone. */
export const titled = (titles: readonly string[]): readonly ColumnInfo[] =>
  titles.map((title, i) => ({ id: String(i), title, numeric: false, extra: false }))

/** A cell as the file holds it. */
export const cellOf = (table: Table, row: number, column: number): string | number =>
  table.kind(row, column) === Kind.float ? table.number(row, column) : table.text(row, column)
