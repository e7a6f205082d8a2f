// The door of the reports: a comparison in a folder, in any format. App and command line write through here, so that files are equal.
import type { Output, Sink } from '../io/output.ts'
import type { Job } from '../job.ts'
import type { Comparison } from '../result.ts'
import { benchOnlyTable } from './bench-only.ts'
import type { FileFacts } from './columnar.ts'
import { writeCsv } from './csv.ts'
import { slices, type JudgedTable, type Table } from './table.ts'
import { SheetTooLarge, writeXlsx, type Sheet } from './xlsx.ts'

export const tableFormats = ['xlsx', 'csv', 'arrow', 'parquet'] as const
export type TableFormat = (typeof tableFormats)[number]

export interface TableOptions {
  /** Columns of ours behind msprobe's. */
  readonly extras: boolean
  /** Texts in csv that look like formulas get a `'`. */
  readonly inert: boolean
  readonly facts: FileFacts
  readonly sheet?: string
  /** Further sheets of a workbook. */
  readonly more?: readonly { readonly name: string; readonly table: Table }[]
}

type Write = (table: JudgedTable, base: string, output: Output, options: TableOptions, job: Job) => Promise<void>

const writers: Readonly<Record<TableFormat, Write>> = {
  xlsx: (table, base, output, options, job) => workbooks(table, base, output, options, job),
  csv: (table, base, output, options, job) => writeCsv(table, output.create(`${base}.csv`), options, job),
  // Loaded when asked for: their packages are larger than all else that a command needs.
  arrow: async (table, base, output, { facts }, job) => (await import('./columnar.ts')).writeArrow(table, output.create(`${base}.arrow`), facts, job),
  parquet: async (table, base, output, { facts }, job) => (await import('./columnar.ts')).writeParquet(table, output.create(`${base}.parquet`), facts, job),
}

/** Writes a table under a name without its ending. */
export const writeTable = (format: TableFormat, table: JudgedTable, base: string, output: Output, options: TableOptions, job: Job): Promise<void> =>
  writers[format](table, base, output, options, job)

/** A comparison as msprobe writes it, by its rule set: our own columns and what only the bench has are left out where msprobe's exact file is wanted. */
export async function writeComparison(format: TableFormat, comparison: Comparison, base: string, output: Output, options: { readonly facts: FileFacts; readonly rawCsv?: boolean }, job: Job): Promise<void> {
  const ours = comparison.rules === 'plumbline'
  const more = ours && format === 'xlsx' && comparison.benchOnly.length > 0 ? [{ name: 'Bench only', table: benchOnlyTable(comparison) }] : []
  await writeTable(format, comparison, base, output, { facts: options.facts, inert: !options.rawCsv, extras: ours, more }, job)
}

/** One workbook, or several with the rows split where a sheet cannot hold them. */
async function workbooks(table: Table, base: string, output: Output, options: TableOptions, job: Job, parts = slices(table.length)): Promise<void> {
  const more = (options.more ?? []).flatMap(({ name, table: other }) => slices(other.length).map(([from, to], i, all): Sheet => ({ name: all.length > 1 ? `${name} ${i}` : name, table: other, from, to })))
  const sinks: Sink[] = []
  try {
    for (const [i, [from, to]] of parts.entries()) {
      const sink = output.create(parts.length === 1 ? `${base}.xlsx` : `${base}_slice_${i}.xlsx`)
      sinks.push(sink)
      await writeXlsx([{ name: options.sheet ?? 'Sheet', table, from, to }, ...(i === 0 ? more : [])], sink, options.extras, job)
    }
  } catch (error) {
    if (!(error instanceof SheetTooLarge)) throw error
    // The texts are longer than a workbook can hold: the same again in halves.
    for (const sink of sinks) output.drop(sink)
    await workbooks(table, base, output, options, job, parts.flatMap(([from, to]) => [[from, (from + to) >> 1], [(from + to) >> 1, to]] as const))
  }
}
