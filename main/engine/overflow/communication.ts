// What a communication call says of whom it talks to: ends of sends and receives, of rooted and of symmetric collectives.
import { isArray, isObject, type Json, JsonNumber, type JsonObject } from '../json/index.ts'
import { namedRow } from '../model/index.ts'

/**
 * What an end does: gives to the others, takes from them, or both; gives, and lends its buffer to what others gave; or takes
 * what may come only after the call was recorded.
 */
export const Role = { gives: 0, takes: 1, both: 2, lends: 3, awaits: 4 } as const
export type Role = (typeof Role)[keyof typeof Role]

/** Whether others wait for an end of this role. */
export const givesIn = (role: number): boolean => role !== Role.takes && role !== Role.awaits

export interface End {
  /** Ends of equal keys meet, the n-th of one rank with the n-th of the others. */
  readonly key: string
  readonly role: Role
  /** Who takes part; null: every rank, or whoever names the same group. */
  readonly members: readonly number[] | null
}

interface Api {
  readonly kind: 'pair' | 'rooted' | 'all'
  readonly role: Role
  /** The argument that names the other rank, or the root. */
  readonly at?: 'src' | 'dst'
  /** What the others gave may stand in a buffer on its way to the root. */
  readonly through?: true
}

const gives = (kind: Api['kind'], at: 'src' | 'dst'): Api => ({ kind, role: Role.gives, at })
const takes = (kind: Api['kind'], at: 'src' | 'dst'): Api => ({ kind, role: Role.takes, at })

/** Roles of rooted calls are those of the root. */
const apis: Readonly<Record<string, Api>> = {
  send: gives('pair', 'dst'),
  isend: gives('pair', 'dst'),
  send_object_list: gives('pair', 'dst'),
  recv: takes('pair', 'src'),
  irecv: { ...takes('pair', 'src'), role: Role.awaits },
  recv_object_list: takes('pair', 'src'),
  broadcast: gives('rooted', 'src'),
  broadcast_object_list: gives('rooted', 'src'),
  scatter: gives('rooted', 'src'),
  scatter_tensor: gives('rooted', 'src'),
  scatter_object_list: gives('rooted', 'src'),
  reduce: { ...takes('rooted', 'dst'), through: true },
  gather: takes('rooted', 'dst'),
  gather_object: takes('rooted', 'dst'),
  gather_into_tensor: takes('rooted', 'dst'),
}
const symmetric: Api = { kind: 'all', role: Role.both }
/** A name that holds one of these is a collective of all, with or without suffixes such as `_into_tensor`. */
const collective = /all_reduce|all_gather|reduce_scatter|all_to_all|barrier/
const batch = 'batch_isend_irecv'

/** Whether a call of this name talks to other ranks. */
export const communicates = (api: string): boolean =>
  namedRow(apis, api) !== undefined || api === batch || collective.test(api)

/** The ends of one call; none where it does not say enough. */
export function endsOf(api: string, direction: string, entry: Json, rank: number): readonly End[] {
  if (!isObject(entry)) return []
  const call = new Call(entry)
  if (api === batch) return batchEnds(call, rank)
  const rule = namedRow(apis, api) ?? symmetric
  if (rule.kind === 'pair') return pairEnd(rule, api, call, rank)
  const group = call.group()
  const key = `${direction} ${api} ${group.key}`
  if (rule.kind === 'all') return [{ key, role: Role.both, members: group.members }]
  const root = rootOf(rule, call, group.members)
  return [{ key, role: root === null ? Role.both : roleIn(rule, root === rank), members: group.members }]
}

/** A root that takes gives its own part too. */
function roleIn({ role, through }: Api, isRoot: boolean): Role {
  if (role === Role.gives) return isRoot ? Role.gives : Role.takes
  if (isRoot) return Role.both
  return through ? Role.lends : Role.gives
}

