// Cells that are asked for, never stored: what views, reports and searches read; a comparison is one.
import type { Spelling } from './columns.ts'
import type { ColumnInfo } from './grid.ts'
import type { Column, PairRow } from './ids.ts'
import type { Kind } from './names.ts'

export interface Table {
  readonly columns: readonly ColumnInfo[]
  readonly length: number
  kind(row: PairRow, column: number): Kind
  /** The number of an int, float or bool cell; NaN otherwise. */
  number(row: PairRow, column: number): number
  /** What the cell says as text, for any kind. */
  text(row: PairRow, column: number): string
  /** `Fill` per row, where rows have colours. */
  readonly fill?: Column<Uint8Array, PairRow>
  /** A quicker way to the bytes of a column. */
  spelling?(column: number): Spelling | null
}
