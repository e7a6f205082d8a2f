// The ranks of one step, read in threads.
import type { Problem } from '../model/index.ts'
import { eachRank, type OverflowPorts, type RankPlace } from '../overflow/index.ts'
import type { Job } from '../work/index.ts'
import type { RankValues } from './record.ts'
import type { ValuesAnswer } from './task.ts'

export async function readValues(
  ports: OverflowPorts,
  ranks: readonly RankPlace[],
  job: Job,
): Promise<{ readonly records: readonly RankValues[]; readonly problems: readonly Problem[] }> {
  const { found, problems } = await eachRank<ValuesAnswer>(ports, ranks, job, { task: 'replicas', more: {} })
  return { records: found.map(({ record }) => record), problems }
}
