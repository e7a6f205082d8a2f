// What the window may ask of the engine: tables of what surrounds runs.
import type { Result, SheetAsked, SheetPage, SheetsInfo, UnitAt } from '../../main/engine/model/shared.ts'

export interface SheetsApi {
  sheets(q: UnitAt, s: AbortSignal): Promise<SheetsInfo>
  sheetPage(
    q: UnitAt & SheetAsked & { readonly first: number; readonly count: number },
    s: AbortSignal,
  ): Promise<SheetPage>
  /** Writes a table into a folder, under a name of its own; a workbook holds all of them. */
  exportSheets(
    q: UnitAt & { readonly sheet: number; readonly folder: string; readonly format: 'csv' | 'xlsx' },
    s: AbortSignal,
  ): Promise<Result<{ readonly paths: readonly string[] }>>
}
