// Values of the tensors of a row.
import type { TensorApi } from '../../../../preload/contract/engine.ts'
import { problem, Refusal } from '../../model/index.ts'
import { aboutTensors } from '../../inspect/index.ts'
import { closeness, tensorView } from '../../view/index.ts'
import { job } from '../../work/index.ts'
import { refusable, type Context } from './context.ts'

export const tensorApi = (context: Context): TensorApi => ({
  async tensor({ session, unit, row, at, rows, cols }, signal) {
    const files = (await context.unitView({ session, unit }, signal)).tensorsOf(row)
    return tensorView(context.pool, context.files, { ...files, at, rows, cols }, job(signal))
  },
  async tensorAbout({ session, unit, row }, signal) {
    const { debug, bench } = (await context.unitView({ session, unit }, signal)).tensorsOf(row)
    return refusable(() => aboutTensors(context.pool, context.files, { debug, bench }, job(signal)))
  },
  async closeness({ session, unit, row, atol, rtol }, signal) {
    const { debug, bench } = (await context.unitView({ session, unit }, signal)).tensorsOf(row)
    return refusable(async () => {
      if (!debug || !bench) throw new Refusal(problem('no-tensors', ''))
      return closeness(context.pool, context.files, { debug, bench, atol, rtol }, job(signal))
    })
  },
})
