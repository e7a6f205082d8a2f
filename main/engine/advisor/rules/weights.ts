// A parameter differs: with proof that it is one at all, by its place alone only where noise cannot have made it. One
// that agreed at an earlier call of the same module was changed since.
import { Equal } from '../../measure/index.ts'
import { type DebugItem, type DebugOp, type Ids, opName, State } from '../../model/index.ts'
import { floorOf } from '../../judge/index.ts'
import { Precision } from '../../pair/index.ts'
import { endsOf } from '../noise.ts'
import { rule, type Entered, type Tables } from './rule.ts'

const needs = ['debug', 'bench', 'levels', 'noise', 'limits', 'weightTolerance'] as const
type Seen = Pick<Tables, (typeof needs)[number]>

const entered: Entered = { entry: { kind: 'different-weights', variant: '', facts: {} } }

export const weightsRule = rule('weights', needs, tables => {
  const { debug, levels, noise, weightTolerance } = tables
  let updates = 0
  let earlier: Ids<DebugOp, DebugOp> | null = null
  return {
    input({ debug: op, item, role, differs, stands }) {
      if (role !== 'parameter' && role !== 'placed') return null
      if (!differs) return 'pass'
      if (weightTolerance > 0 && levels.level[item] <= weightTolerance) return 'pass'
      // What was not recorded may have made it: only more than noise makes of data speaks for another weight.
      if (role !== 'parameter' && !stands) return 'pass'
      // One that ends in zeros on one side alone was computed there, as running means of weights are.
      if (!noise.exact && isRoundedAlone(tables, item)) return 'pass'
      if (debug.dump.items.state[item] !== State.parameters) return entered
      earlier ??= earlierCalls(debug)
      const before = agreedAt(tables, earlier[op], op, item)
      if (before < 0) return entered
      // Updates carry the noise of the gradients that they were made from.
      if (!noise.exact && !stands) return 'pass'
      // One update changes them all.
      if (updates++ > 0) return 'pass'
      const facts = { before: opName(debug.dump, before) }
      return { entry: { kind: 'uncovered-entry', variant: 'updated', facts } }
    },
  }
})

function isRoundedAlone({ debug, bench, levels, noise, limits }: Seen, item: DebugItem): boolean {
  const [mine, theirs] = [endsOf(debug, item), endsOf(bench, levels.toBench[item])]
  const coarser = Math.max(mine, theirs)
  const onOne = Math.min(mine, theirs) === Precision.float32 && coarser > Precision.float32
  const rounds = mine > theirs ? noise.roundsAll.debug : noise.roundsAll.bench
  const floor = floorOf(coarser === Precision.brain ? coarser : Precision.float16, limits)
  return onOne && rounds && levels.level[item] <= limits.gainForward * floor
}

/** An earlier call of the same module that held the same on both sides, -1: none. */
function agreedAt({ debug, levels }: Seen, before: DebugOp, op: DebugOp, item: DebugItem): DebugOp {
  const { ops, items } = debug.dump
  const same = ops.first[before] + item - ops.first[op]
  const held = before >= 0 && same < ops.first[before + 1] && items.state[same] === State.parameters
  return held && levels.equal[same] === Equal.yes ? before : -1
}

/** Of each op the one before it that is a call of the same, -1: it is the first. */
function earlierCalls({ api, direction }: Seen['debug']): Ids<DebugOp, DebugOp> {
  const last = new Map<number, DebugOp>()
  return Int32Array.from(api, (code, op) => {
    const key = 4 * code + direction[op]
    const before = last.get(key) ?? -1
    last.set(key, op)
    return before
  })
}
