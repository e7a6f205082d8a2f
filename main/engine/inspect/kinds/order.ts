// One side is the other in another order: axes swapped, or the indices of one axis.
import { type InMemory, restOf, type Rest, type Sides, sizeOf, stridesOf, type Values } from './sides.ts'
import type { Fit } from './arithmetic.ts'

/** Axes that can be turned into each other. */
const mostAxes = 5

export function transposed({ left, right, whole }: Sides): Fit | null {
  if (!whole || left.shape.length > mostAxes || left.shape.length < 2) return null
  if (sizeOf(left.shape) !== sizeOf(right.shape)) return null
  let best: Fit | null = null
  for (const order of permutations(left.shape.length)) {
    if (order.every((axis, i) => axis === i)) continue
    const fits = order.every((axis, i) => left.shape[axis] === right.shape[i])
    // What was turned and then read in the old shape.
    const asStored = !fits && sameDims(left.shape, right.shape)
    if (!fits && !asStored) continue
    if (!mayBeTurned(left, right.values, order)) continue
    const rest = restOf(turned(left.values, left.shape, order), right.values)
    if (best && rest.relative >= best.rest.relative) continue
    best = { facts: { axes: order.join(', '), stored: asStored ? 'yes' : 'no' }, rest }
  }
  return best
}

const tried = 4096

/** A few elements of large tensors tell that it is another order. */
function mayBeTurned({ values, shape }: InMemory, right: Values, order: readonly number[]): boolean {
  if (values.length < 16 * tried) return true
  const steps = order.map(axis => stridesOf(shape)[axis])
  const dims = order.map(axis => shape[axis])
  const [left, other] = [new Float64Array(tried), new Float64Array(tried)]
  for (let i = 0; i < tried; i++) {
    const to = Math.floor(((i + 0.5) * values.length) / tried)
    let [rest, from] = [to, 0]
    for (let axis = dims.length - 1; axis >= 0; axis--) {
      from += (rest % dims[axis]) * steps[axis]
      rest = Math.floor(rest / dims[axis])
    }
    left[i] = values[from]
    other[i] = right[to]
  }
  return restOf(left, other).relative < 0.5
}

const sameDims = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((dim, axis) => dim === b[axis])

function* permutations(of: number, chosen: readonly number[] = []): Generator<readonly number[]> {
  if (chosen.length === of) yield chosen
  for (let axis = 0; axis < of; axis++) if (!chosen.includes(axis)) yield* permutations(of, [...chosen, axis])
}

/** Elements in the order of the axes that are named. */
export function turned(values: Values, shape: readonly number[], order: readonly number[]): Values {
  const steps = order.map(axis => stridesOf(shape)[axis])
  const dims = order.map(axis => shape[axis])
  const out = values.slice()
  let to = 0
  const walk = (axis: number, from: number): void => {
    if (axis === dims.length) {
      out[to++] = values[from]
      return
    }
    for (let i = 0; i < dims[axis]; i++) walk(axis + 1, from + i * steps[axis])
  }
  walk(0, 0)
  return out
}

// ---------------------------------------- along one axis

export interface Reordered extends Fit {
  readonly kind: 'rolled' | 'interleaved' | 'grouped' | 'shards' | 'permuted'
}

/** The order of an axis' indices that makes the left side the right one, named by what it is. */
export function reordered(sides: Sides): Reordered | null {
  const { left, right, whole } = sides
  const axes = left.shape.map((_, axis) => axis).filter(axis => left.shape[axis] > 1 && (whole || axis > 0))
  const found = axes.flatMap(axis => {
    const signs = [
      signaturesOf(left.values, left.shape, axis),
      signaturesOf(right.values, right.shape, axis),
    ] as const
    const order = matched(...signs, tolerance(sides))
    return order ? [{ axis, order }] : []
  })
  let best: Reordered | null = null
  for (const { axis, order } of found) {
    const rest = restOf(taken(left.values, left.shape, axis, order), right.values)
    if (best && rest.relative >= best.rest.relative) continue
    best = { ...named(order), rest, facts: { axis, ...named(order).facts } }
  }
  return best
}

