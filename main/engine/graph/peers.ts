// Which communication calls of other ranks belong to a node: point to point, rooted and symmetric
// collectives, batches.
import { ruleSets } from '../rules/index.ts'
import { isArray, isObject, type Json, JsonNumber } from '../json/index.ts'
import { rawJson } from '../formats/index.ts'
import {
  type Dump,
  type ItemRow,
  Kind,
  type NodeRow,
  type OpRow,
  type Rules,
  type TextCode,
} from '../model/index.ts'
import type { Files } from '../io/index.ts'
import { nodeName, type Graph } from './graph.ts'
import { rangeOf } from './items.ts'

export type Direction = 'send' | 'receive' | 'send_receive'

/** Per rank: what to show of the peer, and its id. */
export interface PeerGroup {
  readonly type: Direction
  readonly nodes: ReadonlyMap<NodeRow, readonly [shown: string, id: string]>
}
export type NodePeers = readonly PeerGroup[]

export interface RankGraph {
  readonly rank: number
  readonly graph: Graph
  readonly dump: Dump
  /** Index or overflow level of a node as text, `Nan` when there is none. */
  shown(node: NodeRow): string
}

interface ApiRule {
  readonly peer: string
  /** Item that holds the other rank or the root: a keyword or a position. */
  readonly at?: string
  /** Role of the call; for rooted ones that of the root. */
  readonly type: Direction
  readonly kind: 'pair' | 'rooted' | 'symmetric'
}

const apiRules: Readonly<Record<string, ApiRule>> = {
  send: { peer: 'recv', at: 'dst', type: 'send', kind: 'pair' },
  isend: { peer: 'irecv', at: 'dst', type: 'send', kind: 'pair' },
  recv: { peer: 'send', at: 'src', type: 'receive', kind: 'pair' },
  irecv: { peer: 'isend', at: 'src', type: 'receive', kind: 'pair' },
  broadcast: { peer: 'broadcast', at: '1', type: 'send', kind: 'rooted' },
  scatter: { peer: 'scatter', at: 'src', type: 'send', kind: 'rooted' },
  gather: { peer: 'gather', at: 'dst', type: 'receive', kind: 'rooted' },
  reduce: { peer: 'reduce', at: '1', type: 'receive', kind: 'rooted' },
}
export const reversed: Readonly<Record<Direction, Direction>> = {
  send: 'receive',
  receive: 'send',
  send_receive: 'send_receive',
}

/** What the entry of a call says of whom it talks to. */
interface CallFacts {
  readonly api: string
  readonly rule: ApiRule
  /** Other rank of a pair, root of a rooted call; -1 when unknown. */
  readonly other: number
  readonly group: string
  readonly members: readonly number[] | null
}

interface Call extends CallFacts {
  readonly rank: RankGraph
  readonly node: NodeRow
  /** Which of the rank's calls of its key it is. */
  readonly ordinal: number
}

/** Calls of equal keys meet across ranks in their order. */
export const keyOfCall = ({ rule, api, other, group }: CallFacts): string =>
  rule.kind === 'pair' ? `${api} ${other}` : `${group} ${api}`

/** The call that sends and receives several tensors at once. */
export const batchCall = 'batch_isend_irecv'

/** Peers of the nodes of every rank, in the order of `ranks`. */
export function findPeers(
  ranks: readonly RankGraph[],
  rules: Rules,
  files: Files,
): ReadonlyMap<NodeRow, NodePeers>[] {
  const { batchPeers, namedGroupsOnly, sameTensorPeers } = ruleSets[rules].graph
  const found = ranks.map(() => new Map<NodeRow, PeerGroup[]>())
  const place = new Map(ranks.map((rank, i) => [rank.rank, i]))
  const add: AddPeers = (call, type, others) => {
    const nodes = new Map(
      others.map(({ rank, node }) => [rank.rank, [rank.shown(node), nodeName(rank.graph, node)] as const]),
    )
    found[place.get(call.rank.rank) ?? 0].set(call.node, [{ type, nodes }])
  }
  const calls = ranks.flatMap(rank => [...callsOf(rank, files, !namedGroupsOnly)])
  const pairs = calls.filter(({ rule }) => rule.kind === 'pair')
  linkPairs(pairs, (a, b) => !sameTensorPeers || sameOutput(a, b), add)
  const groups = calls.filter(({ rule }) => rule.kind !== 'pair')
  linkGroups(
    groups,
    ranks.map(({ rank }) => rank),
    add,
  )
  if (batchPeers) linkBatches(ranks, files, found, place)
  return found
}

