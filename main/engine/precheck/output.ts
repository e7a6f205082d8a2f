// The two files of a compare as tables: columns, order and texts as the tool writes them.
import { cellTable, titled } from '../formats/index.ts'
import type { Table } from '../model/index.ts'
import { fixed } from '../python/index.ts'
import type { PrecisionCompare } from './compare.ts'
import type { Check, Judgement } from './judge.ts'
import { factTitles, type MetricId, resultTitles, verdictColumns } from './metrics.ts'
import { standardTexts } from './standards.ts'

const blank = ' '
const decimals = 14
/** Metrics that a ratio says more of than their number, by standard: elsewhere the number stands there. */
const hasNumberAsRatio = (metric: MetricId, check: Check): number | null =>
  metric === 'balance' && check.ratio === null ? check.npu : check.ratio

interface Column {
  readonly title: string
  cell(judged: Judgement): string
}

const numberText = (value: number | null): string => (value === null ? blank : fixed(value, decimals))

function columnsOfMetric({ metric, number, ratio, verdict }: (typeof verdictColumns)[number]): Column[] {
  const column = (title: string, of: (check: Check) => string): Column => ({
    title,
    cell({ checks }) {
      const check = checks.find(one => one.metric === metric)
      return check ? of(check) : blank
    },
  })
  return [
    ...(number === null ? [] : [column(number, ({ npu }) => numberText(npu))]),
    ...(ratio === undefined ? [] : [column(ratio, check => numberText(hasNumberAsRatio(metric, check)))]),
    ...(verdict === null ? [] : [column(verdict, check => check.verdict ?? blank)]),
  ]
}

const judged = verdictColumns.flatMap(columnsOfMetric)
const detailTitles = [
  factTitles.name,
  ...judged.map(({ title }) => title),
  '比对结果',
  '比对算法',
  factTitles.message,
]
const [outcomeAt, standardAt, messageAt] = [1, 2, 3].map(behind => judged.length + behind)

export function detailsTable(compare: PrecisionCompare): Table {
  // A writer asks for the cells of one row after the other.
  let [lastRow, last]: [number, Judgement | null] = [-1, null]
  const judgementOf = (row: number): Judgement | null => {
    if (row !== lastRow) [lastRow, last] = [row, compare.judgement(row)]
    return last
  }
  return cellTable(titled(detailTitles), compare.length, (row, column) => {
    if (column === 0) return compare.name(row)
    const found = judgementOf(row)
    if (column === outcomeAt) return compare.outcome(row)
    if (column === standardAt) return found ? standardTexts[found.standard] : blank
    if (column === messageAt) return found ? found.message : compare.reason(row)
    return found ? judged[column - 1].cell(found) : blank
  })
}

export const resultTable = ({ results }: PrecisionCompare): Table =>
  cellTable(titled(resultTitles), results.length, (row, column) => {
    const { name, forward, backward, message } = results[row]
    return [name, forward ?? blank, backward ?? blank, message][column]
  })
