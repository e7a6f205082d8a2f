// The first anomaly of a step as msprobe 26 names it: before, during or after communication. It takes the ranks in the order
// in which a file system happens to list their folders, and names other calls in other orders; here rank 0 comes last.
import { RawReader } from '../formats/index.ts'
import type { Files } from '../io/index.ts'
import { isArray, isObject, type Json, JsonNumber } from '../json/index.ts'
import { type Dump, namedRow, type OpRow } from '../model/index.ts'
import { nonFinite } from './values.ts'

/** A call that it names. */
export interface Named {
  readonly rank: number
  readonly op: OpRow
}

export interface RankDump {
  readonly rank: number
  readonly dump: Dump
}

type NodeRole = 'src' | 'dst' | 'link'

const words = [
  'send',
  'recv',
  'broadcast',
  'all_reduce',
  'reduce',
  'all_gather',
  'gather',
  'isend',
  'irecv',
  'scatter',
  'reduce_scatter',
  '_reduce_scatter_base',
  '_all_gather_base',
  'all_to_all_single',
  'all_to_all',
  'all_gather_into_tensor',
  'reduce_scatter_tensor',
  'send_object_list',
  'recv_object_list',
]
const partners: Readonly<Record<string, string>> = {
  send: 'recv',
  recv: 'send',
  isend: 'irecv',
  irecv: 'isend',
  send_object_list: 'recv_object_list',
  recv_object_list: 'send_object_list',
}
/** What a call is whose only argument that is a number names another rank than its own. */
const directed: Readonly<Record<string, NodeRole>> = {
  send: 'dst',
  isend: 'dst',
  send_object_list: 'dst',
  gather: 'dst',
  recv: 'src',
  irecv: 'src',
  recv_object_list: 'src',
  broadcast: 'src',
  scatter: 'src',
}
const opposite: Readonly<Record<NodeRole, NodeRole>> = { src: 'dst', dst: 'src', link: 'link' }

interface Compute extends Named {
  readonly order: number
}

interface Node extends Named {
  readonly api: string
  /** The how manieth call of its kind: the number in its name. */
  readonly count: string
  layer: number
  /** Calls between the node before and this one. */
  readonly order: number
  readonly badInput: boolean
  /** Clean inputs and bad outputs; `badInput` leaves out what stands in `input`. */
  readonly anomaly: boolean
  readonly shows: boolean
  readonly computes: readonly Compute[]
  readonly role: NodeRole
  /** Empty: every rank. */
  readonly partners: ReadonlySet<number>
  readonly linked: Set<Node>
}

interface RankNodes {
  readonly rank: number
  readonly nodes: readonly Node[]
  /** The first anomalous call before all communication, and after it. */
  readonly before: Compute | null
  readonly after: Compute | null
}

export function namedBy26(files: Files, dumps: readonly RankDump[]): readonly Named[] {
  const zeroLast = dumps.toSorted((a, b) => (a.rank || Infinity) - (b.rank || Infinity))
  const ranks = zeroLast.map(dump => nodesOf(files, dump))
  const before = ranks.flatMap(({ before: found }) => (found ? [found] : []))
  if (before.length > 0) return before
  connect(ranks)
  const during = firstOf(ranks)
  if (during) return [during]
  return ranks.flatMap(({ after }) => (after ? [after] : []))
}

function nodesOf(files: Files, { rank, dump }: RankDump): RankNodes {
  const reader = new RawReader(files, dump)
  const nodes: Node[] = []
  let computes: Compute[] = []
  let before: Compute | null = null
  let order = 0
  const isBad = directlyBad(dump)
  try {
    for (let op = 0; op < dump.ops.length; op++) {
      const name = dump.texts.get(dump.ops.name[op])
      if (isCommunication(name)) {
        const node = nodeOf(name, reader.json(op) ?? null, { rank, op, order, computes, layer: nodes.length })
        if (node) nodes.push(node)
        computes = []
        order = 0
      } else if (!/Torch\.(?:empty|fill)/.test(name)) {
        if (isBad(op) && isAnomaly(reader.json(op) ?? null)) {
          computes.push({ rank, op, order })
          if (nodes.length === 0) before ??= computes[0]
        }
        // What stands before all communication is not counted.
        if (nodes.length > 0) order++
      }
    }
  } finally {
    reader.close()
  }
  return { rank, nodes, before, after: nodes.length > 0 ? (computes[0] ?? null) : null }
}

const isCommunication = (name: string): boolean =>
  name.startsWith('Distributed.') && words.some(word => name.includes(word))

/** Whether it is worth looking at a call more closely. */
function directlyBad(dump: Dump): (op: OpRow) => boolean {
  const bad = nonFinite(dump)
  const { ops, items } = dump
  return op => {
    for (let item = ops.first[op]; item < ops.first[op + 1]; item++)
      if (bad(items.max, item) || bad(items.min, item)) return true
    return false
  }
}

const isAnomaly = (entry: Json): boolean => !inputsBad(entry) && partBad(entry, 'output')
const inputsBad = (entry: Json): boolean =>
  partBad(entry, 'input') || partBad(entry, 'input_args') || partBad(entry, 'input_kwargs')

/** Values that stand directly in a part; lists and maps in it are not looked into. */
function partBad(entry: Json, part: string): boolean {
  const value = isObject(entry) ? entry.get(part) : null
  const list = isArray(value ?? null) ? (value as readonly Json[]) : []
  const values = isObject(value ?? null) ? [...(value as ReadonlyMap<string, Json>).values()] : list
  return values.some(leaf => isObject(leaf) && (badValue(leaf.get('Max')) || badValue(leaf.get('Min'))))
}