type AddPeers = (call: Call, type: Direction, others: readonly Call[]) => void

/** The calls of a rank that say whom they talk to; calls of equal keys are counted. */
function* callsOf(rank: RankGraph, files: Files, lenient: boolean): Generator<Call> {
  const seen = new Map<string, number>()
  for (let node = 0; node < rank.graph.length; node++) {
    const id = nodeName(rank.graph, node)
    const api = rank.graph.names.communication(id)
    if (api === null || api === batchCall) continue
    const facts = readCall(rank.dump, rank.graph.op[node], id, files, lenient)
    if (!facts) continue
    const key = keyOfCall(facts)
    const ordinal = seen.get(key) ?? 0
    seen.set(key, ordinal + 1)
    yield { ...facts, rank, node, ordinal }
  }
}

/** A send and a receive that name each other. */
function linkPairs(calls: readonly Call[], same: (a: Call, b: Call) => boolean, add: AddPeers): void {
  const keyed = (rank: number, api: string, other: number, ordinal: number): string =>
    `${rank} ${api} ${other} ${ordinal}`
  const byKey = new Map(calls.map(call => [keyed(call.rank.rank, call.api, call.other, call.ordinal), call]))
  for (const call of calls) {
    const { rank, rule, other, ordinal } = call
    const peer = byKey.get(keyed(other, rule.peer, rank.rank, ordinal))
    if (peer?.other === rank.rank && same(call, peer)) add(call, rule.type, [peer])
  }
}

/** Collectives: all with all, or one with all others. */
function linkGroups(calls: readonly Call[], all: readonly number[], add: AddPeers): void {
  const keyed = (rank: number, call: Call): string => `${rank} ${keyOfCall(call)} ${call.ordinal}`
  const byKey = new Map(calls.map(call => [keyed(call.rank.rank, call), call]))
  for (const call of calls) {
    const { rank, rule, other } = call
    const peers = (call.members ?? all)
      .filter(member => member !== rank.rank)
      .map(member => byKey.get(keyed(member, call)))
      .filter(peer => peer !== undefined)
    if (peers.length === 0) continue
    if (rule.kind === 'symmetric') add(call, rule.type, peers)
    else if (other === rank.rank) {
      add(call, rule.type, peers)
      for (const peer of peers) add(peer, reversed[rule.type], [call])
    }
  }
}

/** Null for a call that says too little. */
export function readCall(
  dump: Dump,
  op: OpRow,
  id: string,
  files: Files,
  lenient: boolean,
): CallFacts | null {
  const api = dump.names.word(id)
  const rule = apiRules[api] ?? { peer: api, type: 'send_receive', kind: 'symmetric' }
  const other =
    rule.at === undefined ? -1 : numberAt(dump, op, id, lenient ? [rule.at, '1', 'src', 'dst'] : [rule.at])
  if (rule.at !== undefined && other < 0) return null
  if (rule.kind === 'pair') return { api, rule, other, group: '', members: null }
  const group = groupOf(dump, op, id, files, lenient)
  return group ? { api, rule, other, ...group } : null
}

/** The first whole number among inputs of these names. */
function numberAt(dump: Dump, op: OpRow, id: string, names: readonly string[]): number {
  for (const name of names) {
    const item = itemNamed(dump, op, `${id}.input.${name}`)
    if (item >= 0 && dump.items.max.kind[item] === Kind.int && dump.items.tensor[item] !== 1)
      return dump.items.max.value[item]
  }
  return -1
}

function itemNamed(dump: Dump, op: OpRow, name: string): ItemRow {
  for (let [item, end] = rangeOf(dump, op); item < end; item++)
    if (dump.texts.get(dump.items.name[item]) === name) return item
  return -1
}

/**
 * The group that a collective names. Our own rules also know groups given by position, by name, and the
 * default group of all ranks.
 */
function groupOf(
  dump: Dump,
  op: OpRow,
  id: string,
  files: Files,
  lenient: boolean,
): { group: string; members: readonly number[] | null } | null {
  const named = itemNamed(dump, op, `${id}.input.group`)
  const isGroup = (item: ItemRow): boolean =>
    dump.items.type[item] >= 0 && dump.texts.get(dump.items.type[item]) === 'torch.ProcessGroup'
  if ((named >= 0 && isGroup(named)) || lenient) {
    const leaf = findGroup(rawJson(files, dump, op))
    if (leaf) return leaf
  }
  if (!lenient) return null
  if (named >= 0 && dump.items.max.kind[named] === Kind.text)
    return { group: dump.texts.get(dump.items.max.value[named]), members: null }
  return { group: '', members: null }
}

