// Where one side must look to show what the other side looks at: a line from anchor to anchor, as diff tools
// scroll.
import type { Box } from '../../../preload/contract/engine.ts'

/** Anchors: middles of boxes and of their partners, ascending on both sides. */
export function anchorsOf(
  from: readonly Box[],
  to: ReadonlyMap<string, Box> | { box(id: string): Box | undefined },
): readonly (readonly [number, number])[] {
  const find = (id: string): Box | undefined => ('box' in to ? to.box(id) : to.get(id))
  const pairs: [number, number][] = []
  for (const b of from) {
    const there = b.partner === '' ? undefined : find(b.partner)
    // Closed boxes and titles are points; an opened frame counts by its title.
    if (there && b.open === there.open)
      pairs.push(b.open ? [b.y + 12, there.y + 12] : [b.y + b.h / 2, there.y + there.h / 2])
  }
  pairs.sort((a, b) => a[0] - b[0])
  const rising: [number, number][] = []
  for (const p of pairs) {
    const last = rising.at(-1)
    if (!last || (p[0] > last[0] && p[1] > last[1])) rising.push(p)
  }
  return rising
}

/** The place on the other side of `y`, between the anchors around it; beyond them at the same distance. */
export function across(anchors: readonly (readonly [number, number])[], y: number): number | null {
  const [first] = anchors
  const last = anchors.at(-1)
  if (!first || !last) return null
  if (y <= first[0]) return first[1] + (y - first[0])
  if (y >= last[0]) return last[1] + (y - last[0])
  let low = 0
  let high = anchors.length - 1
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((anchors[middle]?.[0] ?? 0) <= y) low = middle
    else high = middle
  }
  const [a, b] = [anchors[low] ?? first, anchors[high] ?? last]
  return a[1] + ((y - a[0]) / (b[0] - a[0])) * (b[1] - a[1])
}
