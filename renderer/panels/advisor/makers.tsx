// Who makes the error and who only makes more of it: each leads to its call.
import type { JSX } from 'react'
import type { Advice, NodeMade } from '../../../preload/contract/engine.ts'
import { nameParts } from '../../state/names.ts'
import { select } from '../../state/selection.ts'
import { useSay } from '../../state/words.ts'
import { WholeName } from '../../ui/bits.tsx'
import { Fold } from '../../ui/fold.tsx'

const mostShown = 6
const short = (error: number): string => String(Number(error.toPrecision(2)))

export function Makers({ advice }: { readonly advice: Advice }): JSX.Element | null {
  const say = useSay()
  const { makers, amplifiers } = advice
  if (makers.length + amplifiers.length === 0) return null
  return (
    <section className="card" data-testid="makers">
      <Fold id="advisor-makers" title={say('advisor.makers')}>
        <p className="card-text dim small">{say('advisor.makers.what')}</p>
        <List title={say('advisor.makers.make')} nodes={makers} />
        <List title={say('advisor.makers.amplify')} nodes={amplifiers} />
      </Fold>
    </section>
  )
}

function List({
  title,
  nodes,
}: {
  readonly title: string
  readonly nodes: readonly NodeMade[]
}): JSX.Element | null {
  const say = useSay()
  if (nodes.length === 0) return null
  return (
    <>
      <h4 className="small dim makers-title">{title}</h4>
      <ul className="others">
        {nodes.slice(0, mostShown).map(({ node, arrived, made }) => (
          <li key={node} data-node={node}>
            <button
              type="button"
              className="link makers-name"
              title={node}
              onClick={() => select({ debug: node }, 'advisor')}
            >
              {nameParts(node).backward ? '◂ ' : ''}
              <WholeName text={nameParts(node).long} />
            </button>
            <span className="small dim">
              {say('advisor.makers.numbers', { arrived: short(arrived), made: short(made) })}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}
