// Tables of verdicts as files.
import { engine, isQuiet, problemOf } from '../engine.ts'
import { host } from './host.ts'
import { problemText } from './words.ts'
import { notify, now, place } from './workbench.ts'

/** Asks for a folder and writes a table into it. */
export async function saveVerdicts(table: number, format: 'csv' | 'xlsx'): Promise<void> {
  const here = place(now())
  const [folder] = await host().choose({ what: 'folder' })
  if (!here || folder === undefined) return
  try {
    const written = await engine.exportVerdicts({ ...here, table, folder, format })
    if (written.ok) notify('saved', { path: written.value.paths.at(-1) ?? folder })
    else notify('failed', { what: problemText(now().language, written.problem) })
  } catch (error) {
    if (!isQuiet(error)) notify('failed', { what: problemText(now().language, problemOf(error)) })
  }
}
