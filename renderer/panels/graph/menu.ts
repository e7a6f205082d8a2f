// What can be done with a node, in whichever drawing it was asked for.
import type { NodeRef, Peer, Side } from '../../../preload/contract/engine.ts'
import { engine } from '../../engine.ts'
import { copyText } from '../../state/clipboard.ts'
import { shortcut } from '../../state/commands.ts'
import { look } from '../../state/looking.ts'
import { startPairing, unmatchNode } from '../../state/matching.ts'
import { goToPeer, peersOf } from '../../state/peers.ts'
import { select } from '../../state/selection.ts'
import { recompute } from '../../state/recompute.ts'
import { matches, recomputes } from '../../state/study.ts'
import type { Say } from '../../state/words.ts'
import { now, otherSide, place } from '../../state/workbench.ts'
import type { MenuEntry } from '../../ui/controls.tsx'

/** More ranks than these are listed in the inspector. */
const mostPeers = 16

export async function nodeEntries(say: Say, side: Side, id: string): Promise<readonly MenuEntry[]> {
  const here = place(now())
  const [way, peers] = here
    ? await Promise.all([engine.reveal({ ...here, at: { [side]: id } }), peersOf(side, id)])
    : [null, []]
  const at: NodeRef = way?.at ?? { [side]: id }
  const partner: MenuEntry = {
    id: 'partner',
    text: say('graph.go-partner'),
    icon: 'swap',
    run: () => select(at, 'keys'),
  }
  const onlyRows = (): void => {
    select(at, 'graph')
    look({ thisNode: true })
  }
  return [
    ...(at[otherSide(side)] === undefined ? [] : [partner]),
    { id: 'rows', text: say('graph.only-rows'), icon: 'filter', run: onlyRows },
    ...(recomputes(now().session)
      ? [{ id: 'recompute', text: say('command.recompute'), run: () => void recompute([at]) }]
      : []),
    ...(peers.length === 0 ? [] : [peerEntries(say, side, id, peers)]),
    ...(matches(now().session) ? matchEntries(say, side, id, at) : []),
    'line',
    ...copyEntries(say, id, at, way?.[side] ?? []),
  ]
}

function peerEntries(say: Say, side: Side, id: string, peers: readonly Peer[]): MenuEntry {
  const more: MenuEntry = {
    id: 'peers-more',
    text: say('peers.more', { count: peers.length - mostPeers }),
    disabled: true,
    run: () => {},
  }
  const entries = peers
    .slice(0, mostPeers)
    .map(peer => ({
      id: `peer-${peer.type}-${peer.rank}`,
      text: say(`peers.${peer.type}`, { rank: peer.rank }),
      icon: 'talk' as const,
      disabled: peer.unit < 0,
      run: () => void goToPeer(side, id, peer),
    }))
  return { title: say('peers.title'), entries: peers.length > mostPeers ? [...entries, more] : entries }
}

function matchEntries(say: Say, side: Side, id: string, at: NodeRef): readonly MenuEntry[] {
  const unmatch: MenuEntry = {
    id: 'unmatch',
    text: say('command.match-undo'),
    icon: 'unlink',
    run: () => void unmatchNode(at, true),
  }
  return [
    'line',
    { id: 'match', text: say('matching.with-this'), icon: 'link', run: () => startPairing(side, id) },
    ...(at[otherSide(side)] === undefined ? [] : [unmatch]),
  ]
}

function copyEntries(say: Say, id: string, at: NodeRef, above: readonly string[]): readonly MenuEntry[] {
  const both: MenuEntry = {
    id: 'copy-both',
    text: say('command.copy-both-names'),
    run: () => void copyText([at.debug, at.bench].join('\n')),
  }
  return [
    {
      id: 'copy',
      text: say('command.copy-name'),
      keys: shortcut('copy-name'),
      icon: 'copy',
      run: () => void copyText(id),
    },
    ...(at.debug === undefined || at.bench === undefined ? [] : [both]),
    { id: 'copy-path', text: say('graph.copy-path'), run: () => void copyText([...above, id].join('\n')) },
  ]
}
