// How alike two texts are, by Python's difflib: twice what matches over the length of both.

/** Characters that make up more than a hundredth of a long second text do not begin a match. */
const popularFrom = 200
/** Beyond this many pairs of characters only equal texts are alike. */
const mostPairs = 1e8

export function ratio(first: string, second: string): number {
  const [a, b] = [Array.from(first), Array.from(second)]
  const total = a.length + b.length
  if (total === 0 || first === second) return 1
  if (a.length * b.length > mostPairs) return 0
  const places = placesIn(b)
  let matched = 0
  const waiting: (readonly [number, number, number, number])[] = [[0, a.length, 0, b.length]]
  for (let range = waiting.pop(); range; range = waiting.pop()) {
    const [aFrom, aTo, bFrom, bTo] = range
    const [i, j, size] = longestMatch(a, b, places, range)
    if (size === 0) continue
    matched += size
    if (aFrom < i && bFrom < j) waiting.push([aFrom, i, bFrom, j])
    if (i + size < aTo && j + size < bTo) waiting.push([i + size, aTo, j + size, bTo])
  }
  return (2 * matched) / total
}

function placesIn(b: readonly string[]): Map<string, number[]> {
  const places = new Map<string, number[]>()
  b.forEach((char, j) => {
    const known = places.get(char)
    if (known) known.push(j)
    else places.set(char, [j])
  })
  if (b.length >= popularFrom) {
    const most = Math.floor(b.length / 100) + 1
    for (const [char, at] of places) if (at.length > most) places.delete(char)
  }
  return places
}

function longestMatch(
  a: readonly string[],
  b: readonly string[],
  places: ReadonlyMap<string, readonly number[]>,
  [aFrom, aTo, bFrom, bTo]: readonly [number, number, number, number],
): readonly [i: number, j: number, size: number] {
  let [bestI, bestJ, best] = [aFrom, bFrom, 0]
  let lengths = new Map<number, number>()
  for (let i = aFrom; i < aTo; i++) {
    const next = new Map<number, number>()
    for (const j of places.get(a[i]) ?? []) {
      if (j < bFrom) continue
      if (j >= bTo) break
      const length = (lengths.get(j - 1) ?? 0) + 1
      next.set(j, length)
      if (length > best) [bestI, bestJ, best] = [i - length + 1, j - length + 1, length]
    }
    lengths = next
  }
  while (bestI > aFrom && bestJ > bFrom && a[bestI - 1] === b[bestJ - 1]) {
    bestI--
    bestJ--
    best++
  }
  while (bestI + best < aTo && bestJ + best < bTo && a[bestI + best] === b[bestJ + best]) best++
  return [bestI, bestJ, best]
}
