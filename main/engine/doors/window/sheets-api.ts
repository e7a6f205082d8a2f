// Tables of what surrounds runs: which there are, and pages of their rows.
import type { SheetsApi, UnitAt } from '../../../../preload/contract/engine.ts'
import {
  SeriesUnit,
  type SheetsData,
  sheetsInfo,
  SheetsUnit,
  type StudyUnit,
  writeSheets,
} from '../../study/index.ts'
import { Cancelled, job } from '../../work/index.ts'
import { type Context, refusable } from './context.ts'

/** Tables of their own, or those that logs have beside their values. */
function dataIn(unit: StudyUnit): SheetsData | null {
  if (unit instanceof SheetsUnit) return unit.data
  return unit instanceof SeriesUnit ? (unit.data?.settings ?? null) : null
}

const mostRows = 400

export function sheetsApi(context: Context): SheetsApi {
  const dataOf = ({ session, unit }: UnitAt, signal: AbortSignal): Promise<SheetsData> =>
    context.session(session).until(unit, dataIn, signal)
  return {
    sheets: async (at, signal) => sheetsInfo(await dataOf(at, signal)),
    async sheetPage({ sheet, first, count, ...asked }, signal) {
      const found = (await dataOf(asked, signal)).sheets[sheet]
      // It was asked of what was read before.
      if (!found) throw new Cancelled()
      return found.page(asked, first, Math.min(count, mostRows))
    },
    exportSheets: ({ sheet, folder, format, ...at }, signal) =>
      refusable(async () => {
        const data = await dataOf(at, signal)
        const inputs = context
          .session(at.session)
          .info()
          .sides.map(({ root }) => root)
        const asked = { folder, format, files: context.files, inputs }
        const paths = await writeSheets(data, sheet, asked, job(signal))
        if (!paths) throw new Cancelled()
        return { paths }
      }),
  }
}
