// Statistics of every tensor of opened dumps over their steps and ranks: one dump in memory at a time.
import { readCalls } from '../../formats/index.ts'
import type { UnitRef } from '../../layout/index.ts'
import { type Cells, type Dump, type ItemRow, Kind, Refusal } from '../../model/index.ts'
import type { PointSink } from '../../series/index.ts'
import { filled, type SeriesData, type SeriesPorts } from './data.ts'

const statistics = 'statistics'
const stats = ['norm', 'max', 'min', 'mean'] as const

/** A dump that cannot be read is told and left out. */
export const readDumpSeries = (units: readonly UnitRef[], ports: SeriesPorts): Promise<SeriesData> =>
  filled('dumps', '', ports, async (into, inner) => {
    const metric = into.metric(statistics)
    for (const [done, { step, rank, places }] of units.entries()) {
      inner.job.report({ what: 'job.reading', done, total: units.length, countedIn: 'items' })
      for (const [side, place] of [['debug', places.debug] as const, ['bench', places.bench] as const]) {
        if (!place) continue
        try {
          const dump = await readCalls(inner.files, place, inner.job, false)
          await addDump(dump, metric.side(side), { step: step ?? 0, rank: rank ?? 0 }, inner)
        } catch (error) {
          if (!(error instanceof Refusal)) throw error
          inner.tell({ ...error.problem, severity: 'warning' })
        }
      }
    }
    return {}
  })

/** Rows between two looks at whether somebody has cancelled, and two trips to the disk. */
const breath = 8192

async function addDump(
  { items, texts }: Dump,
  sink: PointSink,
  { step, rank }: { readonly step: number; readonly rank: number },
  { job }: SeriesPorts,
): Promise<void> {
  for (let item = 0; item < items.length; item++) {
    if (item % breath === breath - 1) await job.breathe()
    const row = item as ItemRow
    if (items.tensor[row] !== 1) continue
    const at = sink.add(rank, step, texts.get(items.name[row]))
    for (const stat of stats) {
      const value = numberIn(items[stat], row)
      if (value !== null) sink.set(at, stat, value)
    }
  }
}

const numberIn = ({ kind, value }: Cells<ItemRow>, row: ItemRow): number | null =>
  kind[row] === Kind.int || kind[row] === Kind.float ? value[row] : null
