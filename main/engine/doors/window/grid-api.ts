// The table: orders of rows, and the rows of an order.
import type { GridApi } from '../../../../preload/contract/engine.ts'
import { noPartner } from '../../graph/index.ts'
import {
  type Column,
  type ColumnInfo,
  type PairRow,
  type RecomputedState,
  recomputedStates,
  type RowFilter,
} from '../../model/index.ts'
import type { UnitView } from '../../study/index.ts'
import { positionOf, rowIndex } from '../../view/index.ts'
import { job } from '../../work/index.ts'
import type { Context } from './context.ts'

/** There as soon as something was recomputed; its cells are numbers of states. */
const recomputedColumn: ColumnInfo = { id: 'recomputed', title: '', numeric: false, extra: true }

export const gridApi = (context: Context): GridApi => ({
  async order({ session, unit, filter, sort }, signal) {
    const at = await context.unitView({ session, unit }, signal)
    const { snapshot, table } = at
    const only = await rowsAmong(at, filter)
    const marks = at.recomputedRows()
    const { rows, counts } = await rowIndex(table).order(filter, sort, job(signal), { only, marks })
    const view = context.keep({
      at: { session, unit },
      key: snapshot.keys.states,
      rows,
      unmatched: showsAllUnmatched(filter),
    })
    const columns = marks ? [...table.columns, recomputedColumn] : table.columns
    return { view, rows: rows.length, columns, counts, recomputed: marks && countsOfMarks(marks) }
  },
  async rows({ view: id, first, count, columns }, signal) {
    const { view, at } = await context.viewed(id, signal)
    return rowIndex(at.table).rows(view.rows, { first, count, columns }, at.recomputedRows())
  },
  async position({ view: id, row, at: node, blocks: { size, columns, there } }, signal) {
    const { view, at } = await context.viewed(id, signal)
    const wanted = row ?? at.rowOf(node)
    const place = wanted < 0 ? -1 : positionOf(view.rows, wanted)
    const first = Math.floor(place / size) * size
    const known = place < 0 || there.includes(first)
    return {
      place,
      block: known
        ? null
        : rowIndex(at.table).rows(view.rows, { first, count: size, columns }, at.recomputedRows()),
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
  { explained, buckets = [], recomputed = [] }: RowFilter,
): Promise<Uint8Array | undefined> {
  const conditions = [
    explained && (await at.rowsExplained(explained)),
    buckets.length > 0 ? await at.rowsColoured(buckets) : null,
    recomputed.length > 0 ? rowsMarked(at, recomputed) : null,
  ].filter(mask => mask instanceof Uint8Array)
  const [first, ...more] = conditions
  return first && more.reduce((all, mask) => all.map((is, row) => is & mask[row]), first)
}

/** 1 for each row of which recomputing says one of these. */
function rowsMarked(at: UnitView, states: readonly RecomputedState[]): Uint8Array {
  const wanted = new Set(states.map(state => recomputedStates.indexOf(state) + 1))
  const marks = at.recomputedRows()
  return Uint8Array.from({ length: at.table.length }, (_, row) => (wanted.has(marks?.[row] ?? 0) ? 1 : 0))
}

function countsOfMarks(marks: Column<Uint8Array, PairRow>): Record<RecomputedState, number> {
  const counts = new Uint32Array(recomputedStates.length + 1)
  for (const mark of marks) counts[mark]++
  const each = Object.fromEntries(recomputedStates.map((state, i) => [state, counts[i + 1]]))
  return each as Record<RecomputedState, number>
}

const showsAllUnmatched = ({
  show,
  quick,
  columns,
  node,
  explained,
  buckets,
  recomputed = [],
}: RowFilter): boolean =>
  (show.includes('unpaired') || buckets?.includes(noPartner) === true) &&
  quick === '' &&
  columns.length === 0 &&
  node === undefined &&
  recomputed.length === 0 &&
  explained === undefined
