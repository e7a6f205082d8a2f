// A call that one side alone makes, seen by who reads its result, or by itself where nothing else differs.
import { Direction, type SideView } from '../../pair/index.ts'
import { type OpRow, State } from '../../model/index.ts'
import { isFloat } from '../levels.ts'
import { blockOf, loneCall, unlikeCalls } from '../blocks.ts'
import { rule, type Tables } from './rule.ts'

export const callsRule = rule(
  'calls',
  ['debug', 'bench', 'aligned', 'levels', 'noise', 'time', 'across', 'neutralDebug', 'neutralBench', 'links'],
  tables => ({
    input({ isData, differs, stands, meeting, dirty }) {
      if (!isData || !meeting.known) return null
      if (!differs) return 'pass'
      if (!meeting.lone || !stands) return 'pass'
      const { debug, bench } = meeting.lone
      return tables.across ? unlikeCalls(tables, debug, bench, dirty) : loneCall(tables, debug, bench)
    },

    /** What a call reads looks alike and was made by a call that the other side does not make. */
    outputs({ debug: op, enters }) {
      const { debug, across, links, levels } = tables
      if (across || !enters || debug.leaf[op] === 0) return null
      for (let i = debug.dump.ops.first[op]; i < debug.dump.ops.first[op + 1]; i++) {
        if (debug.dump.items.state[i] !== State.input || levels.toBench[i] < 0 || !isFloat(debug, i)) continue
        const lone = links.madeAlone(i) ?? links.turnedAlone(i)
        if (lone) return loneCall(tables, lone.debug, lone.bench)
      }
      return null
    },

    /**
     * Nothing differs by more than noise, yet one side makes a call that changes its input. The result of the last
     * one may be read by nothing that is recorded, as what a hook gives is.
     */
    quiet() {
      if (tables.across) return null
      const lone = loneCalls(tables)
      const { debug = -1, bench = -1 } = lone.find(one => one.read) ?? lone[0] ?? {}
      return lone.length === 0 ? 'pass' : { ...blockOf(tables, debug, bench), items: [] }
    },
  }),
)

interface LoneCall {
  readonly debug: OpRow
  readonly bench: OpRow
  readonly read: boolean
}

/** Calls of one side that make numbers of their own, in their order. */
function loneCalls({
  debug,
  bench,
  time,
  neutralDebug,
  neutralBench,
}: Pick<Tables, 'debug' | 'bench' | 'time' | 'neutralDebug' | 'neutralBench'>): LoneCall[] {
  const found: LoneCall[] = []
  for (let at = 0; at < time.length; at++) {
    const [d, b] = [time.debug[at], time.bench[at]]
    if (d >= 0 && b >= 0) continue
    const [view, op, neutral] =
      d >= 0 ? ([debug, d, neutralDebug] as const) : ([bench, b, neutralBench] as const)
    if (view.leaf[op] === 0 || neutral[op] === 1 || view.direction[op] !== Direction.forward) continue
    if (computes(view, op))
      found.push({ debug: d >= 0 ? op : -1, bench: d >= 0 ? -1 : op, read: isRead(view, op) })
  }
  return found
}

/** Its result is made of what it reads: neither a constant nor only handed on. */
function computes(view: SideView, op: OpRow): boolean {
  const kind = view.kind[op]
  if (kind === 'view' || kind === 'empty' || kind === 'cast' || kind === 'random') return false
  let [reads, makes] = [false, false]
  for (let i = view.dump.ops.first[op]; i < view.dump.ops.first[op + 1]; i++) {
    if (!isFloat(view, i)) continue
    if (view.dump.items.state[i] === State.output) makes = true
    else reads = true
  }
  return reads && makes
}

function isRead(view: SideView, op: OpRow): boolean {
  const { dump, flow } = view
  for (let i = dump.ops.first[op]; i < dump.ops.first[op + 1]; i++)
    if (flow.first[i + 1] > flow.first[i]) return true
  return false
}
