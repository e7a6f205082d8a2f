// Differences of the four statistics of each row, in the reference's dialects.
import {
  type BenchItem,
  type Cells,
  type Column,
  type DebugItem,
  type Dump,
  type Ids,
  type ItemRow,
  Kind,
  type PairRow,
  type Stat,
  stats,
} from '../model/index.ts'
import { overRows, type Steps } from '../work/index.ts'
import { lossyParse, reparsed } from '../python/index.ts'

/** What a diff cell says. */
export const Diff = { number: 0, nan: 1, none: 2 } as const
export type Diff = (typeof Diff)[keyof typeof Diff]

export interface Differences {
  /** Per statistic and row. */
  readonly diff: Readonly<Record<Stat, Column<Float64Array, PairRow>>>
  readonly state: Readonly<Record<Stat, Column<Uint8Array, PairRow>>>
  /** 1 where the reference warns. */
  readonly warning: Column<Uint8Array, PairRow>
}

interface StatisticsRules {
  /** Operands are printed and read again before they are subtracted. */
  readonly reparse: boolean
  /** All four statistics must be off, against the signed maximum. */
  readonly warnOnAll: boolean
}

const magnitudeLimit = 0.5
const epsilon = 1e-10

export const isNumeric = (kind: number): boolean =>
  kind === Kind.int || kind === Kind.float || kind === Kind.bigint

/** The number of a numeric cell. */
export function numberIn(cells: Cells<ItemRow>, item: ItemRow, dump: Dump): number {
  return cells.kind[item] === Kind.bigint ? Number(dump.texts.get(cells.value[item])) : cells.value[item]
}

/** Rows to subtract: an item of each side, -1 for none. */
interface ItemPairs {
  readonly debug: Dump
  readonly bench: Dump
  readonly debugItem: Ids<PairRow, DebugItem>
  readonly benchItem: Ids<PairRow, BenchItem>
}

export function* differences(rows: ItemPairs, rules: StatisticsRules): Steps<Differences> {
  const length = rows.debugItem.length
  const diff = perStat(() => new Float64Array(length))
  const state = perStat(() => new Uint8Array(length).fill(Diff.none))
  const off = new Uint8Array(length)
  for (const stat of stats) {
    const subtract = subtraction(rows, rules, stat, { diff: diff[stat], state: state[stat], off })
    yield* overRows(length, subtract)
  }
  const needed = rules.warnOnAll ? stats.length : 1
  return { diff, state, warning: off.map(count => (count >= needed ? 1 : 0)) }
}

const perStat = <T>(make: () => T): Record<Stat, T> => ({
  max: make(),
  min: make(),
  mean: make(),
  norm: make(),
})

interface StatColumns {
  readonly diff: Column<Float64Array, PairRow>
  readonly state: Column<Uint8Array, PairRow>
  /** How many statistics of a row are off. */
  readonly off: Column<Uint8Array, PairRow>
}

/** Subtracts one statistic over a range of rows. */
function subtraction(
  { debug, bench, debugItem, benchItem }: ItemPairs,
  rules: StatisticsRules,
  stat: Stat,
  { diff, state, off }: StatColumns,
): (from: number, to: number) => void {
  const mine = debug.items[stat]
  const theirs = bench.items[stat]
  const isLong = (item: DebugItem, other: BenchItem): boolean =>
    mine.kind[item] === Kind.bigint || theirs.kind[other] === Kind.bigint
  const exact = (item: DebugItem, other: BenchItem): bigint | null =>
    exactDifference({ dump: debug, cells: mine, item }, { dump: bench, cells: theirs, item: other })
  return (from, to) => {
    for (let row = from; row < to; row++) {
      const item = debugItem[row]
      const other = benchItem[row]
      if (item < 0 || other < 0 || !isNumeric(mine.kind[item]) || !isNumeric(theirs.kind[other])) continue
      const n = numberIn(mine, item, debug)
      const b = numberIn(theirs, other, bench)
      if (n === b && Number.isFinite(n) && mine.kind[item] === theirs.kind[other]) {
        diff[row] = n - b
        state[row] = Diff.number
        continue
      }
      let d = n - b
      if (rules.reparse) d = reread(mine, item, debug) - reread(theirs, other, bench)
      else if (isLong(item, other)) d = Number(exact(item, other) ?? d)
      diff[row] = d
      state[row] = Number.isNaN(d) ? Diff.nan : Diff.number
      if (magnitude(n, b, d, rules) > magnitudeLimit) off[row]++
    }
  }
}

/** What pandas reads from the printed cell. */
function reread(cells: Cells<ItemRow>, item: ItemRow, dump: Dump): number {
  const value = cells.value[item]
  if (cells.kind[item] === Kind.bigint) return lossyParse(dump.texts.get(value))
  return cells.kind[item] === Kind.int ? value : reparsed(value)
}

/** Size of a difference against the larger operand. */
function magnitude(n: number, b: number, d: number, rules: StatisticsRules): number {
  const scale = rules.warnOnAll ? Math.abs(Math.max(n, b)) : Math.max(Math.abs(n), Math.abs(b))
  const m = Math.abs(d) / (scale + epsilon)
  // Reading a number again moves its last digits only, which matters close to the limit.
  if (!rules.reparse || Math.abs(m - magnitudeLimit) > 1e-9) return m
  return Math.abs(reparsed(d)) / (Math.abs(Math.max(reparsed(n), reparsed(b))) + epsilon)
}

/** One cell of a dump. */
interface StatCell {
  readonly dump: Dump
  readonly cells: Cells
  readonly item: ItemRow
}

/** Python subtracts integers exactly, however long. Null beside a float. */
export function exactDifference(mine: StatCell, theirs: StatCell): bigint | null {
  if (mine.cells.kind[mine.item] === Kind.float || theirs.cells.kind[theirs.item] === Kind.float) return null
  return whole(mine) - whole(theirs)
}

const whole = (cell: StatCell): bigint => {
  const value = cell.cells.value[cell.item]
  return BigInt(cell.cells.kind[cell.item] === Kind.bigint ? cell.dump.texts.get(value) : value)
}
