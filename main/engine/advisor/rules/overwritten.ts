// A tensor changed between the call that wrote it and the one that reads it, on one side: an in-place call, or
// one that was not recorded.
import { Direction, type SideView } from '../../pair/index.ts'
import {
  type Column,
  type DebugItem,
  type DebugOp,
  type Ids,
  type ItemRow,
  opName,
  type OpRow,
  type Side,
  State,
  type TimeStep,
} from '../../model/index.ts'
import { Equal } from '../../measure/index.ts'
import { loneCall } from '../blocks.ts'
import { isFloat } from '../levels.ts'
import { type Entered, rule, type Tables } from './rule.ts'

const needs = [
  'debug',
  'bench',
  'aligned',
  'levels',
  'noise',
  'limits',
  'time',
  'across',
  'neutralDebug',
  'neutralBench',
  'links',
  'expect',
] as const
type Seen = Pick<Tables, (typeof needs)[number]>

export const overwrittenRule = rule('overwritten', needs, tables => ({
  input({ debug: op, item, isData, differs, broken, stands, meeting }) {
    if (!isData || !meeting.known) return null
    if (!differs) return 'pass'
    const { made, benchMade, lone } = meeting
    if (lone || made >= 0 === benchMade >= 0) return null
    const { levels, across, links } = tables
    const wrote = made >= 0 ? made : levels.toDebug[benchMade]
    if (wrote < 0 || nearlyKept(tables, item, wrote, made >= 0)) return 'pass'
    const plain = broken && !(across && !links.matters(wrote))
    if (!plain && !(stands && levels.equal[wrote] !== Equal.no)) return 'pass'
    // Layers may hold equal tables, each its own: that one of them was handed on before does not make it the one that is read.
    if (madeOfNothing(tables, wrote, made >= 0))
      return { entry: { kind: 'different-input', variant: 'constant', facts: {} } }
    return overwritten(tables, op, wrote, made >= 0 ? 'bench' : 'debug')
  },
  // Of a module as well: it gives what was written inside it, on one side alone.
  outputs({ debug: op, bench: other, nonFinite }) {
    const { debug, levels, across, noise } = tables
    if (
      across ||
      noise.exact ||
      nonFinite ||
      debug.leaf[op] === 1 ||
      debug.direction[op] !== Direction.forward
    )
      return null
    const { ops, items } = debug.dump
    for (let i = ops.first[op]; i < ops.first[op + 1]; i++) {
      const j = levels.toBench[i]
      if (items.state[i] !== State.output || j < 0 || levels.equal[i] !== Equal.no || !isFloat(debug, i))
        continue
      for (const lost of ['debug', 'bench'] as const) {
        const wrote =
          lost === 'debug'
            ? levels.toDebug[writtenInside(tables.bench, other, j)]
            : writtenInside(debug, op, i)
        if (wrote === undefined || wrote < 0 || levels.toBench[wrote] < 0) continue
        const view = tables[lost]
        const [gives, had] = lost === 'debug' ? [i, wrote] : [j, levels.toBench[wrote]]
        if (view.flow.view[gives] === view.flow.view[had] || view.numel[gives] !== view.numel[had]) continue
        if (!nearlyKept(tables, i, wrote, lost === 'bench')) return overwritten(tables, op, wrote, lost)
      }
    }
    return 'pass'
  },
}))

/** What wrote it only handed on what nothing recorded made. */
function madeOfNothing({ debug, bench, levels }: Seen, wrote: DebugItem, onDebug: boolean): boolean {
  const view: SideView = onDebug ? debug : bench
  let item: ItemRow = onDebug ? wrote : levels.toBench[wrote]
  for (let steps = 0; item >= 0 && steps < 50; steps++) {
    const op = view.dump.items.op[item]
    if (view.kind[op] !== 'view' || view.leaf[op] === 0) return false
    const tensor = view.flow.view[item]
    let read: ItemRow = -1
    for (let i = view.dump.ops.first[op]; i < view.dump.ops.first[op + 1]; i++)
      if (view.dump.items.state[i] === State.input && view.flow.view[i] === tensor) read = i
    if (read < 0) return false
    item = view.flow.producer[read]
  }
  return item < 0
}

/** The last result inside a module that is what the module gives, -1: none. */
function writtenInside(view: SideView, module: OpRow, item: ItemRow): ItemRow {
  const { ops, items } = view.dump
  const tensor = view.flow.view[item]
  if (tensor < 0) return -1
  for (let op = module - 1; op >= view.start[module]; op--)
    for (let i = ops.first[op]; i < ops.first[op + 1]; i++)
      if (items.state[i] === State.output && view.flow.view[i] === tensor) return i
  return -1
}

/**
 * The same elements in another order, whose sums differ in the last digits while their extremes do not; or,
 * among noise, what an unseen step has only rounded.
 */
function nearlyKept(tables: Seen, item: DebugItem, wrote: DebugItem, lostOnBench: boolean): boolean {
  const { debug, bench, levels, noise, limits, expect } = tables
  const [view, x, y] = lostOnBench
    ? [bench, levels.toBench[item], levels.toBench[wrote]]
    : [debug, item, wrote]
  if (x < 0 || y < 0 || view.counted[x] === 0 || view.counted[y] === 0 || view.numel[x] !== view.numel[y])
    return false
  const { max, min, mean, norm } = view.dump.items
  const range = view.range[y]
  const near = (cells: { readonly value: Float64Array }, size: number, share: number): boolean =>
    Math.abs(cells.value[x] - cells.value[y]) <= share * size
  const rounded = noise.exact ? 0 : limits.gainForward * expect.floor(item)
  return (
    near(max, range, rounded) &&
    near(min, range, rounded) &&
    near(mean, range, Math.max(2e-6, rounded)) &&
    near(norm, Math.abs(norm.value[y]), Math.max(2e-6, rounded))
  )
}

/** An unmatched call in between that reads what was written is the one that changed it. */
function overwritten(tables: Seen, reader: DebugOp, wrote: DebugItem, lost: Side): Entered {
  const { debug, bench, aligned, levels, time, neutralDebug, neutralBench } = tables
  const maker = debug.dump.items.op[wrote]
  const [view, neutral, partners]: readonly [SideView, Column<Uint8Array, OpRow>, Ids<OpRow, OpRow>] =
    lost === 'debug' ? [debug, neutralDebug, aligned.ops.toBench] : [bench, neutralBench, aligned.ops.toDebug]
  const kept: ItemRow = lost === 'debug' ? wrote : levels.toBench[wrote]
  const steps: Ids<TimeStep, OpRow> = lost === 'debug' ? time.debug : time.bench
  for (let at = time.ofDebug[maker] + 1; at < time.ofDebug[reader]; at++) {
    const op = steps[at]
    if (op < 0 || partners[op] >= 0 || neutral[op] === 1) continue
    for (let k = view.dump.ops.first[op]; k < view.dump.ops.first[op + 1]; k++) {
      if (
        view.dump.items.state[k] === State.output ||
        view.flow.view[k] < 0 ||
        view.flow.view[k] !== view.flow.view[kept]
      )
        continue
      return lost === 'debug' ? loneCall(tables, op, -1) : loneCall(tables, -1, op)
    }
  }
  const from = opName(debug.dump, maker)
  return { entry: { kind: 'hidden-producer', variant: 'overwritten', facts: { from, lost } }, proof: [wrote] }
}
