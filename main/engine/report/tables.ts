// A comparison in a folder, in any table format. App and command line write through here, so that files are equal.
import type { Output, Sink } from '../io/index.ts'
import type { Job } from '../work/index.ts'
import { type Comparison, type TableFormat } from '../model/index.ts'
import { ruleSets, type Writing } from '../rules/index.ts'
import { benchOnlyTable } from './bench-only.ts'
import type { Columns, FileFacts } from './columnar.ts'
import { writeCsv } from './csv.ts'
import { slices, type JudgedTable, type Judgement, type Table, type TextColumn, withTexts } from './table.ts'
import { SheetTooLarge, writeXlsx, type Sheet } from './xlsx.ts'

interface TableOptions {
  /** Columns of ours behind msprobe's. */
  readonly extras: boolean
  /** Texts in csv that look like formulas get a `'`. */
  readonly inert: boolean
  /** Csv holds numbers with all digits. */
  readonly shown?: boolean
  readonly facts: FileFacts
  /** States for Arrow and Parquet that come later than what the cells say. */
  readonly judged?: Promise<Judgement>
  readonly sheet?: Writing['cells']['sheet']
  /** Further sheets of a workbook. */
  readonly more?: readonly { readonly name: string; readonly table: Table }[]
}

/** A file among the results. */
interface Target {
  readonly output: Output
  /** Without its ending. */
  readonly name: string
}

type Write = (table: JudgedTable, to: Target, options: TableOptions, job: Job) => Promise<void>

const writers: Readonly<Record<TableFormat, Write>> = {
  xlsx: (table, to, options, job) => workbooks(table, to, options, job),
  csv: (table, { output, name }, options, job) => writeCsv(table, output.create(`${name}.csv`), options, job),
  // Loaded when asked for: their packages are larger than all else that a command needs.
  arrow: async (table, { output, name }, { facts, judged }, job) => {
    const { state, level } = (await judged) ?? table
    const { writeArrow } = await import('./columnar.ts')
    await writeArrow({ ...table, state, level }, output.create(`${name}.arrow`), facts, job)
  },
  parquet: (table, { output, name }, { facts, judged }, job) =>
    writeParquet(table, output.create(`${name}.parquet`), facts, job, judged && { judged }),
}

export async function writeParquet(
  table: JudgedTable,
  sink: Sink,
  facts: FileFacts,
  job: Job,
  columns?: Columns,
): Promise<void> {
  await (await import('./columnar.ts')).writeParquet(table, sink, facts, job, columns)
}

export const writeTable = (
  format: TableFormat,
  table: JudgedTable,
  to: Target,
  options: TableOptions,
  job: Job,
): Promise<void> => writers[format](table, to, options, job)

/**
 * A comparison as msprobe writes it, by its rule set: our own columns and what only the bench has are left
 * out where msprobe's exact file is wanted.
 */
export async function writeComparison(
  format: TableFormat,
  comparison: Comparison,
  to: Target,
  options: {
    readonly facts: FileFacts
    readonly rawCsv?: boolean
    readonly behind?: TextColumn | null
    readonly judged?: Promise<Judgement>
  },
  job: Job,
): Promise<void> {
  const { extras, writing } = ruleSets[comparison.rules]
  const more =
    extras && format === 'xlsx' && comparison.benchOnly.length > 0
      ? [{ name: 'Bench only', table: benchOnlyTable(comparison) }]
      : []
  const { facts, judged } = options
  const table = { facts, inert: !options.rawCsv, extras, more, ...(judged && { judged }), ...writing.cells }
  const rows = options.behind ? withTexts(comparison, options.behind) : comparison
  await writeTable(format, rows, to, table, job)
}

/** One workbook, or several with the rows split where a sheet cannot hold them. */
async function workbooks(
  table: Table,
  { output, name: base }: Target,
  options: TableOptions,
  job: Job,
  parts = slices(table.length),
): Promise<void> {
  const more = (options.more ?? []).flatMap(({ name, table: other }) =>
    slices(other.length).map(([from, to], i, all): Sheet => ({
      name: all.length > 1 ? `${name} ${i}` : name,
      table: other,
      from,
      to,
    })),
  )
  const sinks: Sink[] = []
  try {
    for (const [i, [from, to]] of parts.entries()) {
      const sink = output.create(parts.length === 1 ? `${base}.xlsx` : `${base}_slice_${i}.xlsx`)
      sinks.push(sink)
      await writeXlsx(
        [{ name: 'Sheet', ...options.sheet, table, from, to }, ...(i === 0 ? more : [])],
        sink,
        options.extras,
        job,
      )
    }
  } catch (error) {
    if (!(error instanceof SheetTooLarge)) throw error
    // The texts are longer than a workbook can hold: the same again in halves.
    for (const sink of sinks) output.drop(sink)
    await workbooks(table, { output, name: base }, options, job, parts.flatMap(halved))
  }
}

const halved = ([from, to]: readonly [number, number]): readonly (readonly [number, number])[] => {
  const middle = (from + to) >> 1
  return [
    [from, middle],
    [middle, to],
  ]
}
