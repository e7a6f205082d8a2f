// How ranks share a model, read from the groups in which they talk to each other.
import {
  type LayoutDimension,
  layoutDimensions,
  problem,
  type RanksLayout,
  Refusal,
  type Topology,
  usualOrder,
} from '../model/index.ts'
import { put } from './grouped.ts'
import type { GroupUse, RankValues } from './record.ts'

type RankGroups = Pick<RankValues, 'rank' | 'groups'>
type Sizes = Record<LayoutDimension, number>

/** The ranks of each group along a dimension; ranks are numbered from 0, all of them. */
export function groupsAlong(
  topology: Topology,
  along: LayoutDimension | readonly LayoutDimension[],
  ranks: readonly number[],
): readonly (readonly number[])[] {
  const sorted = ranks.toSorted((a, b) => a - b)
  const groups = new Map<string, number[]>()
  for (const rank of sorted) {
    const place = placeIn(topology, rank)
    for (const of of [along].flat()) place[of] = 0
    put(groups, layoutDimensions.map(of => place[of]).join(), rank)
  }
  return [...groups.values()]
}

/** Experts are dealt out over copies: a dimension of theirs is within that of the copies. */
function placeIn(topology: Topology, rank: number): Sizes {
  const place: Sizes = { tp: 0, cp: 0, ep: 0, dp: 0, pp: 0 }
  let rest = rank
  for (const of of topology.order.split('-')) {
    if (!isDimension(of) || of === 'ep') continue
    place[of] = rest % topology[of]
    rest = Math.floor(rest / topology[of])
  }
  return place
}

/** A layout as it was typed; what is left of the ranks are copies. */
export function givenLayout(
  { tp, cp, ep, pp, order }: Omit<RanksLayout, 'by'>,
  ranks: number,
  path: string,
): Topology {
  const dp = ranks / (tp * cp * pp)
  if (![tp, cp, ep, pp, dp].every(size => Number.isInteger(size) && size >= 1))
    throw new Refusal(problem('ranks-sizes', path, { tp, pp, cp, ranks }))
  const sizes: Sizes = { tp, cp, ep, dp, pp }
  const named = order.toLowerCase().split('-')
  const isWhole = named.every(isDimension) && new Set(named).size === named.length
  if (!isWhole || (['tp', 'cp', 'dp', 'pp'] as const).some(of => sizes[of] > 1 && !named.includes(of)))
    throw new Refusal(problem('ranks-order', path, { order }))
  return { ...sizes, order: named.join('-'), shown: [] }
}

const isDimension = (name: string): name is LayoutDimension =>
  (layoutDimensions as readonly string[]).includes(name)

/** Null where the groups do not tell: ranks are missing, or the groups of a dimension are no rows of a grid. */
export function topologyOf(records: readonly RankGroups[]): Topology | null {
  const ranks = records.map(({ rank }) => rank)
  const world = records.length
  if (world < 2 || ranks.some((rank, i) => rank !== i)) return null
  const groups = gathered(records)
  if (groups.some(({ members }) => members.some(member => member >= world))) return null
  const strides = new Map<LayoutDimension, Grid>()
  const found: Partial<Sizes> = {}
  const tell = (of: LayoutDimension, uses: readonly GroupUse[]): void => {
    const grid = gridOf(uses, world)
    if (!grid) return
    strides.set(of, grid)
    found[of] = grid.size
  }
  const stages = chains(groups.filter(({ pairs }) => pairs > 0))
  const collective = groups.filter(({ pairs }) => pairs === 0)
  tell('pp', stages)
  tell('tp', busiest(collective.filter(({ inside, exchanges }) => inside > 0 && exchanges === 0)))
  tell(
    'ep',
    collective.filter(({ exchanges }) => exchanges > 0),
  )
  const rest = world / ((found.tp ?? 1) * (found.pp ?? 1))
  const slices = new Set(strides.get('tp')?.groups)
  tell(
    'dp',
    collective.filter(
      ({ sums, members }) => sums > 0 && members.length === rest && !slices.has(members.join()),
    ),
  )
  if (strides.size === 0 || !Number.isInteger(rest)) return null
  const sizes: Sizes = {
    tp: found.tp ?? 1,
    cp: 1,
    ep: found.ep ?? 1,
    dp: found.dp ?? rest,
    pp: found.pp ?? 1,
  }
  if (sizes.tp * sizes.dp * sizes.pp !== world) return null
  const order = orderOf(sizes, strides)
  const topology = { ...sizes, order, shown: [...strides.keys()] }
  return fits(topology, strides) ? topology : null
}

