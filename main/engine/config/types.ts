// What comparing two packages of configuration comes to: parts with their rows, and findings in order of weight.
import type { Rules, Table } from '../model/index.ts'

/** In the order of the workbook's sheets. */
export const configParts = ['env', 'pip', 'dataset', 'weights', 'hyperparameters', 'random'] as const
export type ConfigPart = (typeof configParts)[number]

export type Level = 'error' | 'warning' | 'note'
export type Verdict = 'error' | 'warning' | 'pass'

type Fact = string | number
interface NamedValues {
  name: Fact
  bench: Fact
  debug: Fact
}
interface Side {
  side: 'bench' | 'debug'
}

/** Why something is worth a sentence, with the facts of that sentence. */
export interface ReasonFacts {
  'part-alone': Side & { name: string }
  'part-unreadable': { name: string }
  'weights-differ': Differing
  'weights-alone': Alone
  'dataset-differ': Differing
  'dataset-alone': Alone
  'hyper-differs': NamedValues & { other: Fact; how: string }
  'hyper-alone': Side & { name: string; value: Fact; file: string }
  'env-differs': NamedValues & { other: Fact }
  'env-alone': Side & { name: string; value: Fact }
  'pip-differs': NamedValues
  'random-count': NamedValues & { rank: number; stack: string }
  'random-alone': Side & { name: string; rank: number; count: Fact; stack: string }
}

interface Differing {
  step: number
  rank: number
  differ: number
  of: number
  name: string
  stat: string
  share: number
}

interface Alone extends Side {
  count: number
  name: string
  step: number
  rank: number
}

export type Reason = keyof ReasonFacts

export type ConfigFinding<R extends Reason = Reason> = R extends Reason
  ? {
      readonly part: ConfigPart
      readonly level: Level
      readonly reason: R
      readonly facts: Readonly<ReasonFacts[R]>
    }
  : never

export interface PartResult {
  readonly part: ConfigPart
  readonly verdict: Verdict
  readonly sheet: Table
  readonly findings: readonly ConfigFinding[]
}

export interface Compared {
  readonly rules: Rules
  readonly verdict: Verdict
  readonly parts: readonly PartResult[]
  /** What matters most comes first. */
  readonly findings: readonly ConfigFinding[]
}

export const finding = <R extends Reason>(
  part: ConfigPart,
  level: Level,
  reason: R,
  facts: ReasonFacts[R],
): ConfigFinding => ({ part, level, reason, facts }) as ConfigFinding

export const worst = (levels: Iterable<Level | Verdict>): Verdict => {
  const found = new Set<string>(levels)
  if (found.has('error')) return 'error'
  return found.has('warning') ? 'warning' : 'pass'
}
