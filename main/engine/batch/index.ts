// The door of the command line: whole commands from paths to files, without a session.
import { diskFiles } from '../io/files.ts'
import { abandonAll } from '../io/output.ts'
import { Cancelled, job, type Progress } from '../job.ts'
import { measurePairs } from '../metrics/tensor-pairs.ts'
import type { Problem } from '../problem.ts'
import { tasks } from '../tasks.ts'
import type { GraphReport } from '../graph/command.ts'
import { openPool } from '../work/pool.ts'
import { compareCommand } from './compare.ts'
import { graphCommand, type GraphCommand } from './graph.ts'
import { mapCheck, mapPropose, type MapCheckRequest, type MapCheckResult, type MapProposeRequest, type MapProposeResult } from './map.ts'
import { mergeCommand, type MergeRequest } from './merge.ts'
import type { BatchParts, CompareRequest, CompareResult, Words } from './request.ts'

export interface Batch {
  compare(request: CompareRequest): Promise<CompareResult>
  /** `written` is told of each file as soon as it is there. */
  graph(request: GraphCommand, written: (path: string) => void): Promise<GraphReport>
  /** Paths of the files written. */
  merge(request: MergeRequest): Promise<readonly string[]>
  mapCheck(request: MapCheckRequest): Promise<MapCheckResult>
  mapPropose(request: MapProposeRequest): Promise<MapProposeResult>
  close(): Promise<void>
}

export interface BatchSettings {
  readonly words: Words
  readonly signal: AbortSignal
  tell(problem: Problem): void
  progress(progress: Progress): void
}

export function openBatch({ words, signal, tell, progress }: BatchSettings): Batch {
  const files = diskFiles()
  const pool = openPool(tasks)
  const parts: BatchParts = { files, words, tell, measure: (pairs, work, grown) => measurePairs(pool, files, pairs, work, grown) }
  return {
    compare: request => compareCommand(request, parts, job(signal, progress)),
    graph: (request, written) => graphCommand(request, parts, job(signal, progress), written),
    merge: request => mergeCommand(request, parts, job(signal, progress)),
    mapCheck: request => mapCheck(request, parts, job(signal, progress)),
    mapPropose: request => mapPropose(request, parts, job(signal, progress)),
    close: () => pool.close(),
  }
}

export { abandonAll, Cancelled }
export { tableFormats, type TableFormat } from '../report/index.ts'
export type { CompareRequest, CompareResult, MappingFiles, UnitResult, Words } from './request.ts'
export type { Counts } from '../report/counts.ts'
export type { GraphCommand } from './graph.ts'
export type { MergeRequest } from './merge.ts'
