// A module whose result stands out although nothing recorded inside it does.
import { resultRule } from './results.ts'

export const modulesRule = resultRule(
  'modules',
  ({ debug }, { debug: op, nonFinite }) =>
    debug.leaf[op] === 0 && debug.kind[op] !== 'communication' && !nonFinite,
  () => ({ kind: 'origin', variant: 'module', facts: {} }),
)
