// Largest and mean error at each index of each axis, or at stretches of a long one. Ranges can be put together.
import type { AxisErrors } from '../model/index.ts'
import { indexOf } from '../formats/index.ts'
import { mostColumns, type Quick } from './quick.ts'

/** Longer axes are shown in so many stretches. */
const mostPlaces = 2048
/** Shorter runs are added up sooner than a kernel is called. */
const fewQuick = 8

interface AxisSums {
  readonly places: number
  readonly max: Float64Array
  readonly sum: Float64Array
  readonly count: Float64Array
}

export type AlongState = readonly AxisSums[]

export class AlongAxes {
  readonly #shape: readonly number[]
  readonly #axes: readonly AxisSums[]
  /** Place of each index of the last axis, where it has more indices than places. */
  readonly #places: Uint16Array | null
  readonly #quick: Quick | null
  /** Largest, sum and count at every index of the last axis, where a kernel adds them up. */
  readonly #columns: readonly [Float64Array, Float64Array, Float64Array] | null

  /** `quick`: where the errors lie. */
  constructor(shape: readonly number[], quick: Quick | null = null) {
    this.#shape = shape
    this.#quick = quick
    this.#columns = quick && (shape.at(-1) ?? 0) <= mostColumns ? quick.columns(shape.at(-1) ?? 0) : null
    this.#axes = shape.map(length => {
      const places = Math.min(length, mostPlaces)
      const column = (): Float64Array => new Float64Array(places)
      return { places, max: column(), sum: column(), count: column() }
    })
    const last = shape.at(-1) ?? 0
    this.#places =
      last > mostPlaces && last <= 1 << 20
        ? Uint16Array.from({ length: last }, (_, i) => Math.floor((i * mostPlaces) / last))
        : null
  }

  /** Errors of the elements from number `first` on; NaN counts for none. `isWhole`: there is none. */
  add(first: number, errors: Float64Array, count: number, isWhole = false): void {
    const shape = this.#shape
    const last = this.#axes.at(-1)
    if (!last) return
    const length = shape[shape.length - 1]
    const index = [...indexOf(first, shape)]
    for (let done = 0; done < count;) {
      const from = index[index.length - 1]
      const many = Math.min(length - from, count - done)
      const { most, sum, counted } =
        isWhole && this.#quick && many >= fewQuick
          ? this.#rowQuick(this.#quick, last, done, from, many)
          : this.#row(last, errors, done, from, many)
      for (let axis = 0; axis < index.length - 1; axis++) {
        const { places, max, sum: sums, count: counts } = this.#axes[axis]
        const place = places === shape[axis] ? index[axis] : Math.floor((index[axis] * places) / shape[axis])
        if (most > max[place]) max[place] = most
        sums[place] += sum
        counts[place] += counted
      }
      done += many
      index[index.length - 1] += many
      for (let axis = index.length - 1; axis >= 0 && index[axis] === shape[axis]; axis--) {
        index[axis] = 0
        if (axis > 0) index[axis - 1]++
      }
    }
  }

  /** A run along the last axis, and what it comes to for the other axes. */
  #row(
    { places, max, sum, count }: AxisSums,
    errors: Float64Array,
    at: number,
    from: number,
    many: number,
  ): { readonly most: number; readonly sum: number; readonly counted: number } {
    const length = this.#shape[this.#shape.length - 1]
    const table = this.#places
    let [most, total, counted] = [0, 0, 0]
    for (let i = 0; i < many; i++) {
      const error = errors[at + i]
      if (error !== error) continue
      const index = from + i
      const place = places === length ? index : table ? table[index] : Math.floor((index * places) / length)
      counted++
      count[place]++
      if (error === 0) continue
      sum[place] += error
      total += error
      if (error > max[place]) max[place] = error
      if (error > most) most = error
    }
    return { most, sum: total, counted }
  }

  #rowQuick(
    quick: Quick,
    { places, max, sum, count }: AxisSums,
    at: number,
    from: number,
    many: number,
  ): { readonly most: number; readonly sum: number; readonly counted: number } {
    const { out } = quick
    if (this.#columns) {
      quick.row(at, many, from)
      return { most: out[0], sum: out[1], counted: many }
    }
    const length = this.#shape[this.#shape.length - 1]
    let [most, total] = [0, 0]
    for (let done = 0; done < many;) {
      const place = Math.floor(((from + done) * places) / length)
      const run = Math.min(many - done, Math.ceil(((place + 1) * length) / places) - from - done)
      quick.total(at + done, run)
      if (out[0] > max[place]) max[place] = out[0]
      sum[place] += out[1]
      count[place] += run
      if (out[0] > most) most = out[0]
      total += out[1]
      done += run
    }
    return { most, sum: total, counted: many }
  }

  /** What the kernel added up goes to the places. */
  #settle(): void {
    const last = this.#axes.at(-1)
    if (!this.#columns || !last) return
    const [max, sum, count] = this.#columns
    for (let i = 0; i < max.length; i++) {
      const place = last.places === max.length ? i : Math.floor((i * last.places) / max.length)
      if (max[i] > last.max[place]) last.max[place] = max[i]
      last.sum[place] += sum[i]
      last.count[place] += count[i]
    }
    for (const column of this.#columns) column.fill(0)
  }

  merge(other: AlongState): void {
    for (const [axis, { max, sum, count }] of this.#axes.entries())
      for (let i = 0; i < max.length; i++) {
        if (other[axis].max[i] > max[i]) max[i] = other[axis].max[i]
        sum[i] += other[axis].sum[i]
        count[i] += other[axis].count[i]
      }
  }

  get state(): AlongState {
    this.#settle()
    return this.#axes
  }

  get errors(): readonly AxisErrors[] {
    return this.#axes.flatMap(({ max, sum, count }, axis) => {
      const mean = sum.map((total, i) => total / Math.max(1, count[i]))
      const length = this.#shape[axis]
      return length > 1 ? [{ axis, length, max, mean, unevenness: unevenness(mean) }] : []
    })
  }
}

function unevenness(mean: Float64Array): number {
  const known = mean.filter(Number.isFinite)
  const total = known.reduce((sum, error) => sum + error, 0)
  if (known.length < 2 || total === 0) return 0
  return Math.log((known.reduce((a, b) => Math.max(a, b)) / total) * known.length) / Math.log(known.length)
}

/** Noise is as uneven as this. */
const telling = 0.12

/** The axis along which the error is least even; null where it is even along all. */
export function tellingAxis(along: readonly AxisErrors[]): number | null {
  const [most] = along.toSorted((a, b) => b.unevenness - a.unevenness || b.axis - a.axis)
  return most && most.unevenness > telling ? most.axis : null
}
