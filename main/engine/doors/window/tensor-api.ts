// Values of the tensors of a row.
import type { TensorApi, TensorsAt } from '../../../../preload/contract/engine.ts'
import { problem, Refusal, type EngineEvent, type JobInfo, type UnitAt } from '../../model/index.ts'
import { Looks, type LookAt } from '../../inspect/index.ts'
import { closeness } from '../../view/index.ts'
import { type Job, job } from '../../work/index.ts'
import { refusable, type Context } from './context.ts'

/** Reading for less than this is not spoken of. */
const quietMs = 400

export function tensorApi(context: Context, emit: (event: EngineEvent) => void): TensorApi {
  const looks = new Looks(context.pool, context.files)
  const tensorsAt = async (
    { session, unit, row, align }: TensorsAt,
    signal: AbortSignal,
  ): Promise<LookAt> => ({ ...(await context.unitView({ session, unit }, signal)).tensorsOf(row), align })
  /** Long reading is told while it lasts. */
  const telling = async <T>(
    { session, unit }: UnitAt,
    signal: AbortSignal,
    run: (work: Job) => Promise<T>,
  ): Promise<T> => {
    const startedMs = Date.now()
    const quietUntil = performance.now() + quietMs
    let told: JobInfo | null = null
    try {
      return await run(
        job(signal, progress => {
          if (performance.now() < quietUntil) return
          told = { ...progress, session, unit, startedMs, finished: false }
          emit({ is: 'read', session, job: told })
        }),
      )
    } finally {
      if (told !== null) emit({ is: 'read', session, job: { ...(told as JobInfo), finished: true } })
    }
  }
  return {
    tensorNumbers: ({ part, ...at }, signal) =>
      refusable(async () => looks.numbers(await tensorsAt(at, signal), part, job(signal))),
    tensorAbout: ({ sample, ...at }, signal) =>
      refusable(async () => {
        const tensors = await tensorsAt(at, signal)
        return telling(at, signal, work => looks.about(tensors, sample, work))
      }),
    tensorSpread: ({ sample, ...at }, signal) =>
      refusable(async () => {
        const tensors = await tensorsAt(at, signal)
        return telling(at, signal, work => looks.spread(tensors, sample, work))
      }),
    tensorHeat: ({ look, sample, ...at }, signal) =>
      refusable(async () => {
        const tensors = await tensorsAt(at, signal)
        return telling(at, signal, work => looks.heat(tensors, { ...look, sample }, work))
      }),
    tensorKind: (at, signal) => refusable(async () => looks.kind(await tensorsAt(at, signal), job(signal))),
    tensorProposals: (at, signal) => refusable(async () => looks.proposals(await tensorsAt(at, signal))),
    async closeness({ session, unit, row, atol, rtol }, signal) {
      const { debug, bench } = (await context.unitView({ session, unit }, signal)).tensorsOf(row)
      return refusable(async () => {
        if (!debug || !bench) throw new Refusal(problem('no-tensors', ''))
        return closeness(context.pool, context.files, { debug, bench, atol, rtol }, job(signal))
      })
    },
  }
}
