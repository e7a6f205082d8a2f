// Rows of a csv that a running program writes: a header that may come again, rows of other lengths, a cut end.
import { readRecords } from '../formats/index.ts'
import type { Files } from '../io/index.ts'
import { problem, type Problem } from '../model/index.ts'
import type { Job } from '../work/index.ts'

/** Where a header has its columns, by name in lower case. */
export class Header {
  readonly titles: readonly string[]
  readonly #at: ReadonlyMap<string, number>

  constructor(fields: readonly string[]) {
    this.titles = fields.map(bare)
    // Of two columns of one name the first counts.
    this.#at = new Map(this.titles.map((title, i) => [title.toLowerCase(), i] as const).reverse())
  }

  /** -1 where there is no such column. */
  at(name: string): number {
    return this.#at.get(name) ?? -1
  }

  /** Whether a record is a header again: some of its fields are the names of these columns, in their places. */
  again(fields: readonly string[], keys: readonly string[]): boolean {
    return keys.every(key => bare(fields[this.at(key)] ?? '').toLowerCase() === key)
  }
}

const bare = (field: string): string => field.replace(/^\uFEFF/, '').trim()

interface Asked {
  /** Columns without which a file is none of these. */
  readonly keys: readonly string[]
  /** A row as it should be, from one that is longer than its header; null where it cannot be told. */
  mend?(fields: readonly string[], header: Header): readonly string[] | null
}

/** Calls `take` for each row, and tells what is wrong with the file as a whole. */
export async function readRows(
  { files, path, job }: { readonly files: Files; readonly path: string; readonly job: Job },
  { keys, mend }: Asked,
  take: (fields: readonly string[], header: Header) => void,
  tell: (found: Problem) => void,
): Promise<void> {
  let header: Header | null = null
  let [uneven, cut, half, missing] = [0, false, false, '']
  await readRecords(files, path, job, (fields, whole) => {
    if (!header || header.again(fields, keys)) {
      header = new Header(fields)
      missing ||= keys.find(key => (header?.at(key) ?? -1) < 0) ?? ''
      return
    }
    if (missing !== '') return
    const width = header.titles.length
    if (!whole && fields.length < width) {
      cut = true
      return
    }
    half ||= !whole
    const row = fields.length > width ? (mend?.(fields, header) ?? fields) : fields
    if (row.length !== width) uneven++
    take(row, header)
  })
  if (!header) tell(problem('csv-unreadable', path, { reason: 'empty' }, 'warning'))
  if (missing !== '') tell(problem('series-no-column', path, { column: missing }, 'warning'))
  if (uneven > 0) tell(problem('series-ragged', path, { rows: uneven }, 'warning'))
  if (cut) tell(problem('series-cut', path, {}, 'warning'))
  else if (half) tell(problem('series-no-end', path, {}, 'note'))
}

/** What a cell says: a number, with NaN and infinities as Python writes them; null where it says none. */
export function numberIn(text: string | undefined): number | null {
  const bareText = text?.trim().toLowerCase() ?? ''
  if (bareText === '') return null
  const known = words.get(bareText)
  if (known !== undefined) return known
  const value = decimal.test(bareText) ? Number(bareText) : NaN
  return Number.isNaN(value) ? null : value
}

const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/
const words: ReadonlyMap<string, number> = new Map([
  ['nan', NaN],
  ['+nan', NaN],
  ['-nan', NaN],
  ['inf', Infinity],
  ['+inf', Infinity],
  ['infinity', Infinity],
  ['+infinity', Infinity],
  ['-inf', -Infinity],
  ['-infinity', -Infinity],
])
