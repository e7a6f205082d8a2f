// The advisor with the dumps' tensor files at hand: on this thread, or as a task for another one.
import type { Dump } from '../model/index.ts'
import { packDump, type PackedDump, readWhole, unpackDump } from '../formats/index.ts'
import { quickFiles, type Root } from '../io/index.ts'
import { type Job, job as newJob, type TaskContext } from '../work/index.ts'
import type { Advised, AdvisorInput, Matched } from './advise.ts'

/** Elements of a tensor up to which hints look at its values. */
const mostRead = 1 << 21

/** `roots`: the folders that may be read. */
export async function adviseOnFiles(
  input: Omit<AdvisorInput, 'readTensor'>,
  roots: readonly Root[],
  job: Job,
): Promise<Advised> {
  // Who only sends an order does without.
  const { advise } = await import('./advise.ts')
  const files = quickFiles(roots)
  return advise(
    {
      ...input,
      readTensor: async (side, item) => {
        const of = input.comparison[side].tensors.ref(item)
        return of && readWhole(files, of, mostRead, job)
      },
    },
    job,
  )
}

/** What the advisor is told besides. */
export type AdviceTold = Omit<AdvisorInput, 'comparison' | 'readTensor' | 'flows'>

/** A pair of dumps as plain columns, under a number of its own. */
export interface AdviceDumps {
  readonly key: number
  readonly debug: PackedDump
  readonly bench: PackedDump
}

/** Everything a thread needs for it, as plain columns; of dumps that it has prepared the number is enough. */
export interface AdviceOrder {
  readonly dumps: AdviceDumps | Pick<AdviceDumps, 'key'>
  readonly rows: Omit<Matched, 'debug' | 'bench'>
  readonly told: AdviceTold
  readonly roots: readonly Root[]
}

let lastKey = 0

/** Null where a dump cannot be sent to a thread. */
export function adviceDumps(debug: Dump, bench: Dump): AdviceDumps | null {
  const [mine, theirs] = [packDump(debug), packDump(bench)]
  return mine && theirs && { key: ++lastKey, debug: mine, bench: theirs }
}

export const adviceOrder = (
  dumps: AdviceOrder['dumps'],
  { length, debugItem, benchItem, measured, pairOf, pairing: { ops } }: Matched,
  told: AdviceTold,
  roots: readonly Root[],
): AdviceOrder => ({
  dumps,
  rows: { length, debugItem, benchItem, measured, pairOf, pairing: { ops } },
  told,
  roots,
})

/** Pairs of dumps that a thread keeps prepared: one is asked about while the next is made ready. */
export const keptPrepared = 4

const prepared = new Map<number, { readonly debug: Dump; readonly bench: Dump }>()

/** Done by a thread while it waits: what can be known of the dumps before they are compared. */
export async function prepareTask(
  { key, debug, bench }: AdviceDumps,
  { signal }: TaskContext,
): Promise<void> {
  const { prepare } = await import('./advise.ts')
  const dumps = { debug: unpackDump(debug), bench: unpackDump(bench) }
  await prepare(dumps.debug, dumps.bench, newJob(signal))
  prepared.set(key, dumps)
  for (const old of prepared.keys()) if (prepared.size > keptPrepared) prepared.delete(old)
}

export function adviceTask(
  { dumps, rows, told, roots }: AdviceOrder,
  { signal }: TaskContext,
): Promise<Advised> {
  const { debug, bench } = prepared.get(dumps.key) ?? unpacked(dumps)
  prepared.delete(dumps.key)
  return adviseOnFiles({ ...told, comparison: { ...rows, debug, bench } }, roots, newJob(signal))
}

function unpacked(dumps: AdviceOrder['dumps']): { readonly debug: Dump; readonly bench: Dump } {
  if (!('debug' in dumps)) throw new Error(`dumps ${dumps.key} were not prepared here`)
  return { debug: unpackDump(dumps.debug), bench: unpackDump(dumps.bench) }
}
