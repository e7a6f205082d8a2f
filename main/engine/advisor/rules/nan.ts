// NaN or infinity that comes out of finite inputs.
import { resultRule } from './results.ts'

export const nanRule = resultRule(
  'nan',
  ({ debug }, { debug: op, nonFinite, hit }) =>
    debug.kind[op] !== 'communication' && (nonFinite || hit.length === 0),
  () => ({ kind: 'nan', variant: '', facts: {} }),
)
