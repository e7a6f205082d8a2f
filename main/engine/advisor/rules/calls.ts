// A call that one side alone makes, seen by who reads its result, or by itself where nothing else differs.
import { Direction, type SideView, telling } from '../../pair/index.ts'
import { type OpRow, State } from '../../model/index.ts'
import { isFloat } from '../levels.ts'
import { blockOf, loneCall, unlikeCalls } from '../blocks.ts'
import { rule } from './rule.ts'

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
        const lone = links.madeAlone(i)
        if (lone) return loneCall(tables, lone.debug, lone.bench)
      }
      return null
    },

    /** Nothing differs by more than noise, yet one side makes a call that changes its input. */
    quiet() {
      const { debug, bench, time, across } = tables
      if (across) return null
      for (let at = 0; at < time.length; at++) {
        const [d, b] = [time.debug[at], time.bench[at]]
        if (d >= 0 && b >= 0) continue
        const [view, op, neutral] =
          d >= 0 ? ([debug, d, tables.neutralDebug] as const) : ([bench, b, tables.neutralBench] as const)
        if (
          view.leaf[op] === 0 ||
          neutral[op] === 1 ||
          view.direction[op] !== Direction.forward ||
          !(telling.has(view.kind[op]) || view.kind[op] === 'kink') ||
          !isRead(view, op)
        )
          continue
        return { ...blockOf(tables, d >= 0 ? d : -1, d >= 0 ? -1 : b), items: [] }
      }
      return 'pass'
    },
  }),
)

function isRead(view: SideView, op: OpRow): boolean {
  const { dump, flow } = view
  for (let i = dump.ops.first[op]; i < dump.ops.first[op + 1]; i++)
    if (flow.first[i + 1] > flow.first[i]) return true
  return false
}
