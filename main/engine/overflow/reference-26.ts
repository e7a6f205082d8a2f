// The first anomaly of a step as msprobe 26 names it: before, during or after communication, one group of nodes only.
import { RawReader } from '../formats/index.ts'
import type { Files } from '../io/index.ts'
import { isArray, isObject, type Json, JsonNumber } from '../json/index.ts'
import type { Dump, OpRow } from '../model/index.ts'
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
  layer: number
  /** Calls between the node before and this one. */
  readonly order: number
  readonly badInput: boolean
  readonly badOutput: boolean
  readonly computes: readonly Compute[]
  readonly role: NodeRole
  /** Empty: every rank. */
  readonly partners: ReadonlySet<number>
  readonly linked: Set<Node>
  met: boolean
}

interface RankNodes {
  readonly rank: number
  readonly nodes: readonly Node[]
  /** The first anomalous call before all communication, and after it. */
  readonly before: Compute | null
  readonly after: Compute | null
}

export function namedBy26(files: Files, dumps: readonly RankDump[]): readonly Named[] {
  const ranks = dumps.map(dump => nodesOf(files, dump))
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
        order++
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
  const parts = name.split('.')
  if (parts.length < 4) return null
  const api = parts[1]
  return {
    ...at,
    api,
    badInput: inputsBad(entry),
    badOutput: partBad(entry, 'output'),
    role: roleOf(api, entry, at.rank),
    partners: partnersOf(entry, at.rank),
    linked: new Set(),
    met: false,
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
  const usual = directed[api]
  if (usual === undefined || first === undefined) return 'link'
  return first === rank ? usual : opposite[usual]
}

function partnersOf(entry: Json, rank: number): ReadonlySet<number> {
  const keywords = keywordsOf(entry)
  const named = ['dst', 'dst_group', 'src', 'src_group'].flatMap(name => {
    const found = numberOf(keywords.get(name))
    return found === null ? [] : [found]
  })
  const found = new Set(named.length > 0 ? named : positionalOf(entry))
  // A root that names itself talks to all.
  found.delete(rank)
  const group = keywords.get('group') ?? null
  const ranks = isObject(group) ? (group.get('group_ranks') ?? null) : null
  for (const rank of isArray(ranks) ? ranks : []) if (rank instanceof JsonNumber) found.add(rank.value)
  return found
}

/** Each node takes the first free one of the ranks behind its own that would take it. */
function connect(ranks: readonly RankNodes[]): void {
  ranks.forEach(({ rank, nodes }, i) => {
    const others = ranks.slice(i + 1)
    for (const node of nodes)
      for (const other of others) {
        if (node.partners.size > 0 && !node.partners.has(other.rank)) continue
        const partner = other.nodes.find(
          one =>
            !one.met &&
            one.api === (partners[node.api] ?? node.api) &&
            one.role === opposite[node.role] &&
            (one.partners.size === 0 ? one.role === 'link' : one.partners.has(rank)),
        )
        if (!partner) continue
        partner.met = true
        partner.layer = node.layer
        node.linked.add(partner)
        partner.linked.add(node)
      }
  })
}

/** The earliest candidate of the group of the first node that shows anything; further groups are not looked at. */
function firstOf(ranks: readonly RankNodes[]): Named | null {
  const shows = (node: Node): boolean => node.badInput || node.badOutput || node.computes.length > 0
  const [start] = ranks.flatMap(({ nodes }) => nodes.filter(shows))
  if (!start) return null
  const group = new Set([start])
  for (const node of group) for (const next of node.linked) if (shows(next)) group.add(next)
  const nodes = [...group]
  const computes = nodes
    .filter(({ role, badInput }) => role !== 'dst' && badInput)
    .flatMap(({ layer, computes: of }) => of.map(found => ({ ...found, layer })))
  const own = nodes.filter(({ badInput, badOutput }) => !badInput && badOutput)
  let best: (Compute & { readonly layer: number }) | null = null
  // Where both are as early, a communication call is named.
  for (const one of [...own, ...computes])
    if (!best || one.layer < best.layer || (one.layer === best.layer && one.order < best.order)) best = one
  return best
}
