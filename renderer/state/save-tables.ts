// Tables as files, in a folder that the user chooses.
import type { Result, UnitAt } from '../../preload/contract/engine.ts'
import { engine, isQuiet, problemOf } from '../engine.ts'
import { host } from './host.ts'
import { problemText } from './words.ts'
import { notify, now, place } from './workbench.ts'

type Format = 'csv' | 'xlsx'
type Written = Result<{ readonly paths: readonly string[] }>

export const saveVerdicts = (table: number, format: Format): Promise<void> =>
  save((here, folder) =>
    engine.exportVerdicts({ ...here, wish: now().layout.precheck, table, folder, format }),
  )

/** Of a workbook every table is a sheet. */
export const saveSheets = (format: Format, sheet: number): Promise<void> =>
  save((here, folder) => engine.exportSheets({ ...here, sheet, folder, format }))

async function save(write: (here: UnitAt, folder: string) => Promise<Written>): Promise<void> {
  const here = place(now())
  const [folder] = await host().choose({ what: 'folder' })
  if (!here || folder === undefined) return
  try {
    const written = await write(here, folder)
    if (written.ok) notify('saved', { path: written.value.paths.at(-1) ?? folder })
    else notify('failed', { what: problemText(now().language, written.problem) })
  } catch (error) {
    if (!isQuiet(error)) notify('failed', { what: problemText(now().language, problemOf(error)) })
  }
}
