// msprobe 1.2.2 to the last cell, accidents included, wherever it does not stop or crash.
import { askedAsMsprobe } from './asking-rules.ts'
import { deviate } from './deviations.ts'
import { graphRulesBy } from './graph-rules.ts'
import { type RuleSet, writtenBefore26 } from './rule-set.ts'

const deviates = deviate(false)

export const msprobe122: RuleSet = {
  id: 'msprobe-1.2.2',
  generation: 'msprobe-1.2.2',
  deviates,
  zeros: 'tiny',
  squeezes: false,
  graph: { ...graphRulesBy(deviates), partsByName: true, oddOutputsUnjudged: true },
  asking: askedAsMsprobe,
  writing: writtenBefore26,
  extras: false,
}
