// Values over steps and ranks: pictures, lines, and what is suspect.
import type { SeriesApi, UnitAt } from '../../../../preload/contract/engine.ts'
import { lineOf, mapOf, parallelPlan, type SeriesMetric } from '../../series/index.ts'
import {
  callOf,
  infoOf,
  marksOf,
  moduleCallOf,
  PairStudy,
  pickedTargets,
  type SeriesData,
  SeriesUnit,
  tagsOf,
} from '../../study/index.ts'
import { Cancelled, job } from '../../work/index.ts'
import type { Context } from './context.ts'

export function seriesApi(context: Context): SeriesApi {
  const dataOf = ({ session, unit }: UnitAt, signal: AbortSignal): Promise<SeriesData> => {
    const open = context.session(session)
    return open.study instanceof PairStudy
      ? open.study.series(context.files, found => open.complain(found))
      : open.until(unit, at => (at instanceof SeriesUnit ? at.data : null), signal)
  }
  const metricOf = (data: SeriesData, metric: number): SeriesMetric => {
    const found = data.metrics[metric]
    // It was asked of what was read before.
    if (!found) throw new Cancelled()
    return found.values
  }
  return {
    series: async (at, signal) => infoOf(await dataOf(at, signal)),
    seriesMap: async (asked, signal) => {
      const data = await dataOf(asked, signal)
      return mapOf(metricOf(data, asked.metric), {
        ...asked,
        targets: pickedTargets(data, asked.metric, asked),
        columns: Math.min(asked.columns, mostAcross),
        rows: Math.min(asked.rows, mostDown),
      })
    },
    seriesLine: async (asked, signal) => lineOf(metricOf(await dataOf(asked, signal), asked.metric), asked),
    seriesTags: async (asked, signal) => tagsOf(await dataOf(asked, signal), asked.metric),
    seriesMarks: async (asked, signal) =>
      marksOf(await dataOf(asked, signal), asked.limits, {
        files: context.files,
        job: job(signal),
        // What is wrong with the files was told when they were read.
        tell: () => {},
      }),
    async seriesNode({ session, rank, step, target }, signal) {
      const unit = context
        .session(session)
        .units.findIndex(at => (at.rank ?? 0) === rank && (at.step ?? 0) === step)
      if (unit < 0) return null
      const call = callOf(target)
      if (call !== null) return { unit, node: call }
      const { debug } = await context.until({ session, unit }, at => at.dumps(), signal)
      const node = moduleCallOf(debug, target)
      return node === null ? null : { unit, node }
    },
    parallelPlan: asked => Promise.resolve(parallelPlan(asked)),
    async seriesAgain({ session, unit }) {
      const open = context.session(session)
      const at = open.unit(unit)
      if (at instanceof SeriesUnit) at.readAgain()
      if (open.study instanceof PairStudy)
        await open.study.series(context.files, found => open.complain(found), true)
    },
    async seriesPattern({ session, unit, pattern }) {
      const at = context.session(session).unit(unit)
      if (at instanceof SeriesUnit) at.setPattern(pattern)
    },
  }
}

/** A message stays well below a megabyte. */
const mostAcross = 400
const mostDown = 300
