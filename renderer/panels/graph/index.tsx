// The graph pane: structure or dataflow, what the colours mean below them, and a hint while a node waits for its partner.
import { useMemo, type JSX } from 'react'
import { engine } from '../../engine.ts'
import { stopPairing } from '../../state/matching.ts'
import { nameParts } from '../../state/names.ts'
import { useQuery, valueOf } from '../../state/query.ts'
import { useSay } from '../../state/words.ts'
import { stamp, useWorkbench } from '../../state/workbench.ts'
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
      {view === 'dataflow' ? <Dataflow key={session.session} session={session} /> : <Structure key={session.session} session={session} />}
      <Key />
    </>
  )
}

function Key(): JSX.Element | null {
  const here = useWorkbench(s => stamp(s, 'dumps', 'graph', 'verdicts'))
  const session = useWorkbench(s => s.session?.session)
  const unit = useWorkbench(s => s.session?.unit ?? 0)
  const facts = valueOf(useQuery({ key: session === undefined ? null : ['legend', here], load: signal => engine.legend({ session: session as NonNullable<typeof session>, unit }, signal), keep: true }))
  // Its place is kept from the start: a graph whose height changes would jump.
  return useMemo(() => (facts ? <Legend facts={facts} /> : <div className="legend" />), [facts])
}

function Pairing(): JSX.Element | null {
  const say = useSay()
  const pairing = useWorkbench(s => s.pairing)
  if (!pairing) return null
  return (
    <div className="pairing small" role="status" data-testid="pairing">
      <Icon name="link" size={14} />
      <span className="grow cut" title={pairing.id}>{say('matching.pick', { side: say(`side.${pairing.side === 'debug' ? 'bench' : 'debug'}`), name: nameParts(pairing.id).short })}</span>
      <Button look="quiet" small keys="Esc" onPress={stopPairing}>{say('frame.cancel')}</Button>
    </div>
  )
}
