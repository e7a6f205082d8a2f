// The graph pane: structure or dataflow, what the colours mean below them, and a hint while a node waits for
// its partner.
import { useMemo, type JSX } from 'react'
import type { Language } from '../../../preload/contract/words/index.ts'
import { engine } from '../../engine.ts'
import { stopPairing } from '../../state/matching.ts'
import { nameParts } from '../../state/names.ts'
import { valueOf } from '../../state/query.ts'
import { useUnitQuery } from '../../state/unit-query.ts'
import { problemText, useSay, type Say } from '../../state/words.ts'
import { otherSide, useWorkbench, type Pairing as WaitingNode } from '../../state/workbench.ts'
import { Button } from '../../ui/controls.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Dataflow } from './flow.tsx'
import { Legend } from './legend.tsx'
import { Structure } from './structure.tsx'
import './graph.css'
import './flow.css'

export default function GraphPanel(): JSX.Element | null {
  const session = useWorkbench(s => s.session)
  const view = useWorkbench(s => s.layout.graphView)
  if (!session) return null
  return (
    <>
      <Pairing />
      {view === 'dataflow' ? (
        <Dataflow key={session.session} session={session} />
      ) : (
        <Structure key={session.session} session={session} />
      )}
      <Key />
    </>
  )
}

function Key(): JSX.Element | null {
  const facts = valueOf(
    useUnitQuery({
      steps: ['dumps', 'graph', 'states'],
      key: ['legend'],
      load: (here, signal) => engine.legend(here, signal),
      keep: true,
    }),
  )
  // Its place is kept from the start: a graph whose height changes would jump.
  return useMemo(() => (facts ? <Legend facts={facts} /> : <div className="legend" />), [facts])
}

/** Why the last click paired nothing. */
function wrongText(say: Say, language: Language, { wrong }: WaitingNode): string {
  if (wrong === undefined) return ''
  return wrong === 'same-side' ? say('matching.same-side') : problemText(language, wrong)
}

function Pairing(): JSX.Element | null {
  const say = useSay()
  const pairing = useWorkbench(s => s.pairing)
  const language = useWorkbench(s => s.language)
  if (!pairing) return null
  const wrong = wrongText(say, language, pairing)
  return (
    <div className="pairing small" role="status" data-testid="pairing">
      <Icon name={wrong === '' ? 'link' : 'alert'} size={14} />
      <span className="grow cut" title={wrong || pairing.id}>
        {wrong === '' ? null : <strong>{`${wrong} `}</strong>}
        {say('matching.pick', {
          side: say(`side.${otherSide(pairing.side)}`),
          name: nameParts(pairing.id).short,
        })}
      </span>
      <Button look="quiet" small keys="Esc" onPress={stopPairing}>
        {say('frame.cancel')}
      </Button>
    </div>
  )
}
