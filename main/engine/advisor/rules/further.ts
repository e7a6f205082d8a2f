// A second fault among what is wrong already: in a run that is equal to the bit, a call whose result is off by far
// more than what it read can explain.
import { Direction, type SideView } from '../../pair/index.ts'
import { gainOf } from '../expect.ts'
import { rule } from './rule.ts'

/** Beyond what it may amplify; what is nearly as large as it can be tells nothing more. */
const farMore = 20
const largestIn = 0.02
/** These turn a small difference into a large one, or into another choice. */
const sensitive: ReadonlySet<SideView['kind'][number]> = new Set<SideView['kind'][number]>([
  'steep',
  'loss',
  'kink',
  'norm',
  'random',
  'view',
  'empty',
  'communication',
])

export const furtherRule = rule('further', ['debug', 'noise', 'limits', 'expect'], tables => {
  const { debug, noise, expect } = tables
  if (!noise.exact) return null
  return {
    outputs({ debug: op, hit, enters, exact, nonFinite }) {
      if (enters || !exact || nonFinite || hit.length === 0) return null
      if (debug.leaf[op] === 0 || debug.direction[op] !== Direction.forward) return null
      const [came, went] = [expect.worstIn(op), expect.worstOut(op)]
      if (sensitive.has(debug.kind[op]) || !(came > 0 && came < largestIn) || !Number.isFinite(went))
        return null
      const jump = went / (gainOf(tables, op) * came)
      if (!(jump > farMore)) return 'pass'
      return { entry: { kind: 'origin', variant: '', facts: {} }, items: hit, jump, spreads: false }
    },
  }
})
