// What all answers of a recomputation come to.
import {
  type DirectionAnswer,
  type RecomputedCall,
  type RecomputedState,
  recomputedStates,
} from '../../../model/index.ts'

export interface Summary {
  readonly computed: number
  readonly skipped: number
  readonly pass: number
  readonly warning: number
  readonly error: number
  /** How many directions of calls were skipped for which reason. */
  readonly reasons: Readonly<Record<string, number>>
}

export function summaryOf(directions: readonly DirectionAnswer[]): Summary {
  const verdicts = { pass: 0, warning: 0, error: 0 }
  const reasons: Record<string, number> = {}
  let computed = 0
  for (const { status, reason, outputs } of directions) {
    if (status === 'computed') computed++
    else reasons[reason] = (reasons[reason] ?? 0) + 1
    for (const { verdict } of outputs) verdicts[verdict]++
  }
  return { computed, skipped: directions.length - computed, ...verdicts, reasons }
}

/** What all answers about two dumps come to. */
export function bothSummaryOf(
  calls: readonly RecomputedCall[],
): Readonly<Record<RecomputedState | 'calls', number>> {
  const counts = Object.fromEntries(recomputedStates.map(state => [state, 0])) as Record<
    RecomputedState,
    number
  >
  for (const { state } of calls) counts[state]++
  return { calls: calls.length, ...counts }
}
