// Equal bins as numpy.histogram counts: an element belongs to the bin whose edges, as doubles, hold it.

export interface Edges {
  readonly low: number
  readonly high: number
  readonly edges: Float64Array
}

/** Null where there is nothing to count, or where half a step cannot be told apart. */
export function edgesOf(least: number, most: number, bins: number): Edges | null {
  if (!(least <= most)) return null
  const [low, high] = least === most ? [least - 0.5, most + 0.5] : [least, most]
  const step = (high - low) / bins
  if (!(step < Infinity) || low + step / 2 === low || high - step / 2 === high) return null
  const edges = Float64Array.from({ length: bins + 1 }, (_, i) => (i === bins ? high : i * step + low))
  return { low, high, edges }
}

/** The bin that a finite value belongs to; -1 for one beside all of them. */
export function binIn({ low, high, edges }: Edges): (x: number) => number {
  const bins = edges.length - 1
  const scale = bins / (high - low)
  return x => {
    if (!(x >= low && x <= high)) return -1
    let bin = scale < Infinity ? Math.floor((x - low) * scale) : Math.floor(((x - low) / (high - low)) * bins)
    if (bin >= bins) bin = bins - 1
    if (x < edges[bin]) bin--
    else if (bin < bins - 1 && x >= edges[bin + 1]) bin++
    return bin
  }
}

/** Counts finite values into bins. */
export function fill(edges: Edges, values: Float64Array, count: number, into: Float64Array): void {
  const binOf = binIn(edges)
  for (let i = 0; i < count; i++) {
    const bin = binOf(values[i])
    if (bin >= 0) into[bin]++
  }
}
