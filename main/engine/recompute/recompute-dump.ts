// All calls of a dump, or some of them, recomputed in threads.
import type { Files } from '../io/index.ts'
import { type DirectionAnswer, type Dump, usualLimit } from '../model/index.ts'
import type { Job, Pool } from '../work/index.ts'
import type { DetailRow } from './details.ts'
import { type CallOps, callsOf, Orders } from './orders.ts'
import type { Generation } from './status.ts'
import type { ExactArray, RecomputeAnswer, RecomputeOrder } from './task.ts'

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

/** What goes to threads, some calls per message. */
interface Batches<Item, Answer> {
  readonly task: 'recompute' | 'recomputeBoth'
  readonly items: readonly Item[]
  orderOf(some: readonly Item[]): unknown
  onAnswer(answer: Answer): void
}

/** Answers in the order of the items, however threads come to them. */
export async function inBatches<Item, Answer>(
  { pool }: RecomputePorts,
  { task, items, orderOf, onAnswer }: Batches<Item, Answer>,
  job: Job,
): Promise<readonly Answer[]> {
  const answers: Answer[] = []
  let next = 0
  let done = 0
  const work = async (): Promise<void> => {
    while (next < items.length) {
      const from = next
      next = Math.min(items.length, from + batch)
      const some = items.slice(from, next)
      const answer = await pool.run<Answer>(task, orderOf(some), { signal: job.signal })
      answers[from / batch] = answer
      onAnswer(answer)
      done += some.length
      job.report({ what: 'job.recomputing', done, total: items.length, countedIn: 'items' })
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, pool.size) }, work))
  return answers
}

export async function recomputeDump(
  ports: RecomputePorts,
  dump: Dump,
  options: RecomputeOptions,
  job: Job,
): Promise<readonly DirectionAnswer[]> {
  const { files } = ports
  const orders = new Orders(files, dump, options.limit ?? usualLimit)
  const orderOf = (some: readonly CallOps[]): RecomputeOrder => ({
    roots: files.roots(),
    calls: some.map(call => orders.of(call)),
    values: options.onArrays !== undefined,
    details: options.details ?? null,
  })
  const onAnswer = ({ directions, arrays, rows }: RecomputeAnswer): void => {
    options.onAnswers?.(directions)
    options.onArrays?.(arrays)
    options.onRows?.(rows)
  }
  const items = callsOf(dump).filter(call => options.wanted?.(call) ?? true)
  try {
    const answers = await inBatches<CallOps, RecomputeAnswer>(
      ports,
      { task: 'recompute', items, orderOf, onAnswer },
      job,
    )
    return answers.flatMap(({ directions }) => directions)
  } finally {
    orders.close()
  }
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
