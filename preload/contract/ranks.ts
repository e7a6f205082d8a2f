// What the window may ask of the engine: steps and ranks as one picture, and questions over all of them.
import type {
  RanksAnswer,
  RanksAsking,
  RanksLayers,
  RanksLayout,
  RanksPicture,
  RanksUnit,
  Result,
  UnitAt,
} from '../../main/engine/model/shared.ts'

export interface RanksApi {
  /** `layout`: how ranks are to be put together; null by number, also where it does not fit. */
  ranks(q: UnitAt & { readonly layout: RanksLayout | null }, s: AbortSignal): Promise<RanksPicture>
  /** `of`: a unit of the picture. */
  ranksUnit(q: UnitAt & { readonly of: number }, s: AbortSignal): Promise<RanksUnit>
  /** Largest error level of one call in each unit of the picture; NaN where it has none. */
  ranksNode(q: UnitAt & { readonly node: string }, s: AbortSignal): Promise<Float64Array>
  ranksLayers(q: UnitAt & { readonly step: number | null }, s: AbortSignal): Promise<RanksLayers>
  ranksTables(q: UnitAt, s: AbortSignal): Promise<RanksAsking>
  ask(q: UnitAt & { readonly sql: string }, s: AbortSignal): Promise<Result<RanksAnswer>>
  /** Writes a whole answer into a folder that the user chose. */
  askInto(
    q: UnitAt & {
      readonly sql: string
      readonly format: 'csv' | 'json' | 'parquet'
      readonly folder: string
    },
    s: AbortSignal,
  ): Promise<Result<{ readonly path: string; readonly rows: number }>>
}
