// Remembers what was measured by the two files, not by the row: a new mapping or rule set measures new pairs
// only.
import { type Measured, type MeasuredRow, Outcome, type TensorPair, type TensorRef } from '../model/index.ts'
import type { Job } from '../work/index.ts'
import { emptyMeasured, metrics } from './metrics.ts'
import { partText } from './tensor-pairs.ts'

export type Measure = (
  pairs: readonly TensorPair[],
  job: Job,
  onPartial?: (part: Measured) => void,
) => Promise<Measured>

/** Beyond so many times the pairs that are asked for, those of former mappings are forgotten. */
const mostKept = 4

export function remembering(measure: Measure): Measure {
  const known = new Map<string, readonly [Measured, MeasuredRow]>()
  const sideKey = (ref: TensorRef | null): string => (ref ? ref.file + partText(ref) : '')
  const keyOf = (pair: TensorPair): string =>
    `${sideKey(pair.debug)}\n${sideKey(pair.bench)}\n${pair.zeros ?? 'tiny'}`

  return async (pairs, job, onPartial) => {
    const keys = pairs.map(keyOf)
    if (known.size > mostKept * pairs.length) known.clear()
    const all = emptyMeasured(pairs.length)
    const missing: MeasuredRow[] = []
    keys.forEach((key, row) => {
      const found = known.get(key)
      if (found) copy(found[0], found[1], all, row)
      else missing.push(row)
    })
    if (missing.length === 0) return all
    let newest: Measured | null = null
    const take = (part: Measured): void => {
      newest = part
      onPartial?.(merged(part))
    }
    /** Columns of what was asked for before stand beside those that are being filled. */
    const merged = (part: Measured): Measured => {
      if (missing.length === pairs.length) return part
      missing.forEach((row, i) => copy(part, i, all, row))
      return { ...all, ...(part.problems && { problems: part.problems }) }
    }
    try {
      const fresh = await measure(
        missing.map(row => pairs[row]),
        job,
        take,
      )
      newest = fresh
      return merged(fresh)
    } finally {
      // What was measured before it was stopped need not be measured again.
      if (newest) remember(newest, missing)
    }

    function remember(part: Measured, rows: readonly MeasuredRow[]): void {
      rows.forEach((row, i) => {
        if (part.outcome[i] !== Outcome.pending) known.set(keys[row], [part, i])
      })
    }
  }
}

function copy(from: Measured, i: MeasuredRow, to: Measured, row: MeasuredRow): void {
  to.outcome[row] = from.outcome[i]
  to.notes[row] = from.notes[i]
  to.benchNorm[row] = from.benchNorm[i]
  for (const { id } of metrics) to[id][row] = from[id][i]
  for (const half of [0, 1]) {
    to.debugHash[row * 2 + half] = from.debugHash[i * 2 + half]
    to.benchHash[row * 2 + half] = from.benchHash[i * 2 + half]
  }
}
