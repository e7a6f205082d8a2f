// Many steps and ranks, wherever they come from: as a picture, each by itself, and asked in SQL.
import type { PictureOf, UnitId } from '../dataset/index.ts'
import type { Questions } from '../io/index.ts'
import type { RanksUnit } from '../model/index.ts'

export interface RanksData {
  readonly units: readonly UnitId[]
  picture(): PictureOf
  unit(of: number): RanksUnit
  /** Over what is there so far. */
  questions(): Promise<Questions>
}
