// What should be the same on several ranks and is not: results of equal inputs, of collectives, weights of copies; what was
// changed between two calls; and second forwards that are unlike the first.
import { State, type Unequal, type UnequalKind } from '../model/index.ts'
import { put } from './grouped.ts'
import type { Again } from './recomputed.ts'
import type { RankValues } from './record.ts'
import { apart, nothing } from './values.ts'

/** Ranks whose calls have the same names share the list of them. */
export interface Named {
  readonly list: readonly string[]
  readonly rows: ReadonlyMap<string, number>
}

export interface Member {
  readonly values: RankValues
  readonly names: Named
}

/** Something of one call on several ranks, by what it holds. */
export interface Parted {
  readonly kind: UnequalKind
  /** Those that are unlike the rest first. */
  readonly parts: readonly (readonly Held[])[]
  readonly from?: string
  /** What other ranks gave is in it. */
  readonly talks?: boolean
}

export interface Held {
  readonly member: Member
  readonly op: number
  readonly item: number
}

export function membersOf(records: readonly RankValues[]): readonly Member[] {
  const known = new Map<string, Named>()
  return records.map(values => {
    let names = known.get(values.names)
    if (!names) {
      const list = values.names === '' ? [] : values.names.split('\n')
      known.set(values.names, (names = { list, rows: new Map(list.map((name, row) => [name, row])) }))
    }
    return { values, names }
  })
}

export const rankOf = ({ member }: Held): number => member.values.rank

/** By what they hold; the part with the most ranks last, and null where all hold the same. */
export function partsOf(held: readonly Held[]): readonly (readonly Held[])[] | null {
  const parts = new Map<number, Held[]>()
  for (const one of held) put(parts, printAt(one), one)
  return parts.size < 2 ? null : [...parts.values()].sort((a, b) => a.length - b.length)
}

/** One call on all ranks that make it, in the order of the first rank that does. */
export function* callsOfAll(members: readonly Member[]): Generator<readonly Omit<Held, 'item'>[]> {
  const done = new Set<string>()
  for (const [at, { names }] of members.entries()) {
    if (members.findIndex(other => other.names === names) < at) continue
    for (const name of names.list) {
      if (done.has(name)) continue
      done.add(name)
      const held = members.flatMap(member => {
        const op = member.names.rows.get(name)
        return op === undefined ? [] : [{ member, op }]
      })
      if (held.length > 1) yield held
    }
  }
}

type Call = Omit<Held, 'item'>

/** Where equal inputs gave unequal results. */
export function unlikeResults(calls: readonly Call[]): {
  readonly compared: number
  readonly found: Parted[]
} {
  const alike = new Map<number, Call[]>()
  for (const call of calls) {
    const given = call.member.values.given[call.op]
    if (given !== nothing) put(alike, given, call)
  }
  let compared = 0
  const found: Parted[] = []
  for (const group of alike.values()) {
    if (group.length < 2) continue
    compared++
    const [first] = group
    const made = first.member.values.made[first.op]
    if (group.every(({ member, op }) => member.values.made[op] === made)) continue
    const parts = firstUnlike(group, State.output)
    if (parts) found.push({ kind: 'call', parts })
  }
  return { compared, found }
}

/** The first item of a call that is not the same everywhere. */
function firstUnlike(group: readonly Call[], state: number): readonly (readonly Held[])[] | null {
  const [first] = group
  const { first: start } = first.member.values
  const count = start[first.op + 1] - start[first.op]
  for (let i = 0; i < count; i++) {
    if (first.member.values.state[start[first.op] + i] !== state) continue
    const parts = partsOf(group.map(({ member, op }) => ({ member, op, item: member.values.first[op] + i })))
    if (parts) return parts
  }
  return null
}

/**
 * Where ranks had the same of a call, and on some of them what is read of it later is something that nothing made: it was
 * written between the calls.
 */
export function overwritten(calls: readonly Call[]): readonly Parted[] {
  const [first] = calls
  const { first: start } = first.member.values
  const count = start[first.op + 1] - start[first.op]
  const alike = calls.filter(
    ({ member: { values }, op }) => values.first[op + 1] - values.first[op] === count,
  )
  const found: Parted[] = []
  for (let i = 0; i < count; i++) {
    const held = alike.map(({ member, op }) => ({ member, op, item: member.values.first[op] + i }))
    if (held.some(({ member: { values }, item }) => values.state[item] !== State.input)) continue
    if (held.every(({ member, item }) => sameAs(held[0], member, item))) continue
    const made = new Map<string, { readonly maker: Held; readonly readers: Held[] }>()
    for (const one of held) {
      const maker = makerOf(one)
      if (!maker) continue
      const key = `${nameOf(maker)} ${suffixOf(maker)} ${printAt(maker)}`
      const known = made.get(key)
      if (known) known.readers.push(one)
      else made.set(key, { maker, readers: [one] })
    }
    for (const { maker, readers } of made.values()) {
      const changed = held.filter(one => isChanged(one, maker))
      if (changed.length > 0)
        found.push({ kind: 'overwritten', parts: [changed, readers], from: nameOf(maker) })
    }
  }
  return found
}

