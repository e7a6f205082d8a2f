// Whom one communication call talks to: the ranks by its own entry, and its counterpart once another rank is
// open.
import { ruleSets } from '../rules/index.ts'
import type { Dump, OpRow, Rules } from '../model/index.ts'
import type { Files } from '../io/index.ts'
import {
  batchCall,
  directionOf,
  keyOfCall,
  readBatch,
  readCall,
  reversed,
  twinOf,
  type Direction,
} from './peers.ts'

export interface RankDump {
  readonly rank: number
  readonly dump: Dump
}

/** `ranks`: null is every rank of the step. */
interface PeerRanks {
  readonly type: Direction
  readonly ranks: readonly number[] | null
}

interface Reading {
  readonly rules: Rules
  readonly files: Files
}

const nameOf = (dump: Dump, op: OpRow): string => dump.texts.get(dump.ops.name[op])
const lenient = (rules: Rules): boolean => !ruleSets[rules].graph.namedGroupsOnly

/** Ranks that a call sends to or receives from; its own is never among them. */
export function peersOf(
  { dump, rank }: RankDump,
  op: OpRow,
  { rules, files }: Reading,
): readonly PeerRanks[] {
  const name = op < 0 ? '' : nameOf(dump, op)
  const api = dump.names.communication(name)
  if (api === null) return []
  if (api === batchCall) {
    const elements = ruleSets[rules].graph.batchPeers ? readBatch(dump, op, files) : []
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
export function peerOn(mine: RankDump, op: OpRow, theirs: RankDump, reading: Reading): number {
  const name = op < 0 ? '' : nameOf(mine.dump, op)
  return mine.dump.names.communication(name) === batchCall
    ? batchPeer(mine, op, theirs, reading)
    : callPeer(mine, op, name, theirs, reading)
}

function callPeer(
  mine: RankDump,
  op: OpRow,
  name: string,
  theirs: RankDump,
  { rules, files }: Reading,
): number {
  if (mine.dump.names.communication(name) === null) return -1
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
function batchPeer(mine: RankDump, op: OpRow, theirs: RankDump, { files }: Reading): number {
  const first = readBatch(mine.dump, op, files).find(element => element.peer === theirs.rank)
  if (!first) return -1
  const like = (dump: Dump, at: number, kind: string, peer: number): number =>
    readBatch(dump, at, files).filter(e => e.op === kind && e.peer === peer && e.group === first.group).length
  let before = 0
  for (const earlier of callsOf(mine.dump, batchCall)) {
    if (earlier === op) break
    before += like(mine.dump, earlier, first.op, theirs.rank)
  }
  for (const candidate of callsOf(theirs.dump, batchCall)) {
    before -= like(theirs.dump, candidate, twinOf(first.op), mine.rank)
    if (before < 0) return candidate
  }
  return -1
}

/** Calls of an API, in order. */
function* callsOf(dump: Dump, api: string): Generator<number> {
  for (let op = 0; op < dump.ops.length; op++)
    if (dump.names.communication(nameOf(dump, op)) === api) yield op
}
