// One rank read and classified, as a thread does it.
import { readCalls } from '../formats/index.ts'
import { diskFiles } from '../io/index.ts'
import type { Problem } from '../model/index.ts'
import { job, type TaskContext } from '../work/index.ts'
import { explainedIn, entersModules, type RankRecord, recordOf } from './record.ts'
import { scenesOf } from './scenes.ts'
import type { RankOrder } from './step.ts'
import { tableOf } from './table.ts'

export interface OverflowWanted {
  readonly growth: number
  /** The list of calls is wanted as well. */
  readonly table: boolean
}

export interface RankAnswer {
  readonly record: RankRecord
  readonly table: Uint8Array | null
  /** What is wrong with the dump, as far as it was read. */
  readonly problems: readonly Problem[]
}

export async function overflowTask(
  { roots, place, rank, growth, table }: RankOrder & OverflowWanted,
  { signal }: Pick<TaskContext, 'signal'>,
): Promise<RankAnswer> {
  const files = diskFiles()
  try {
    for (const root of roots) files.allow(root)
    const work = job(signal)
    const dump = await readCalls(files, place, work, false)
    const scenes = scenesOf(dump, growth)
    const whole = entersModules(dump, scenes) ? await readCalls(files, place, work, true) : dump
    const explained = explainedIn(whole, scenes)
    return {
      record: recordOf(files, dump, rank, explained, scenes),
      table: table ? tableOf(dump, scenes, place.step, rank) : null,
      problems: dump.problems,
    }
  } finally {
    files.close()
  }
}
