// Runs the graph verb's own writing, with what it told.
import { graphsOfDumps } from '../../main/engine/doors/command/graph/of-dumps.ts'
import { type GraphReport, writeGraphs } from '../../main/engine/doors/command/graph/write.ts'
import type { GraphRequest } from '../../main/engine/graph/request.ts'
import { diskFiles, type Files } from '../../main/engine/io/files.ts'
import { emptyMeasured } from '../../main/engine/measure/metrics.ts'
import type { Measure } from '../../main/engine/measure/remembered.ts'
import type { Problem } from '../../main/engine/model/problem.ts'
import { inlinePool } from '../../main/engine/work/inline.ts'
import { job } from '../../main/engine/work/job.ts'

export interface GraphsWritten extends GraphReport {
  readonly problems: readonly Problem[]
}

const nothingMeasured: Measure = pairs => Promise.resolve(emptyMeasured(pairs.length))

export async function graphsWritten(
  request: GraphRequest,
  measure: Measure = nothingMeasured,
  files: Files = diskFiles(),
): Promise<GraphsWritten> {
  const problems: Problem[] = []
  const tell = (found: Problem): void => void problems.push(found)
  const tools = { files, job: job(), measure, pool: inlinePool({}), adviser: null, tell, written() {} }
  const work = await graphsOfDumps(request, tools)
  const report = await writeGraphs(request, work, { chosen: false, shard: null }, tools)
  return { ...report, problems }
}