const printAt = ({ member, item }: Held): number => member.values.prints.print[item]
const sameAs = (one: Held, { values }: Member, item: number): boolean =>
  values.prints.print[item] === printAt(one)

export const nameOf = ({ member, op }: Call): string => member.names.list[op]
export const suffixOf = ({ member: { values }, item }: Held): string => values.suffixes[values.suffix[item]]

function makerOf({ member, item }: Held): Held | null {
  const made = member.values.maker[item]
  return made < 0 ? null : { member, op: opOf(member, made), item: made }
}

function opOf({ values: { first } }: Member, item: number): number {
  let low = 0
  for (let high = first.length - 1; high - low > 1;) {
    const middle = (low + high) >>> 1
    if (first[middle] <= item) low = middle
    else high = middle
  }
  return low
}

/** The rank had the same of the maker, and reads something that was nowhere before. */
function isChanged(one: Held, maker: Held): boolean {
  const { values, names } = one.member
  const { maker: makers, prints } = values
  if (makers[one.item] !== -1 || prints.tells[one.item] === 0 || isConstant(one)) return false
  const op = names.rows.get(nameOf(maker))
  if (op === undefined || op >= one.op) return false
  const item = values.first[op] + (maker.item - maker.member.values.first[maker.op])
  return item < values.first[op + 1] && prints.print[item] === printAt(maker) && shapeAlike(one, maker)
}

export const isConstant = ({ member: { values }, item }: Held): boolean =>
  values.sizes.max[item] === values.sizes.min[item]
const shapeAlike = (one: Held, other: Held): boolean =>
  one.member.values.sizes.grain[one.item] === other.member.values.sizes.grain[other.item]

/** What each collective gave its members, where all of them made as many. */
export function unlikeShares(members: readonly Member[]): {
  readonly compared: number
  readonly found: Parted[]
} {
  const meetings = new Map<string, { readonly members: readonly number[]; readonly held: Held[] }>()
  const made = new Map<string, Map<number, number>>()
  for (const member of members) {
    const { shares, rank } = member.values
    for (const [row, op] of shares.op.entries()) {
      const key = shares.keys[shares.key[row]]
      const counts = made.get(key) ?? new Map<number, number>()
      made.set(key, counts.set(rank, Math.max(counts.get(rank) ?? 0, shares.ordinal[row])))
      const at = `${shares.ordinal[row]} ${key}`
      const held = { member, op, item: shares.item[row] }
      const known = meetings.get(at)
      if (known) known.held.push(held)
      else meetings.set(at, { members: shares.members[shares.key[row]], held: [held] })
    }
  }
  let compared = 0
  const found: Parted[] = []
  for (const [at, { members: wanted, held }] of meetings) {
    const counts = [...(made.get(at.slice(at.indexOf(' ') + 1))?.values() ?? [])]
    const all = wanted.length === 0 ? members.length : wanted.length
    if (held.length !== all || new Set(counts).size > 1) continue
    if (held.some(one => printAt(one) === nothing)) continue
    compared++
    const parts = partsOf(held)
    if (parts) found.push({ kind: 'collective', parts })
  }
  return { compared, found }
}

/** A second forward against the first of its rank. */
export const againOf = (member: Member, { op, first, item, of, reads, talks }: Again): Parted => ({
  talks,
  kind: reads ? 'recomputed-input' : 'recomputed',
  parts: [[{ member, op, item }], [{ member, op: first, item: of }]],
  from: member.names.list[first],
})

/** As it is said. */
export function saidOf({ kind, parts, from = '' }: Parted): Unequal {
  const rest = parts[parts.length - 1]
  const isWithin = kind === 'recomputed' || kind === 'recomputed-input'
  const others = parts.slice(0, -1).flat()
  const isClear = isWithin || kind === 'overwritten' || rest.length > others.length
  const odd = isClear ? others : [...others, ...rest]
  const shown = odd.toSorted((a, b) => rankOf(a) - rankOf(b))
  const [one] = shown
  const against = rest[0]
  let size = NaN
  let rounding = true
  for (const other of others) {
    const { sizes } = other.member.values
    const by = apart(sizes, other.item, against.member.values.sizes, against.item)
    if (Number.isNaN(by)) rounding = false
    else {
      size = Number.isNaN(size) ? by : Math.max(size, by)
      rounding &&= by <= sizes.grain[other.item]
    }
  }
  const { list } = one.member.names
  return {
    kind,
    op: list[one.op],
    item: suffixOf(one),
    ranks: shown.map(rankOf),
    others: isClear && !isWithin ? rest.map(rankOf).toSorted((a, b) => a - b) : [],
    size,
    rounding,
    from,
    more: 0,
    also: [],
    at: kind === 'parameter' ? 0 : one.op / Math.max(1, list.length),
  }
}
