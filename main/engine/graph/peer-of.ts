// Whom one communication call talks to: the ranks by its own entry, and its counterpart once another rank is open.
import type { Dump } from '../dump.ts'
import type { Files } from '../io/files.ts'
import type { Rules } from '../model.ts'
import { directionOf, isBatch, keyOfCall, readBatch, readCall, reversed, twinOf, type Direction } from './peers.ts'
import { graphRules } from './rules.ts'

export interface RankDump { readonly rank: number; readonly dump: Dump }

/** `ranks`: null is every rank of the step. */
export interface PeerRanks { readonly type: Direction; readonly ranks: readonly number[] | null }

interface Reading { readonly rules: Rules; readonly files: Files }

const nameOf = (dump: Dump, op: number): string => dump.texts.get(dump.ops.name[op])
const lenient = (rules: Rules): boolean => !graphRules[rules].namedGroupsOnly

/** Ranks that a call sends to or receives from; its own is never among them. */
export function peersOf({ dump, rank }: RankDump, op: number, { rules, files }: Reading): readonly PeerRanks[] {
  const name = op < 0 ? '' : nameOf(dump, op)
  if (!name.startsWith('Distributed')) return []
  if (isBatch(name)) {
    const elements = graphRules[rules].batchPeers ? readBatch(dump, op, files) : []
    return (['isend', 'irecv'] as const).flatMap(kind => {
      const ranks = [...new Set(elements.filter(element => element.op === kind).map(element => element.peer))]
      return ranks.length > 0 ? [{ type: directionOf(kind), ranks }] : []
    })
  }
  const call = readCall(dump, op, name, files, lenient(rules))
  if (!call) return []
  const { rule, other, members } = call
  if (rule.kind === 'pair') return [{ type: rule.type, ranks: [other] }]
  if (rule.kind === 'rooted' && other !== rank) return [{ type: reversed[rule.type], ranks: [other] }]
  return [{ type: rule.type, ranks: members?.filter(member => member !== rank) ?? null }]
}

/** The call of another rank that belongs to a call of this one, as an op of that rank's dump; -1 for none. */
export function peerOn(mine: RankDump, op: number, theirs: RankDump, reading: Reading): number {
  const name = op < 0 ? '' : nameOf(mine.dump, op)
  return isBatch(name) ? batchPeer(mine, op, theirs, reading) : callPeer(mine, op, name, theirs, reading)
}

function callPeer(mine: RankDump, op: number, name: string, theirs: RankDump, { rules, files }: Reading): number {
  if (!name.startsWith('Distributed')) return -1
  const call = readCall(mine.dump, op, name, files, lenient(rules))
  if (!call) return -1
  const key = keyOfCall(call)
  let before = 0
  for (const earlier of callsOf(mine.dump, call.api)) {
    if (earlier === op) break
    const other = readCall(mine.dump, earlier, nameOf(mine.dump, earlier), files, lenient(rules))
    if (other && keyOfCall(other) === key) before++
  }
  const pair = call.rule.kind === 'pair'
  const wanted = pair ? keyOfCall({ ...call, api: call.rule.peer, other: mine.rank }) : key
  for (const candidate of callsOf(theirs.dump, call.rule.peer)) {
    const other = readCall(theirs.dump, candidate, nameOf(theirs.dump, candidate), files, lenient(rules))
    if (other && keyOfCall(other) === wanted && before-- === 0) return candidate
  }
  return -1
}

/** The first element of the batch that goes to that rank decides. */
function batchPeer(mine: RankDump, op: number, theirs: RankDump, { files }: Reading): number {
  const first = readBatch(mine.dump, op, files).find(element => element.peer === theirs.rank)
  if (!first) return -1
  const like = (dump: Dump, at: number, kind: string, peer: number): number => readBatch(dump, at, files).filter(e => e.op === kind && e.peer === peer && e.group === first.group).length
  let before = 0
  for (const earlier of callsOf(mine.dump, 'batch_isend_irecv')) {
    if (earlier === op) break
    before += like(mine.dump, earlier, first.op, theirs.rank)
  }
  for (const candidate of callsOf(theirs.dump, 'batch_isend_irecv')) {
    before -= like(theirs.dump, candidate, twinOf(first.op), mine.rank)
    if (before < 0) return candidate
  }
  return -1
}

/** Calls of an API, in order. */
function* callsOf(dump: Dump, api: string): Generator<number> {
  for (let op = 0; op < dump.ops.length; op++) if (nameOf(dump, op).startsWith(`Distributed.${api}.`)) yield op
}
