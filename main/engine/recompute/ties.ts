// Results of which several are right, and frameworks tell different ones: places of equal values in a row, whole numbers
// of quotients that rounding moved.
import type { NdArray } from './array.ts'
import { exact, type Outcome } from './operation.ts'

export interface Ties {
  /** What stands at a place that result `i` may tell; undefined where there is no such place. */
  valueAt(i: number, place: number): number | undefined
  /** The row of result `i`, where each place of it may be told but once. */
  rowOf?(i: number): number
}

/** Along an axis of `a`, of which each row tells `many` places; over all elements where the axis is null. */
export function placesAlong(places: NdArray, a: NdArray, axis: number | null, many = 1): Outcome {
  const size = axis === null ? a.data.length : (a.shape[axis] ?? 1)
  const inner = axis === null ? 1 : a.shape.slice(axis + 1).reduce((product, dim) => product * dim, 1)
  const rowOf = (i: number): number => Math.floor(i / (many * inner)) * inner + (i % inner)
  const ties: Ties = {
    valueAt(i, place) {
      const row = rowOf(i)
      const inside = Number.isInteger(place) && place >= 0 && place < size
      return inside ? a.data[(Math.floor(row / inner) * size + place) * inner + (row % inner)] : undefined
    },
    ...(many > 1 && { rowOf }),
  }
  return { ...exact(places), ties }
}

const same = (x: number | undefined, y: number | undefined): boolean =>
  x !== undefined && (x === y || (Number.isNaN(x) && Number.isNaN(y)))

/** The same result, with the stored one of several that are right. */
export function asStored<O extends Pick<Outcome, 'values' | 'ties' | 'alike'>>(
  outcome: O,
  stored: NdArray,
): O {
  const { values, ties, alike } = outcome
  if (alike && stored.data.length === values.data.length) {
    const data = values.data.map((x, i) => {
      const found = stored.data[i]
      return !same(x, found) && alike(i, found) ? found : x
    })
    return { ...outcome, values: { ...values, data } }
  }
  if (!ties || stored.data.length !== values.data.length) return outcome
  const told = new Set<string>()
  const data = values.data.map((place, i) => {
    const found = stored.data[i]
    const equal = place === found || same(ties.valueAt(i, place), ties.valueAt(i, found))
    const once = ties.rowOf ? `${ties.rowOf(i)} ${found}` : null
    if (!equal || (once !== null && told.has(once))) return place
    if (once !== null) told.add(once)
    return found
  })
  return { ...outcome, values: { ...values, data } }
}
