// Tables as comma separated text: the texts that the spreadsheet holds.
import type { Sink } from '../io/index.ts'
import type { Job } from '../work/index.ts'
import { Lines, toSink } from './lines.ts'
import { cellText, shownColumns, type Table } from './table.ts'

interface CsvOptions {
  /** Our own columns too. */
  readonly extras: boolean
  /**
   * Puts `'` before texts that a spreadsheet would run as formulas. Numbers and msprobe's own texts are never
   * touched.
   */
  readonly inert: boolean
  /** Numbers as the table shows them, with all their digits, not as a spreadsheet holds them. */
  readonly shown?: boolean
  /** Between rows; msaccucmp writes `\r\n`. */
  readonly end?: '\n' | '\r\n'
}

const formula = /^[=+\-@\t\r]/
/** Texts that begin like a formula and are none. */
const harmless = /^[+-]?(?:\d+(?:\.\d*)?(?:e[+-]?\d+)?%?|inf|nan)\t?$/i
const quoted = /[",\r\n]/
/** A text as a field; `inert`: as none that a spreadsheet runs. */
export function csvField(text: string, inert: boolean): string {
  const safe = inert && formula.test(text) && !harmless.test(text) ? `'${text}` : text
  return quoted.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const rowsPerBreath = 256

export async function writeCsv(
  table: Table,
  sink: Sink,
  { extras, inert, shown = false, end = '\n' }: CsvOptions,
  job: Job,
): Promise<void> {
  const columns = shownColumns(table, extras)
  const lines = new Lines(toSink(sink))
  const textOf = (row: number, column: number): string =>
    shown ? table.text(row, column) : cellText(table, row, column)
  const field = (text: string): string => csvField(text, inert)
  await lines.add(`${columns.map(c => field(table.columns[c].title)).join(',')}${end}`)
  for (let row = 0; row < table.length; row++) {
    let line = ''
    for (let i = 0; i < columns.length; i++) line += (i > 0 ? ',' : '') + field(textOf(row, columns[i]))
    const wait = lines.add(`${line}${end}`)
    if (wait) await wait
    if (row % rowsPerBreath === 0) {
      job.report({ what: 'job.writing', done: row, total: table.length, countedIn: 'rows' })
      await job.breathe()
    }
  }
  lines.flush()
}
