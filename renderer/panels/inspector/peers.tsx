// Ranks that a communication call talks to, each a way to its call there.
import type { JSX } from 'react'
import type { NodeRef, Side } from '../../../preload/contract/engine.ts'
import { goToPeer, peersOf, talks } from '../../state/peers.ts'
import { valueOf } from '../../state/query.ts'
import { useUnitQuery } from '../../state/unit-query.ts'
import { useSay } from '../../state/words.ts'
export function Peers({ at }: { readonly at: NodeRef }): JSX.Element | null {
  const say = useSay()
  const side: Side = at.debug === undefined ? 'bench' : 'debug'
  const name = at[side] ?? ''
  const peers =
    valueOf(
      useUnitQuery({
        steps: ['dumps'],
        key: talks(at) ? ['peers', side, name] : null,
        load: (_here, signal) => peersOf(side, name, signal),
      }),
    ) ?? []
  return (
    <>
      {(['send', 'receive', 'send_receive'] as const).map(type => {
        const ranks = peers.filter(peer => peer.type === type)
        return ranks.length === 0 ? null : (
          <div key={type} className="peers small" data-testid={`peers-${type}`}>
            <span className="dim">{say(`peers.list.${type}`)}</span>
            {ranks.map(peer =>
              peer.unit < 0 ? (
                <span key={peer.rank} className="faint" title={say('peers.unopened')}>
                  {say('peers.rank', { rank: peer.rank })}
                </span>
              ) : (
                <button
                  key={peer.rank}
                  type="button"
                  className="link"
                  onClick={() => void goToPeer(side, name, peer)}
                >
                  {say('peers.rank', { rank: peer.rank })}
                </button>
              ),
            )}
          </div>
        )
      })}
    </>
  )
}
