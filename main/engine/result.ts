// A finished (or growing) comparison of two dumps: which item met which, and every cell of msprobe's table.
import type { Thresholds } from '../../preload/contract/engine.ts'
import type { Spelling } from './columns.ts'
import type { Dump } from './dump.ts'
import type { Measured } from './metrics/measured.ts'
import type { Fill, Kind, Mode, Rules, Verdict } from './model.ts'
import type { Problem } from './problem.ts'

/** How a column is judged and shown; ids are stable and are used by the grid, exports and findings. */
export interface ResultColumn {
  readonly id: string
  /** msprobe's header text. */
  readonly title: string
  /** True when cells are mostly numbers (right aligned, numeric filter). */
  readonly numeric: boolean
  /** Extra columns of ours come after msprobe's own and are left out of the goldens' sheet. */
  readonly extra: boolean
}

/**
 * One row per compared item, in msprobe's order. Cells are computed from the two dumps' columns and the metric columns when asked for;
 * nothing is stored per cell as an object.
 */
export interface Comparison {
  readonly mode: Mode
  readonly rules: Rules
  readonly debug: Dump
  readonly bench: Dump
  readonly columns: readonly ResultColumn[]
  readonly length: number
  /** Item rows of both sides; -1: nothing on that side. */
  readonly debugItem: Int32Array
  readonly benchItem: Int32Array
  /** Bench items that no row speaks of, in dump order. */
  readonly benchOnly: Int32Array
  readonly verdict: Uint8Array
  readonly fill: Uint8Array
  /** Error level e(row) in [0,1]; NaN when unknown. */
  readonly level: Float64Array
  kind(row: number, column: number): Kind
  /** The number of an int, float or bool cell; NaN otherwise. */
  number(row: number, column: number): number
  /** What the cell says in msprobe's file, as text, for any kind. */
  text(row: number, column: number): string
  /** A quicker way to the bytes of a column. */
  spelling?(column: number): Spelling | null
  /** The number that a cell stands for when sorting and filtering: also of `12.5%`; NaN when it stands for none. */
  sortable(row: number, column: number): number
  /** Whether msprobe calls the row a failure (No, Warning, Different, error). */
  failing(row: number): boolean
  /** The same rows under other thresholds; no tensor is read again. */
  judged(thresholds: Thresholds): Comparison
  /** Tensor mode: what was measured, and the entry of each row in it (-1 for none). */
  readonly measured: Measured | null
  readonly pairOf: Int32Array | null
  /** Rows whose tensors have not been measured yet. */
  readonly pending: number
  readonly problems: readonly Problem[]
}

export type { Fill, Verdict }
