// How items of two calls that belong together meet where nothing else is known of them.
import {
  type BenchItem,
  type BenchOp,
  type DebugItem,
  type DebugOp,
  type Dump,
  type ItemRow,
  type OpRow,
  State,
} from '../model/index.ts'

const states = [State.input, State.parameters, State.output, State.parametersGrad] as const

/** An op of a dump. */
interface OpOf<Row extends OpRow> {
  readonly dump: Dump
  readonly op: Row
}

const all = (): boolean => true

/**
 * The n-th input meets the n-th input, and so for parameters, outputs and gradients. `meet` gets every item of
 * the debug op that counts, with -1 where the bench op has no more; an op of -1 has no items.
 */
export function meetByPosition(
  debug: OpOf<DebugOp>,
  bench: OpOf<BenchOp>,
  meet: (item: DebugItem, other: BenchItem) => void,
  counts: { debug(item: DebugItem): boolean; bench(item: BenchItem): boolean } = { debug: all, bench: all },
): void {
  const [from, to] = rangeOf(debug)
  const [benchFrom, benchTo] = rangeOf(bench)
  const [mine, theirs] = [debug.dump.items.state, bench.dump.items.state]
  for (const state of states) {
    let there: BenchItem = benchFrom
    for (let item = from; item < to; item++) {
      if (mine[item] !== state || !counts.debug(item)) continue
      while (there < benchTo && (theirs[there] !== state || !counts.bench(there))) there++
      meet(item, there < benchTo ? there++ : -1)
    }
  }
}

function rangeOf({ dump: { ops }, op }: OpOf<OpRow>): [ItemRow, ItemRow] {
  return op < 0 ? [0, 0] : [ops.first[op], ops.first[op + 1]]
}
