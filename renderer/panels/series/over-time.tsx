// Any statistic of any tensor of the opened dumps over their steps and ranks; a way back to the node.
import type { JSX } from 'react'
import { engine, isQuiet } from '../../engine.ts'
import { begin } from '../../state/idle.ts'
import { select } from '../../state/selection.ts'
import { chooseUnit } from '../../state/sessions.ts'
import { changeLayout } from '../../state/settings.ts'
import { useSay } from '../../state/words.ts'
import { notify, now, place, useWorkbench } from '../../state/workbench.ts'
import { Widen } from '../../ui/widen.tsx'
import { SeriesOf, type SeriesProps, type Spot } from './index.tsx'

/** What was looked at last: it outlives a change of places. */
let looked: (Pick<SeriesProps, 'first' | 'places' | 'spot'> & { readonly key: string }) | null = null

export default function OverTime(): JSX.Element {
  const say = useSay()
  const asked = useWorkbench(s => s.overTime)
  const session = useWorkbench(s => s.session)
  const rank = session?.units[session.unit]?.rank ?? 0
  const key = JSON.stringify([session?.session, asked])
  return (
    <div className="series-over column grow" aria-label={say('series.title')}>
      <SeriesOf
        key={key}
        {...(looked?.key === key
          ? looked
          : asked && {
              first: { stat: asked.stat, fixed: 'target', target: asked.target },
              places: [{ rank, target: asked.target }],
            })}
        tools={<Widen panel="overtime" label={say('series.wide')} testId="series-wide" />}
        onLook={(first, places, spot) => {
          looked = { key, first, places, spot }
        }}
        onSelect={spot => void selectCall(spot)}
        onGo={spot => void selectCall(spot, () => changeLayout({ rail: 'nodes' }))}
      />
    </div>
  )
}

/** A later click counts, not one whose answer comes late. */
let last: AbortController | null = null

/** The unit and the call, in all panes that show them. */
async function selectCall(spot: Spot, before?: () => void): Promise<void> {
  const here = place(now())
  if (!here) return
  last?.abort()
  const mine = (last = new AbortController())
  const done = begin('selection')
  try {
    const found = await engine.seriesNode({ ...here, ...spot }, mine.signal)
    if (mine.signal.aborted) return
    if (!found) {
      // A click is for the line as well.
      if (before) notify('no-call', { step: String(spot.step), rank: String(spot.rank), target: spot.target })
      return
    }
    before?.()
    await chooseUnit(found.unit)
    if (!mine.signal.aborted) select({ debug: found.node }, 'nodes')
  } catch (error) {
    if (!isQuiet(error)) throw error
  } finally {
    done()
  }
}
