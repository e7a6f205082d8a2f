// A comparison over the columns of two dumps: what a generation of msprobe makes of its rows, and our own states.
import type { Pairing, Wording } from '../pair/index.ts'
import {
  type BenchItem,
  type Column,
  type Comparison,
  type DebugItem,
  type Dump,
  type Generation,
  type Ids,
  type Measured,
  type MeasuredRow,
  type Mode,
  Outcome,
  type PairRow,
  type Problem,
  type Rules,
  type Thresholds,
} from '../model/index.ts'
import { ruleSets } from '../rules/index.ts'
import { atOnce, type Steps } from '../work/index.ts'
import type { Cell } from './cell.ts'
import { columnsOf } from './columns.ts'
import { answered122 } from './table-1.2.2.ts'
import { answered26 } from './table-26.ts'
import { judge, type Judged } from './state.ts'

/** Rows that are to become a table. */
export interface TableInput {
  readonly mode: Mode
  readonly rules: Rules
  readonly debug: Dump
  readonly bench: Dump
  readonly wording: Wording
  readonly debugItem: Ids<PairRow, DebugItem>
  readonly benchItem: Ids<PairRow, BenchItem>
  readonly benchOnly: Ids<number, BenchItem>
  readonly pairing: Pairing
  /** There is a column of stacks; 1 for rows that show one. */
  readonly hasStack: boolean
  readonly stackShown: Column<Uint8Array, PairRow>
  readonly fuzzy: boolean
  readonly measured: Measured | null
  /** Index into `measured` per row, -1 where nothing was to be measured. */
  readonly pairOf: Ids<PairRow, MeasuredRow> | null
  readonly problems: readonly Problem[]
  why(row: PairRow): string
}

/** What msprobe says about the rows; our thresholds change nothing of it. */
export interface Answered {
  /** By column id; there may be more than the table shows. */
  readonly cells: Readonly<Record<string, Cell>>
  readonly fill: Column<Uint8Array, PairRow>
  failing(row: PairRow): boolean
}

const answered: Readonly<Record<Generation, (input: TableInput) => Steps<Answered>>> = {
  'msprobe-1.2.2': answered122,
  'msprobe-26': answered26,
}

export function* comparedTable(input: TableInput, thresholds: Thresholds): Steps<Comparison> {
  const said = yield* answered[ruleSets[input.rules].generation](input)
  return comparison(input, said, yield* judge(input, thresholds, null))
}

function comparison(input: TableInput, said: Answered, { state, level, noise }: Judged): Comparison {
  const { mode, rules, debug, bench, debugItem, benchItem, benchOnly, pairing, measured, pairOf, problems } =
    input
  const columns = columnsOf(ruleSets[rules].generation, mode, { stack: input.hasStack })
  const cells = columns.map(column => said.cells[column.id])
  return {
    mode,
    rules,
    debug,
    bench,
    columns,
    length: debugItem.length,
    debugItem,
    benchItem,
    benchOnly,
    pairing,
    problems,
    state,
    level,
    noise,
    fill: said.fill,
    measured,
    pairOf,
    pending: measured ? pendingIn(measured.outcome) : 0,
    kind: (row, column) => cells[column].kind(row),
    number: (row, column) => cells[column].number(row),
    text: (row, column) => cells[column].text(row),
    sortable: (row, column) => cells[column].sortable(row),
    spelling: column => cells[column].spelling ?? null,
    failing: row => said.failing(row),
    judged: (thresholds, explained) => comparison(input, said, atOnce(judge(input, thresholds, explained))),
  }
}

function pendingIn(outcomes: Column<Uint8Array, MeasuredRow>): number {
  let count = 0
  for (const outcome of outcomes) if (outcome === Outcome.pending) count++
  return count
}
