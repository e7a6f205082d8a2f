// Both sides on one line of time: matched ops once, unmatched ones where they ran, gradients of parameters
// last.
import { type Alignment, Direction, Precision, type SideView } from '../pair/index.ts'
import {
  type BenchOp,
  type DebugOp,
  type Ids,
  type ItemRow,
  type OpRow,
  State,
  type TimeStep,
} from '../model/index.ts'

/** One entry per step; -1: that side has no op here. */
export interface Timeline {
  readonly length: number
  readonly debug: Ids<TimeStep, DebugOp>
  readonly bench: Ids<TimeStep, BenchOp>
  /** Step of a debug op, of a bench op. */
  readonly ofDebug: Ids<DebugOp, TimeStep>
  readonly ofBench: Ids<BenchOp, TimeStep>
}

export function timelineOf(debug: SideView, bench: SideView, aligned: Alignment): Timeline {
  const [n, m] = [debug.api.length, bench.api.length]
  // Bench-only ops follow the step of the bench op before them that has a partner.
  const behind = new Map<DebugOp, BenchOp[]>()
  let last: DebugOp = -1
  for (let op = 0; op < m; op++) {
    if (bench.direction[op] === Direction.gradients) continue
    if (aligned.ops.toDebug[op] >= 0) last = aligned.ops.toDebug[op]
    else if (behind.get(last)?.push(op) === undefined) behind.set(last, [op])
  }
  const steps: [DebugOp, BenchOp][] = (behind.get(-1) ?? []).map(op => [-1, op])
  for (let op = 0; op < n; op++) {
    if (debug.direction[op] !== Direction.gradients) steps.push([op, aligned.ops.toBench[op]])
    for (const other of behind.get(op) ?? []) steps.push([-1, other])
  }
  for (let op = 0; op < n; op++)
    if (debug.direction[op] === Direction.gradients) steps.push([op, aligned.ops.toBench[op]])
  for (let op = 0; op < m; op++)
    if (bench.direction[op] === Direction.gradients && aligned.ops.toDebug[op] < 0) steps.push([-1, op])
  const timeline: Timeline = {
    length: steps.length,
    debug: Int32Array.from(steps, step => step[0]),
    bench: Int32Array.from(steps, step => step[1]),
    ofDebug: new Int32Array(n).fill(-1),
    ofBench: new Int32Array(m).fill(-1),
  }
  for (let at = 0; at < steps.length; at++) {
    if (timeline.debug[at] >= 0) timeline.ofDebug[timeline.debug[at]] = at
    if (timeline.bench[at] >= 0) timeline.ofBench[timeline.bench[at]] = at
  }
  return timeline
}

/** Ops of a side of which the other cannot have any: it dumped no modules, or modules alone. */
export function beyondLevel(view: SideView, other: SideView): (op: OpRow) => boolean {
  const has = (module: number): boolean => other.module.includes(module)
  const lacks = [!has(0), !has(1)]
  return op => lacks[view.module[op]]
}

/** The statistics of what these give are those of what they get, and yet it is not the same. */
const reorders = /^(?:flip|fliplr|flipud|roll|rot90|sort)$/

/** An op that changes nothing: every tensor it gives is one it got, or it gives none and overwrites none. */
export function isNeutral(view: SideView, op: OpRow): boolean {
  const { ops, items } = view.dump
  const api = view.names.text(view.api[op])
  if (reorders.test(api.slice(api.lastIndexOf('.') + 1))) return false
  const { flow } = view
  let outputs = 0
  for (let i = ops.first[op]; i < ops.first[op + 1]; i++) {
    if (items.state[i] !== State.output || items.tensor[i] === 0) continue
    outputs++
    let passed = false
    for (let k = ops.first[op]; !passed && k < ops.first[op + 1]; k++) {
      if (items.state[k] === State.output) continue
      passed = flow.view[i] >= 0 ? flow.view[k] === flow.view[i] : sameConstant(view, i, k)
    }
    if (!passed) return false
  }
  return outputs > 0 || view.kind[op] !== 'inPlace'
}

/** Constants have no identity; two of one size and value are as good as the same. */
function sameConstant(view: SideView, i: ItemRow, k: ItemRow): boolean {
  const { items } = view.dump
  return (
    view.numel[i] === view.numel[k] &&
    view.counted[i] === 1 &&
    view.counted[k] === 1 &&
    view.precision[i] >= Precision.whole &&
    Object.is(items.max.value[i], items.max.value[k]) &&
    Object.is(items.min.value[i], items.min.value[k])
  )
}

/** The op that really made an item: passes over ops that only hand a tensor on. -1: nothing recorded. */
export function makerOf(view: SideView, item: ItemRow, stop: (op: OpRow) => boolean): ItemRow {
  const { dump, flow } = view
  let at = flow.producer[item]
  for (let steps = 0; at >= 0 && steps < 1000; steps++) {
    const op = dump.items.op[at]
    if (stop(op)) return at
    let next: ItemRow = -1
    for (let i = dump.ops.first[op]; i < dump.ops.first[op + 1] && next < 0; i++) {
      if (dump.items.state[i] !== State.output && flow.view[i] >= 0 && flow.view[i] === flow.view[at])
        next = flow.producer[i]
    }
    at = next
  }
  return at
}
