// What the advisor says of one unit, and over all of them.
import type { FindingApi } from '../../../../preload/contract/engine.ts'
import { overallOf } from '../../advisor/index.ts'
import { scanTensorFlow, snippetFacts, snippetKinds, snippetsOf } from '../../formats/index.ts'
import {
  isCompared,
  type NoiseProfile,
  orderOfUnits,
  type Overall,
  Refusal,
  type ScriptChanges,
  type SessionId,
  type UnitAt,
} from '../../model/index.ts'
import { profileText } from '../../noise/index.ts'
import { job } from '../../work/index.ts'
import type { Context } from './context.ts'

export const findingApi = (context: Context): FindingApi => ({
  async findings(at, signal) {
    return (await context.unitView(at, signal)).advice()
  },
  async made({ at, ...unit }, signal) {
    return (await context.unitView(unit, signal)).made(at)
  },
  async noise(at, signal) {
    const profile = await profileOf(context, at, signal)
    if (!profile) return null
    const { items, ...shown } = profile
    return { ...shown, by: items ? 'twins' : 'profile' }
  },
  async noiseText(at, signal) {
    const profile = await profileOf(context, at, signal)
    return profile && profileText(profile)
  },
  async overflows(at, signal) {
    const view = await context.unitView(at, signal)
    const records = view.dump('debug').about?.overflows ?? []
    return records.map(one => ({ ...one, known: view.lookup().op('debug', one.op) >= 0 }))
  },
  scriptChanges: (q, signal) => scriptChanges(context, q, signal),
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

async function profileOf(context: Context, at: UnitAt, signal: AbortSignal): Promise<NoiseProfile | null> {
  const view = await context.unitView(at, signal)
  return isCompared(view.table) ? (await view.noise()).profile : null
}

/** The folder that is meant may lie above the part of it that was opened. */
async function scriptChanges(
  context: Context,
  { session, folder, steps }: Parameters<FindingApi['scriptChanges']>[0],
  signal: AbortSignal,
): Promise<ScriptChanges> {
  const of = context.session(session)
  const [{ root }] = of.study.facts(of.onScreen).sides
  const { base, layout } = await scanTensorFlow(context.files, root, job(signal))
  const dumped = new Set(of.study.units.flatMap(({ step }) => step ?? []))
  const said = steps ?? [...dumped].sort((a, b) => a - b).join('|')
  const facts = snippetFacts(folder ?? base, layout === 'r0' ? 'r0' : 'r1', {
    steps: said === '' ? undefined : said,
  })
  return {
    folder: facts.root,
    steps: facts.steps,
    snippets: snippetKinds.flatMap(kind => snippetsOf(kind, facts)),
  }
}

/** What is compared with nothing stands for nothing. */
function overallNow(context: Context, session: SessionId): Overall {
  const of = context.session(session)
  const order = of.study.facts(of.onScreen).can.compare ? orderOfUnits(of.units) : []
  const { first, start, finding, ...stand } = overallOf(
    order.map(unit => {
      const at = context.unit({ session, unit })
      const { step, rank, state, aside, facts } = at
      return { step, rank, state, aside, differs: facts.differs, worst: facts.worst, advice: at.findings() }
    }),
  )
  const inSession = (places: readonly number[]): readonly number[] => places.map(place => order[place])
  return {
    first: first === null ? null : order[first],
    start: start === null ? null : order[start],
    finding,
    agree: inSession(stand.agree),
    differ: inSession(stand.differ),
    undecided: inSession(stand.undecided),
    failed: inSession(stand.failed),
    coming: inSession(stand.coming),
  }
}
