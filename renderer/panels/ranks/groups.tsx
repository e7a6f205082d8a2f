// Sizes of a layout as the groups of the dump say: every rank of the step on screen is read for it, once somebody asks.
import { useState, type JSX } from 'react'
import type { Side, Topology } from '../../../preload/contract/engine.ts'
import { engine } from '../../engine.ts'
import { useSay } from '../../state/words.ts'
import { now } from '../../state/workbench.ts'
import { Button } from '../../ui/controls.tsx'

type State = 'idle' | 'reading' | 'unknown'

export function ReadGroups({
  side,
  onRead,
}: {
  readonly side: Side
  onRead(found: Topology): void
}): JSX.Element {
  const say = useSay()
  const [state, setState] = useState<State>('idle')
  const read = async (): Promise<void> => {
    const { session } = now()
    if (!session) return
    setState('reading')
    const found = await topologyOf(session.session, session.unit, side)
    setState(found ? 'idle' : 'unknown')
    if (found) onRead(found)
  }
  return (
    <>
      <Button
        small
        look="quiet"
        disabled={state === 'reading'}
        testId={`groups-${side}`}
        onPress={() => void read()}
      >
        {say('replicas.layout.read')}
      </Button>
      {state === 'unknown' ? <span className="small faint">{say('replicas.layout.unknown')}</span> : null}
    </>
  )
}

/** What cannot be read tells nothing. */
async function topologyOf(
  session: Parameters<typeof engine.replicasStep>[0]['session'],
  unit: number,
  side: Side,
): Promise<Topology | null> {
  try {
    const { answer } = await engine.replicasStep(
      { session, unit, side, layout: null },
      new AbortController().signal,
    )
    return answer.topology
  } catch {
    return null
  }
}
