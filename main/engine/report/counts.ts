// How many rows of a comparison are what.
import { Fill, Verdict } from '../model.ts'
import type { Comparison } from '../result.ts'

export interface Counts {
  readonly rows: number
  readonly disagree: number
  readonly agree: number
  readonly unknown: number
  /** Rows that msprobe's own rule calls a failure. */
  readonly failing: number
  readonly red: number
  readonly yellow: number
  readonly unmatchedDebug: number
  readonly unmatchedBench: number
}

export function countsOf(comparison: Comparison): Counts {
  const { length, verdict, fill, benchItem, benchOnly } = comparison
  const verdicts = [0, 0, 0]
  const fills = [0, 0, 0]
  let failing = 0
  let unmatched = 0
  for (let row = 0; row < length; row++) {
    verdicts[verdict[row]]++
    fills[fill[row]]++
    if (comparison.failing(row)) failing++
    if (benchItem[row] < 0) unmatched++
  }
  return {
    rows: length, disagree: verdicts[Verdict.disagree], agree: verdicts[Verdict.agree], unknown: verdicts[Verdict.unknown], failing,
    red: fills[Fill.red], yellow: fills[Fill.yellow], unmatchedDebug: unmatched, unmatchedBench: benchOnly.length,
  }
}

const none: Counts = { rows: 0, disagree: 0, agree: 0, unknown: 0, failing: 0, red: 0, yellow: 0, unmatchedDebug: 0, unmatchedBench: 0 }

export const total = (list: readonly Counts[]): Counts =>
  list.reduce((sum, counts) => ({
    rows: sum.rows + counts.rows, disagree: sum.disagree + counts.disagree, agree: sum.agree + counts.agree, unknown: sum.unknown + counts.unknown,
    failing: sum.failing + counts.failing, red: sum.red + counts.red, yellow: sum.yellow + counts.yellow,
    unmatchedDebug: sum.unmatchedDebug + counts.unmatchedDebug, unmatchedBench: sum.unmatchedBench + counts.unmatchedBench,
  }), none)
