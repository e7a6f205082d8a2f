// What the window may ask of the engine: the table.
import type {
  ArrowBytes,
  ColumnSummary,
  NodeRef,
  PairRow,
  Reason,
  RowFilter,
  RowSort,
  RowsQuery,
  UnitAt,
  ViewId,
  ViewInfo,
  ViewRow,
} from '../../main/engine/model/shared.ts'

export interface ViewQuery extends UnitAt {
  readonly filter: RowFilter
  readonly sort: RowSort
}

export interface PositionQuery extends UnitAt {
  readonly view: ViewId
  readonly row: PairRow | null
  readonly at: NodeRef
  /** How long a block is, what it holds, and the first rows of those that the asker has. */
  readonly blocks: {
    readonly size: number
    readonly columns: readonly string[]
    readonly there: readonly number[]
  }
}

export interface GridApi {
  order(q: ViewQuery, s: AbortSignal): Promise<ViewInfo>
  rows(q: RowsQuery, s: AbortSignal): Promise<ArrowBytes>
  /**
   * Where a row stands in a view, or else the first row of a node; -1 when there is none or it is filtered
   * out. With the block of rows that holds it, unless that is there already.
   */
  position(
    q: PositionQuery,
    s: AbortSignal,
  ): Promise<{ readonly place: ViewRow; readonly block: ArrowBytes | null }>
  /** What decided the state of a row; null where nothing is compared with. */
  why(q: UnitAt & { readonly row: PairRow }, s: AbortSignal): Promise<Reason | null>
  summary(q: { readonly view: ViewId; readonly column: string }, s: AbortSignal): Promise<ColumnSummary>
}
