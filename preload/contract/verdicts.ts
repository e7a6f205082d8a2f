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
  VerdictWish,
} from '../../main/engine/model/shared.ts'

/** The tables of a unit, judged as the user wishes, else as the files tell. */
export type VerdictsAt = UnitAt & { readonly wish?: VerdictWish }

export interface VerdictsApi {
  /** The tables that are open: alone, or beside the dumps of a unit. */
  verdicts(q: VerdictsAt, s: AbortSignal): Promise<readonly VerdictTable[]>
  verdictPage(
    q: VerdictsAt & {
      readonly table: number
      readonly filter: VerdictFilter
      readonly first: number
      readonly count: number
    },
    s: AbortSignal,
  ): Promise<VerdictPage>
  /** All that a row rests on. */
  verdictDetail(
    q: VerdictsAt & { readonly table: number; readonly row: number },
    s: AbortSignal,
  ): Promise<VerdictDetail>
  /** Writes a table into a folder, under a name of its own. */
  exportVerdicts(
    q: VerdictsAt & { readonly table: number; readonly folder: string; readonly format: 'csv' | 'xlsx' },
    s: AbortSignal,
  ): Promise<Result<{ readonly paths: readonly string[] }>>
  /** Rows of all tables that speak of a node. */
  verdictsOf(q: VerdictsAt & { readonly at: NodeRef }, s: AbortSignal): Promise<readonly VerdictLine[]>
}
