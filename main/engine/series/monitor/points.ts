// What a training monitor has written in one run, as points over steps and ranks, one set per metric.
import type { Files } from '../../io/index.ts'
import type { Problem } from '../../model/index.ts'
import type { Job } from '../../work/index.ts'
import { Points } from '../points.ts'
import type { MonitorFolder } from './folders.ts'
import { type MonitorRow, readMonitorFile, valuesOf } from './rows.ts'

/** By metric, in the order in which they came. */
export type MonitorPoints = ReadonlyMap<string, Points>

export async function readMonitor(
  run: readonly MonitorFolder[],
  ports: { readonly files: Files; readonly job: Job; tell(found: Problem): void },
): Promise<MonitorPoints> {
  const found = new Map<string, Points>()
  for (const folder of run)
    for (const file of folder.files)
      await readMonitorFile(folder, file, ports, row => {
        let points = found.get(row.metric)
        if (!points) found.set(row.metric, (points = new Points()))
        const at = points.add(folder.rank, row.step, targetOf(row))
        for (const [op, value] of valuesOf(row)) points.set(at, op, value)
      })
  return found
}

/** Stage of the pipeline, name, and micro batch where there is one. */
export const targetOf = ({ vpp, name, micro }: Pick<MonitorRow, 'vpp' | 'name' | 'micro'>): string =>
  `${vpp === null ? '' : `${vpp}:`}${name}${micro === null ? '' : `:${micro}`}`
