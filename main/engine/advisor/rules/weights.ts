// A parameter differs: with proof that it is one at all, by its place alone only where noise cannot have made it. One
// that agreed at an earlier call of the same module was changed since.
import { Equal } from '../../measure/index.ts'
import { type DebugItem, type DebugOp, opName, State } from '../../model/index.ts'
import { rule, type Entered, type Tables } from './rule.ts'

const needs = ['debug', 'levels', 'weightTolerance'] as const
type Seen = Pick<Tables, (typeof needs)[number]>

const entered: Entered = { entry: { kind: 'different-weights', variant: '', facts: {} } }

export const weightsRule = rule('weights', needs, tables => {
  const { levels, weightTolerance } = tables
  let updates = 0
  return {
    input({ debug: op, item, role, differs, stands }) {
      if (role !== 'parameter' && role !== 'placed') return null
      if (!differs) return 'pass'
      if (weightTolerance > 0 && levels.level[item] <= weightTolerance) return 'pass'
      // What was not recorded may have made it: only more than noise makes of data speaks for another weight.
      if (role !== 'parameter' && !stands) return 'pass'
      const before = agreedAt(tables, op, item)
      if (before < 0) return entered
      // One update changes them all.
      if (updates++ > 0) return 'pass'
      const facts = { before: opName(tables.debug.dump, before) }
      return { entry: { kind: 'uncovered-entry', variant: 'updated', facts } }
    },
  }
})

/** An earlier call of the same module that held the same on both sides, -1: none. */
function agreedAt({ debug, levels }: Seen, op: DebugOp, item: DebugItem): DebugOp {
  const { ops, items } = debug.dump
  if (items.state[item] !== State.parameters) return -1
  const place = item - ops.first[op]
  for (let before = op - 1; before >= 0; before--) {
    if (debug.api[before] !== debug.api[op] || debug.direction[before] !== debug.direction[op]) continue
    const same = ops.first[before] + place
    if (same >= ops.first[before + 1] || items.state[same] !== State.parameters) continue
    return levels.equal[same] === Equal.yes ? before : -1
  }
  return -1
}
