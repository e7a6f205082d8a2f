// A table that says itself what its rows are worth: its states stand in place of those that numbers would give.
import { listedDumps, type SheetTable } from '../../formats/index.ts'
import { emptyMeasured, type Measure, metrics } from '../../measure/index.ts'
import { Outcome, type ToldGrounds } from '../../model/index.ts'
import { type ToldTable, toldTableOf } from '../../precheck/index.ts'
import type { SourceDumps } from '../sources.ts'

/** Null where a table is none of these. */
export function dumpsOfTold(
  table: SheetTable,
): (SourceDumps & { readonly bench: NonNullable<SourceDumps['bench']>; readonly measure: Measure }) | null {
  const told = toldTableOf(table)
  if (!told) return null
  const dumps = listedDumps(table.path, told.length, row => told.item(row))
  return {
    ...dumps,
    given: Int32Array.from({ length: told.length }, (_, row) => row),
    measure: toldNumbers(told),
    graph: null,
  }
}

const toldNumbers =
  (table: ToldTable): Measure =>
  async pairs => {
    const measured = emptyMeasured(pairs.length)
    const state = new Uint8Array(pairs.length)
    const level = new Float64Array(pairs.length)
    pairs.forEach(({ item = 0 }, row) => {
      const known = ['Cosine', 'MaxAbsErr'].every(title => !Number.isNaN(table.number(item, title)))
      measured.outcome[row] = known ? Outcome.measured : Outcome.debugMissing
      state[row] = table.state(item)
      level[row] = table.level(item)
      for (const { id, title } of metrics) measured[id][row] = table.number(item, title)
    })
    const rowOf = (row: number): number => pairs[row]?.item ?? 0
    const said = (row: number): { status: string; grounds: ToldGrounds } => ({
      status: table.status(rowOf(row)),
      grounds: table.grounds(rowOf(row)),
    })
    return { ...measured, told: { state, level, said } }
  }
