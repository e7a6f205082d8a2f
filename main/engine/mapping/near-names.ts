// The known name that a mistyped one is most like.

/** Comparisons that looking for near names may cost; after that nothing is near. */
const mostWork = 400_000

export class NearNames {
  readonly #byLength = new Map<number, string[]>()
  #left = mostWork

  constructor(known: Iterable<string>) {
    for (const name of known) {
      const list = this.#byLength.get(name.length)
      if (list) list.push(name)
      else this.#byLength.set(name.length, [name])
    }
  }

  /** For a new text: names may be looked for again. */
  refill(): void {
    this.#left = mostWork
  }

  of(text: string): string | undefined {
    const most = Math.max(2, Math.floor(text.length / 4))
    let best: string | undefined
    let least = most + 1
    for (let off = 0; off < least; off++) {
      for (const length of off === 0 ? [text.length] : [text.length - off, text.length + off]) {
        for (const candidate of this.#byLength.get(length) ?? []) {
          if ((this.#left -= text.length) < 0) return best
          const distance = editDistance(text, candidate, least)
          if (distance < least) {
            least = distance
            best = candidate
          }
        }
      }
    }
    return best
  }
}

/** Edits between two texts, or `limit` when there are at least that many. */
function editDistance(a: string, b: string, limit: number): number {
  let from = 0
  while (from < a.length && from < b.length && a[from] === b[from]) from++
  let end = 0
  while (end < a.length - from && end < b.length - from && a[a.length - 1 - end] === b[b.length - 1 - end])
    end++
  const [x, y] = [a.slice(from, a.length - end), b.slice(from, b.length - end)]
  let row = Uint16Array.from({ length: y.length + 1 }, (_, j) => j)
  for (let i = 1; i <= x.length; i++) {
    const next = new Uint16Array(y.length + 1)
    next[0] = i
    let least = i
    for (let j = 1; j <= y.length; j++) {
      next[j] = Math.min(next[j - 1] + 1, row[j] + 1, row[j - 1] + (x[i - 1] === y[j - 1] ? 0 : 1))
      least = Math.min(least, next[j])
    }
    if (least >= limit) return limit
    row = next
  }
  return Math.min(limit, row[y.length])
}
