// The table of a batch compare, in the columns of msprobe's parse tool.
import { cellTable, titled } from '../formats/index.ts'
import type { Table } from '../model/index.ts'
import { pyFloat } from '../python/index.ts'
import type { BatchRow } from './batch.ts'

const titles = [
  'NPU File Name',
  'Bench File Name',
  'Mean',
  'Bench Mean',
  'Md5 Consistency',
  'Max Abs Error',
  'Max Relative Error',
]

const none = 'N/A'

/** What cannot be compared says so where others say whether they are equal. */
function cellsOf({ names, numbers }: BatchRow): readonly string[] {
  const called = names.map(name => name || none)
  if (!numbers) return [...called, none, none, 'not comparable', none, none]
  const { mean, benchMean, same, maxAbs, maxRel } = numbers
  return [
    ...called,
    pyFloat(mean),
    pyFloat(benchMean),
    same ? 'True' : 'False',
    pyFloat(maxAbs),
    pyFloat(maxRel),
  ]
}

export const batchTable = (rows: readonly BatchRow[]): Table =>
  cellTable(titled(titles), rows.length, (row, column) => cellsOf(rows[row])[column])
