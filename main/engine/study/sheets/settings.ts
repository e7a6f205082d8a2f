// Hyper-parameters that two logs tell, as a table: what differs on top, what is the same below.
import { compareSettings, isElsewhere, LogSettingsReader, type SettingsRow } from '../../config/index.ts'
import type { SheetLevel } from '../../model/index.ts'
import type { SheetsData } from './data.ts'
import { column, Sheet } from './sheet.ts'

export { LogSettingsReader }

/** Null where one of them tells none, or they are of two sorts. */
export function settingsSheets(debug: LogSettingsReader, bench: LogSettingsReader): SheetsData | null {
  const [mine, theirs] = [debug.found, bench.found]
  if (!mine || !theirs || mine.kind !== theirs.kind) return null
  const rows = compareSettings(mine, theirs, { exact: false })
  const sheet = new Sheet({
    id: 'settings',
    columns: [column('name'), column('bench'), column('debug')],
    length: rows.length,
    cell: (row, at) => [rows[row].name, rows[row].bench, rows[row].debug][at],
    level: row => levelOf(rows[row]),
  })
  return { holds: 'settings', sheets: [sheet], findings: [] }
}

function levelOf({ name, debug, bench, same }: SettingsRow): SheetLevel {
  if (same) return 'pass'
  if (isElsewhere(name)) return 'note'
  return debug === null || bench === null ? 'warning' : 'error'
}
