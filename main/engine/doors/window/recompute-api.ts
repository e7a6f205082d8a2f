// Calls computed again from their stored inputs: some of a unit, and the one where the error enters.
import type { RecomputeApi } from '../../../../preload/contract/engine.ts'
import type { EngineEvent, JobInfo } from '../../model/index.ts'
import { writeRepro } from '../../study/index.ts'
import { job, type Progress } from '../../work/index.ts'
import { refusable, type Context } from './context.ts'

/** How often the window is told how far it is: tables are asked for anew each time. */
const tellEveryMs = 1000

export function recomputeApi(context: Context, emit: (event: EngineEvent) => void): RecomputeApi {
  const { files, pool } = context
  return {
    async recompute({ session, unit, nodes, limit }, signal) {
      const view = await context.wholeView({ session, unit }, signal)
      const startedMs = Date.now()
      let toldMs = performance.now()
      const begun: Progress = { what: 'job.recomputing', done: 0, total: 0, countedIn: 'items' }
      const tell = (progress: Progress, finished: boolean): void => {
        const told: JobInfo = { ...progress, session, unit, startedMs, finished }
        emit({ is: 'recomputed', session, job: told })
      }
      tell(begun, false)
      const telling = job(signal, progress => {
        if (performance.now() - toldMs < tellEveryMs) return
        toldMs = performance.now()
        tell(progress, false)
      })
      try {
        await view.recomputed().run({ files, pool }, nodes, { limit }, telling)
      } finally {
        tell(begun, true)
      }
    },
    async recomputed({ session, unit, at }, signal) {
      return (await context.unitView({ session, unit }, signal)).recomputed().of(at)
    },
    async headlineRecomputed({ session, unit, limit }, signal) {
      const view = await context.wholeView({ session, unit }, signal)
      const [headline] = (await view.advice()).findings
      if (!headline || view.table.mode !== 'tensor') return null
      return view.recomputed().ofFinding({ files, pool }, headline, { limit }, job(signal))
    },
    repro({ session, unit, side, node, folder }, signal) {
      return refusable(async () => {
        const view = await context.unitView({ session, unit }, signal)
        return { paths: writeRepro(view.dump(side), { name: node, folder, files }) }
      })
    },
  }
}