function badValue(value: Json | undefined): boolean {
  if (value instanceof JsonNumber) return !Number.isFinite(value.value)
  return typeof value === 'string' && /^(?:-?inf|nan)\t?$/i.test(value)
}

function nodeOf(
  name: string,
  entry: Json,
  at: Pick<Node, 'rank' | 'op' | 'order' | 'computes' | 'layer'>,
): Node | null {
  const [, api, count, direction] = name.split('.')
  if (direction === undefined) return null
  const badInput = partBad(entry, 'input_args') || partBad(entry, 'input_kwargs')
  return {
    ...at,
    api,
    count,
    badInput,
    anomaly: isAnomaly(entry),
    shows: badInput || partBad(entry, 'output') || at.computes.length > 0,
    role: roleOf(api, entry, at.rank),
    partners: partnersOf(entry),
    linked: new Set(),
  }
}

const keywordsOf = (entry: Json): ReadonlyMap<string, Json> => {
  const found = isObject(entry) ? (entry.get('input_kwargs') ?? null) : null
  return isObject(found) ? found : new Map()
}

function positionalOf(entry: Json): readonly number[] {
  const args = isObject(entry) ? (entry.get('input_args') ?? null) : null
  return (isArray(args) ? args : []).flatMap(leaf => {
    const isInt = isObject(leaf) && leaf.get('type') === 'int'
    const found = isInt ? numberOf(leaf) : null
    return found === null ? [] : [found]
  })
}

function numberOf(leaf: Json | undefined): number | null {
  const value = isObject(leaf ?? null) ? (leaf as ReadonlyMap<string, Json>).get('value') : leaf
  return value instanceof JsonNumber ? value.value : null
}

function roleOf(api: string, entry: Json, rank: number): NodeRole {
  const keywords = keywordsOf(entry)
  for (const [names, own] of [
    [['src', 'src_group'], 'src'],
    [['dst', 'dst_group'], 'dst'],
  ] as const)
    for (const name of names)
      if (keywords.has(name)) return numberOf(keywords.get(name)) === rank ? own : opposite[own]
  const [first] = positionalOf(entry)
  const usual = namedRow(directed, api)
  if (usual === undefined || first === undefined) return 'link'
  return first === rank ? usual : opposite[usual]
}

function partnersOf(entry: Json): ReadonlySet<number> {
  const keywords = keywordsOf(entry)
  const named = ['dst', 'dst_group', 'src', 'src_group'].flatMap(name => {
    const found = numberOf(keywords.get(name))
    return found === null ? [] : [found]
  })
  const found = new Set(named.length > 0 ? named : positionalOf(entry))
  const group = keywords.get('group') ?? null
  const ranks = isObject(group) ? (group.get('group_ranks') ?? null) : null
  for (const rank of isArray(ranks) ? ranks : []) if (rank instanceof JsonNumber) found.add(rank.value)
  return found
}

/** Each node takes of every rank behind its own the first that would take it and that no other node of its rank has. */
function connect(ranks: readonly RankNodes[]): void {
  const callsOf = ranks.map(({ nodes }) => [
    ...new Map(nodes.map(node => [`${node.api} ${node.count}`, node])).values(),
  ])
  ranks.forEach(({ rank, nodes }, i) => {
    const taken = new Set<Node>()
    for (const node of nodes)
      ranks.slice(i + 1).forEach((other, j) => {
        if (node.partners.size > 0 && !node.partners.has(other.rank)) return
        const partner = callsOf[i + 1 + j].find(
          one =>
            !taken.has(one) &&
            one.api === (namedRow(partners, node.api) ?? node.api) &&
            one.role === opposite[node.role] &&
            (one.partners.has(rank) ||
              (one.partners.size === 0 && namedRow(directed, one.api) === undefined)),
        )
        if (!partner) return
        taken.add(partner)
        partner.layer = node.layer
        node.linked.add(partner)
        partner.linked.add(node)
      })
  })
}

/** The earliest candidate of the first group that has one. Each rank offers its nodes in turn; only the first offer of a turn is followed. */
function firstOf(ranks: readonly RankNodes[]): Named | null {
  const seen = new Set<Node>()
  const queues = ranks.map(({ nodes }) =>
    nodes.filter(({ shows }) => shows).sort((a, b) => a.layer - b.layer),
  )
  while (queues.some(queue => queue.length > 0)) {
    let group: ReadonlySet<Node> | null = null
    for (const queue of queues) {
      let next = queue.shift()
      while (next && seen.has(next)) next = queue.shift()
      if (next) group ??= groupOf(next)
    }
    for (const node of group ?? []) seen.add(node)
    // Of what is as early it names any: its sets have no order.
    const found = earliestOf([...(group ?? [])].sort((a, b) => a.rank - b.rank))
    if (found) return found
  }
  return null
}

function groupOf(start: Node): ReadonlySet<Node> {
  const group = new Set([start])
  for (const node of group) for (const next of node.linked) if (next.shows) group.add(next)
  return group
}

function earliestOf(nodes: readonly Node[]): Named | null {
  const computes = nodes
    .filter(({ role, badInput }) => role !== 'dst' && badInput)
    .flatMap(({ layer, computes: of }) => of.map(found => ({ ...found, layer })))
  let best: (Compute & { readonly layer: number }) | null = null
  for (const one of [...computes, ...nodes.filter(({ anomaly }) => anomaly)])
    if (!best || one.layer < best.layer || (one.layer === best.layer && one.order < best.order)) best = one
  return best
}
