// The graphs: drawings, lists and ways through them.
import type { GraphApi } from '../../../../preload/contract/engine.ts'
import type { KeptOps } from '../../graph/index.ts'
import type { Legend } from '../../model/index.ts'
import type { Context, View } from './context.ts'
import type { UnitView } from '../../study/index.ts'

const noDrawing = { boxes: [], width: 0, height: 0 }
const noStrip = {
  bucket: new Int8Array(0),
  position: new Float64Array(0),
  origin: -1,
  noted: new Float64Array(0),
}
const noLegend: Legend = {
  colours: 'error',
  measure: '',
  choices: [],
  buckets: [],
  unmatchedDebug: 0,
  unmatchedBench: 0,
  incomparable: 0,
  overflowed: 0,
  edges: 'data',
}

export const graphApi = (context: Context): GraphApi => ({
  async scene({ session, unit, debug, bench, plumbing = true, dimExcept }, signal) {
    const graphs = await context.graphs({ session, unit }, signal)
    if (!graphs) return { debug: noDrawing, bench: null }
    const shown = dimExcept === undefined ? null : await context.viewed(dimExcept, signal)
    return graphs.view.scene({ debug, bench, plumbing }, shown && keptOps(shown.at, shown.view))
  },
  async strip({ session, unit, slots, noted }, signal) {
    const graphs = await context.graphs({ session, unit }, signal)
    return graphs?.view.strip(slots, noted) ?? { debug: noStrip, bench: null }
  },
  async legend(at, signal) {
    return (await context.graphs(at, signal))?.view.legend() ?? noLegend
  },
  async reveal({ session, unit, at }, signal) {
    return (await context.graphs({ session, unit }, signal))?.view.reveal(at) ?? { at, debug: [], bench: [] }
  },
  async walk({ session, unit, from, to, row }, signal) {
    const graphs = await context.graphs({ session, unit }, signal)
    if (graphs) return graphs.view.walk(from, to, row !== null)
    return (await context.unitView({ session, unit }, signal)).walkRows(from, row, to)
  },
  async stroll({ session, unit, from, to }, signal) {
    return (await context.graphs({ session, unit }, signal))?.view.stroll(from, to) ?? null
  },
  async expand({ session, unit, at, to }, signal) {
    return (await context.graphs({ session, unit }, signal))?.view.expand(at, to) ?? { debug: [], bench: [] }
  },
  async nodeAt({ session, unit, side, position }, signal) {
    return (await context.graphs({ session, unit }, signal))?.view.nodeAt(side, position) ?? null
  },
  async ofBucket({ session, unit, bucket, at }, signal) {
    const graphs = await context.graphs({ session, unit }, signal)
    return graphs?.view.ofBucket(bucket, at) ?? { total: 0, at: 0, node: null }
  },
  async list({ session, unit, list, first, count, reason = null }, signal) {
    const graphs = await context.graphs({ session, unit }, signal)
    return graphs?.view.list(list, first, count, reason) ?? { total: 0, nodes: [], reasons: [] }
  },
  async locate({ session, unit, side, open, node, plumbing }, signal) {
    return (await context.graphs({ session, unit }, signal))?.view.locate(side, open, node, plumbing) ?? null
  },
  async flow({ session, unit, side, node, hops, most }, signal) {
    return (await context.unitView({ session, unit }, signal)).flow(side, node, hops, most)
  },
})

const kept = new WeakMap<View, KeptOps>()

/** Asked for with every drawing while a filter holds. */
function keptOps(at: UnitView, view: View): KeptOps {
  let known = kept.get(view)
  if (!known) kept.set(view, (known = at.keptOps(view.rows, view.unmatched)))
  return known
}
