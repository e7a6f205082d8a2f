// The best alignment of two sequences by a score of each pair.

/** Cells of the largest table. */
export const tableLimit = 1 << 21

/** Pairs in order on both sides whose scores sum to the most; none where the table would be too large. */
export function bestChain<Mine extends number, Theirs extends number>(
  mine: readonly Mine[],
  theirs: readonly Theirs[],
  score: (d: Mine, b: Theirs) => number,
): (readonly [Mine, Theirs])[] {
  if (mine.length * theirs.length > tableLimit) return []
  const width = theirs.length + 1
  const best = new Float32Array((mine.length + 1) * width)
  for (let i = mine.length - 1; i >= 0; i--)
    for (let j = theirs.length - 1; j >= 0; j--) {
      const here = score(mine[i], theirs[j])
      best[i * width + j] = Math.max(
        best[(i + 1) * width + j],
        best[i * width + j + 1],
        here > 0 ? here + best[(i + 1) * width + j + 1] : 0,
      )
    }
  const chain: (readonly [Mine, Theirs])[] = []
  for (let i = 0, j = 0; i < mine.length && j < theirs.length;) {
    const here = score(mine[i], theirs[j])
    if (here > 0 && best[i * width + j] <= here + best[(i + 1) * width + j + 1] + 1e-4)
      chain.push([mine[i++], theirs[j++]])
    else if (best[(i + 1) * width + j] >= best[i * width + j + 1]) i++
    else j++
  }
  return chain
}
