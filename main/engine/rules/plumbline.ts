// Our own rules: msprobe 1.2.2's formulas, columns and texts without its accidents.
import { deviate } from './deviations.ts'
import { graphRulesBy } from './graph-rules.ts'
import { type RuleSet, writtenBefore26 } from './rule-set.ts'

const deviates = deviate(true)

export const plumbline: RuleSet = {
  id: 'plumbline',
  generation: 'msprobe-1.2.2',
  deviates,
  zeros: 'tiny',
  squeezes: false,
  graph: { ...graphRulesBy(deviates), stacksNeeded: false },
  asking: { oneMapping: true, kernelsNeeded: true, stackPathNeeded: true, anyFolders: true },
  writing: writtenBefore26,
  extras: true,
}
