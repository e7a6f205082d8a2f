// What a training monitor has written in one run, as rows over steps and ranks, by metric.
import type { Files } from '../../io/index.ts'
import type { Problem } from '../../model/index.ts'
import type { Job } from '../../work/index.ts'
import type { PointSink } from '../points.ts'
import type { MonitorFolder } from './folders.ts'
import { type MonitorRow, readMonitorFile, valuesOf } from './rows.ts'

/** `sinkOf` gives what takes the rows of a metric. */
export async function readMonitor(
  run: readonly MonitorFolder[],
  sinkOf: (metric: string) => PointSink,
  ports: { readonly files: Files; readonly job: Job; tell(found: Problem): void },
): Promise<void> {
  for (const folder of run)
    for (const file of folder.files)
      await readMonitorFile(folder, file, ports, row => {
        const points = sinkOf(row.metric)
        const at = points.add(folder.rank, row.step, targetOf(row))
        for (const [op, value] of valuesOf(row)) points.set(at, op, value)
      })
}

/** Stage of the pipeline, name, and micro batch where there is one. */
export const targetOf = ({ vpp, name, micro }: Pick<MonitorRow, 'vpp' | 'name' | 'micro'>): string =>
  `${vpp === null ? '' : `${vpp}:`}${name}${micro === null ? '' : `:${micro}`}`
