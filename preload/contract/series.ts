// What the window may ask of the engine: values over steps and ranks.
import type {
  SeriesFixed,
  SeriesInfo,
  SeriesLimits,
  SeriesLine,
  SeriesMap,
  SeriesMarks,
  SeriesPick,
  UnitAt,
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
      },
    s: AbortSignal,
  ): Promise<SeriesMap>
  seriesLine(
    q: UnitAt & SeriesPick & { readonly rank: number; readonly target: string },
    s: AbortSignal,
  ): Promise<SeriesLine>
  /** What is suspect by these limits. */
  seriesMarks(q: UnitAt & { readonly limits: SeriesLimits }, s: AbortSignal): Promise<SeriesMarks>
}
