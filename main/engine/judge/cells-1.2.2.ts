// Every cell of the table as msprobe 1.2.2 has it, from the columns of the two dumps and of the metrics.
import {
  type BenchItem,
  type Cells,
  type Column,
  type DebugItem,
  type Dump,
  type Ids,
  type ItemRow,
  Kind,
  type Measured,
  type MeasuredRow,
  Outcome,
  type PairRow,
  stats,
  type TextCode,
} from '../model/index.ts'
import { g16, percent } from '../python/index.ts'
import { Diff, type Differences, isNumeric, metricColumns, numberIn } from '../measure/index.ts'
import { metricCell, noNumbers } from './outcomes.ts'
import { type Cell, mixedCell, stackCell, textCell } from './cell.ts'
import { answerTexts } from './answer.ts'
import type { WordingRules } from './wording.ts'

/** All that cells are made from. */
interface CellSource {
  readonly debug: Dump
  readonly bench: Dump
  readonly debugItem: Ids<PairRow, DebugItem>
  readonly benchItem: Ids<PairRow, BenchItem>
  readonly stackShown: Column<Uint8Array, PairRow>
  readonly wording: WordingRules
  readonly answer: Column<Uint8Array, PairRow>
  readonly differences: Differences | null
  readonly measured: Measured | null
  /** Index into `measured` per row, -1 where nothing was to be measured. */
  readonly pairOf: Ids<PairRow, MeasuredRow> | null
  /** Tensors without elements show metrics of 0. */
  readonly emptyIsZero: boolean
  /** Rows without partner do not show their md5. */
  readonly hidesUnmatchedMd5: boolean
  message(row: PairRow): string
  why(row: PairRow): string
}

const noOne = 'N/A'
const nothing = 'None'

export function cells122(source: CellSource): Readonly<Record<string, Cell>> {
  return {
    ...commonCells(source),
    ...statCells(source),
    ...differenceCells(source),
    ...metricCells(source),
    ...answerCells(source),
  }
}

// ---------------------------------------- makers

/** A text of a dump's pool, or what stands where there is none. */
function poolCell(
  { texts }: Dump,
  code: (row: PairRow) => TextCode,
  without: (row: PairRow) => string,
): Cell {
  return {
    ...textCell(row => {
      const at = code(row)
      return at < 0 ? without(row) : texts.get(at)
    }),
    spelling: { is: 'pool', texts, code },
  }
}

/** A number as the sheet shows it: what is not finite becomes a text with a tab. */
const numberText = (x: number): string => (Number.isFinite(x) ? g16(x) : `${g16(x)}\t`)

// ---------------------------------------- names, dtypes, shapes, stacks

function commonCells(source: CellSource): Record<string, Cell> {
  const { debug, bench, debugItem, benchItem } = source
  const mine = (column: Column<Int32Array | Uint32Array, ItemRow, TextCode>): Cell =>
    poolCell(
      debug,
      row => column[debugItem[row]],
      () => nothing,
    )
  const theirs = (column: Column<Int32Array | Uint32Array, ItemRow, TextCode>): Cell =>
    poolCell(
      bench,
      row => (benchItem[row] < 0 ? -1 : column[benchItem[row]]),
      row => (benchItem[row] < 0 ? noOne : nothing),
    )
  const grad = (dump: Dump, items: Ids<PairRow, ItemRow>): Cell =>
    textCell(row =>
      items[row] < 0 ? '' : (['False', 'True', ''][dump.items.requiresGrad[items[row]]] ?? ''),
    )
  return {
    debugName: mine(debug.items.name),
    benchName: theirs(bench.items.name),
    debugDtype: mine(debug.items.dtype),
    benchDtype: theirs(bench.items.dtype),
    debugShape: mine(debug.items.shape),
    benchShape: theirs(bench.items.shape),
    debugGrad: grad(debug, debugItem),
    benchGrad: grad(bench, benchItem),
    why: textCell(row => source.why(row)),
    stack: stackCell(debug, debugItem, source.stackShown, source.wording.none),
    dataName: textCell(row => {
      const code = debug.items.dataName[debugItem[row]]
      return code < 0 || (source.wording.hidesUnmatched && benchItem[row] < 0) ? '-1' : debug.texts.get(code)
    }),
  }
}

// ---------------------------------------- statistics as dumped

function statCells(source: CellSource): Record<string, Cell> {
  const { debug, bench, debugItem, benchItem, wording } = source
  const { none } = wording
  const nan = (row: PairRow): string => (benchItem[row] >= 0 ? wording.nan : wording.nanAlone)
  const cells: Record<string, Cell> = {}
  for (const stat of stats) {
    const name = stat.charAt(0).toUpperCase() + stat.slice(1)
    cells[`debug${name}`] = statCell(debug, debug.items[stat], debugItem, none, nan)
    cells[`bench${name}`] = statCell(bench, bench.items[stat], benchItem, none, nan)
  }
  return cells
}

