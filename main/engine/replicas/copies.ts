// Ranks that hold copies of the same weights: by the layout that was given, by their groups, else by the weights themselves.
import type { Topology } from '../model/index.ts'
import type { GroupUse } from './record.ts'
import { put } from './grouped.ts'
import { groupsAlong } from './topology.ts'
import { type Held, isConstant, type Member, nameOf, type Parted, partsOf, suffixOf } from './unequal.ts'
import { nothing } from './values.ts'

export interface Copies {
  readonly by: 'layout' | 'groups' | 'weights' | 'none'
  readonly groups: readonly (readonly Member[])[]
}

/** A layout: the sizes that somebody gave. */
export function copiesOf(
  members: readonly Member[],
  layout: Topology | null,
  topology: Topology | null,
): Copies {
  const byRank = new Map(members.map(member => [member.values.rank, member]))
  const along = (of: Topology): Copies['groups'] =>
    groupsAlong(of, ['dp', 'cp'], [...byRank.keys()])
      .map(ranks => ranks.flatMap(rank => byRank.get(rank) ?? []))
      .filter(group => group.length > 1)
  if (layout) return { by: 'layout', groups: along(layout) }
  // Groups that sum gradients hold the same weights; those that gather and scatter them hold parts.
  if (topology?.shown.includes('dp')) {
    const groups = along(topology)
    const sums = groups.every(group => sumsGradients(group, members.length))
    if (groups.length > 0 && sums) return { by: 'groups', groups }
  }
  const groups = alike(members)
  return { by: groups.length > 0 ? 'weights' : 'none', groups }
}

function sumsGradients(group: readonly Member[], world: number): boolean {
  const key = group
    .map(({ values }) => values.rank)
    .toSorted((a, b) => a - b)
    .join()
  const isGroup = ({ members }: GroupUse): boolean =>
    members.length === 0 ? group.length === world : members.join() === key
  return group.every(({ values }) => values.groups.some(use => use.sums > 0 && isGroup(use)))
}

/** Fewer weights than this tell nothing, nor does a smaller share of equal ones. */
const fewest = 4
const mostEqual = 0.75

/** Ranks nearly all of whose weights are the same; constants are the same everywhere. */
function alike(members: readonly Member[]): readonly (readonly Member[])[] {
  const groups: Member[][] = []
  for (const member of members) {
    const group = groups.find(([first]) => holdsSame(first, member))
    if (group) group.push(member)
    else groups.push([member])
  }
  return groups.filter(group => group.length > 1)
}

function holdsSame(one: Member, other: Member): boolean {
  const held = heldOf([one, other], 'weights')
  let [equal, all] = [0, 0]
  for (const pair of held) {
    if (pair.every(isConstant)) continue
    all++
    if (!partsOf(pair)) equal++
  }
  return equal >= fewest && equal >= all * mostEqual
}

/** Every weight, or gradient, that all of a group have. */
function heldOf(group: readonly Member[], which: 'weights' | 'gradients'): readonly (readonly Held[])[] {
  const byName = new Map<string, Held[]>()
  for (const member of group) {
    const { values } = member
    let op = 0
    for (const item of values[which]) {
      while (values.first[op + 1] <= item) op++
      if (values.prints.print[item] === nothing) continue
      const held = { member, op, item }
      put(byName, keyOf(held), held)
    }
  }
  return [...byName.values()].filter(held => held.length === group.length)
}

const keyOf = (held: Held): string => `${nameOf(held)}.${suffixOf(held)}`
const withoutNumbers = (key: string): string => key.replaceAll(/\.\d+(?=\.)/g, '')

/** Weights of one copy that are not those of the others. */
export function unlikeWeights(
  { groups, by }: Copies,
  experts: boolean,
): { readonly compared: number; readonly found: readonly Parted[] } {
  let compared = 0
  const found: Parted[] = []
  for (const group of groups) {
    const weights = heldOf(group, 'weights').filter(held => !experts || !/expert/i.test(keyOf(held[0])))
    compared += weights.length
    const parted = partedOf(weights, 'parameter')
    found.push(...(by === 'weights' ? shared(parted, weights) : parted))
    // Nobody says whether gradients were recorded before or behind their sum: where nearly all agree, it was behind.
    const gradients = heldOf(group, 'gradients').filter(held => !held.every(isConstant))
    const unlike = partedOf(gradients, 'gradient')
    const equal = gradients.length - unlike.length
    if (equal >= fewest && equal >= gradients.length * mostEqual) {
      compared += gradients.length
      found.push(...shared(unlike, gradients))
    }
  }
  return { compared, found }
}

function partedOf(all: readonly (readonly Held[])[], kind: Parted['kind']): readonly Parted[] {
  return all.flatMap(held => {
    const parts = partsOf(held)
    return parts ? [{ kind, parts }] : []
  })
}

/**
 * Without what nobody says is shared: weights of one name that differ in most layers, with no rank that stands alone, are
 * pieces, and where there are such, what there is one of may be one too.
 */
function shared(parted: readonly Parted[], all: readonly (readonly Held[])[]): readonly Parted[] {
  const count = (of: readonly (readonly Held[])[]): Map<string, number> => {
    const counts = new Map<string, number>()
    for (const [held] of of) {
      const name = withoutNumbers(keyOf(held))
      counts.set(name, (counts.get(name) ?? 0) + 1)
    }
    return counts
  }
  const total = count(all)
  const unlike = count(parted.map(({ parts }) => parts[0]))
  const isPiece = ({ parts }: Parted): boolean => {
    const name = withoutNumbers(keyOf(parts[0][0]))
    const ranks = parts.reduce((sum, part) => sum + part.length, 0)
    const most = parts[parts.length - 1].length
    const standsAlone = ranks > 2 && most >= (ranks * 2) / 3
    return !standsAlone && (/expert/i.test(name) || (unlike.get(name) ?? 0) * 2 > (total.get(name) ?? 0))
  }
  const isAlone = ({ parts }: Parted): boolean => total.get(withoutNumbers(keyOf(parts[0][0]))) === 1
  const pieces = parted.filter(isPiece)
  const cut = pieces.some(one => !isAlone(one))
  return parted.filter(
    one => !isPiece(one) || (isAlone(one) && !cut && !/expert/i.test(keyOf(one.parts[0][0]))),
  )
}
