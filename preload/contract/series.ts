// What the window may ask of the engine: values over steps and ranks.
import type {
  ParallelAsked,
  ParallelPlan,
  SeriesFixed,
  SeriesInfo,
  SeriesLimits,
  SeriesLine,
  SeriesMap,
  SeriesMarks,
  SeriesPick,
  SeriesTag,
  SeriesWindow,
  UnitAt,
  UnitIndex,
} from '../../main/engine/model/shared.ts'

export interface SeriesApi {
  series(q: UnitAt, s: AbortSignal): Promise<SeriesInfo>
  /** A picture of at most so many columns and rows. */
  seriesMap(
    q: UnitAt &
      SeriesPick & {
        readonly fixed: SeriesFixed
        /** The rank or step that is fixed; of a target its name. */
        readonly at: number
        readonly target: string
        readonly columns: number
        readonly rows: number
        /** Part of the picture; null: all of it. */
        readonly window: SeriesWindow | null
        /** Targets that have all of these tags, and this text in their name. */
        readonly tags: readonly string[]
        readonly search: string
      },
    s: AbortSignal,
  ): Promise<SeriesMap>
  seriesLine(
    q: UnitAt & SeriesPick & { readonly rank: number; readonly target: string },
    s: AbortSignal,
  ): Promise<SeriesLine>
  seriesTags(q: UnitAt & { readonly metric: number }, s: AbortSignal): Promise<readonly SeriesTag[]>
  /** What is suspect by these limits. */
  seriesMarks(q: UnitAt & { readonly limits: SeriesLimits }, s: AbortSignal): Promise<SeriesMarks>
  /** Where a value stands in opened dumps: the unit, and the call. */
  seriesNode(
    q: UnitAt & { readonly rank: number; readonly step: number; readonly target: string },
    s: AbortSignal,
  ): Promise<{ readonly unit: UnitIndex; readonly node: string } | null>
  /** How ranks share a model of these sizes. */
  parallelPlan(q: ParallelAsked, s: AbortSignal): Promise<ParallelPlan>
  /** The files are read again, whatever was kept of them. */
  seriesAgain(q: UnitAt, s: AbortSignal): Promise<void>
  /** Logs are read again by a pattern with named groups; by '' as kinds of logs are known. */
  seriesPattern(q: UnitAt & { readonly pattern: string }, s: AbortSignal): Promise<void>
}
