// Calls that only one side makes: which of a run of them to name, and whether they stand for others of the
// other side.
import { Direction, type SideView } from '../pair/index.ts'
import { type BenchOp, type DebugOp, type Entry, type Ids, opName, type OpRow } from '../model/index.ts'
import type { Case } from './links.ts'

interface Block {
  readonly debug: number
  readonly bench: number
  readonly at: number
  readonly entry: Entry<'unmatched-call' | 'unmatched-call.instead'>
}

export const calledAlone: Entry<'unmatched-call'> = { kind: 'unmatched-call', variant: '', facts: {} }
export const calledInstead = (instead: string): Entry<'unmatched-call.instead'> => ({
  kind: 'unmatched-call',
  variant: 'instead',
  facts: { instead },
})

/** The run of unmatched calls around one of them; what only hands tensors on is passed over. */
export function blockOf(c: Case, debugOp: DebugOp, benchOp: BenchOp): Block {
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
function alone(c: Case, at: number): boolean {
  const [d, b] = [c.time.debug[at], c.time.bench[at]]
  return d < 0 || b < 0
}

function namesIn(c: Case, from: number, to: number, side: 'debug' | 'bench'): OpRow[] {
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
export function outermost(view: SideView, op: OpRow, partners: Ids<OpRow, OpRow>): OpRow {
  let found = op
  for (let at = view.parent[op]; at >= 0 && partners[at] < 0; at = view.parent[at]) found = at
  return found
}
