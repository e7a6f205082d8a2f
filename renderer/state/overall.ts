// All steps and ranks together: where to look first, and the way from one to the next.
import type { Overall, UnitInfo } from '../../preload/contract/engine.ts'
import { engine, isQuiet } from '../engine.ts'
import { coalesced } from './coalesced.ts'
import { useQuery, valueOf } from './query.ts'
import { selectFinding, walk } from './selection.ts'
import { chooseUnit } from './sessions.ts'
import { compares } from './study.ts'
import { unitsName } from './unit-names.ts'
import { notify, now, useWorkbench } from './workbench.ts'

const standings = new WeakMap<readonly UnitInfo[], string>()

/** Changes with what is known of any unit. */
function standingOf(units: readonly UnitInfo[]): string {
  let known = standings.get(units)
  if (known === undefined) {
    known = units.map(u => `${u.state}${u.differs}.${u.versions.findings ?? 0}`).join()
    standings.set(units, known)
  }
  return known
}

/** Changes with what is known of any unit of the open session. */
export const useStanding = (): string =>
  useWorkbench(s => (s.session ? `${s.lineage}/${s.session.session}/${standingOf(s.session.units)}` : ''))

/** How all units stand, as far as they are known; nothing where there is but one. */
export function useOverall(): Overall | undefined {
  const session = useWorkbench(s => s.session)
  const lineage = useWorkbench(s => s.lineage)
  const many = session && compares(session) && session.units.length > 1 ? session : null
  return valueOf(
    useQuery({
      key: many && ['overall', lineage, many.session, standingOf(many.units)],
      load: signal =>
        many
          ? engine.overall({ session: many.session }, signal)
          : Promise.reject(new Error('nothing is open')),
      keep: true,
    }),
  )
}

/** Goes to the unit that comes first, and to the finding there. */
export async function goToFirst({ first, finding }: Overall): Promise<void> {
  if (first === null) return notify('nothing-found')
  await chooseUnit(first)
  if (now().session?.unit !== first) return
  if (finding && finding.node !== '') selectFinding(finding, 'advisor')
  else await walk('first')
}

/** Looks through all steps and ranks, and goes to the finding that comes first. */
export async function goToOrigin(): Promise<void> {
  const { session } = now()
  if (!session) return
  try {
    const found = await engine.across({ session: session.session })
    if (now().session?.session === session.session) await goToFirst(found)
  } catch (error) {
    if (!isQuiet(error)) throw error
  }
}

/** From the last problem of a unit to the first of the next one that differs, or back. */
export async function walkOn(to: 'next' | 'previous'): Promise<boolean> {
  const { session } = now()
  if (!session) return false
  const { units, unit } = session
  const others = to === 'next' ? units.slice(unit + 1) : units.slice(0, unit).reverse()
  const next = others.find(u => u.differs > 0)
  if (!next) return false
  await chooseUnit(next.unit)
  if (now().session?.unit !== next.unit) return false
  await walk('first')
  notify('next-unit', { unit: unitsName(now().language, units, [next.unit]) })
  return true
}

/** Nobody has chosen what to look at: the window begins where the error enters, in the run that is shown first. */
const beginThere = coalesced(async () => {
  const { session } = now()
  if (!session || !isUntouched()) return
  const { start, agree, coming } = await engine.overall({ session: session.session })
  if (now().session?.session !== session.session || !isUntouched()) return
  const { unit, units } = session
  const isKnown = !coming.some(at => units[at]?.aside === false)
  // What differs is looked at already: it gives way only to what is known for certain.
  if (start !== null && start !== unit && (agree.includes(unit) || isKnown)) await chooseUnit(start, 'start')
})

function isUntouched(): boolean {
  const { session, unitChosen, selection } = now()
  const many = compares(session) && (session?.units.length ?? 0) > 1
  return many && !unitChosen && (!selection || selection.from === 'start')
}

export function startOverall(): void {
  useWorkbench.subscribe((s, before) => {
    if (!s.session || s.session.units === before.session?.units || !isUntouched()) return
    beginThere().catch(error => {
      if (!isQuiet(error)) throw error
    })
  })
}