function pairEnd(rule: Api, api: string, call: Call, rank: number): readonly End[] {
  const other = call.number([rule.at ?? 'dst']) ?? call.position()
  if (other === null) return []
  return [
    endOfPair(
      rule.role,
      rank,
      other,
      `${api.includes('object') ? 'objects' : 'tensor'} ${call.number(['tag']) ?? 0}`,
    ),
  ]
}

function endOfPair(role: Role, rank: number, other: number, what: string): End {
  const [from, to] = role === Role.gives ? [rank, other] : [other, rank]
  return { key: `pair ${from} ${to} ${what}`, role, members: [from, to] }
}

function rootOf(rule: Api, call: Call, members: readonly number[] | null): number | null {
  const root = call.number([rule.at ?? 'src'])
  if (root !== null) return root
  const within = call.number([`group_${rule.at ?? 'src'}`])
  if (within !== null) return members?.[within] ?? null
  return call.position() ?? (rule.at === 'src' && !call.has('src') ? call.defaultRoot() : null)
}

/** Every element of a batch has its own peer. */
function batchEnds(call: Call, rank: number): readonly End[] {
  const ends: End[] = []
  const look = (value: Json): void => {
    if (isArray(value)) return value.forEach(look)
    if (!isObject(value)) return
    const [op, peer, tag] = [value.get('op'), value.get('peer'), value.get('tag')]
    if (typeof op === 'string' && peer instanceof JsonNumber)
      ends.push(
        endOfPair(
          op.includes('send') ? Role.gives : Role.awaits,
          rank,
          peer.value,
          `tensor ${tag instanceof JsonNumber ? tag.value : 0}`,
        ),
      )
  }
  call.positional.forEach(look)
  call.keywords.forEach(look)
  return ends
}

interface Group {
  readonly key: string
  readonly members: readonly number[] | null
}

/** Names of reductions, which stand among the arguments as groups do. */
const reductions = /^(?:sum|max|min|prod|avg|mean)$/i

/** The arguments of one call. */
class Call {
  readonly positional: readonly Json[]
  readonly keywords: JsonObject

  constructor(entry: JsonObject) {
    const args = entry.get('input_args') ?? entry.get('input')
    const named = entry.get('input_kwargs')
    this.positional = isArray(args) ? args : []
    this.keywords = isObject(named) ? named : new Map<string, Json>()
  }

  has(keyword: string): boolean {
    return this.keywords.has(keyword)
  }

  number(keywords: readonly string[]): number | null {
    for (const keyword of keywords) {
      const found = wholeNumber(this.keywords.get(keyword))
      if (found !== null) return found
    }
    return null
  }

  /** The first whole number among the arguments. */
  position(): number | null {
    for (const value of this.positional) {
      const found = wholeNumber(value)
      if (found !== null) return found
    }
    return null
  }

  /** Frameworks take rank 0 where no root is named. */
  defaultRoot(): number | null {
    return this.has('group_src') ? null : 0
  }

  group(): Group {
    for (const value of [this.keywords.get('group') ?? null, ...this.positional]) {
      const found = groupIn(value)
      if (found) return found
    }
    return { key: 'all', members: null }
  }
}

function groupIn(value: Json): Group | null {
  if (!isObject(value)) return null
  const ranks = value.get('group_ranks')
  if (isArray(ranks)) {
    const members = ranks.flatMap(rank => (rank instanceof JsonNumber ? [rank.value] : []))
    const sorted = [...new Set(members)].sort((a, b) => a - b)
    return sorted.length === 0 ? { key: 'all', members: null } : { key: sorted.join(','), members }
  }
  const name = value.get('type') === 'str' ? value.get('value') : undefined
  if (typeof name !== 'string' || name === '' || reductions.test(name)) return null
  return { key: `"${name}"`, members: null }
}

function wholeNumber(value: Json | undefined): number | null {
  const plain = isObject(value ?? null) ? (value as JsonObject).get('value') : value
  return plain instanceof JsonNumber && Number.isInteger(plain.value) ? plain.value : null
}
