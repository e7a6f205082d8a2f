// A table of verdicts as a file: a row per output with what decided it, and in a workbook every metric on a sheet of its own.
import { cellTable, type PlainCell, titled } from '../../formats/index.ts'
import { type Files, openOutput } from '../../io/index.ts'
import type { Table, VerdictCheck } from '../../model/index.ts'
import type { Verdicts } from '../../precheck/index.ts'
import { stampOf, writeCsv, writeXlsx } from '../../report/index.ts'
import type { Job } from '../../work/index.ts'

export type VerdictsFormat = 'csv' | 'xlsx'

type Column = readonly [title: string, cell: (row: number) => PlainCell]

const measured = (of: (row: number) => VerdictCheck | null): readonly Column[] => [
  ['Metric', row => of(row)?.metric ?? ''],
  ['NPU', row => of(row)?.npu ?? ''],
  ['GPU', row => of(row)?.gpu ?? ''],
  ['Ratio', row => of(row)?.ratio ?? ''],
  ['Limit', row => of(row)?.limit?.value ?? ''],
]

const tableOf = (columns: readonly Column[], length: number): Table =>
  cellTable(titled(columns.map(([title]) => title)), length, (row, column) => columns[column][1](row))

function rowsTable(verdicts: Verdicts): Table {
  const decided = (row: number): VerdictCheck | null => {
    const [check = null] = verdicts.checks(row)
    return check?.counted ? check : null
  }
  return tableOf(
    [
      ['API Name', row => verdicts.name(row)],
      ['Verdict', row => verdicts.state(row)],
      ['Status', row => verdicts.status(row)],
      ['Standard', row => verdicts.standard(row) ?? ''],
      ...measured(decided),
      ['Reason', row => verdicts.reason(row)?.why ?? ''],
      ['DEVICE Dtype', row => verdicts.types(row).device],
      ['Bench Dtype', row => verdicts.types(row).bench],
      ['Shape', row => verdicts.types(row).shape],
      ['Message', row => verdicts.texts(row).join('\n')],
    ],
    verdicts.length,
  )
}

function metricsTable(verdicts: Verdicts): Table {
  const all = Array.from({ length: verdicts.length }, (_, row) =>
    verdicts.checks(row).map(check => ({ row, check })),
  ).flat()
  return tableOf(
    [
      ['API Name', at => verdicts.name(all[at].row)],
      ...measured(at => all[at].check),
      ['Verdict', at => all[at].check.verdict],
      ['Counts', at => all[at].check.counted],
    ],
    all.length,
  )
}

export async function writeVerdicts(
  verdicts: Verdicts,
  {
    folder,
    format,
    files,
  }: { readonly folder: string; readonly format: VerdictsFormat; readonly files: Files },
  job: Job,
): Promise<readonly string[]> {
  const output = openOutput(
    folder,
    verdicts.paths.map(path => files.real(path)),
    true,
  )
  try {
    const sink = output.create(`precheck_${stampOf(new Date())}.${format}`)
    const rows = rowsTable(verdicts)
    if (format === 'csv') await writeCsv(rows, sink, { extras: false, inert: true, shown: true }, job)
    else {
      const metrics = metricsTable(verdicts)
      const sheets = [
        { name: 'Verdicts', table: rows, from: 0, to: rows.length },
        { name: 'Metrics', table: metrics, from: 0, to: metrics.length },
      ]
      await writeXlsx(sheets, sink, false, job)
    }
    return output.commit()
  } finally {
    output.abandon()
  }
}
