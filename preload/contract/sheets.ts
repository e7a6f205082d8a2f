// What the window may ask of the engine: tables of what surrounds runs.
import type { SheetAsked, SheetPage, SheetsInfo, UnitAt } from '../../main/engine/model/shared.ts'

export interface SheetsApi {
  sheets(q: UnitAt, s: AbortSignal): Promise<SheetsInfo>
  sheetPage(
    q: UnitAt & SheetAsked & { readonly first: number; readonly count: number },
    s: AbortSignal,
  ): Promise<SheetPage>
}
