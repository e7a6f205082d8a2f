// What comparing two packages of configuration comes to: parts with their rows, and findings in order of weight.
import type { Rules, SetupFacts, SetupFinding, SetupReason, Table } from '../model/index.ts'

/** In the order of the workbook's sheets. */
export const configParts = ['env', 'pip', 'dataset', 'weights', 'hyperparameters', 'random'] as const
export type ConfigPart = (typeof configParts)[number]

export type Level = 'error' | 'warning' | 'note'
export type Verdict = 'error' | 'warning' | 'pass'

export interface PartResult {
  readonly part: ConfigPart
  readonly verdict: Verdict
  readonly sheet: Table
  readonly findings: readonly SetupFinding[]
}

export interface Compared {
  readonly rules: Rules
  readonly verdict: Verdict
  readonly parts: readonly PartResult[]
  /** What matters most comes first. */
  readonly findings: readonly SetupFinding[]
}

export const finding = <R extends SetupReason>(
  part: ConfigPart,
  level: Level,
  reason: R,
  facts: SetupFacts[R],
): SetupFinding => ({ part, level, reason, facts }) as SetupFinding

export const worst = (levels: Iterable<Level | Verdict>): Verdict => {
  const found = new Set<string>(levels)
  if (found.has('error')) return 'error'
  return found.has('warning') ? 'warning' : 'pass'
}
