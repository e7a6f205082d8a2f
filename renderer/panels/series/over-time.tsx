// Any statistic of any tensor of the opened dumps over their steps and ranks; a way back to the node.
import type { JSX } from 'react'
import { engine } from '../../engine.ts'
import { begin } from '../../state/idle.ts'
import { select } from '../../state/selection.ts'
import { chooseUnit } from '../../state/sessions.ts'
import { changeLayout } from '../../state/settings.ts'
import { useSay } from '../../state/words.ts'
import { now, place, useWorkbench } from '../../state/workbench.ts'
import { SeriesOf, type Spot } from './index.tsx'

export default function OverTime(): JSX.Element {
  const say = useSay()
  const asked = useWorkbench(s => s.overTime)
  const session = useWorkbench(s => s.session)
  const rank = session?.units[session.unit]?.rank ?? 0
  return (
    <div className="series-over column grow" aria-label={say('series.title')}>
      <SeriesOf
        key={JSON.stringify(asked)}
        {...(asked && {
          first: { stat: asked.stat, fixed: 'target', target: asked.target },
          places: [{ rank, target: asked.target }],
        })}
        onGo={spot => void go(spot)}
      />
    </div>
  )
}

/** To the unit and the call, with the panels that show it. */
async function go(spot: Spot): Promise<void> {
  const here = place(now())
  if (!here) return
  const done = begin('selection')
  try {
    const found = await engine.seriesNode({ ...here, ...spot }, new AbortController().signal)
    if (!found) return
    changeLayout({ rail: 'nodes' })
    await chooseUnit(found.unit)
    select({ debug: found.node }, 'nodes')
  } finally {
    done()
  }
}
