// What is looked up of the calls that an answer names: record, modules, stack, and whether the data explain it.
import { msprobe, wholeOf } from '../../../formats/index.ts'
import type { NamedFound, OverflowExplained } from '../../../model/index.ts'
import {
  type AnomalyRecord,
  chainOf,
  type RankPlace,
  recordOfCall,
  stackOf,
} from '../../../overflow/index.ts'
import { overflowExplained } from '../../../recompute/index.ts'
import { portsOf } from '../ports.ts'
import type { Tools } from '../tools.ts'

export interface FoundCall extends NamedFound {
  /** From the root to the call. */
  readonly modules: readonly string[]
  readonly stack: readonly string[]
  /** Whether the call's inputs explain its result, where tensors were dumped: `normal`, if so. */
  readonly explained: OverflowExplained | null
}

interface Details {
  readonly calls: readonly FoundCall[]
  /** By rank. */
  readonly records: ReadonlyMap<number, readonly AnomalyRecord[]>
}

/** Calls that are looked up: each opens the dump of its rank. */
const most = 64

export async function detailsOf(
  found: readonly NamedFound[],
  ranks: readonly RankPlace[],
  tools: Tools,
): Promise<Details> {
  const calls: FoundCall[] = []
  const records = new Map<number, AnomalyRecord[]>()
  for (const one of found) {
    const place = calls.length < most ? ranks.find(({ rank }) => rank === one.rank)?.place : undefined
    if (!place) {
      calls.push({ ...one, modules: [], stack: [], explained: null })
      continue
    }
    const dump = await wholeOf(msprobe.open(place, portsOf(tools, 'plumbline'), tools.job))
    for (const problem of dump.problems) tools.tell(problem)
    calls.push({
      ...one,
      modules: chainOf(dump, one.order),
      stack: stackOf(dump, one.order),
      explained: await overflowExplained(tools, dump, one.order, tools.job),
    })
    const record = recordOfCall(tools.files, dump, one.order, false)
    records.set(one.rank, [...(records.get(one.rank) ?? []), record])
  }
  return { calls, records }
}
