// Tables as a file of their own in a folder that the user chose: one of them as csv, all of them as a workbook.
import { type Files, openOutput } from '../io/index.ts'
import type { Table } from '../model/index.ts'
import { stampOf, writeCsv, writeXlsx } from '../report/index.ts'
import type { Job } from '../work/index.ts'

export type SavedFormat = 'csv' | 'xlsx'

export interface SaveAsked {
  readonly folder: string
  readonly format: SavedFormat
  readonly files: Files
}

interface Saved {
  /** The file is called by it, and by the time. */
  readonly stem: string
  /** What is never written to. */
  readonly inputs: readonly string[]
  readonly tables: readonly { readonly name: string; readonly table: Table }[]
  /** The one that a csv holds. */
  readonly at: number
}

export async function saveTables(
  { stem, inputs, tables, at }: Saved,
  { folder, format, files }: SaveAsked,
  job: Job,
): Promise<readonly string[]> {
  const output = openOutput(
    folder,
    inputs.map(path => files.real(path)),
    true,
  )
  try {
    const sink = output.create(`${stem}_${stampOf(new Date())}.${format}`)
    if (format === 'csv')
      await writeCsv(tables[at].table, sink, { extras: false, inert: true, shown: true }, job)
    else {
      const sheets = tables.map(({ name, table }) => ({ name, table, from: 0, to: table.length }))
      await writeXlsx(sheets, sink, false, job)
    }
    return output.commit()
  } finally {
    output.abandon()
  }
}
