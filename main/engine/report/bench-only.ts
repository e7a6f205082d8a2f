// A second sheet for what only the bench side has: no row of the table speaks of it.
import { type Cells, type Comparison, Kind, type ColumnInfo } from '../model/index.ts'
import { pyFloat } from '../python/index.ts'
import type { Table } from './table.ts'

type Column = readonly [column: ColumnInfo, code: Int32Array | Uint32Array | null, cells: Cells | null]

const column = (id: string, title: string, numeric: boolean): ColumnInfo => ({
  id,
  title,
  numeric,
  extra: false,
})

/** As msprobe writes them: the tab keeps a spreadsheet from making a number of them. */
function notFinite(value: number): string {
  if (Number.isNaN(value)) return 'nan\t'
  return value > 0 ? 'inf\t' : '-inf\t'
}

export function benchOnlyTable({ bench, benchOnly, mode }: Comparison): Table {
  const { items, texts } = bench
  const columns: readonly Column[] = [
    [column('benchName', 'Bench Name', false), items.name, null],
    [column('benchDtype', 'Bench Dtype', false), items.dtype, null],
    [column('benchShape', 'Bench Tensor Shape', false), items.shape, null],
    ...(mode === 'md5'
      ? [[column('benchMd5', 'BENCH MD5', false), items.md5, null] as const]
      : (
          [
            ['max', 'max'],
            ['min', 'min'],
            ['mean', 'mean'],
            ['norm', 'l2norm'],
          ] as const
        ).map(([stat, title]): Column => [
          column(`bench-${stat}`, `Bench ${title}`, true),
          null,
          items[stat],
        ])),
  ]
  const kind = (row: number, c: number): Kind => {
    const [, , cells] = columns[c]
    return cells ? (cells.kind[benchOnly[row]] as Kind) : Kind.text
  }
  return {
    columns: columns.map(([info]) => info),
    length: benchOnly.length,
    fill: new Uint8Array(benchOnly.length),
    kind,
    number: (row, c) => columns[c][2]?.value[benchOnly[row]] ?? NaN,
    text(row, c) {
      const [, codes, cells] = columns[c]
      const item = benchOnly[row]
      if (codes) return codes[item] < 0 ? 'None' : texts.get(codes[item])
      const value = cells?.value[item] ?? NaN
      switch (kind(row, c)) {
        case Kind.text:
        case Kind.bigint:
          return texts.get(value)
        case Kind.bool:
          return value ? 'True' : 'False'
        case Kind.int:
          return String(value)
        case Kind.float:
          return Number.isFinite(value) ? pyFloat(value) : notFinite(value)
        case Kind.none:
          return 'None'
        default:
          return 'N/A'
      }
    },
  }
}
