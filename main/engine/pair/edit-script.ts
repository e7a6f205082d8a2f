// The shortest edit script of two sequences (Myers): which entries stay, for sequences too long for a table.

const mostEdits = 1500

/** Places of equal entries in order on both sides; null for sequences that differ in more than the limit. */
export function editScript(mine: Float64Array, theirs: Float64Array): (readonly [number, number])[] | null {
  const offset = mostEdits + 1
  let reach = new Int32Array(2 * offset + 1)
  const trail: Int32Array[] = []
  for (let edits = 0; edits <= mostEdits; edits++) {
    trail.push(reach.slice(offset - edits - 1, offset + edits + 2))
    const next = reach.slice()
    for (let k = -edits; k <= edits; k += 2) {
      let i =
        k === -edits || (k !== edits && reach[offset + k - 1] < reach[offset + k + 1])
          ? reach[offset + k + 1]
          : reach[offset + k - 1] + 1
      while (i < mine.length && i - k < theirs.length && mine[i] === theirs[i - k]) i++
      next[offset + k] = i
      if (i >= mine.length && i - k >= theirs.length)
        return walkBack(trail, edits, mine.length, theirs.length)
    }
    reach = next
  }
  return null
}

function walkBack(
  trail: readonly Int32Array[],
  edits: number,
  mine: number,
  theirs: number,
): (readonly [number, number])[] {
  const pairs: (readonly [number, number])[] = []
  let [i, j] = [mine, theirs]
  for (let e = edits; e >= 0; e--) {
    const reach = trail[e]
    const at = (k: number): number => reach[k + e + 1]
    const k = i - j
    const up = k === -e || (k !== e && at(k - 1) < at(k + 1))
    const fromK = up ? k + 1 : k - 1
    const fromI = e === 0 ? 0 : at(fromK)
    const fromJ = e === 0 ? 0 : fromI - fromK
    const before = up ? fromI : fromI + 1
    const stop = e === 0 ? 0 : before
    while (i > stop && j > 0) pairs.push([--i, --j])
    i = fromI
    j = fromJ
  }
  return pairs
}