const tolerance = ({ epsilon }: Sides): number => Math.max(1e-6, 4 * epsilon)

/** So many elements of a slice tell it from the others. */
const mostPlaces = 2048

/** Two weighted sums of each slice across an axis, or of elements all over it: equal slices have equal ones. */
function signaturesOf(values: Values, shape: readonly number[], axis: number): readonly Float64Array[] {
  const length = shape[axis]
  const inner = stridesOf(shape)[axis]
  const block = inner * length
  const slice = values.length / length
  const sums = [new Float64Array(length), new Float64Array(length), new Float64Array(length)]
  const step = Math.max(1, slice / mostPlaces)
  // The place of an element in its slice: which the axis plays no part in.
  for (let n = 0; n * step < slice; n++) {
    const place = Math.min(slice - 1, Math.floor((n + (step > 1 ? (weight(n, 2) + 1) / 2 : 0)) * step))
    const [w, other] = [weight(place, 0), weight(place, 1)]
    let at = Math.floor(place / inner) * block + (place % inner)
    for (let index = 0; index < length; index++, at += inner) {
      const x = values[at]
      sums[0][index] += x * w
      sums[1][index] += x * other
      sums[2][index] += x * x
    }
  }
  return sums
}

/** Between -1 and 1, the same every time. */
function weight(place: number, salt: number): number {
  let x = Math.imul(place + 1, 0x9e3779b1) ^ Math.imul(salt + 1, 0x85ebca6b)
  x = Math.imul(x ^ (x >>> 15), 0x2c1b3c6d)
  x = Math.imul(x ^ (x >>> 12), 0x297a2d39)
  return ((x ^ (x >>> 15)) >>> 0) / 2 ** 31 - 1
}

/** For each index on the right the one on the left whose slice is nearest; null where that is no order of all of them. */
function matched(
  left: readonly Float64Array[],
  right: readonly Float64Array[],
  near: number,
): Int32Array | null {
  const length = right[0].length
  const byFirst = [...left[0].keys()].sort((a, b) => left[0][a] - left[0][b])
  const scale = Math.sqrt(left[2].reduce((sum, x) => sum + x, 0) / length) || 1
  const reach = scale * Math.max(near, 0.02)
  const used = new Uint8Array(length)
  const order = new Int32Array(length)
  let moved = false
  for (let i = 0; i < length; i++) {
    const distance = (j: number): number => Math.hypot(left[0][j] - right[0][i], left[1][j] - right[1][i])
    let [nearest, least] = [-1, reach]
    // Where several are as near, what stands where it stood has not moved.
    if (used[i] === 0 && distance(i) <= scale * near) [nearest, least] = [i, -1]
    for (let p = lowerBound(byFirst, left[0], right[0][i] - reach); least >= 0 && p < length; p++) {
      const j = byFirst[p]
      if (left[0][j] > right[0][i] + reach) break
      if (used[j] === 0 && distance(j) < least) [nearest, least] = [j, distance(j)]
    }
    if (nearest < 0) return null
    used[nearest] = 1
    order[i] = nearest
    if (nearest !== i) moved = true
  }
  return moved ? order : null
}

function lowerBound(sorted: readonly number[], of: Float64Array, value: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (of[sorted[middle]] < value) low = middle + 1
    else high = middle
  }
  return low
}

/** A tensor with the indices of one axis in another order. */
export function taken(
  values: Values,
  shape: readonly number[],
  axis: number,
  order: ArrayLike<number>,
): Values {
  const length = shape[axis]
  const inner = stridesOf(shape)[axis]
  const out = values.slice()
  for (let base = 0; base < values.length; base += inner * length)
    for (let i = 0; i < length; i++)
      out.set(values.subarray(base + order[i] * inner, base + (order[i] + 1) * inner), base + i * inner)
  return out
}

