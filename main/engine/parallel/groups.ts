// Which ranks hold one copy of a model together, and which part of it each of them has.
import {
  type LayoutDimension,
  layoutDimensions,
  type ParallelSizes,
  problem,
  Refusal,
} from '../model/index.ts'

/** A rank's place in its copy of the model. */
export interface Seat {
  readonly rank: number
  readonly stage: number
  readonly slice: number
}

/** One copy of the model. */
export interface RankGroup {
  readonly replica: number
  /** Stage by stage, in each slice by slice. */
  readonly seats: readonly Seat[]
}

/** Ranks are taken in their order: those of one copy may have been dumped alone. */
export function groupsOf(sizes: ParallelSizes, ranks: readonly number[], path: string): readonly RankGroup[] {
  const { tp, pp, cp, vpp } = sizes
  const sorted = ranks.toSorted((a, b) => a - b)
  const copies = sorted.length / (tp * pp * cp)
  const whole = [tp, pp, cp, vpp].every(size => Number.isInteger(size) && size >= 1)
  if (!whole || !Number.isInteger(copies) || copies < 1)
    throw new Refusal(problem('ranks-sizes', path, { tp, pp, cp, ranks: ranks.length }))
  if (vpp > 1 && pp === 1) throw new Refusal(problem('ranks-vpp', path, { vpp }))
  const extents: Readonly<Record<LayoutDimension, number>> = { tp, pp, cp, dp: copies, ep: 1 }
  const placeOf = placing(dimensionsIn(sizes.order, extents, path), extents)
  const groups = new Map<number, Seat[]>()
  for (const [position, rank] of sorted.entries()) {
    const at = placeOf(position)
    const replica = at.dp * cp + at.cp
    const seats = groups.get(replica) ?? []
    seats.push({ rank, stage: at.pp, slice: at.tp })
    groups.set(replica, seats)
  }
  return [...groups]
    .toSorted(([a], [b]) => a - b)
    .map(([replica, seats]) => ({
      replica,
      seats: seats.toSorted((a, b) => a.stage - b.stage || a.slice - b.slice),
    }))
}

type Place = Readonly<Record<LayoutDimension, number>>

function placing(dimensions: readonly LayoutDimension[], extents: Place): (position: number) => Place {
  return position => {
    const place = { tp: 0, pp: 0, cp: 0, dp: 0, ep: 0 }
    let rest = position
    for (const of of dimensions) {
      place[of] = rest % extents[of]
      rest = Math.floor(rest / extents[of])
    }
    return place
  }
}

/** Dimensions that are not named have to be of one; they come last. */
function dimensionsIn(order: string, extents: Place, path: string): readonly LayoutDimension[] {
  const named = order.toLowerCase().split('-')
  const known = named.flatMap(part => layoutDimensions.find(of => of === part) ?? [])
  const missing = layoutDimensions.filter(of => !known.includes(of))
  const isWhole = known.length === named.length && new Set(known).size === known.length
  if (!isWhole || missing.some(of => extents[of] !== 1))
    throw new Refusal(problem('ranks-order', path, { order }))
  return [...known, ...missing]
}
