// A finished full-net compare (msaccucmp's result csv, or ours) as two dumps, who met whom, and the numbers as stored.
import { type Dump, emptyDump, TextPool } from '../../model/index.ts'
import { geNames } from '../../names/index.ts'
import { DumpColumns, noneCell } from '../dump-columns.ts'
import { cellOf, type SheetTable } from './cell-table.ts'
import type { OpenedTable } from './result-table.ts'
import { tensorIndexOf, type VectorPlaces } from './vector-columns.ts'

/** What such a table calls the metrics that others call otherwise. Lengths against the reference are no distances. */
const titles: Readonly<Record<string, string>> = {
  Cosine: 'CosineSimilarity',
  MaxAbsErr: 'MaxAbsoluteError',
  MaxRelativeErr: 'MaxRelativeError',
}

/** Rows that speak of no tensor are left out: nothing was dumped of their ops. */
export function openVectorTable(table: SheetTable, places: VectorPlaces): OpenedTable {
  const rows = Array.from({ length: table.length }, (_, row) => row).filter(row =>
    tensorIndexOf(table.text(row, places.tensor)),
  )
  const columns = new Map(table.columns.map(({ title }, i) => [title.trim(), i]))
  const side = (at: number, framework: Dump['header']['framework']): Dump =>
    sideOf(table, rows, { places, type: typeAt(table, at), framework })
  return {
    mode: 'tensor',
    debug: side(places.npu, 'cann'),
    // The reference, or another run of the compiler's: the table does not tell.
    bench: side(places.truth, ''),
    benchItem: Int32Array.from(rows, (_, item) => item),
    cell(item, title) {
      const found = columns.get(titles[title] ?? '')
      return found === undefined ? '' : cellOf(table, rows[item], found)
    },
  }
}

/** The type of a side stands behind its op: both are called `DataType`. */
const typeAt = ({ columns }: SheetTable, op: number): number =>
  columns[op + 1]?.title.trim() === 'DataType' ? op + 1 : -1

interface Read {
  readonly places: VectorPlaces
  /** Column of the types, -1 where there is none. */
  readonly type: number
  readonly framework: Dump['header']['framework']
}

function sideOf(table: SheetTable, rows: readonly number[], { places, type, framework }: Read): Dump {
  const columns = new DumpColumns()
  const texts = new TextPool()
  const told = (row: number, column: number): number => {
    const text = column < 0 ? '' : table.text(row, column)
    return text === '' || text === 'NaN' ? -1 : texts.add(text)
  }
  let before = -1
  for (const row of rows) {
    const tensor = tensorIndexOf(table.text(row, places.tensor))
    if (!tensor) continue
    const op = texts.add(tensor.op)
    if (before >= 0 && before !== op) columns.addOp(before, 0, 0)
    before = op
    const name = `${tensor.op}.${tensor.io}.${tensor.at}`
    columns.addItem({
      name: texts.add(name),
      state: geNames.item(name).state,
      type: -1,
      dtype: told(row, type),
      shape: told(row, places.shape),
      stats: [noneCell, noneCell, noneCell, noneCell],
      md5: -1,
      // No file is named; the row keeps numbers apart.
      dataName: texts.add(String(row)),
      requiresGrad: 2,
      tensor: 1,
    })
  }
  if (before >= 0) columns.addOp(before, 0, 0)
  const blank = emptyDump({ header: { task: 'tensor', level: '', framework, hasMd5: false }, names: geNames })
  return { ...blank, texts, ...columns.tables(), dir: table.path }
}
