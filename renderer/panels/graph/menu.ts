// What can be done with a node, in whichever drawing it was asked for.
import type { Side } from '../../../preload/contract/engine.ts'
import { engine } from '../../engine.ts'
import { copyText } from '../../state/clipboard.ts'
import { shortcut } from '../../state/commands.ts'
import { look } from '../../state/looking.ts'
import { startPairing, unmatchNode } from '../../state/matching.ts'
import { goToPeer, peersOf } from '../../state/peers.ts'
import { select } from '../../state/selection.ts'
import type { useSay } from '../../state/words.ts'
import { now, place } from '../../state/workbench.ts'
import type { MenuEntry } from '../../ui/controls.tsx'

/** More ranks than these are listed in the inspector. */
const mostPeers = 16

export async function nodeEntries(say: ReturnType<typeof useSay>, side: Side, id: string): Promise<readonly MenuEntry[]> {
  const here = place(now())
  const compares = now().session?.kind === 'compare'
  const [way, peers] = here ? await Promise.all([engine.reveal({ ...here, at: { [side]: id } }), peersOf(side, id)]) : [null, []]
  const at = way?.at ?? { [side]: id }
  const partner = at[side === 'debug' ? 'bench' : 'debug']
  return [
    ...(partner === undefined ? [] : [{ id: 'partner', text: say('graph.go-partner'), icon: 'swap' as const, run: () => select(at, 'keys') }]),
    { id: 'rows', text: say('graph.only-rows'), icon: 'filter', run: () => { select(at, 'graph'); look({ thisNode: true }) } },
    ...(peers.length === 0 ? [] : [{
      title: say('peers.title'),
      entries: [
        ...peers.slice(0, mostPeers).map(peer => ({ id: `peer-${peer.type}-${peer.rank}`, text: say(`peers.${peer.type}`, { rank: peer.rank }), icon: 'talk' as const, disabled: peer.unit < 0, run: () => void goToPeer(side, id, peer) })),
        ...(peers.length > mostPeers ? [{ id: 'peers-more', text: say('peers.more', { count: peers.length - mostPeers }), disabled: true, run: () => {} }] : []),
      ],
    }]),
    ...(compares ? ['line' as const, { id: 'match', text: say('matching.with-this'), icon: 'link' as const, run: () => startPairing(side, id) }] : []),
    ...(compares && partner !== undefined ? [{ id: 'unmatch', text: say('command.match-undo'), icon: 'unlink' as const, run: () => void unmatchNode(at, true) }] : []),
    'line',
    { id: 'copy', text: say('command.copy-name'), keys: shortcut('copy-name'), icon: 'copy', run: () => void copyText(id) },
    ...(partner === undefined ? [] : [{ id: 'copy-both', text: say('command.copy-both-names'), run: () => void copyText([at.debug, at.bench].join('\n')) }]),
    { id: 'copy-path', text: say('graph.copy-path'), run: () => void copyText([...(way?.[side] ?? []), id].join('\n')) },
  ]
}