type Named = Pick<Reordered, 'kind' | 'facts'>

/** What kind of order it is. */
export function named(order: ArrayLike<number>): Named {
  const length = order.length
  const by = (order[0] + length) % length
  if (every(order, i => (i + by) % length))
    return { kind: 'rolled', facts: { by: by > length / 2 ? by - length : by } }
  const regrouped = regroupedOf(order)
  if (regrouped) return regrouped
  const block = blockOf(order)
  const shards = length / block
  if (block > 1 && shards <= 64 && shards < length) {
    const list = Array.from({ length: shards }, (_, i) => order[i * block] / block)
    return { kind: 'shards', facts: { shards, order: list.join(', ') } }
  }
  let moved = 0
  for (let i = 0; i < length; i++) if (order[i] !== i) moved++
  return { kind: 'permuted', facts: { moved, of: length } }
}

/** The axis is three, repeated: [heads, parts, width] where the other side has [parts, heads, width]. */
function regroupedOf(order: ArrayLike<number>): Named | null {
  const length = order.length
  const width = blockOf(order)
  const blocks = length / width
  // Whole heads, one behind the other, each with halves that are interleaved.
  for (let outer = 1; outer <= blocks; outer++) {
    if (blocks % outer !== 0) continue
    const inside = blocks / outer
    for (let a = 2; a < inside; a++) {
      if (inside % a !== 0) continue
      const b = inside / a
      const at = (i: number): number => {
        const block = Math.floor(i / width)
        const [whole, part] = [Math.floor(block / inside), block % inside]
        return (whole * inside + (part % a) * b + Math.floor(part / a)) * width + (i % width)
      }
      if (!every(order, at)) continue
      if (width === 1 && (a === 2 || b === 2))
        return { kind: 'interleaved', facts: { size: inside, to: a === 2 ? 'pairs' : 'halves' } }
      if (a === 3 || b === 3)
        return {
          kind: 'grouped',
          facts: { parts: 3, heads: a === 3 ? b : a, width, to: a === 3 ? 'heads' : 'parts' },
        }
      if (a === 2 || b === 2)
        return {
          kind: 'grouped',
          facts: { parts: 2, heads: a === 2 ? b : a, width, to: a === 2 ? 'heads' : 'parts' },
        }
    }
  }
  return queriesGrouped(order, width)
}

/** Several queries share a key and a value: [all q, all k, all v] against [q … q k v] per group. */
function queriesGrouped(order: ArrayLike<number>, width: number): Named | null {
  const blocks = order.length / width
  for (let groups = 2; groups < blocks; groups++) {
    if (blocks % groups !== 0) continue
    const each = blocks / groups
    const queries = each - 2
    if (queries < 2) continue
    const inGroups = (block: number): number => {
      const [group, part] = [Math.floor(block / each), block % each]
      if (part < queries) return group * queries + part
      return groups * queries + (part - queries) * groups + group
    }
    const inverse = new Int32Array(blocks)
    for (let block = 0; block < blocks; block++) inverse[inGroups(block)] = block
    for (const [to, of] of [
      ['heads', inGroups],
      ['parts', (block: number): number => inverse[block]],
    ] as const)
      if (every(order, i => of(Math.floor(i / width)) * width + (i % width)))
        return { kind: 'grouped', facts: { parts: 3, heads: groups, width, queries, to } }
  }
  return null
}

const every = (order: ArrayLike<number>, of: (i: number) => number): boolean => {
  for (let i = 0; i < order.length; i++) if (order[i] !== of(i)) return false
  return true
}

/** The longest run that always moves as one. */
function blockOf(order: ArrayLike<number>): number {
  for (let block = Math.floor(order.length / 2); block > 1; block--) {
    if (order.length % block !== 0) continue
    let together = true
    for (let i = 0; i < order.length && together; i++)
      together = i % block === 0 ? order[i] % block === 0 : order[i] === order[i - 1] + 1
    if (together) return block
  }
  return 1
}

export type { Rest }
