// Differences of the four statistics of each row, in the reference's dialects.
import type { Cells } from '../columns.ts'
import type { Dump } from '../dump.ts'
import { overRows, type Steps } from '../job.ts'
import { Kind, stats, type Stat } from '../model.ts'
import { lossyParse, reparsed } from './numpy.ts'

/** What a diff cell says. */
export const Diff = { number: 0, nan: 1, none: 2 } as const
export type Diff = (typeof Diff)[keyof typeof Diff]

export interface Differences {
  /** Per statistic and row. */
  readonly diff: Readonly<Record<Stat, Float64Array>>
  readonly state: Readonly<Record<Stat, Uint8Array>>
  /** 1 where the reference warns. */
  readonly warning: Uint8Array
}

export interface StatisticsWays {
  /** Operands are printed and read again before they are subtracted. */
  readonly reparse: boolean
  /** All four statistics must be off, against the signed maximum. */
  readonly warnOnAll: boolean
}

const magnitudeLimit = 0.5
const epsilon = 1e-10

export const isNumeric = (kind: number): boolean => kind === Kind.int || kind === Kind.float || kind === Kind.bigint

/** The number of a numeric cell. */
export function numberOf(cells: Cells, item: number, dump: Dump): number {
  return cells.kind[item] === Kind.bigint ? Number(dump.texts.get(cells.value[item])) : cells.value[item]
}

export function* differences(debug: Dump, bench: Dump, debugItem: Int32Array, benchItem: Int32Array, ways: StatisticsWays): Steps<Differences> {
  const length = debugItem.length
  const diff = perStat(() => new Float64Array(length))
  const state = perStat(() => new Uint8Array(length).fill(Diff.none))
  const off = new Uint8Array(length)
  for (const stat of stats) yield* overRows(length, (from, to) => subtract(debug, bench, debugItem, benchItem, stat, diff[stat], state[stat], off, ways, from, to))
  const needed = ways.warnOnAll ? stats.length : 1
  return { diff, state, warning: off.map(count => (count >= needed ? 1 : 0)) }
}

const perStat = <T>(make: () => T): Record<Stat, T> => ({ max: make(), min: make(), mean: make(), norm: make() })

function subtract(debug: Dump, bench: Dump, debugItem: Int32Array, benchItem: Int32Array, stat: Stat, diff: Float64Array, state: Uint8Array, off: Uint8Array, ways: StatisticsWays, from: number, to: number): void {
  const mine = debug.items[stat]
  const theirs = bench.items[stat]
  for (let row = from; row < to; row++) {
    const item = debugItem[row]
    const other = benchItem[row]
    if (item < 0 || other < 0 || !isNumeric(mine.kind[item]) || !isNumeric(theirs.kind[other])) continue
    const n = numberOf(mine, item, debug)
    const b = numberOf(theirs, other, bench)
    if (n === b && Number.isFinite(n) && mine.kind[item] === theirs.kind[other]) {
      diff[row] = n - b
      state[row] = Diff.number
      continue
    }
    const d = ways.reparse ? reread(mine, item, debug) - reread(theirs, other, bench)
      : mine.kind[item] === Kind.bigint || theirs.kind[other] === Kind.bigint ? Number(exactDifference(mine, item, debug, theirs, other, bench) ?? n - b) : n - b
    diff[row] = d
    state[row] = Number.isNaN(d) ? Diff.nan : Diff.number
    if (magnitude(n, b, d, ways) > magnitudeLimit) off[row]++
  }
}

/** What pandas reads from the printed cell. */
function reread(cells: Cells, item: number, dump: Dump): number {
  const value = cells.value[item]
  return cells.kind[item] === Kind.bigint ? lossyParse(dump.texts.get(value)) : cells.kind[item] === Kind.int ? value : reparsed(value)
}

/** Size of a difference against the larger operand. */
function magnitude(n: number, b: number, d: number, ways: StatisticsWays): number {
  const scale = ways.warnOnAll ? Math.abs(Math.max(n, b)) : Math.max(Math.abs(n), Math.abs(b))
  const m = Math.abs(d) / (scale + epsilon)
  // Reading a number again moves its last digits only, which matters close to the limit.
  if (!ways.reparse || Math.abs(m - magnitudeLimit) > 1e-9) return m
  return Math.abs(reparsed(d)) / (Math.abs(Math.max(reparsed(n), reparsed(b))) + epsilon)
}

/** Difference of two numbers of which one is a long integer: Python subtracts integers exactly, however long. Null beside a float. */
export function exactDifference(mine: Cells, item: number, debug: Dump, theirs: Cells, other: number, bench: Dump): bigint | null {
  if (mine.kind[item] === Kind.float || theirs.kind[other] === Kind.float) return null
  return whole(mine, item, debug) - whole(theirs, other, bench)
}

const whole = (cells: Cells, at: number, dump: Dump): bigint => BigInt(cells.kind[at] === Kind.bigint ? dump.texts.get(cells.value[at]) : cells.value[at])
