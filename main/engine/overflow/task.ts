// One rank read and classified, as a thread does it.
import { readCalls } from '../formats/index.ts'
import { diskFiles } from '../io/index.ts'
import type { Problem } from '../model/index.ts'
import { job, type TaskContext } from '../work/index.ts'
import { explainedIn, entersModules, type RankRecord, recordOf } from './record.ts'
import { scenesOf } from './scenes.ts'
import type { RankOrder } from './step.ts'
import { callsOf, type ListedCall, tableOf } from './table.ts'

export interface OverflowWanted {
  readonly growth: number
  /** The list of calls is wanted as well. */
  readonly table: boolean
  /** The same as it is, for those who write it otherwise. */
  readonly calls?: boolean
}

export interface RankAnswer {
  readonly record: RankRecord
  readonly table: Uint8Array | null
  readonly calls: readonly ListedCall[]
  /** What is wrong with the dump, as far as it was read. */
  readonly problems: readonly Problem[]
}

export async function overflowTask(
  { roots, place, rank, growth, table, calls = false }: RankOrder & OverflowWanted,
  { signal }: Pick<TaskContext, 'signal'>,
): Promise<RankAnswer> {
  const files = diskFiles()
  try {
    for (const root of roots) files.allow(root)
    const work = job(signal)
    const dump = await readCalls(files, place, work, false)
    const scenes = scenesOf(dump, growth)
    const whole = calls || entersModules(dump, scenes) ? await readCalls(files, place, work, true) : dump
    const explained = explainedIn(whole, scenes)
    return {
      record: recordOf(files, dump, rank, explained, scenes),
      table: table ? tableOf(callsOf(dump, scenes), place.step, rank) : null,
      calls: calls ? callsOf(whole, scenes) : [],
      problems: dump.problems,
    }
  } finally {
    files.close()
  }
}
