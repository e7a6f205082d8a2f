// Pictures of values over steps and ranks, out of a store on disk: each within 200 ms, whatever is held fast.
import { mapOf, type SeriesMetric, SeriesStore } from '../../main/engine/series/index.ts'
import { job } from '../../main/engine/work/job.ts'
import { type Case, works } from './case.ts'

const [ranks, steps, targets] = [60, 100, 1000]
const soonMs = 200

async function filled(store: SeriesStore): Promise<SeriesMetric> {
  const writer = store.metric()
  const sink = writer.side('debug')
  for (let rank = 0; rank < ranks; rank++)
    for (let step = 0; step < steps; step++) {
      for (let target = 0; target < targets; target++)
        sink.set(sink.add(rank, step, `layers.${target}.weight`), 'norm', Math.sin(rank + step * target))
      await writer.flush()
    }
  const metric = await writer.finish(job())
  if (!metric) throw new Error('nothing came')
  return metric
}

async function picturesSoon(): Promise<string> {
  const store = await SeriesStore.open()
  try {
    const metric = await filled(store)
    const said: string[] = []
    for (const fixed of ['rank', 'step', 'target'] as const) {
      const asked = { stat: 'norm', view: 'debug', fixed, at: 31, target: 'layers.500.weight' } as const
      const begun = process.cpuUsage()
      await mapOf(metric, { ...asked, columns: 240, rows: 200, window: null, targets: null })
      const { user, system } = process.cpuUsage(begun)
      if ((user + system) / 1000 > soonMs) said.push(`${fixed}: ${Math.round((user + system) / 1000)} ms`)
    }
    return said.join(', ')
  } finally {
    store.close()
  }
}

export default [
  works({
    name: 'series: pictures of six million values within 200 ms of processor each',
    run: picturesSoon,
  }),
] satisfies readonly Case[]
