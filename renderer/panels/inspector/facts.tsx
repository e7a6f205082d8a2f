// What is known of an operator besides its tensors: what it stands for, who made it, its kernel, its files.
import type { JSX } from 'react'
import type { NodeDetail, OpFact } from '../../../preload/contract/engine.ts'
import { useSay } from '../../state/words.ts'
import { Fold } from '../../ui/fold.tsx'

export function Facts({ node }: { readonly node: NodeDetail }): JSX.Element | null {
  const say = useSay()
  const sides = (['debug', 'bench'] as const).filter(side => node.facts[side].length > 0)
  if (sides.length === 0) return null
  return (
    <Fold id="inspector-facts" title={say('facts.title')}>
      <dl className="facts small">
        {sides.flatMap(side =>
          node.facts[side].map(fact => (
            <div key={`${side} ${fact.key}`}>
              <dt className="dim">{say(`fact.${fact.key}`)}</dt>
              <dd className="copyable">
                <Told fact={fact} />
              </dd>
            </div>
          )),
        )}
      </dl>
    </Fold>
  )
}

function Told({ fact: { key, text } }: { readonly fact: OpFact }): JSX.Element {
  const say = useSay()
  if (key === 'provisional') return <span>{say('live.call.provisional')}</span>
  if (key !== 'inserted') return <span className="mono">{text}</span>
  return <span>{say(text === 'hands-on' ? 'fact.inserted.hands-on' : 'fact.inserted.own')}</span>
}
