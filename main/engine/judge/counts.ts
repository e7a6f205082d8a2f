// How many rows of a table are what, by our state of them and by msprobe's answer, and how many calls have met.
import {
  countNames,
  type Counts,
  Fill,
  type ItemRows,
  type PairedCalls,
  RowState,
  type Side,
} from '../model/index.ts'
import type { Pairing } from '../pair/index.ts'

export function countsOf(table: ItemRows): Counts {
  const { length, state, fill, benchOnly } = table
  const states = [0, 0, 0, 0, 0]
  const fills = [0, 0, 0]
  let failing = 0
  for (let row = 0; row < length; row++) {
    states[state[row]]++
    fills[fill[row]]++
    if (table.failing(row)) failing++
  }
  return {
    rows: length,
    equal: states[RowState.equal],
    noise: states[RowState.noise],
    differs: states[RowState.differs],
    incomparable: states[RowState.incomparable],
    failing,
    red: fills[Fill.red],
    yellow: fills[Fill.yellow],
    unmatchedDebug: states[RowState.unpaired],
    unmatchedBench: benchOnly.length,
  }
}

export const noCounts = Object.fromEntries(countNames.map(name => [name, 0])) as Record<keyof Counts, number>

export const total = (list: readonly Counts[]): Counts => {
  const sum = { ...noCounts }
  for (const counts of list) for (const name of countNames) sum[name] += counts[name]
  return sum
}

const noCalls: PairedCalls = { all: 0, paired: 0 }
export const nobodysCalls: Readonly<Record<Side, PairedCalls>> = { debug: noCalls, bench: noCalls }

/** Calls that have a partner, as the rows pair them. */
export function callsOf({ toBench, toDebug }: Pairing['ops']): Readonly<Record<Side, PairedCalls>> {
  const counted = (partners: ArrayLike<number>): PairedCalls => {
    let paired = 0
    for (let op = 0; op < partners.length; op++) if (partners[op] >= 0) paired++
    return { all: partners.length, paired }
  }
  return { debug: counted(toBench), bench: counted(toDebug) }
}
