// Two tensors in memory, as hypotheses look at them: whole, or the first rows of large ones.
import type { Side } from '../side.ts'

export type Values = Float32Array | Float64Array

export interface InMemory {
  readonly shape: readonly number[]
  readonly values: Values
  readonly dtype: string
  /** Which of them are no numbers; null where all are. */
  readonly odd?: Uint8Array | null
}

export interface Sides {
  readonly left: InMemory
  readonly right: InMemory
  /** Steps between neighbours of the coarser type, relative to a number. */
  readonly epsilon: number
  /** All elements are here; else the first ones along axis 0. */
  readonly whole: boolean
}

/** 64 MB a side. */
export const mostElements = 1 << 24

const epsilons: Readonly<Record<string, number>> = {
  float64: 2 ** -52,
  float32: 2 ** -23,
  float16: 2 ** -10,
  bfloat16: 2 ** -7,
  float8_e4m3fn: 2 ** -3,
  float8_e5m2: 2 ** -2,
}

export const epsilonOf = (...dtypes: readonly string[]): number =>
  Math.max(0, ...dtypes.map(dtype => epsilons[dtype] ?? 0))

/** Reads a side; of more elements than `most` the first indices of axis 0. */
export function* loaded(side: Side, most = mostElements): Generator<void, InMemory> {
  const row = side.shape.slice(1).reduce((size, dim) => size * dim, 1)
  const rows = Math.max(1, Math.min(side.shape[0] ?? 1, Math.floor(most / Math.max(1, row))))
  const shape = side.shape.length === 0 ? [] : [rows, ...side.shape.slice(1)]
  const size = Math.min(side.size, rows * row)
  const values = side.dtype.bytes > 4 ? new Float64Array(size) : new Float32Array(size)
  for (let first = 0; first < size;) {
    const got = side.read(first, size - first)
    if (got === 0) break
    values.set(got === side.values.length ? side.values : side.values.subarray(0, got), first)
    first += got
    yield
  }
  return { shape, values, dtype: side.dtype.name, odd: movedOut(values) }
}

/** What is no number stands far out instead, each kind at its own place: sums stay numbers, and it meets its like. */
export function movedOut(values: Values): Uint8Array | null {
  let [most, any] = [0, false]
  for (const x of values) {
    if (x - x !== 0) any = true
    else if (Math.abs(x) > most) most = Math.abs(x)
  }
  if (!any) return null
  const odd = new Uint8Array(values.length)
  const far = 2 * most + 1
  for (let i = 0; i < values.length; i++) {
    const x = values[i]
    if (x - x === 0) continue
    odd[i] = 1
    values[i] = Number.isNaN(x) ? far * 1.5 : Math.sign(x) * far
  }
  return odd
}

/** Both sides without what is no number on either: as a list, and in place as if it were equal. */
export function finite({ left, right, ...rest }: Sides): { readonly list: Sides; readonly placed: Sides } {
  const isOdd = (i: number): boolean => left.odd?.[i] === 1 || right.odd?.[i] === 1
  const listed = ({ values, dtype }: InMemory): InMemory => {
    const kept = values.filter((_, i) => !isOdd(i))
    return { shape: [kept.length], values: kept, dtype }
  }
  const placed = ({ values, ...of }: InMemory): InMemory => ({
    ...of,
    odd: null,
    values: values.map((x, i) => (isOdd(i) ? 0 : x)),
  })
  return {
    list: { left: listed(left), right: listed(right), ...rest },
    placed: { left: placed(left), right: placed(right), ...rest },
  }
}

/** Elements that are no numbers on one side only. */
export function oneSided({ left, right }: Sides): { readonly count: number; readonly first: number } | null {
  if (!left.odd && !right.odd) return null
  let [count, first] = [0, -1]
  for (let i = 0; i < right.values.length; i++) {
    if ((left.odd?.[i] ?? 0) === (right.odd?.[i] ?? 0)) continue
    if (count++ === 0) first = i
  }
  return count > 0 ? { count, first } : null
}

/** What stands at some indices of an axis. */
export function partAlong(
  { shape, values, dtype, odd }: InMemory,
  axis: number,
  from: number,
  to: number,
): InMemory {
  const inner = sizeOf(shape.slice(axis + 1))
  const cut = <T extends Values | Uint8Array>(all: T): T => {
    const kept = all.slice(0, (all.length / shape[axis]) * (to - from)) as T
    const [block, length] = [shape[axis] * inner, (to - from) * inner]
    for (let at = 0, of = from * inner; of < all.length; at += length, of += block)
      kept.set(all.subarray(of, of + length), at)
    return kept
  }
  return { shape: shape.with(axis, to - from), values: cut(values), dtype, odd: odd ? cut(odd) : null }
}

export const sizeOf = (shape: readonly number[]): number => shape.reduce((size, dim) => size * dim, 1)

export const stridesOf = (shape: readonly number[]): readonly number[] =>
  shape.map((_, axis) => sizeOf(shape.slice(axis + 1)))

export const sameShape = ({ left, right }: Pick<Sides, 'left' | 'right'>): boolean =>
  left.shape.length === right.shape.length && left.shape.every((dim, axis) => dim === right.shape[axis])

/** What is left between two lists of values of one length. */
export interface Rest {
  readonly mismatched: number
  readonly maxAbs: number
  /** Norm of the error by the norm of the right side. */
  readonly relative: number
}

export function restOf(
  left: ArrayLike<number>,
  right: ArrayLike<number>,
  of: (x: number) => number = x => x,
): Rest {
  let [mismatched, maxAbs, errors, squares] = [0, 0, 0, 0]
  for (let i = 0; i < right.length; i++) {
    const r = right[i]
    const error = Math.abs(of(left[i]) - r)
    if (error > 0) mismatched++
    if (error > maxAbs) maxAbs = error
    errors += error * error
    squares += r * r
  }
  return {
    mismatched,
    maxAbs,
    relative: squares > 0 ? Math.sqrt(errors / squares) : errors > 0 ? Infinity : 0,
  }
}

/** Of more elements a part is tried first. */
const partOf = 1 << 16

/** Elements all over both sides, as a list; null where all are few enough. */
export function partSides({ left, right, epsilon }: Sides): Sides | null {
  const size = Math.min(left.values.length, right.values.length)
  if (size < 4 * partOf) return null
  const step = size / partOf
  const part = ({ values, dtype }: InMemory): InMemory => {
    const some = values.slice(0, partOf)
    for (let i = 0; i < partOf; i++) some[i] = values[placeIn(i, step)]
    return { shape: [partOf], values: some, dtype }
  }
  return { left: part(left), right: part(right), epsilon, whole: false }
}

/** One of each stretch, at another place in each: what comes back every so many elements is not missed. */
const placeIn = (i: number, step: number): number =>
  Math.floor(i * step + ((Math.imul(i + 1, 0x9e3779b1) >>> 0) / 2 ** 32) * (step - 1))

/** What a hypothesis leaves is no more than a twentieth of what was there, or rounding. */
export const explains = (before: Rest, after: Rest, epsilon: number): boolean =>
  after.mismatched === 0 ||
  after.relative <= Math.min(before.relative / 4, 2 * epsilon) ||
  after.relative <= before.relative / 20
