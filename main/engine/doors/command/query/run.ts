// query: one question in SQL over a dataset, as a table on the terminal or as a file.
import { openQuestionsOver, readDataset } from '../../../dataset/index.ts'
import {
  absolute,
  baseOf,
  dirOf,
  openOutput,
  rowsIn,
  type SqlAnswer,
  type SqlCell,
  type SqlColumn,
} from '../../../io/index.ts'
import { type AnswerFormat, builtInQueries } from '../../../model/index.ts'
import { answerWriter } from '../../../report/index.ts'
import type { Page, Tools } from '../tools.ts'
import { type Asked, type Command, UsageError } from '../verb.ts'
import type { QueryField, QueryFlags } from './index.ts'

interface Answer {
  readonly sql: string
  readonly columns: readonly SqlColumn[]
  readonly rows: readonly (readonly SqlCell[])[]
  /** What is printed as it is; null for a table. */
  readonly text: string | null
  readonly count: number
  readonly cut: boolean
  readonly files: readonly string[]
}

/** Rows that are printed at most; files hold all. */
const mostPrinted = 100_000

export const command: Command<QueryFlags, Answer, QueryField> = {
  async run(asked, tools) {
    const { paths, flags } = asked
    const sql = questionOf(asked)
    const folder = absolute(paths[0] ?? '')
    tools.files.allow(folder)
    const dataset = readDataset(tools.files, folder)
    for (const found of dataset.problems) tools.tell(found)
    const format = formatOf(flags)
    const questions = await openQuestionsOver(tools.files, dataset)
    try {
      const answer = await questions.ask(sql, tools.job.signal)
      if (flags.output !== undefined) return await writtenTo(flags.output, sql, answer, format, tools)
      if (format === 'parquet') throw new UsageError('cli.usage.queryParquet')
      return await printed(sql, answer, tools.json ? 'table' : format)
    } finally {
      questions.close()
    }
  },
  print({ columns, rows, text, count, cut, files }, page) {
    if (text !== null) page.line(text)
    else if (files.length === 0) printTable(columns, rows, page)
    page.note(page.say(cut ? 'cli.query.cut' : 'cli.query.rows', { count }))
  },
  json: ({ sql, columns, rows, files }) => ({
    sql,
    columns: columns.map(({ name, told }) => ({ name, type: told })),
    rows: rows.map(row => Object.fromEntries(row.map((cell, i) => [columns[i]?.name ?? '', cell]))),
    files,
  }),
}

function questionOf({ paths, flags }: Asked<QueryFlags>): string {
  const [, typed] = paths
  if ((typed === undefined) === (flags.builtIn === undefined)) throw new UsageError('cli.usage.queryOne')
  return flags.builtIn ? builtInQueries[flags.builtIn] : (typed ?? '')
}

function formatOf({ format, output }: Asked<QueryFlags>['flags']): AnswerFormat {
  if (format) return format
  const ending = /\.(csv|json|parquet)$/i.exec(output ?? '')?.[1]?.toLowerCase()
  return ending === 'json' || ending === 'parquet' ? ending : output === undefined ? 'table' : 'csv'
}

async function writtenTo(
  path: string,
  sql: string,
  answer: SqlAnswer,
  format: AnswerFormat,
  tools: Tools,
): Promise<Answer> {
  const file = absolute(path)
  const output = openOutput(dirOf(file), [], true)
  try {
    const sink = output.create(baseOf(file))
    const count = await answerWriter(answer, format === 'table' ? 'csv' : format, bytes => sink.write(bytes))
    const files = output.commit()
    tools.written(files)
    return { sql, columns: answer.columns, rows: [], text: null, count, cut: false, files }
  } finally {
    output.abandon()
  }
}

async function printed(
  sql: string,
  answer: SqlAnswer,
  format: Exclude<AnswerFormat, 'parquet'>,
): Promise<Answer> {
  const rows: (readonly SqlCell[])[] = []
  let cut = false
  const pieces = (async function* () {
    for await (const piece of answer.pieces) {
      const shown = piece.map(values => values.slice(0, mostPrinted - rows.length))
      rows.push(...rowsIn(shown))
      yield shown
      cut = rows.length >= mostPrinted
      if (cut) return
    }
  })()
  const texts: string[] = []
  const decoder = new TextDecoder()
  if (format === 'table') for await (const _ of pieces);
  else
    await answerWriter({ columns: answer.columns, pieces }, format, bytes => {
      texts.push(decoder.decode(bytes))
    })
  const text = format === 'table' ? null : texts.join('').trimEnd()
  return { sql, columns: answer.columns, rows, text, count: rows.length, cut, files: [] }
}

const widest = 60

/** Columns below each other; numbers to the right. */
function printTable(columns: readonly SqlColumn[], rows: readonly (readonly SqlCell[])[], page: Page): void {
  const texts = [columns.map(({ name }) => name), ...rows.map(row => row.map(cell => shown(cell)))]
  const widths = columns.map((_, i) => Math.min(widest, Math.max(...texts.map(row => row[i]?.length ?? 0))))
  for (const row of texts) {
    const cells = row.map((text, i) => {
      const isNumber = columns[i]?.type === 'int' || columns[i]?.type === 'double'
      return isNumber ? text.padStart(widths[i] ?? 0) : text.padEnd(widths[i] ?? 0)
    })
    page.line(cells.join('  ').trimEnd())
  }
}

const shown = (cell: SqlCell): string =>
  cell === null
    ? ''
    : typeof cell === 'number' && !Number.isInteger(cell)
      ? String(Number(cell.toPrecision(6)))
      : String(cell)
