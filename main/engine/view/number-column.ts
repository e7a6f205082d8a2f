// A column of numbers among other texts: the numbers as such, the rest as codes.
import type { Job } from '../work/index.ts'
import type { ItemRows } from '../model/index.ts'

const rowsPerBreath = 16_384

export interface NumberColumn {
  /** NaN where the cell is no number. */
  readonly values: Float64Array
  /** What stands in cells that are no numbers, in order of appearance. */
  readonly others: readonly string[]
  /** Index into `others` per row, -1 for numbers. */
  readonly other: Int32Array
  readonly min: number
  readonly max: number
}

/** Reads a mostly numeric column; texts such as `12.5%` count as the number they begin with. */
export async function numberColumn(table: ItemRows, column: number, job: Job): Promise<NumberColumn> {
  const values = new Float64Array(table.length)
  const other = new Int32Array(table.length).fill(-1)
  const known = new Map<string, number>()
  let min = NaN
  let max = NaN
  for (let row = 0; row < table.length; row++) {
    if (row % rowsPerBreath === 0) await job.breathe()
    const value = table.sortable(row, column)
    values[row] = value
    if (value === value) {
      if (Number.isFinite(value)) {
        if (!(value >= min)) min = value
        if (!(value <= max)) max = value
      }
      continue
    }
    const text = table.text(row, column)
    let code = known.get(text)
    if (code === undefined) known.set(text, (code = known.size))
    other[row] = code
  }
  return { values, other, others: [...known.keys()], min, max }
}
