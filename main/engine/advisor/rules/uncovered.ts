// A call reads a tensor that differs and that nothing recorded wrote: it enters where nothing was recorded.
import { floorOf } from '../../judge/index.ts'
import { Equal } from '../../measure/index.ts'
import { type DebugOp, opName, State, type TimeStep } from '../../model/index.ts'
import { Direction, Precision } from '../../pair/index.ts'
import { madeBefore, mayBeMade } from '../sources.ts'
import { type Entered, rule, type Tables } from './rule.ts'

const needs = ['debug', 'levels', 'noise', 'links', 'expect', 'limits', 'time', 'aligned'] as const
type Seen = Pick<Tables, (typeof needs)[number]>

export const uncoveredRule = rule('uncovered', needs, tables => {
  const apis = tables.debug.module.includes(0)
  return {
    input({ debug: op, item, isData, differs, stands, meeting, dirty }) {
      const { debug, links } = tables
      if (!isData || meeting.known) return null
      const backward = debug.direction[op] === Direction.backward
      if (
        !backward &&
        (links.isGiven(item) ||
          (apis && links.isRootInput(item)) ||
          isIndex(tables, op, item) ||
          !madeBefore(debug, op))
      )
        return null
      if (!differs || !stands || dirty) return 'pass'
      return { ...unseenAt(tables, op, backward), ...mayBeMade(tables, item) }
    },
  }
})

const isIndex = ({ debug }: Seen, op: DebugOp, item: number): boolean =>
  debug.precision[item] === Precision.whole && debug.kind[op] !== 'view'

function unseenAt(tables: Seen, op: DebugOp, backward: boolean): Entered {
  const { debug, time, aligned } = tables
  const module = backward ? -1 : around(tables, op)
  if (module < 0) {
    const variant = backward ? 'gradient' : 'forward'
    const before = matchedBefore(tables, time.ofDebug[op])
    return { entry: { kind: 'uncovered-entry', variant, facts: { before } } }
  }
  return {
    entry: { kind: 'uncovered-entry', variant: 'module', facts: { reader: opName(debug.dump, op) } },
    debug: module,
    bench: aligned.ops.toBench[module],
  }
}

/** The innermost module around a call whose own inputs agree and whose output does not; -1: none but the whole. */
function around({ debug, levels, noise, limits, aligned }: Seen, op: DebugOp): DebugOp {
  for (let module = debug.parent[op]; module >= 0; module = debug.parent[module]) {
    if (debug.parent[module] < 0) return -1
    let [inputs, outputs] = [true, true]
    for (let i = debug.dump.ops.first[module]; i < debug.dump.ops.first[module + 1]; i++) {
      if (levels.toBench[i] < 0 || debug.dump.items.tensor[i] === 0) continue
      const agrees = noise.exact
        ? levels.equal[i] !== Equal.no
        : !(levels.level[i] > 8 * Math.max(noise.floor, floorOf(debug.precision[i], limits)))
      if (debug.dump.items.state[i] === State.output) outputs &&= agrees
      else inputs &&= agrees
    }
    if (inputs && !outputs && aligned.ops.toBench[module] >= 0) return module
  }
  return -1
}

/** The last matched call before a place on the line of time. */
function matchedBefore({ time, debug, aligned }: Seen, place: TimeStep): string {
  for (let at = place - 1; at >= 0; at--) {
    const op = time.debug[at]
    if (op >= 0 && aligned.ops.toBench[op] >= 0 && debug.kind[op] !== 'view' && debug.leaf[op] === 1)
      return opName(debug.dump, op)
  }
  return '…'
}
