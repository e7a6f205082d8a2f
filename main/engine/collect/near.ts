// The name that was probably meant.

/** Null where none is near enough to be a slip. */
export function nearest(name: string, candidates: readonly string[]): string | null {
  const folded = (text: string): string => text.toLowerCase().replace(/[-_\s]/g, '')
  const mine = folded(name)
  let best: string | null = null
  let least = Math.min(2, Math.floor(mine.length / 3)) + 1
  for (const candidate of candidates) {
    const distance = distanceOf(mine, folded(candidate), least)
    if (distance < least) {
      least = distance
      best = candidate
    }
  }
  return best
}

/** Letters to put in, take out or change; at least `limit` where there are as many. */
function distanceOf(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)))
    row = next
  }
  return row[b.length]
}
