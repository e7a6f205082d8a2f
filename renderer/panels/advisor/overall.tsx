// The card over all steps and ranks: which differ, which agree, and the way to the one that comes first.
import type { JSX } from 'react'
import type { Overall, SessionInfo } from '../../../preload/contract/engine.ts'
import { say, type Language } from '../../../preload/contract/words/index.ts'
import { nameParts } from '../../state/names.ts'
import { goToFirst, useOverall } from '../../state/overall.ts'
import { unitsName } from '../../state/unit-names.ts'
import { useSay } from '../../state/words.ts'
import { useWorkbench } from '../../state/workbench.ts'
import { Button } from '../../ui/controls.tsx'

export function OverallCard(): JSX.Element | null {
  const session = useWorkbench(s => s.session)
  const language = useWorkbench(s => s.language)
  const overall = useOverall()
  if (!session || !overall) return null
  const parts = partsOf(language, session, overall)
  return (
    <section
      className={`card overall ${overall.differ.length > 0 ? 'differs' : ''}`}
      data-testid="overall"
      role="status"
    >
      {/* Names keep their letters. */}
      <h3 className={session.units.some(({ name }) => name) ? 'named' : ''}>
        {parts.join(say(language, 'units.and'))}
      </h3>
      <Way session={session} overall={overall} />
    </section>
  )
}

/** What is said of each group of units, the worst first. */
function partsOf(language: Language, { units }: SessionInfo, overall: Overall): readonly string[] {
  const { differ, agree, undecided, failed, coming, first } = overall
  const name = (chosen: readonly number[]): string => unitsName(language, units, chosen)
  const rows = differ.reduce((sum, at) => sum + (units[at]?.differs ?? 0), 0)
  const parts: string[] = []
  if (differ.length === 1 && rows > 0)
    parts.push(say(language, 'overall.differs', { units: name(differ), rows }))
  else if (differ.length > 1 && first !== null)
    parts.push(say(language, 'overall.differ', { units: name(differ), rows, first: name([first]) }))
  else if (differ.length > 0) parts.push(say(language, 'overall.differs-elsewhere', { units: name(differ) }))
  if (agree.length > 0)
    parts.push(say(language, agree.length === 1 ? 'overall.agrees' : 'overall.agree', { units: name(agree) }))
  if (undecided.length > 0) parts.push(say(language, 'overall.undecided', { units: name(undecided) }))
  if (failed.length > 0) parts.push(say(language, 'overall.failed', { units: name(failed) }))
  if (coming.length > 0)
    parts.push(
      say(language, coming.length === 1 ? 'overall.coming-one' : 'overall.coming', {
        units: coming.length === 1 ? name(coming) : coming.length,
      }),
    )
  return parts
}

/** The button to the unit that comes first, unless it is on screen. */
function Way({
  session,
  overall,
}: {
  readonly session: SessionInfo
  readonly overall: Overall
}): JSX.Element | null {
  const sayNow = useSay()
  const language = useWorkbench(s => s.language)
  const { first, finding } = overall
  if (first === null || first === session.unit) return null
  const unit = unitsName(language, session.units, [first])
  const node = finding ? nameParts(finding.node).long : ''
  return (
    <Button small icon="search" testId="go-first" onPress={() => void goToFirst(overall)}>
      {node === '' ? sayNow('overall.go', { unit }) : sayNow('overall.go-node', { unit, node })}
    </Button>
  )
}

/** What is said of the unit on screen where nothing differs in it. */
export function useAgreement(): string {
  const session = useWorkbench(s => s.session)
  const language = useWorkbench(s => s.language)
  const overall = useOverall()
  if (!session || session.units.length < 2 || overall?.agree.length === session.units.length)
    return say(language, 'advisor.clean')
  return say(language, 'overall.agrees', { units: unitsName(language, session.units, [session.unit]) })
}
