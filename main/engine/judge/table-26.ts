// The table as msprobe 26 writes it: other columns, pass, warning or error with reasons, no colours.
import {
  type Cells,
  type Column,
  type Dump,
  type Ids,
  type ItemRow,
  Kind,
  type Measured,
  type MeasuredRow,
  type PairRow,
  stats,
  type TextCode,
} from '../model/index.ts'
import { isNumeric, metricColumns, numberIn, type MetricColumn } from '../measure/index.ts'
import { percent, pyStr } from '../python/index.ts'
import type { Steps } from '../work/index.ts'
import { type Cell, mixedCell, stackCell, textCell } from './cell.ts'
import type { Answered, TableInput } from './compared.ts'
import { gradeNames, Grades } from './grades-26.ts'
import { metricCell, noNumbers } from './outcomes.ts'
import { codeText, gradText, noOne, plain, statText, Values } from './values-26.ts'

export function* answered26(input: TableInput): Steps<Answered> {
  const values = new Values(input)
  const grades = new Grades(input, values)
  yield* grades.steps()
  return {
    cells: cells26(input, values, grades),
    fill: new Uint8Array(input.debugItem.length),
    failing: row => grades.grade[row] > 0,
  }
}

// ---------------------------------------- cells

function cells26(input: TableInput, values: Values, grades: Grades): Readonly<Record<string, Cell>> {
  return { ...commonCells(input, grades), ...numberCells(input, values) }
}

function commonCells(input: TableInput, grades: Grades): Record<string, Cell> {
  const { debug, bench, debugItem, benchItem } = input
  const mine = (column: Column<Int32Array | Uint32Array, ItemRow, TextCode>): Cell =>
    textCell(row => codeText(debug, column[debugItem[row]]))
  const theirs = (column: Column<Int32Array | Uint32Array, ItemRow, TextCode>): Cell =>
    textCell(row => (benchItem[row] < 0 ? noOne : codeText(bench, column[benchItem[row]])))
  const grads = (row: PairRow): [string, string] => [
    gradText(debug, debugItem[row]),
    benchItem[row] < 0 ? noOne : gradText(bench, benchItem[row]),
  ]
  const md5 = (dump: Dump, items: Ids<PairRow, ItemRow>): Cell =>
    textCell(row =>
      items[row] < 0 || dump.items.md5[items[row]] < 0 ? noOne : dump.texts.get(dump.items.md5[items[row]]),
    )
  return {
    debugName: mine(debug.items.name),
    benchName: theirs(bench.items.name),
    debugDtype: mine(debug.items.dtype),
    benchDtype: theirs(bench.items.dtype),
    debugShape: mine(debug.items.shape),
    benchShape: theirs(bench.items.shape),
    debugGrad: textCell(row => grads(row)[0]),
    benchGrad: textCell(row => grads(row)[1]),
    gradsAgree: {
      ...textCell(row => (grads(row)[0] === grads(row)[1] ? 'True' : 'False')),
      kind: () => Kind.bool,
      number: row => (grads(row)[0] === grads(row)[1] ? 1 : 0),
    },
    debugMd5: md5(debug, debugItem),
    benchMd5: md5(bench, benchItem),
    result: textCell(row => gradeNames[grades.grade[row]]),
    message: textCell(row => grades.text(row)),
    why: textCell(row => input.why(row)),
    stack: stackCell(debug, debugItem, input.stackShown, noOne),
    dataName: textCell(row => {
      const name = (dump: Dump, item: ItemRow): string =>
        dump.items.dataName[item] < 0 ? '-1' : dump.texts.get(dump.items.dataName[item])
      return pyStr([name(debug, debugItem[row]), benchItem[row] < 0 ? noOne : name(bench, benchItem[row])])
    }),
  }
}

function numberCells(input: TableInput, values: Values): Record<string, Cell> {
  const { debug, bench, debugItem, benchItem } = input
  const cells: Record<string, Cell> = {}
  for (const stat of stats) {
    const name = stat.charAt(0).toUpperCase() + stat.slice(1)
    cells[`debug${name}`] = statCell(debug, debug.items[stat], debugItem)
    cells[`bench${name}`] = statCell(bench, bench.items[stat], benchItem)
    cells[`${stat}Diff`] = mixedCell(row => values.diff(stat, row), plainNumber)
    cells[`${stat}Relative`] = shareCell(row => values.relative(stat, row))
  }
  if (input.measured && input.pairOf)
    for (const metric of tensorMetrics) cells[metric.id] = measuredCell(input.measured, input.pairOf, metric)
  return cells
}

const plainNumber = (x: number): string => (x === 0 ? '0' : plain(x))

/** A share, shown as the text of its percentage; 0 stays a number. */
function shareCell(value: (row: PairRow) => number | string): Cell {
  const cell = mixedCell(value, share => {
    if (share === 0) return '0'
    return share === Infinity ? 'inf' : percent(share * 100)
  })
  return {
    ...cell,
    kind: row => (value(row) === 0 ? Kind.float : Kind.text),
    number: row => (value(row) === 0 ? 0 : NaN),
  }
}

const kinds: readonly Kind[] = [Kind.text, Kind.text, Kind.int, Kind.float, Kind.bool, Kind.text, Kind.int]

export function statCell(dump: Dump, cells: Cells<ItemRow>, items: Ids<PairRow, ItemRow>): Cell {
  const numeric = (row: PairRow): boolean => items[row] >= 0 && isNumeric(cells.kind[items[row]])
  const number = (row: PairRow): number => (numeric(row) ? numberIn(cells, items[row], dump) : NaN)
  return {
    kind: row =>
      items[row] < 0 || (numeric(row) && !Number.isFinite(number(row)))
        ? Kind.text
        : kinds[cells.kind[items[row]]],
    number: row =>
      items[row] >= 0 && cells.kind[items[row]] === Kind.bool ? cells.value[items[row]] : number(row),
    text: row => (items[row] < 0 ? noOne : statText(dump, cells, items[row])),
    sortable: number,
  }
}

/** A tensor of one element counts as one without axes here. */
const tensorMetrics = metricColumns['msprobe-26'].map(metric => ({ ...metric, single: metric.scalar }))

const measuredCell = (measured: Measured, pairOf: Ids<PairRow, MeasuredRow>, metric: MetricColumn): Cell =>
  mixedCell(row => (pairOf[row] < 0 ? noNumbers : metricCell(metric, measured, pairOf[row])), plain)
