// Rows of items, of one dump or of two that were compared: which item met which, and every cell of the table.
import type { Measured } from './measured.ts'
import type { Thresholds } from './options.ts'
import type { Dump } from './dump.ts'
import type { BenchItem, Column, DebugItem, Ids, MeasuredRow, PairRow } from './ids.ts'
import type { Mode, Rules, Side } from './names.ts'
import type { Problem } from './problem.ts'
import type { Table } from './table.ts'
import type { Pairing } from '../pair/index.ts'

/** One row per item of a dump that stands alone, or per compared item of two. Cells are made when asked for. */
export interface ItemRows extends Table {
  readonly mode: Mode
  readonly rules: Rules
  readonly debug: Dump
  /** Null where nothing is compared with. */
  readonly bench: Dump | null
  /** Item rows of both sides; -1: nothing on that side. */
  readonly debugItem: Ids<PairRow, DebugItem>
  readonly benchItem: Ids<PairRow, BenchItem>
  /** Bench items that no row speaks of, in dump order. */
  readonly benchOnly: Ids<number, BenchItem>
  /** `RowState` of each row. */
  readonly state: Column<Uint8Array, PairRow>
  readonly fill: Column<Uint8Array, PairRow>
  /** Error level e(row) in [0,1]; NaN when unknown. */
  readonly level: Column<Float64Array, PairRow>
  /** Error up to which noise explains the row; below 0 where not even the last bit may differ. */
  readonly noise: Column<Float64Array, PairRow>
  /**
   * The number that a cell stands for when sorting and filtering: also of `12.5%`; NaN when it stands for
   * none.
   */
  sortable(row: PairRow, column: number): number
  /** Whether msprobe calls the row a failure (No, Warning, Different, error). */
  failing(row: PairRow): boolean
  readonly problems: readonly Problem[]
}

/**
 * One row per compared item, in msprobe's order. Cells are computed from the two dumps' columns and the
 * metric columns when asked for; nothing is stored per cell as an object.
 */
export interface Comparison extends ItemRows {
  readonly bench: Dump
  /** Who met whom: these rows, and the same by op and by item. */
  readonly pairing: Pairing
  /**
   * The same rows under other thresholds, and with what noise explains of each debug item where that is known;
   * no tensor is read again.
   */
  judged(thresholds: Thresholds, explained: Column<Float64Array, DebugItem> | null): Comparison
  /** Tensor mode: what was measured, and the entry of each row in it (-1 for none). */
  readonly measured: Measured | null
  readonly pairOf: Ids<PairRow, MeasuredRow> | null
  /** Rows whose tensors have not been measured yet. */
  readonly pending: number
}

export const isCompared = (rows: ItemRows): rows is Comparison => rows.bench !== null

/** The dump of a side that is known to be there: something of it was found. */
export function dumpOn(rows: Pick<ItemRows, 'debug' | 'bench'>, side: Side): Dump {
  const dump = rows[side]
  if (!dump) throw new RangeError(`there is no ${side} side`)
  return dump
}