function findGroup(value: Json): { group: string; members: readonly number[] } | null {
  if (isObject(value)) {
    const ranks = value.get('group_ranks')
    if (value.get('type') === 'torch.ProcessGroup' && isArray(ranks)) {
      return {
        group: textOf(value.get('group_id')),
        members: ranks.flatMap(rank => (rank instanceof JsonNumber ? [rank.value] : [])),
      }
    }
  }
  const list = isArray(value) ? value : []
  for (const member of isObject(value) ? value.values() : list) {
    const found = findGroup(member)
    if (found) return found
  }
  return null
}

function textOf(value: Json | undefined): string {
  if (typeof value === 'string') return value
  return value instanceof JsonNumber ? value.text : ''
}

/** The first outputs of a pair carry the same tensor. */
function sameOutput(a: Call, b: Call): boolean {
  const one = firstOutput(a)
  const two = firstOutput(b)
  return one !== null && one === two
}

function firstOutput({ rank: { graph, dump }, node }: Call): string | null {
  const item = itemNamed(dump, graph.op[node], `${nodeName(graph, node)}.output.0`)
  if (item < 0) return null
  const { items, texts } = dump
  const text = (code: TextCode): string => (code < 0 ? '' : texts.get(code))
  return [
    text(items.dtype[item]),
    text(items.shape[item]),
    ...[items.max, items.min, items.mean, items.norm].map(
      cells => `${cells.kind[item]}:${cells.value[item]}`,
    ),
  ].join(' ')
}

const keyOf = (rank: number, op: string, peer: number, group: string, ordinal: number): string =>
  `${rank} ${op} ${peer} ${group} ${ordinal}`

/** Batches of sends and receives: every element has its own peer. */
function linkBatches(
  ranks: readonly RankGraph[],
  files: Files,
  found: Map<NodeRow, PeerGroup[]>[],
  place: ReadonlyMap<number, number>,
): void {
  interface Element extends BatchElement {
    readonly rank: RankGraph
    readonly node: NodeRow
    readonly ordinal: number
  }
  const elements: Element[] = []
  const byKey = new Map<string, Element>()
  for (const rank of ranks) {
    const seen = new Map<string, number>()
    for (let node = 0; node < rank.graph.length; node++) {
      if (rank.graph.names.communication(nodeName(rank.graph, node)) !== batchCall) continue
      for (const { op, peer, group } of readBatch(rank.dump, rank.graph.op[node], files)) {
        const base = `${op} ${peer} ${group}`
        const ordinal = seen.get(base) ?? 0
        seen.set(base, ordinal + 1)
        const element = { rank, node, op, peer, group, ordinal }
        elements.push(element)
        byKey.set(keyOf(rank.rank, op, peer, group, ordinal), element)
      }
    }
  }
  for (const element of elements) {
    const { rank, node, op, peer, group, ordinal } = element
    const twin = byKey.get(keyOf(peer, twinOf(op), rank.rank, group, ordinal))
    if (!twin) continue
    const mine = found[place.get(rank.rank) ?? 0]
    const list = mine.get(node) ?? []
    list.push({
      type: directionOf(op),
      nodes: new Map([[peer, [twin.rank.shown(twin.node), nodeName(twin.rank.graph, twin.node)]]]),
    })
    mine.set(node, list)
  }
}

/** One send or receive of a batch. */
interface BatchElement {
  readonly op: string
  readonly peer: number
  readonly group: string
}

export const twinOf = (op: string): string => (op === 'isend' ? 'irecv' : 'isend')
export const directionOf = (op: string): Direction => (op === 'isend' ? 'send' : 'receive')
export const readBatch = (dump: Dump, op: OpRow, files: Files): readonly BatchElement[] =>
  batchOf(rawJson(files, dump, op))

/** Elements of a batch: of the first output, or of the first input where the output lacks them. */
function batchOf(entry: Json): BatchElement[] {
  if (!isObject(entry)) return []
  for (const part of ['output', 'input_args']) {
    const list = entry.get(part)
    const first = isArray(list) ? list[0] : undefined
    const elements = (isArray(first) ? first : []).flatMap(element => {
      const op = isObject(element) ? textOf(element.get('op')) : ''
      const peer = isObject(element) ? element.get('peer') : undefined
      return isObject(element) && op && peer instanceof JsonNumber
        ? [{ op, peer: peer.value, group: textOf(element.get('group_id')) }]
        : []
    })
    if (elements.length > 0) return elements
  }
  return []
}
