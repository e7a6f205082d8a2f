// The rule sets: which generation of msprobe is followed, and where our own rules differ from it.
import type { Rules } from '../model/index.ts'
import { msprobe122 } from './msprobe-1.2.2.ts'
import { msprobe26 } from './msprobe-26.ts'
import { plumbline } from './plumbline.ts'
import type { RuleSet } from './rule-set.ts'

export type { Deviations } from './deviations.ts'
export type { GraphRules } from './graph-rules.ts'
export type { Writing } from './rule-set.ts'
export { defaultThresholds } from './thresholds.ts'

export const ruleSets: Readonly<Record<Rules, RuleSet>> = {
  plumbline,
  'msprobe-1.2.2': msprobe122,
  'msprobe-26': msprobe26,
}
