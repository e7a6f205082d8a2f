// All calls of a dump, or some of them, recomputed in threads.
import type { Files } from '../io/index.ts'
import type { Dump } from '../model/index.ts'
import type { Job, Pool } from '../work/index.ts'
import type { DirectionAnswer } from './call.ts'
import type { DetailRow } from './details.ts'
import { type CallOps, callsOf, Orders } from './orders.ts'
import type { Generation } from './status.ts'
import type { ExactArray, RecomputeAnswer, RecomputeOrder } from './task.ts'

/** Multiplications and additions of a call beyond which rows are sampled. */
export const usualLimit = 5e9

export interface RecomputePorts {
  readonly files: Files
  readonly pool: Pick<Pool, 'run' | 'size'>
}

export interface RecomputeOptions {
  readonly limit?: number
  /** Which calls; all where it is absent. */
  readonly wanted?: (call: CallOps) => boolean
  /** Gets the exact results, call after call. */
  readonly onArrays?: (arrays: readonly ExactArray[]) => void
  /** Rows as msprobe's comparator has them, of this generation. */
  readonly details?: Generation
  readonly onRows?: (rows: readonly DetailRow[]) => void
  readonly onAnswers?: (directions: readonly DirectionAnswer[]) => void
}

/** Calls per message: many are small. */
const batch = 16

export async function recomputeDump(
  { files, pool }: RecomputePorts,
  dump: Dump,
  options: RecomputeOptions,
  job: Job,
): Promise<readonly DirectionAnswer[]> {
  const calls = callsOf(dump).filter(call => options.wanted?.(call) ?? true)
  const orders = new Orders(files, dump, options.limit ?? usualLimit)
  const answers: (readonly DirectionAnswer[])[] = []
  let next = 0
  let done = 0
  const work = async (): Promise<void> => {
    while (next < calls.length) {
      const from = next
      next = Math.min(calls.length, from + batch)
      const order: RecomputeOrder = {
        roots: files.roots(),
        calls: calls.slice(from, next).map(call => orders.of(call)),
        values: options.onArrays !== undefined,
        details: options.details ?? null,
      }
      const { directions, arrays, rows } = await pool.run<RecomputeAnswer>('recompute', order, {
        signal: job.signal,
      })
      answers[from / batch] = directions
      options.onAnswers?.(directions)
      options.onArrays?.(arrays)
      options.onRows?.(rows)
      done += order.calls.length
      job.report({ what: 'job.recomputing', done, total: calls.length, countedIn: 'items' })
    }
  }
  try {
    await Promise.all(Array.from({ length: Math.max(1, pool.size) }, work))
  } finally {
    orders.close()
  }
  return answers.flat()
}

/** One call, by the row of either of its directions; empty where the row is no call of a function. */
export async function recomputeCall(
  ports: RecomputePorts,
  dump: Dump,
  op: number,
  job: Job,
  limit = usualLimit,
): Promise<readonly DirectionAnswer[]> {
  return recomputeDump(
    ports,
    dump,
    { limit, wanted: call => call.forward === op || call.backward === op },
    job,
  )
}
