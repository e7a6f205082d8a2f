// The first difference of a step over all its ranks as msprobe 26 names it: before, across or behind communication.
import type { Json } from '../json/index.ts'
import type { ComparedCall, RankDifferences } from './difference-26.ts'

type Role = 'src' | 'dst' | 'link'

/** A call that may be named. */
interface Told {
  readonly rank: number
  readonly name: string
  /** How many calls stand between the communication before and this one. */
  readonly order: number
  /** What is written of it. */
  readonly record: Json
}

interface Node {
  readonly rank: number
  readonly name: string
  readonly api: string
  readonly role: Role
  /** Empty: every rank. */
  readonly partners: readonly number[]
  /** The node itself where it differs, and the first call that does since the node before. */
  readonly told: readonly Told[]
  readonly linked: Set<Node>
  layer: number
}

/** What of a rank decides where the first difference is. */
export interface RankNodes {
  readonly rank: number
  readonly nodes: readonly Node[]
  /** The first call that differs before all communication, and behind it. */
  readonly before: Told | null
  readonly after: Told | null
}

const words = ['send', 'recv', 'broadcast', 'reduce', 'gather', 'scatter', 'all_to_all']
const counterparts: Readonly<Record<string, string>> = {
  send: 'recv',
  recv: 'send',
  isend: 'irecv',
  irecv: 'isend',
  send_object_list: 'recv_object_list',
  recv_object_list: 'send_object_list',
}
const directed: ReadonlySet<string> = new Set([
  ...Object.keys(counterparts),
  'broadcast',
  'scatter',
  'gather',
])
const opposite: Readonly<Record<Role, Role>> = { src: 'dst', dst: 'src', link: 'link' }

const communicates = (name: string): boolean =>
  /^(?:Distributed|MintDistributed|communication\.comm_func)/.test(name) &&
  words.some(word => name.includes(word))
const saysNothing = (name: string): boolean => /Torch\.empty|Torch\.fill|Tensor\.__setitem__/.test(name)

/** Ranks in their order. */
export function firstAcross(ranks: readonly RankNodes[]): readonly Told[] {
  const named = (of: (rank: RankNodes) => Told | null): readonly Told[] =>
    ranks.flatMap(rank => of(rank) ?? [])
  const before = named(rank => rank.before)
  if (before.length > 0) return before
  connect(ranks)
  const across = firstGroup(ranks.map(({ nodes }) => nodes))
  return across.length > 0 ? across : named(rank => rank.after)
}

/** Of a compared rank, which is not needed any longer. */
export function rankNodes(rank: number, differences: RankDifferences): RankNodes {
  const nodes: Node[] = []
  let first: Told | null = null
  let before: Told | null = null
  let order = 0
  const told = (call: ComparedCall): Told => {
    const { data, stack } = differences.values(call)
    const record = new Map<string, Json>([
      ['op_name', call.name],
      ['data_info', data],
      ['stack_info', stack],
    ])
    return { rank, name: call.name, order, record }
  }
  for (const call of differences.calls) {
    if (communicates(call.name)) {
      if (nodes.length === 0) before = first
      const { inputs } = differences.values(call)
      nodes.push({
        rank,
        name: call.name,
        api: call.name.split('.')[1],
        role: roleOf(inputs),
        partners: partnersOf(inputs),
        told: [...(first && nodes.length > 0 ? [first] : []), ...(call.same ? [] : [told(call)])],
        linked: new Set(),
        layer: nodes.length,
      })
      first = null
      order = 0
    } else if (!saysNothing(call.name)) {
      if (!call.same) first ??= told(call)
      order++
    }
  }
  return nodes.length === 0
    ? { rank, nodes, before: first, after: null }
    : { rank, nodes, before, after: first }
}

/** The values of ranks are texts to msprobe, and equal no rank: a source is taken for a target, and the other way round. */
function roleOf(inputs: ReadonlyMap<string, string>): Role {
  const names = [...inputs.keys()]
  for (const role of ['src', 'dst'] as const)
    if (names.some(name => name.includes(role))) return opposite[role]
  return 'link'
}

function partnersOf(inputs: ReadonlyMap<string, string>): readonly number[] {
  const found = new Set<number>()
  for (const [name, value] of inputs) {
    if (/dst|src/.test(name)) {
      const rank = Math.trunc(Number(value))
      // Rank 0 counts as none.
      if (rank) found.add(rank)
    } else if (name.endsWith('.group') && /^\[.*\]$/.test(value))
      for (const part of value.slice(1, -1).split(',')) found.add(Number(part))
  }
  return [...found].toSorted((a, b) => a - b)
}

/** Every node takes the first free one of each rank behind its own that would take it. */
function connect(ranks: readonly RankNodes[]): void {
  ranks.slice(0, -1).forEach(({ rank, nodes }, i) => {
    const seen = new Set<Node>()
    let last: Node | null = null
    for (const node of nodes) {
      if (last && last.layer >= node.layer) node.layer = last.layer + 1
      last = node
      for (const other of ranks.slice(i + 1)) {
        if (node.partners.length > 0 && !node.partners.includes(other.rank)) continue
        const met = other.nodes.find(one => !seen.has(one) && takes(node, one, rank))
        if (!met) continue
        seen.add(met)
        met.layer = node.layer
        node.linked.add(met)
        met.linked.add(node)
      }
    }
  })
}

const takes = (node: Node, one: Node, rank: number): boolean =>
  one.name.startsWith(`Distributed.${counterparts[node.api] ?? node.api}`) &&
  one.role === opposite[node.role] &&
  ((one.partners.length === 0 && !directed.has(one.api)) || one.partners.includes(rank))

/** Round by round the next node of every rank with all that it talks to; the first round that shows anything ends it. */
function firstGroup(ranks: readonly (readonly Node[])[]): readonly Told[] {
  const shows = ({ told }: Node): boolean => told.length > 0
  const queues = ranks.map(nodes => nodes.filter(shows).toSorted((a, b) => a.layer - b.layer))
  const round = new Set(queues.flatMap(([first]) => first ?? []))
  for (const node of round) for (const next of node.linked) if (shows(next)) round.add(next)
  const found = [...round].flatMap(({ layer, told }) => told.map(one => ({ layer, one })))
  const least = found.reduce<(typeof found)[number] | null>(
    (a, b) => (a && (a.layer < b.layer || (a.layer === b.layer && a.one.order <= b.one.order)) ? a : b),
    null,
  )
  return found
    .filter(({ layer, one }) => layer === least?.layer && one.order === least.one.order)
    .map(({ one }) => one)
}
