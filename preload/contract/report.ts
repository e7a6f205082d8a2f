// What the window may ask of the engine: writing results.
import type { ReportOrder, Result, UnitAt } from '../../main/engine/model/shared.ts'

export interface ReportApi {
  write(q: UnitAt & ReportOrder, s: AbortSignal): Promise<Result<{ readonly paths: readonly string[] }>>
}
