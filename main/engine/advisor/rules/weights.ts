// A parameter differs: with proof that it is one at all, by its place alone only where noise cannot have made it.
import { rule, type Entered } from './rule.ts'

const entered: Entered = { entry: { kind: 'different-weights', variant: '', facts: {} } }

export const weightsRule = rule('weights', ['levels', 'weightTolerance'], ({ levels, weightTolerance }) => ({
  input({ item, role, differs, stands }) {
    if (role !== 'parameter' && role !== 'placed') return null
    if (!differs) return 'pass'
    if (weightTolerance > 0 && levels.level[item] <= weightTolerance) return 'pass'
    // What was not recorded may have made it: only more than noise makes of data speaks for another weight.
    return role === 'parameter' || stands ? entered : 'pass'
  },
}))
