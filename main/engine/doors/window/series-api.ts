// Values over steps and ranks: pictures, lines, and what is suspect.
import type { SeriesApi, UnitAt } from '../../../../preload/contract/engine.ts'
import { lineOf, mapOf, type SeriesSides } from '../../series/index.ts'
import { infoOf, marksOf, type SeriesData, SeriesUnit } from '../../study/index.ts'
import { Cancelled, job } from '../../work/index.ts'
import type { Context } from './context.ts'

export function seriesApi(context: Context): SeriesApi {
  const dataOf = ({ session, unit }: UnitAt, signal: AbortSignal): Promise<SeriesData> =>
    context.session(session).until(unit, at => (at instanceof SeriesUnit ? at.data : null), signal)
  const sidesOf = async (at: UnitAt, metric: number, signal: AbortSignal): Promise<SeriesSides> => {
    const found = (await dataOf(at, signal)).metrics[metric]
    // It was asked of what was read before.
    if (!found) throw new Cancelled()
    return found
  }
  return {
    series: async (at, signal) => infoOf(await dataOf(at, signal)),
    seriesMap: async (asked, signal) =>
      mapOf(await sidesOf(asked, asked.metric, signal), {
        ...asked,
        columns: Math.min(asked.columns, mostAcross),
        rows: Math.min(asked.rows, mostDown),
      }),
    seriesLine: async (asked, signal) => lineOf(await sidesOf(asked, asked.metric, signal), asked),
    seriesMarks: async (asked, signal) =>
      marksOf(await dataOf(asked, signal), asked.limits, {
        files: context.files,
        job: job(signal),
        // What is wrong with the files was told when they were read.
        tell: () => {},
      }),
  }
}

/** A message stays well below a megabyte. */
const mostAcross = 400
const mostDown = 300
