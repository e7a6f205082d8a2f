// The table: orders of rows, and the rows of an order.
import type { GridApi } from '../../../../preload/contract/engine.ts'
import { noPartner } from '../../graph/index.ts'
import type { RowFilter } from '../../model/index.ts'
import type { UnitView } from '../../study/index.ts'
import { positionOf, rowIndex } from '../../view/index.ts'
import { job } from '../../work/index.ts'
import type { Context } from './context.ts'

export const gridApi = (context: Context): GridApi => ({
  async order({ session, unit, filter, sort }, signal) {
    const at = await context.unitView({ session, unit }, signal)
    const { snapshot, table } = at
    const only = await rowsAmong(at, filter)
    const { rows, counts } = await rowIndex(table).order(filter, sort, job(signal), only)
    const view = context.keep({
      at: { session, unit },
      key: snapshot.keys.states,
      rows,
      unmatched: showsAllUnmatched(filter),
    })
    return { view, rows: rows.length, columns: table.columns, counts }
  },
  async rows({ view: id, first, count, columns }, signal) {
    const { view, at } = await context.viewed(id, signal)
    return rowIndex(at.table).rows(view.rows, { first, count, columns })
  },
  async position({ view: id, row, at: node, blocks: { size, columns, there } }, signal) {
    const { view, at } = await context.viewed(id, signal)
    const wanted = row ?? at.rowOf(node)
    const place = wanted < 0 ? -1 : positionOf(view.rows, wanted)
    const first = Math.floor(place / size) * size
    const known = place < 0 || there.includes(first)
    return {
      place,
      block: known ? null : rowIndex(at.table).rows(view.rows, { first, count: size, columns }),
    }
  },
  async why({ session, unit, row }, signal) {
    return (await context.unitView({ session, unit }, signal)).reason(row)
  },
  async summary({ view: id, column }, signal) {
    const { at } = await context.viewed(id, signal)
    return rowIndex(at.table).summary(column, job(signal))
  },
})

/** 1 for each row that may be shown as what the advisor and the graphs say of it; undefined where all may. */
async function rowsAmong(
  at: UnitView,
  { explained, buckets = [] }: RowFilter,
): Promise<Uint8Array | undefined> {
  const rows = explained && (await at.rowsExplained(explained))
  const coloured = buckets.length > 0 ? await at.rowsColoured(buckets) : null
  if (!coloured) return rows
  return rows ? rows.map((is, row) => is & coloured[row]) : coloured
}

const showsAllUnmatched = ({ show, quick, columns, node, explained, buckets }: RowFilter): boolean =>
  (show.includes('unpaired') || buckets?.includes(noPartner) === true) &&
  quick === '' &&
  columns.length === 0 &&
  node === undefined &&
  explained === undefined
