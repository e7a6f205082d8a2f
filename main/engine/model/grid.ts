// The table as it is shown: columns, filters, orders.
import type { ViewId, ViewRow } from './ids.ts'
import type { RecomputedState, RowStateName, Side } from './names.ts'
import type { NodeRef } from './node.ts'

/** Rows in one of our states, or coloured by msprobe. */
export type RowsShown = RowStateName | 'highlighted'

/** An Arrow IPC stream with one record batch. */
export type ArrowBytes = Uint8Array

/** How a column is shown; ids are stable and are used by the grid, exports and findings. */
export interface ColumnInfo {
  readonly id: string
  /** msprobe's header text. */
  readonly title: string
  /** True when cells are mostly numbers (right aligned, numeric filter). */
  readonly numeric: boolean
  /** Extra columns of ours come after msprobe's own and are left out of msprobe's sheet. */
  readonly extra: boolean
}

export type ColumnFilter =
  | {
      readonly column: string
      readonly is: 'text'
      readonly op: 'contains' | 'notContains' | 'equals' | 'startsWith' | 'endsWith' | 'regex'
      readonly text: string
    }
  | {
      readonly column: string
      readonly is: 'number'
      readonly op: '=' | '!=' | '<' | '<=' | '>' | '>=' | 'between'
      readonly value: number
      readonly to?: number
    }
  | { readonly column: string; readonly is: 'set'; readonly values: readonly string[] }

/** Rows that a finding of the advisor explains; with `rest` those that differ and that it leaves open. */
export interface ExplainedBy {
  readonly side: Side
  readonly node: string
  readonly rest: boolean
}

export interface RowFilter {
  /** Any of these states; empty means all. */
  readonly show: readonly RowsShown[]
  /** Rows of this node only (op name on either side), and of what lies below it. */
  readonly node?: NodeRef
  readonly explained?: ExplainedBy
  /** Rows of nodes of these colours only, as the legend has them. */
  readonly buckets?: readonly number[]
  /** Rows of which recomputing says one of these only. */
  readonly recomputed?: readonly RecomputedState[]
  /** Found anywhere in the names, dtype or shape. */
  readonly quick: string
  readonly columns: readonly ColumnFilter[]
}

export interface ViewInfo {
  readonly view: ViewId
  readonly rows: number
  readonly columns: readonly ColumnInfo[]
  readonly counts: Readonly<Record<'all' | RowsShown, number>>
  /** How many rows of the table recomputing says what of; null where nothing was recomputed. */
  readonly recomputed: Readonly<Record<RecomputedState, number>> | null
}

export interface RowsQuery {
  readonly view: ViewId
  readonly first: ViewRow
  readonly count: number
  /**
   * Column ids; besides the columns of the view: `row`, `state`, `level`, `noise`, `fill`, `provisional`, `debugOp`,
   * `benchOp`.
   */
  readonly columns: readonly string[]
}

/** What a column holds: for the set filter and the header tooltip. */
export interface ColumnSummary {
  readonly values: readonly { readonly text: string; readonly count: number }[]
  readonly more: number
  readonly min: number
  readonly max: number
}

/** Columns to sort by, the first one first. */
export type RowSort = readonly { readonly column: string; readonly down: boolean }[]
