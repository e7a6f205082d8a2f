// Calls of one dump or two, each side from its own inputs, in threads.
import { type Column, type Dump, type OpRow, type RecomputedCall, usualLimit } from '../model/index.ts'
import type { Job } from '../work/index.ts'
import type { BothOrders } from './both.ts'
import { type CallOps, callsOf, Orders } from './orders.ts'
import { inBatches, type RecomputePorts } from './recompute-dump.ts'

/** Both dumps, and which op of the bench an op of the debug side met; -1 for none. */
export interface RecomputeSides {
  readonly debug: Dump
  /** Null: there is one dump only. */
  readonly bench: Dump | null
  readonly toBench: Column<Int32Array, OpRow, OpRow>
}

/** A call on the sides that have it. */
export interface CallPair {
  readonly debug: CallOps | null
  readonly bench: CallOps | null
}

export interface RecomputePairOptions {
  /** Multiplications and additions of a call beyond which rows are sampled. */
  readonly limit?: number
  readonly onCalls?: (calls: readonly RecomputedCall[]) => void
}

/** Calls that met, in the order of the debug side; then those that only the bench has. */
export function callPairs({ debug, bench, toBench }: RecomputeSides): readonly CallPair[] {
  if (!bench) return callsOf(debug).map(call => ({ debug: call, bench: null }))
  const theirs = callsOf(bench)
  const byOp = new Map<number, CallOps>()
  for (const call of theirs) for (const op of [call.forward, call.backward]) if (op >= 0) byOp.set(op, call)
  const taken = new Set<CallOps>()
  const partner = (call: CallOps): CallOps | null => {
    const ops = [call.forward, call.backward].filter(op => op >= 0).map(op => toBench[op as OpRow])
    const found = ops.flatMap(op => byOp.get(op) ?? []).find(one => !taken.has(one)) ?? null
    if (found) taken.add(found)
    return found
  }
  const met = callsOf(debug).map(call => ({ debug: call, bench: partner(call) }))
  return [...met, ...theirs.filter(call => !taken.has(call)).map(call => ({ debug: null, bench: call }))]
}

export async function recomputePair(
  ports: RecomputePorts,
  sides: RecomputeSides,
  pairs: readonly CallPair[],
  options: RecomputePairOptions,
  job: Job,
): Promise<readonly RecomputedCall[]> {
  const { files } = ports
  const limit = options.limit ?? usualLimit
  const debug = new Orders(files, sides.debug, limit)
  const bench = sides.bench && new Orders(files, sides.bench, limit)
  const orderOf = (some: readonly CallPair[]): BothOrders => ({
    roots: files.roots(),
    calls: some.map(pair => ({
      debug: pair.debug && debug.of(pair.debug),
      bench: pair.bench && bench ? bench.of(pair.bench) : null,
    })),
    alone: sides.bench === null,
  })
  try {
    const found = await inBatches<CallPair, readonly RecomputedCall[]>(
      ports,
      { task: 'recomputeBoth', items: pairs, orderOf, onAnswer: calls => options.onCalls?.(calls) },
      job,
    )
    return found.flat()
  } finally {
    debug.close()
    bench?.close()
  }
}
