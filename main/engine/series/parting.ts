// Where two runs part: the first step at which a value is further from the other run's than it ever was before.

export interface PartLimits {
  /** A difference below this share says nothing. */
  readonly floor: number
  /** So many times the largest difference before. */
  readonly factor: number
}

export interface Parting {
  /** The place of the step in what was given. */
  readonly at: number
  readonly apart: number
  /** The largest difference before; null where the first step differs already. */
  readonly before: number | null
}

/** |a − b| / |b|: NaN on both sides is no difference, on one side as large as can be. */
export function apartness(a: number, b: number): number {
  if (a === b || (Number.isNaN(a) && Number.isNaN(b))) return 0
  const apart = Math.abs(a - b) / Math.abs(b)
  return Number.isNaN(apart) ? Infinity : apart
}

/** Differences in the order of their steps; null where they never part. */
export function partingOf(differences: readonly number[], { floor, factor }: PartLimits): Parting | null {
  let largest = 0
  for (const [at, apart] of differences.entries()) {
    if (apart > Math.max(floor, largest * factor)) return { at, apart, before: at === 0 ? null : largest }
    largest = Math.max(largest, apart)
  }
  return null
}
