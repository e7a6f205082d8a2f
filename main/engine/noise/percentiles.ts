// Many values in four numbers.
import type { Percentiles } from '../model/index.ts'

/** Null of no values. */
export function percentilesOf(values: readonly number[]): Percentiles | null {
  if (values.length === 0) return null
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]
  return { half: at(0.5), ninety: at(0.9), most: at(0.99), largest: sorted[sorted.length - 1] }
}
