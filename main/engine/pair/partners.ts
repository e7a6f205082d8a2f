// Who met whom, read in either direction, and by which way it was found.
import type {
  BenchItem,
  Column,
  DebugItem,
  Dump,
  Ids,
  ItemRow,
  OnBench,
  OnDebug,
  OpRow,
  PairRow,
} from '../model/index.ts'

/** The way by which a partner was found, or by which it was decided that there is none. */
export const PairedBy = {
  /** Nothing was found. */
  none: 0,
  /** Equal names. */
  name: 1,
  /** Two queues of calls, as msprobe reads them. */
  queue: 2,
  /** Names without call numbers. */
  fuzzy: 3,
  api: 4,
  cell: 5,
  layer: 6,
  data: 7,
  /** A finished result says so. */
  given: 8,
  /** A person paired or parted them. */
  hand: 9,
  /** By order, place and content. */
  aligned: 10,
  /** The format knows who meets whom; names do not say it. */
  told: 11,
} as const
export type PairedBy = (typeof PairedBy)[keyof typeof PairedBy]

/** Ops or items of two dumps. */
export interface Partners<Of extends number> {
  /** Bench entry of each debug entry; -1 is nobody. */
  readonly toBench: Ids<OnDebug<Of>, OnBench<Of>>
  /** Debug entry of each bench entry, the first of several; -1 is nobody. */
  readonly toDebug: Ids<OnBench<Of>, OnDebug<Of>>
  /** `PairedBy` of each debug entry. */
  readonly by: Column<Uint8Array, OnDebug<Of>>
}

/** Rows in the order of the table. */
export interface PairedRows {
  /** Item rows; -1 on the bench side is no partner. */
  readonly debugItem: Ids<PairRow, DebugItem>
  readonly benchItem: Ids<PairRow, BenchItem>
  /** `PairedBy` of each row. */
  readonly by: Column<Uint8Array, PairRow>
}

export function noPartners<Of extends number>(debug: number, bench: number): Partners<Of> {
  // Which kind of rows these are is for the caller to say.
  return {
    toBench: new Int32Array(debug).fill(-1) as Partners<number>['toBench'],
    toDebug: new Int32Array(bench).fill(-1) as Partners<number>['toDebug'],
    by: new Uint8Array(debug),
  } as Partners<Of>
}

/** Of an item that met several, the first. */
export function itemPartners(
  { debugItem, benchItem, by }: PairedRows,
  debug: Dump,
  bench: Dump,
): Partners<ItemRow> {
  const items = noPartners<ItemRow>(debug.items.length, bench.items.length)
  for (let row = 0; row < debugItem.length; row++) {
    const [item, other] = [debugItem[row], benchItem[row]]
    if (items.toBench[item] >= 0) continue
    items.by[item] = by[row]
    if (other < 0) continue
    items.toBench[item] = other
    if (items.toDebug[other] < 0) items.toDebug[other] = item
  }
  return items
}

/** Of an op whose items met several, the one that most of them met. */
export function opPartners(
  { debugItem, benchItem, by }: PairedRows,
  debug: Dump,
  bench: Dump,
): Partners<OpRow> {
  const ops = noPartners<OpRow>(debug.ops.length, bench.ops.length)
  const votes = new Uint16Array(debug.ops.length)
  for (let row = 0; row < debugItem.length; row++) {
    const op = debug.items.op[debugItem[row]]
    if (benchItem[row] < 0) {
      if (ops.toBench[op] < 0) ops.by[op] = by[row]
      continue
    }
    const other = bench.items.op[benchItem[row]]
    if (ops.toBench[op] === other) votes[op]++
    else if (votes[op] === 0) {
      ops.toBench[op] = other
      ops.by[op] = by[row]
      votes[op] = 1
    } else votes[op]--
  }
  for (let op = ops.toBench.length - 1; op >= 0; op--)
    if (ops.toBench[op] >= 0) ops.toDebug[ops.toBench[op]] = op
  return ops
}