export function statCell(
  dump: Dump,
  cells: Cells<ItemRow>,
  items: Ids<PairRow, ItemRow>,
  none: string,
  nan: (row: PairRow) => string,
): Cell {
  const kindAt = (row: PairRow): Kind => (items[row] < 0 ? Kind.text : (cells.kind[items[row]] as Kind))
  const cell: Cell = {
    kind(row) {
      const kind = kindAt(row)
      if (kind === Kind.absent) return Kind.none
      if (kind === Kind.bigint) return Kind.int
      return kind === Kind.float && Number.isNaN(cells.value[items[row]]) ? Kind.text : kind
    },
    number(row) {
      const kind = kindAt(row)
      if (items[row] >= 0 && isNumeric(kind)) return numberIn(cells, items[row], dump)
      return kind === Kind.bool ? cells.value[items[row]] : NaN
    },
    text(row) {
      const item = items[row]
      if (item < 0) return noOne
      const value = cells.value[item]
      switch (cells.kind[item]) {
        case Kind.bool:
          return value ? 'True' : 'False'
        case Kind.text:
          return dump.texts.get(value)
        case Kind.float:
          return Number.isNaN(value) ? nan(row) : numberText(value)
        case Kind.int:
          return g16(value)
        case Kind.bigint:
          return g16(Number(dump.texts.get(value)))
        default:
          return none
      }
    },
    sortable: row => cell.number(row),
  }
  return cell
}

// ---------------------------------------- differences of statistics

function differenceCells(source: CellSource): Record<string, Cell> {
  const { differences, bench, benchItem, wording } = source
  if (!differences) return {}
  const cells: Record<string, Cell> = {}
  for (const stat of stats) {
    const diff = differences.diff[stat]
    const state = differences.state[stat]
    cells[`${stat}Diff`] = mixedCell(
      row => (state[row] === Diff.number ? diff[row] : withoutNumber(state[row])),
      numberText,
    )
    cells[`${stat}Relative`] = relativeCell({
      diff,
      state,
      of: row => numberIn(bench.items[stat], benchItem[row], bench),
      byZero: wording.byZero,
    })
  }
  return cells
}

/** What a cell says where there is no difference. */
const withoutNumber = (state: number): string => (state === Diff.nan ? 'Nan' : noOne)

/** A difference over the number of the bench side that it is measured by. */
interface Share {
  readonly diff: Column<Float64Array, PairRow>
  readonly state: Column<Uint8Array, PairRow>
  of(row: PairRow): number
  /** What the cell says where that number is 0. */
  readonly byZero: string
}

function relativeCell({ diff, state, of, byZero }: Share): Cell {
  const value = (row: PairRow): number => Math.abs((diff[row] / of(row)) * 100)
  return {
    kind: () => Kind.text,
    number: () => NaN,
    text: row => {
      if (state[row] !== Diff.number) return withoutNumber(state[row])
      return of(row) === 0 ? byZero : percent(value(row))
    },
    sortable: row => (state[row] !== Diff.number || of(row) === 0 ? NaN : value(row) / 100),
    spelling: {
      is: 'percent',
      value: row => (state[row] !== Diff.number || of(row) === 0 ? NaN : value(row)),
    },
  }
}

// ---------------------------------------- tensor metrics

function metricCells(source: CellSource): Record<string, Cell> {
  const { measured, pairOf, emptyIsZero } = source
  if (!measured || !pairOf) return {}
  return Object.fromEntries(
    metricColumns['msprobe-1.2.2'].map(metric => [
      metric.id,
      mixedCell(row => {
        const pair = pairOf[row]
        if (pair < 0) return noNumbers
        if (emptyIsZero && measured.outcome[pair] === Outcome.empty) return 0
        return metricCell(metric, measured, pair)
      }, numberText),
    ]),
  )
}

// ---------------------------------------- md5s, answers, messages

function answerCells(source: CellSource): Record<string, Cell> {
  const { debug, bench, debugItem, benchItem, hidesUnmatchedMd5 } = source
  const { none } = source.wording
  const md5 = (dump: Dump, code: TextCode): string => (code < 0 ? none : dump.texts.get(code))
  const answer = textCell(row => answerTexts[source.answer[row]])
  return {
    debugMd5: textCell(row =>
      hidesUnmatchedMd5 && benchItem[row] < 0 ? noOne : md5(debug, debug.items.md5[debugItem[row]]),
    ),
    benchMd5: textCell(row => (benchItem[row] < 0 ? noOne : md5(bench, bench.items.md5[benchItem[row]]))),
    accuracy: answer,
    result: answer,
    message: textCell(row => source.message(row)),
  }
}
