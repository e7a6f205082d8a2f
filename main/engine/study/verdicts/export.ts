// A table of verdicts as a file: a row per output with what decided it, and in a workbook every metric on a sheet of its own.
import { cellTable, type PlainCell, titled } from '../../formats/index.ts'
import type { Table, VerdictCheck } from '../../model/index.ts'
import type { Verdicts } from '../../precheck/index.ts'
import type { Job } from '../../work/index.ts'
import { type SaveAsked, saveTables } from '../save-tables.ts'

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

export function writeVerdicts(verdicts: Verdicts, asked: SaveAsked, job: Job): Promise<readonly string[]> {
  const tables = [
    { name: 'Verdicts', table: rowsTable(verdicts) },
    ...(asked.format === 'xlsx' ? [{ name: 'Metrics', table: metricsTable(verdicts) }] : []),
  ]
  return saveTables({ stem: 'precheck', inputs: verdicts.paths, tables, at: 0 }, asked, job)
}
