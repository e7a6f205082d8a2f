// The answer for one step: what should be the same on several ranks and is not, equal findings of several ranks as one.
import type { ReplicasAnswer, Topology, Unequal } from '../model/index.ts'
import { type Copies, copiesOf, unlikeWeights } from './copies.ts'
import type { RankValues } from './record.ts'
import { groupsAlong, topologyOf } from './topology.ts'
import {
  againOf,
  callsOfAll,
  type Member,
  membersOf,
  type Named,
  overwritten,
  type Parted,
  saidOf,
  unlikeResults,
  unlikeShares,
} from './unequal.ts'

/** `layout`: sizes that somebody gave, null where nobody did. */
export function replicasOf(records: readonly RankValues[], layout: Topology | null = null): ReplicasAnswer {
  const members = membersOf(records)
  const topology = topologyOf(records)
  const copies = copiesOf(members, layout, topology)
  const weights = unlikeWeights(copies, ((layout ?? topology)?.ep ?? 1) > 1)
  const shares = unlikeShares(members)
  const found: Parted[] = [...weights.found, ...shares.found]
  let calls = 0
  for (const held of callsOfAll(members)) {
    const results = unlikeResults(held)
    calls += results.compared
    found.push(...results.found, ...overwritten(held))
  }
  found.push(...ownOf(members.flatMap(member => member.values.again.map(one => againOf(member, one)))))
  return {
    findings: inOrder(
      withMore(overRanks([...found.map(saidOf), ...otherCalls(members, copies, layout ?? topology)])),
    ),
    compared: {
      parameters: weights.compared,
      collectives: shares.compared,
      calls,
      recomputed: records.reduce((sum, { twice }) => sum + twice, 0),
    },
    ranks: records.length,
    topology,
    copiesBy: copies.by,
  }
}

/** What is unlike because another rank gave something else is none of a rank's own, where such a rank is known. */
function ownOf(again: readonly Parted[]): readonly Parted[] {
  const own = again.filter(({ talks }) => talks !== true)
  return own.length > 0 ? own : again
}

/** Ranks that share a stage and make other calls than most of them. */
function otherCalls(
  members: readonly Member[],
  { groups }: Copies,
  topology: Topology | null,
): readonly Unequal[] {
  const byRank = new Map(members.map(member => [member.values.rank, member]))
  const slices = topology
    ? groupsAlong(topology, 'tp', [...byRank.keys()]).map(ranks =>
        ranks.flatMap(rank => byRank.get(rank) ?? []),
      )
    : []
  const found = new Map<string, Unequal>()
  for (const group of [...groups, ...slices]) {
    const ways = new Map<Named, Member[]>()
    for (const member of group) ways.set(member.names, [...(ways.get(member.names) ?? []), member])
    if (ways.size < 2) continue
    const [[most, others], ...odd] = [...ways].sort(([, a], [, b]) => b.length - a.length)
    for (const [names, of] of odd) {
      const at = names.list.findIndex((name, i) => name !== most.list[i])
      const row = at < 0 ? names.list.length - 1 : at
      const ranks = of.map(({ values }) => values.rank)
      const key = ranks.join()
      if (found.has(key) || names.list.length === 0) continue
      found.set(key, {
        kind: 'calls',
        op: names.list[row],
        item: '',
        ranks,
        others: others.map(({ values }) => values.rank),
        size: NaN,
        rounding: false,
        from: most.list[row] ?? '',
        more: 0,
        also: [],
        at: row / names.list.length,
      })
    }
  }
  return [...found.values()]
}

/** A second forward that is unlike on several ranks is one finding. */
function overRanks(found: readonly Unequal[]): readonly Unequal[] {
  const known = new Map<string, Unequal>()
  for (const one of found) {
    const isWithin = one.kind.startsWith('recomputed')
    const key = isWithin ? `${one.kind} ${one.op} ${one.item}` : `${known.size}`
    const before = known.get(key)
    known.set(
      key,
      before
        ? {
            ...before,
            ranks: [...before.ranks, ...one.ranks],
            size: Math.max(before.size, one.size),
            rounding: before.rounding && one.rounding,
          }
        : one,
    )
  }
  return [...known.values()]
}

/** So many of those behind the first are named. */
const named = 8

/** The first of each kind on the same ranks, and how many come behind it. */
function withMore(found: readonly Unequal[]): readonly Unequal[] {
  const known = new Map<string, { first: Unequal; readonly also: string[]; more: number }>()
  for (const one of found.toSorted((a, b) => a.at - b.at)) {
    const family = one.kind.startsWith('recomputed') ? 'recomputed' : one.kind
    const key = `${family} ${one.rounding} ${one.ranks.join()} ${one.others.join()}`
    const before = known.get(key)
    if (!before) known.set(key, { first: one, also: [], more: 0 })
    else {
      before.more++
      if (before.also.length < named) before.also.push(one.op)
    }
  }
  return [...known.values()].map(({ first, also, more }) => ({ ...first, also, more }))
}

/** Other calls may be meant, as those of a rank that writes a log. */
const weight = ({ rounding, kind }: Unequal): number => (rounding ? 2 : kind === 'calls' ? 1 : 0)

const inOrder = (found: readonly Unequal[]): readonly Unequal[] =>
  found.toSorted((a, b) => weight(a) - weight(b) || a.at - b.at || a.ranks[0] - b.ranks[0])
