// Of several steps, the first with anything, and the way there.
import type { JSX } from 'react'
import { engine } from '../../engine.ts'
import { count } from '../../state/format.ts'
import { valueOf } from '../../state/query.ts'
import { chooseUnit } from '../../state/sessions.ts'
import { useUnitQuery } from '../../state/unit-query.ts'
import { useSay } from '../../state/words.ts'
import { useWorkbench } from '../../state/workbench.ts'
import { Button } from '../../ui/controls.tsx'

export function FirstStep(): JSX.Element | null {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const several = useWorkbench(s => new Set(s.session?.units.map(({ step }) => step)).size > 1)
  const here = useWorkbench(s => s.session?.units.find(({ unit }) => unit === s.session?.unit)?.step)
  const growth = useWorkbench(s => s.layout.growthLimit)
  const answer = valueOf(
    useUnitQuery({
      steps: ['dumps'],
      key: several ? ['overflow-first', growth] : null,
      load: (at, signal) => engine.overflowFirst({ ...at, growth }, signal),
      keep: true,
    }),
  )
  if (!several || !answer) return null
  const { first, steps } = answer
  const total = count(language, steps)
  if (first === null)
    return <p className="small dim overflow-first">{say('overflow.first.none', { total })}</p>
  return (
    <p className="small row wrap overflow-first" data-testid="overflow-first">
      <span className="grow">
        {say(first.step === here ? 'overflow.first.here' : 'overflow.first', {
          step: first.step ?? '–',
          total,
        })}
      </span>
      {first.step === here ? null : (
        <Button small onPress={() => void chooseUnit(first.unit)}>
          {say('overflow.first.go', { step: first.step ?? '–' })}
        </Button>
      )}
    </p>
  )
}
