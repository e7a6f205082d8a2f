// The table as msprobe 26 writes it: other columns, pass, warning or error with reasons, no colours.
import {
  type Column,
  type Dump,
  type Ids,
  type ItemRow,
  Kind,
  type Measured,
  type MeasuredRow,
  type PairRow,
  type Stat,
  stats,
  type TextCode,
} from '../model/index.ts'
import { metricColumns, type MetricColumn } from '../measure/index.ts'
import { percent, pyFloat, pyStr } from '../python/index.ts'
import type { Steps } from '../work/index.ts'
import { type Cell, mixedCell, stackCell, textCell } from './cell.ts'
import type { Answered, TableInput } from './compared.ts'
import { Grades } from './grades-26.ts'
import { gradeNames } from './grading-26.ts'
import { metricCell, noNumbers } from './outcomes.ts'
import { type Apart, codeText, gradText, noOne, plain, type SideStats, Values } from './values-26.ts'

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
  const cells: Record<string, Cell> = {}
  for (const stat of stats) {
    const name = stat.charAt(0).toUpperCase() + stat.slice(1)
    cells[`debug${name}`] = statCell(values.debug, stat)
    cells[`bench${name}`] = statCell(values.bench, stat)
    cells[`${stat}Diff`] = apartCell(
      row => values.apart(stat, row),
      ({ diff }) => [diff, pyFloat(diff)],
    )
    cells[`${stat}Relative`] = apartCell(
      row => values.apart(stat, row),
      ({ percent: error }) => (Number.isNaN(error) ? [NaN, 'inf'] : [NaN, percent(error), error / 100]),
    )
  }
  if (input.measured && input.pairOf)
    for (const metric of metricColumns['msprobe-26'])
      cells[metric.id] = measuredCell(input.measured, input.pairOf, metric)
  return cells
}

/** Of how far apart two numbers are: the number of the cell (NaN where it is a text), its text, what it is sorted by. */
type Shown = readonly [number: number, text: string, sortable?: number]

/** Statistics that read alike have the number 0. */
function apartCell(
  apart: (row: PairRow) => Apart,
  of: (numbers: Exclude<Apart, string | null>) => Shown,
): Cell {
  const shown = (row: PairRow): Shown => {
    const found = apart(row)
    if (found === null) return [0, '0']
    return typeof found === 'string' ? [NaN, found] : of(found)
  }
  return {
    kind: row => (Number.isNaN(shown(row)[0]) ? Kind.text : Kind.float),
    number: row => shown(row)[0],
    text: row => shown(row)[1],
    sortable: row => shown(row)[2] ?? shown(row)[0],
  }
}

/** A statistic of one side; infinities are texts. */
export const statCell = (side: SideStats, stat: Stat): Cell => ({
  kind(row) {
    if (Number.isFinite(side.number(stat, row)))
      return side.isFloat(stat, row) ? Kind.float : side.kind(stat, row)
    return side.kind(stat, row) === Kind.bool ? Kind.bool : Kind.text
  },
  number: row =>
    side.kind(stat, row) === Kind.bool ? Number(side.text(stat, row) === 'True') : side.number(stat, row),
  text: row => side.text(stat, row),
  sortable: row => side.number(stat, row),
})

const measuredCell = (measured: Measured, pairOf: Ids<PairRow, MeasuredRow>, metric: MetricColumn): Cell =>
  mixedCell(row => (pairOf[row] < 0 ? noNumbers : metricCell(metric, measured, pairOf[row])), plain)
