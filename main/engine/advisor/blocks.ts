// Calls that only one side makes: which of a run of them to name, and whether they stand for others of the
// other side.
import { Direction, type SideView } from '../pair/index.ts'
import {
  type BenchOp,
  type DebugOp,
  type Entry,
  type Ids,
  type ItemRow,
  opName,
  type OpRow,
  State,
  type TimeStep,
} from '../model/index.ts'
import type { Case } from './links.ts'

type Sides = Pick<Case, 'debug' | 'bench' | 'aligned' | 'time' | 'neutralDebug' | 'neutralBench'>

interface Block {
  readonly debug: DebugOp
  readonly bench: BenchOp
  readonly at?: TimeStep
  readonly entry: Entry<'unmatched-call' | 'unmatched-call.instead'>
}

const calledAlone: Entry<'unmatched-call'> = { kind: 'unmatched-call', variant: '', facts: {} }
const calledInstead = (instead: string): Entry<'unmatched-call.instead'> => ({
  kind: 'unmatched-call',
  variant: 'instead',
  facts: { instead },
})

/** The run of unmatched calls around one of them; what only hands tensors on is passed over. */
export function blockOf(c: Sides, debugOp: DebugOp, benchOp: BenchOp): Block {
  const { debug, bench, aligned, time } = c
  // The backward half of a call goes back to its forward half.
  const forward = (view: SideView, op: OpRow, partners: Ids<OpRow, OpRow>): OpRow =>
    op >= 0 &&
    view.direction[op] === Direction.backward &&
    view.forward[op] >= 0 &&
    partners[view.forward[op]] < 0
      ? view.forward[op]
      : op
  const [d, b] = [forward(debug, debugOp, aligned.ops.toBench), forward(bench, benchOp, aligned.ops.toDebug)]
  const at = d >= 0 ? time.ofDebug[d] : time.ofBench[b]
  let [from, to] = [at, at]
  while (from > 0 && alone(c, from - 1)) from--
  while (to + 1 < time.length && alone(c, to + 1)) to++
  const [mine, theirs] = [namesIn(c, from, to, 'debug'), namesIn(c, from, to, 'bench')]
  if (mine.length > 0 && theirs.length > 0) {
    const op =
      theirs.find(other => bench.kind[other] !== 'view' && bench.kind[other] !== 'plain') ?? theirs[0]
    const instead = opName(debug.dump, mine.find(other => debug.kind[other] === bench.kind[op]) ?? mine[0])
    return { debug: -1, bench: op, at: from, entry: calledInstead(instead) }
  }
  if (mine.length > 0)
    return { debug: outermost(debug, mine[0], aligned.ops.toBench), bench: -1, at: from, entry: calledAlone }
  if (theirs.length > 0)
    return {
      debug: -1,
      bench: outermost(bench, theirs[0], aligned.ops.toDebug),
      at: from,
      entry: calledAlone,
    }
  return { debug: d, bench: b, at, entry: calledAlone }
}

/** Only one side runs here. */
function alone(c: Sides, at: number): boolean {
  const [d, b] = [c.time.debug[at], c.time.bench[at]]
  return d < 0 || b < 0
}

function namesIn(c: Sides, from: number, to: number, side: 'debug' | 'bench'): OpRow[] {
  const [view, neutral, steps] =
    side === 'debug' ? [c.debug, c.neutralDebug, c.time.debug] : [c.bench, c.neutralBench, c.time.bench]
  const found: OpRow[] = []
  for (let at = from; at <= to; at++) {
    const op = steps[at]
    if (op >= 0 && view.leaf[op] === 1 && neutral[op] === 0 && view.direction[op] !== Direction.gradients)
      found.push(op)
  }
  return found
}

/** The largest module that the other side lacks as a whole. */
function outermost(view: SideView, op: OpRow, partners: Ids<OpRow, OpRow>): OpRow {
  let found = op
  for (let at = view.parent[op]; at >= 0 && partners[at] < 0; at = view.parent[at]) found = at
  return found
}

/** What a call without partner stands for: one that only carries what came from nowhere names the gap. */
export function loneCall(
  c: Sides,
  debugOp: DebugOp,
  benchOp: BenchOp,
): Block | { readonly entry: Entry<'uncovered-entry.nan'> } {
  if (debugOp >= 0 && carries(c.debug, debugOp)) {
    const carrier = opName(c.debug.dump, debugOp)
    return { entry: { kind: 'uncovered-entry', variant: 'nan', facts: { carrier } } }
  }
  return blockOf(c, debugOp, benchOp)
}

/** It brings in values which nothing recorded wrote and which are not finite. */
function carries({ dump: { items, ops }, nonFinite, flow }: SideView, op: OpRow): boolean {
  for (let i = ops.first[op]; i < ops.first[op + 1]; i++)
    if (items.state[i] === State.input && items.tensor[i] === 1 && nonFinite[i] === 1 && flow.producer[i] < 0)
      return true
  return false
}

/** Calls without partner are common across frameworks: they count only where all that they were made from agrees. */
export function unlikeCalls(
  { debug, bench, aligned, levels, noise }: Sides & Pick<Case, 'levels' | 'noise'>,
  opP: DebugOp,
  opQ: BenchOp,
  dirty: boolean,
): Block | null {
  if (dirty) return null
  const wrong = (
    view: SideView,
    op: OpRow,
    partners: Ids<OpRow, OpRow>,
    level: (item: ItemRow) => number,
  ): boolean => {
    const queue = op >= 0 && partners[op] < 0 ? [op] : []
    for (let steps = 0; queue.length > 0 && steps < 64; steps++) {
      const at = queue.pop() ?? -1
      for (let i = view.dump.ops.first[at]; i < view.dump.ops.first[at + 1]; i++) {
        const made = view.dump.items.state[i] === State.output ? -1 : view.flow.producer[i]
        if (made < 0) continue
        if (partners[view.dump.items.op[made]] < 0) queue.push(view.dump.items.op[made])
        else if (level(made) > 8 * noise.floor) return true
      }
    }
    return false
  }
  if (wrong(debug, opP, aligned.ops.toBench, item => levels.level[item])) return null
  if (
    wrong(bench, opQ, aligned.ops.toDebug, item =>
      levels.toDebug[item] < 0 ? 0 : levels.level[levels.toDebug[item]],
    )
  )
    return null
  // Without pairs of modules (an API mapping) every module is without partner.
  const modules = aligned.ops.toBench.some((partner, op) => partner >= 0 && debug.module[op] === 1)
  const whole = (view: SideView, op: OpRow, partners: Ids<OpRow, OpRow>): OpRow => {
    if (op < 0 || partners[op] >= 0) return -1
    return modules ? outermost(view, op, partners) : op
  }
  const [d, b] = [whole(debug, opP, aligned.ops.toBench), whole(bench, opQ, aligned.ops.toDebug)]
  return {
    entry: d >= 0 && b >= 0 ? calledInstead(opName(bench.dump, b)) : calledAlone,
    debug: d,
    bench: d >= 0 ? -1 : b,
  }
}
