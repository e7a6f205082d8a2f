// The window's door of the engine: one set of answers per area of the contract.
import type { EngineApi } from '../../../../preload/contract/engine.ts'
import { diskFiles } from '../../io/index.ts'
import { measurePairs } from '../../measure/index.ts'
import type { EngineEvent, ReportOrder } from '../../model/index.ts'
import { Memory } from '../../session/index.ts'
import { defaultOptions, writeUnit, type ReportWords } from '../../study/index.ts'
import { job, openPool, Queue } from '../../work/index.ts'
import { Context, refusable } from './context.ts'
import { collectApi } from './collect-api.ts'
import { findingApi } from './finding-api.ts'
import { graphApi } from './graph-api.ts'
import { gridApi } from './grid-api.ts'
import { liveApi } from './live-api.ts'
import { mappingApi } from './mapping-api.ts'
import { nodeApi } from './node-api.ts'
import { ranksApi } from './ranks-api.ts'
import { recomputeApi } from './recompute-api.ts'
import { overflowApi } from './overflow-api.ts'
import { replicasApi } from './replicas-api.ts'
import { seriesApi } from './series-api.ts'
import { sheetsApi } from './sheets-api.ts'
import { sessionApi, type EngineSources } from './session-api.ts'
import { tensorApi } from './tensor-api.ts'
import { verdictsApi } from './verdicts-api.ts'

export interface EngineParts {
  /** Where parsed dumps are kept between openings; '' keeps nothing. */
  readonly cacheDir: string
  /** Bytes of dumps and what follows from them that units off screen may hold. */
  readonly memoryBudget?: number
  emit(event: EngineEvent): void
  words(language: ReportOrder['language']): ReportWords
}

const usualBudget = 768 << 20

export function openEngine({ cacheDir, memoryBudget = usualBudget, emit, words }: EngineParts): EngineApi {
  const files = cacheDir === '' ? diskFiles() : diskFiles(cacheDir)
  const pool = openPool(async () => (await import('../../threads/index.ts')).tasks)
  const context = new Context(files, pool, words)
  // Of their own: who looks at a tensor does not wait for a dump that is being read.
  const readers = openPool(async () => (await import('../../threads/index.ts')).tasks, 2)
  const sources = {
    files,
    cacheDir,
    threads: readers,
    measure: (pairs, work, onPartial) => measurePairs(pool, files, pairs, work, onPartial),
  } satisfies EngineSources
  return {
    ...sessionApi(context, sources, { queue: new Queue(), memory: new Memory(memoryBudget), emit }),
    ...gridApi(context),
    ...nodeApi(context),
    ...collectApi(context),
    ...findingApi(context),
    ...graphApi(context),
    ...liveApi(context, emit),
    ...tensorApi(context, emit),
    ...mappingApi(context),
    ...ranksApi(context),
    ...recomputeApi(context, emit),
    ...overflowApi(context),
    ...replicasApi(context),
    ...seriesApi(context),
    ...sheetsApi(context),
    ...verdictsApi(context),
    async write({ session, unit, ...order }, signal) {
      const view = await context.wholeView({ session, unit }, signal)
      return refusable(() => writeUnit(view, { files, words: words(order.language), order }, job(signal)))
    },
  }
}

export type { ReportWords }
export { defaultOptions }
