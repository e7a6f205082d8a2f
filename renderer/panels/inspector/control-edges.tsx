// Which calls a call waits for, and which wait for it, without a tensor between them: edges of control of its graph.
import type { JSX } from 'react'
import type { NodeDetail, Side, WaitList } from '../../../preload/contract/engine.ts'
import { nameParts } from '../../state/names.ts'
import { select } from '../../state/selection.ts'
import { useSay } from '../../state/words.ts'
import { nodeOn } from '../../state/workbench.ts'
import { Name } from '../../ui/bits.tsx'
import { Fold } from '../../ui/fold.tsx'

const ways = ['after', 'before'] as const

export function ControlEdges({ node }: { readonly node: NodeDetail }): JSX.Element | null {
  const say = useSay()
  // The side of the script repeats what the graph says.
  const side: Side = node.at.debug === undefined ? 'bench' : 'debug'
  const found = ways.filter(way => node.waits[side][way].total > 0)
  if (found.length === 0) return null
  return (
    <Fold id="inspector-controls" title={say('controls.title')}>
      <dl className="facts small">
        {found.map(way => (
          <div key={way}>
            <dt className="dim">{say(`controls.${way}`)}</dt>
            <dd>
              <Waiting list={node.waits[side][way]} side={side} />
            </dd>
          </div>
        ))}
      </dl>
    </Fold>
  )
}

function Waiting({
  list: { names, total },
  side,
}: {
  readonly list: WaitList
  readonly side: Side
}): JSX.Element {
  const say = useSay()
  const left = total - names.length
  return (
    <ul className="controls">
      {names.map(name => (
        <li key={name}>
          <Name
            text={nameParts(name).short}
            title={name}
            onPress={() => select(nodeOn(side, name), 'inspector')}
          />
        </li>
      ))}
      {left > 0 ? <li className="faint">{say('controls.more', { count: left })}</li> : null}
    </ul>
  )
}
