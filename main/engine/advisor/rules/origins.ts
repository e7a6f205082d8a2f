// A single call whose result stands out although all it reads agrees.
import { resultRule } from './results.ts'

export const originsRule = resultRule(
  'origins',
  ({ debug }, { debug: op, nonFinite }) =>
    debug.leaf[op] === 1 && debug.kind[op] !== 'communication' && !nonFinite,
  () => ({ kind: 'origin', variant: '', facts: {} }),
)
