// Ranks in the order of a parallel layout: neighbours of one dimension beside each other.
import { type LayoutDimension, layoutDimensions, type RanksLayout } from '../model/index.ts'

/** Null where the sizes do not make up as many ranks. */
export function ranksInOrder(
  { tp, cp, ep: experts, pp, order, by }: RanksLayout,
  world: number,
): readonly number[] | null {
  const dimensions = order.split('-').flatMap(part => layoutDimensions.find(of => of === part) ?? [])
  const ep = by === 'ep' ? experts : 1
  const dp = world / (tp * cp * pp * ep)
  if (!(tp >= 1 && cp >= 1 && pp >= 1 && ep >= 1) || !Number.isInteger(dp)) return null
  const sizes: Readonly<Record<LayoutDimension, number>> = { tp, cp, dp, pp, ep }
  if (dimensions.reduce((product, of) => product * sizes[of], 1) !== world) return null
  // What ranks are put together by varies last, the rest as they are numbered.
  const coordinate = (rank: number, of: LayoutDimension): number => {
    let stride = 1
    for (const each of dimensions) {
      if (each === of) return Math.floor(rank / stride) % sizes[of]
      stride *= sizes[each]
    }
    return 0
  }
  return Array.from({ length: world }, (_, rank) => rank).sort(
    (a, b) => coordinate(a, by) - coordinate(b, by) || a - b,
  )
}
