// Cells that are asked for, never stored: what views, reports and searches read; a comparison is one.
import type { Spelling } from '../columns.ts'
import type { Kind } from '../model.ts'
import type { ResultColumn } from '../result.ts'

export interface Table {
  readonly columns: readonly ResultColumn[]
  readonly length: number
  /** `Fill` per row. */
  readonly fill: Uint8Array
  kind(row: number, column: number): Kind
  number(row: number, column: number): number
  text(row: number, column: number): string
  /** A quicker way to the bytes of a column. */
  spelling?(column: number): Spelling | null
}
