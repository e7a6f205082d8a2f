// Results of the pre-check and of the free benchmark, known by the titles of their columns.
import type { Files } from '../../io/index.ts'
import { type FormatOf, placeAt } from '../format.ts'
import { growing } from '../growing.ts'
import { toldKindOf } from './told-columns.ts'

const headerBytes = 4096

export const toldTable: FormatOf<'verdicts'> = {
  id: 'told-table',
  holds: 'verdicts',
  find(at) {
    const kind =
      at.kind !== 'folder' && /\.csv$/i.test(at.name) ? toldKindOf(titlesIn(at.files, at.path)) : null
    return kind && { ...placeAt(at.path), part: kind }
  },
  open: ({ path }, { files }, job) =>
    growing(async () => (await import('./csv.ts')).readCsv(files, path, job)),
}

/** Titles of these tables are never quoted. */
function titlesIn(files: Files, path: string): readonly string[] {
  const handle = files.open(path)
  try {
    const bytes = new Uint8Array(headerBytes)
    const text = new TextDecoder().decode(bytes.subarray(0, handle.read(0, bytes)))
    return (text.split(/\r?\n/, 1)[0] ?? '').split(',')
  } finally {
    handle.close()
  }
}
