// How many rows of a table are what: by our state of them, and by msprobe's answer.
import { countNames, type Counts, Fill, type ItemRows, RowState } from '../model/index.ts'

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