interface Grid {
  readonly size: number
  readonly stride: number
  readonly groups: readonly string[]
}

/** All uses of a group, whoever tells them. */
function gathered(records: readonly RankGroups[]): readonly GroupUse[] {
  const all = new Map<string, GroupUse>()
  for (const { groups } of records)
    for (const use of groups) {
      const members = use.members.length === 0 ? records.map(({ rank }) => rank) : use.members
      const key = members.join()
      const known = all.get(key)
      if (!known) all.set(key, { ...use, members })
      else for (const of of ['inside', 'outside', 'sums', 'exchanges', 'pairs'] as const) known[of] += use[of]
    }
  return [...all.values()]
}

/** Of groups of several shapes those that are used most on the way forward. */
function busiest(uses: readonly GroupUse[]): readonly GroupUse[] {
  const shapes = new Map<string, GroupUse[]>()
  for (const use of uses) {
    const shape = `${use.members.length} ${use.members[1] - use.members[0]}`
    shapes.set(shape, [...(shapes.get(shape) ?? []), use])
  }
  const inside = (of: readonly GroupUse[]): number => of.reduce((sum, use) => sum + use.inside, 0)
  return [...shapes.values()].toSorted((a, b) => inside(b) - inside(a))[0] ?? []
}

/** Ranks that hand on to each other, as one group each. */
function chains(pairs: readonly GroupUse[]): readonly GroupUse[] {
  const of = new Map<number, Set<number>>()
  for (const { members } of pairs) {
    const joined = new Set(members.flatMap(member => [...(of.get(member) ?? [member])]))
    for (const member of joined) of.set(member, joined)
  }
  return [...new Set(of.values())].map(members => ({
    members: [...members].sort((a, b) => a - b),
    inside: 0,
    outside: 0,
    sums: 0,
    exchanges: 0,
    pairs: 1,
  }))
}

/** Groups of equal size and stride that hold every rank once. */
function gridOf(uses: readonly GroupUse[], world: number): Grid | null {
  const [first] = uses
  if (!first) return null
  const size = first.members.length
  const stride = first.members[1] - first.members[0]
  const isRow = ({ members }: GroupUse): boolean =>
    members.length === size && members.every((member, i) => member === members[0] + i * stride)
  const all = new Set(uses.flatMap(({ members }) => members))
  if (!uses.every(isRow) || all.size !== world || uses.length * size !== world) return null
  return { size, stride, groups: uses.map(({ members }) => members.join()) }
}

/** The dimension whose neighbours are closest comes first; what no group shows stands where room is left. */
function orderOf(sizes: Sizes, strides: ReadonlyMap<LayoutDimension, Grid>): string {
  const shown = (['tp', 'dp', 'pp'] as const)
    .filter(of => sizes[of] > 1)
    .toSorted((a, b) => (strides.get(a)?.stride ?? NaN) - (strides.get(b)?.stride ?? NaN))
  const open = shown.filter(of => !strides.has(of))
  const placed = shown.filter(of => strides.has(of))
  const order: LayoutDimension[] = []
  const widthOf = (of: readonly LayoutDimension[]): number =>
    of.reduce((product, one) => product * sizes[one], 1)
  for (const of of placed) {
    while (open.length > 0 && strides.get(of)?.stride !== widthOf(order)) order.push(...open.splice(0, 1))
    order.push(of)
  }
  order.push(...open)
  // What there is one of may stand anywhere.
  const usual = usualOrder.split('-').filter(isDimension)
  const isUsual = usual.filter(of => order.includes(of)).join() === order.join()
  return (isUsual ? usual : [...usual.filter(of => !order.includes(of)), ...order]).join('-')
}

/** The grid has exactly the groups that were seen. */
function fits(topology: Topology, strides: ReadonlyMap<LayoutDimension, Grid>): boolean {
  const { tp, dp, pp } = topology
  const ranks = Array.from({ length: tp * dp * pp }, (_, rank) => rank)
  return (['tp', 'dp', 'pp'] as const).every(of => {
    const grid = strides.get(of)
    if (!grid) return true
    const made = new Set(groupsAlong(topology, of, ranks).map(group => group.join()))
    return grid.groups.length === made.size && grid.groups.every(group => made.has(group))
  })
}
