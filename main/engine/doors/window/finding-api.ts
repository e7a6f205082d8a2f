// What the advisor says of one unit, and over all of them.
import type { FindingApi } from '../../../../preload/contract/engine.ts'
import { overallOf } from '../../advisor/index.ts'
import { type Overall, Refusal, type SessionId } from '../../model/index.ts'
import type { Context } from './context.ts'

export const findingApi = (context: Context): FindingApi => ({
  async findings(at, signal) {
    return (await context.unitView(at, signal)).advice()
  },
  async overflows(at, signal) {
    const view = await context.unitView(at, signal)
    const records = view.dump('debug').about?.overflows ?? []
    return records.map(one => ({ ...one, known: view.lookup().op('debug', one.op) >= 0 }))
  },
  async overall({ session }) {
    return overallNow(context, session)
  },
  async across({ session }, signal) {
    const of = context.session(session)
    const { can, panes } = of.study.facts(of.onScreen)
    for (const unit of can.compare && panes.includes('advisor') ? of.units.keys() : []) {
      try {
        await context.until({ session, unit }, at => (at.state === 'done' ? at.findings() : null), signal)
      } catch (error) {
        // A rank that cannot be read says nothing about the others; its problem was told.
        if (!(error instanceof Refusal)) throw error
      }
    }
    return overallNow(context, session)
  },
})

/** What is compared with nothing stands for nothing. */
function overallNow(context: Context, session: SessionId): Overall {
  const of = context.session(session)
  const units = of.study.facts(of.onScreen).can.compare ? [...of.units.keys()] : []
  return overallOf(
    units.map(unit => {
      const at = context.unit({ session, unit })
      const { step, rank, state, facts } = at
      return { step, rank, state, differs: facts.differs, worst: facts.worst, advice: at.findings() }
    }),
  )
}
