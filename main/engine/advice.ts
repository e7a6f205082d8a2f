// The advisor with the dumps' tensor files at hand: on this thread, or as a task for another one.
import type { Advice } from '../../preload/contract/engine.ts'
import { packDump, unpackDump, type PackedDump } from './formats/dump-pack.ts'
import { quickFiles } from './io/quick.ts'
import { job as newJob, type Job } from './job.ts'
import { readWhole, tensorOf } from './view/tensor-walk.ts'
import type { TaskContext } from './work/task.ts'
import type { AdvisorInput, Matched } from './advisor/index.ts'

/** Elements of a tensor up to which hints look at its values. */
const mostRead = 1 << 21

/** `roots`: the folders that may be read. */
export async function adviseOnFiles(input: Omit<AdvisorInput, 'readTensor'>, roots: readonly string[], job: Job): Promise<Advice> {
  // Who only sends an order does without.
  const { advise } = await import('./advisor/index.ts')
  const files = quickFiles(roots)
  return advise({
    ...input,
    readTensor: async (side, item) => {
      const of = tensorOf(input.comparison[side], item)
      return of && readWhole(files, of, mostRead, job)
    },
  }, job)
}

/** What the advisor is told besides. */
export type AdviceTold = Omit<AdvisorInput, 'comparison' | 'readTensor' | 'flows'>

/** Everything a thread needs for it, as plain columns. */
export interface AdviceOrder {
  readonly debug: PackedDump
  readonly bench: PackedDump
  readonly rows: Omit<Matched, 'debug' | 'bench'>
  readonly told: AdviceTold
  readonly roots: readonly string[]
}

/** Null where a dump cannot be sent to a thread. */
export function adviceOrder({ debug, bench, length, debugItem, benchItem, verdict, measured, pairOf }: Matched, told: AdviceTold, roots: readonly string[]): AdviceOrder | null {
  const [mine, theirs] = [packDump(debug), packDump(bench)]
  return mine && theirs && { debug: mine, bench: theirs, rows: { length, debugItem, benchItem, verdict, measured, pairOf }, told, roots }
}

export function adviceTask({ debug, bench, rows, told, roots }: AdviceOrder, { signal }: TaskContext): Promise<Advice> {
  return adviseOnFiles({ ...told, comparison: { ...rows, debug: unpackDump(debug), bench: unpackDump(bench) } }, roots, newJob(signal))
}
