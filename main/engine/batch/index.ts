// The door of the command line: whole commands from paths to files, without a session.
import { diskFiles } from '../io/files.ts'
import { abandonAll } from '../io/output.ts'
import { Cancelled, job, type Progress } from '../job.ts'
import type { Measure } from '../metrics/remembered.ts'
import { measurePairs } from '../metrics/tensor-pairs.ts'
import type { Problem } from '../problem.ts'
import type { GraphReport } from '../graph/command.ts'
import { openPools } from '../work/pool.ts'
import { compileLess } from '../work/short-run.ts'
import type { GraphCommand } from './graph.ts'
import type { MapCheckRequest, MapCheckResult, MapProposeRequest, MapProposeResult } from './map.ts'
import type { MergeRequest } from './merge.ts'
import type { Advice } from '../../../preload/contract/engine.ts'
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
  const { all, beside } = openPools(async () => (await import('../tasks.ts')).tasks)
  const warm = (threads?: number): void => {
    if (threads === undefined) compileLess()
    all.warm(threads)
  }
  const measure: Measure = (pairs, work, grown) => {
    warm()
    return measurePairs(all, files, pairs, work, grown)
  }
  const adviser: BatchParts['adviser'] = beside && {
    async prepare(dumps) {
      // Where there are more threads another may be asked for the advice; what fails here fails again, and is told, when it is.
      const done = await beside.run('prepareAdvice', dumps, { signal }).then(() => true, () => false)
      return done && beside.size === 1 ? { key: dumps.key } : dumps
    },
    advise: (order, work) => beside.run<Advice>('advise', order, { signal: work.signal }),
  }
  const parts: BatchParts = { files, words, tell, measure, warm, adviser }
  // Each command's code is loaded with the command: most of a short run would be reading what it never calls.
  return {
    async compare(request) {
      // A thread starts as slowly as the command itself: both at the same time.
      if (request.advise) warm(1)
      return (await import('./compare.ts')).compareCommand(request, parts, job(signal, progress))
    },
    graph: async (request, written) => (await import('./graph.ts')).graphCommand(request, parts, job(signal, progress), written),
    merge: async request => (await import('./merge.ts')).mergeCommand(request, parts, job(signal, progress)),
    mapCheck: async request => (await import('./map.ts')).mapCheck(request, parts, job(signal, progress)),
    mapPropose: async request => (await import('./map.ts')).mapPropose(request, parts, job(signal, progress)),
    close: () => all.close(),
  }
}

export { abandonAll, Cancelled }
export { tableFormats, type TableFormat } from '../report/index.ts'
export type { CompareRequest, CompareResult, MappingFiles, UnitResult, Words } from './request.ts'
export type { Counts } from '../report/counts.ts'
export type { GraphCommand } from './graph.ts'
export type { MergeRequest } from './merge.ts'
