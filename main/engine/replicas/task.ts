// One rank read, as a thread does it.
import { readCalls } from '../formats/index.ts'
import { diskFiles } from '../io/index.ts'
import type { Problem } from '../model/index.ts'
import type { RankOrder } from '../overflow/index.ts'
import { job, type TaskContext } from '../work/index.ts'
import { type RankValues, valuesOf } from './record.ts'

export interface ValuesAnswer {
  readonly record: RankValues
  readonly problems: readonly Problem[]
}

export async function replicasTask(
  { roots, place, rank }: RankOrder,
  { signal }: Pick<TaskContext, 'signal'>,
): Promise<ValuesAnswer> {
  const files = diskFiles()
  try {
    for (const root of roots) files.allow(root)
    const dump = await readCalls(files, place, job(signal), true)
    return { record: valuesOf(files, dump, rank), problems: dump.problems }
  } finally {
    files.close()
  }
}
