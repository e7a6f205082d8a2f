// What the window may ask of the engine: what tables say of single calls.
import type {
  NodeRef,
  Result,
  UnitAt,
  VerdictDetail,
  VerdictFilter,
  VerdictLine,
  VerdictPage,
  VerdictTable,
} from '../../main/engine/model/shared.ts'

export interface VerdictsApi {
  /** The tables that are open: alone, or beside the dumps of a unit. */
  verdicts(q: UnitAt, s: AbortSignal): Promise<readonly VerdictTable[]>
  verdictPage(
    q: UnitAt & {
      readonly table: number
      readonly filter: VerdictFilter
      readonly first: number
      readonly count: number
    },
    s: AbortSignal,
  ): Promise<VerdictPage>
  /** All that a row rests on. */
  verdictDetail(
    q: UnitAt & { readonly table: number; readonly row: number },
    s: AbortSignal,
  ): Promise<VerdictDetail>
  /** Writes a table into a folder, under a name of its own. */
  exportVerdicts(
    q: UnitAt & { readonly table: number; readonly folder: string; readonly format: 'csv' | 'xlsx' },
    s: AbortSignal,
  ): Promise<Result<{ readonly paths: readonly string[] }>>
  /** Rows of all tables that speak of a node. */
  verdictsOf(q: UnitAt & { readonly at: NodeRef }, s: AbortSignal): Promise<readonly VerdictLine[]>
}
