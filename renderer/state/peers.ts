// Whom a communication call talks to in other ranks, and the way there.
import type { NodeRef, Peer, Side } from '../../preload/contract/engine.ts'
import { engine, isQuiet } from '../engine.ts'
import { select } from './selection.ts'
import { chooseUnit } from './sessions.ts'
import { notify, now, place } from './workbench.ts'

/** Calls of other kinds need not be asked about. */
export const talks = (at: NodeRef | null | undefined): boolean =>
  (at?.debug ?? at?.bench ?? '').startsWith('Distributed.')

export async function peersOf(side: Side, node: string, signal?: AbortSignal): Promise<readonly Peer[]> {
  const here = place(now())
  return here && talks({ [side]: node }) ? engine.peers({ ...here, side, node }, signal) : []
}

/** Opens the peer's rank and selects its call there. */
export async function goToPeer(side: Side, node: string, { rank, unit }: Peer): Promise<void> {
  const here = place(now())
  if (!here || unit < 0) return
  try {
    await chooseUnit(unit)
    const at = await engine.peer({ ...here, side, node, to: unit })
    if (now().session?.unit !== unit) return
    if (at) select(at, 'keys')
    else notify('no-peer', { rank })
  } catch (error) {
    if (!isQuiet(error)) throw error
  }
}

/** From the selected call to its peer; of several, the next rank after this one. */
export async function goToNextPeer(): Promise<void> {
  const { session, selection } = now()
  const side: Side = selection?.at.debug === undefined ? 'bench' : 'debug'
  const node = selection?.at[side]
  if (!session || node === undefined) return
  const peers = (await peersOf(side, node)).filter(peer => peer.unit >= 0)
  const mine = session.units.find(u => u.unit === session.unit)?.rank ?? -1
  const next = peers.find(peer => peer.rank > mine) ?? peers[0]
  if (next) await goToPeer(side, node, next)
  else notify('nothing-found')
}
