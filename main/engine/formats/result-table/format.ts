// Finished comparisons: compare_result as xlsx or csv.
import { type FormatOf, placeAt } from '../format.ts'
import { growing } from '../growing.ts'

export const resultTable: FormatOf<'table'> = {
  id: 'result-table',
  holds: 'table',
  find: at => (at.kind !== 'folder' && /\.(?:xlsx|csv)$/i.test(at.name) ? placeAt(at.path) : null),
  // Loaded when such a file is opened: most runs of the command line open none.
  open: ({ path }, { files }, job) =>
    growing(async () =>
      /\.csv$/i.test(path)
        ? (await import('./csv.ts')).readCsv(files, path, job)
        : (await import('./sheet.ts')).readSheet(files, path, job),
    ),
}
