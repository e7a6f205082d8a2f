// Where two tensors differ, when it is not everywhere: at one index of an axis, from one on, every so many elements.
import type { Fit } from './arithmetic.ts'
import { restOf, type Rest, type Sides, stridesOf } from './sides.ts'

/** Which elements differ, and how many do at each index of each axis. */
export interface Mask {
  readonly differs: Uint8Array
  readonly count: number
  /** Larger errors count. */
  readonly above: number
}

/** Elements that differ by more than rounding; `share`: of the largest error. */
export function maskOf({ left, right, epsilon }: Sides, share: number): Mask {
  const [l, r] = [left.values, right.values]
  const above = share > 0 ? restOf(l, r).maxAbs * share : 0
  const differs = new Uint8Array(l.length)
  let count = 0
  for (let i = 0; i < l.length; i++) {
    const error = Math.abs(l[i] - r[i])
    if (error === 0 || error <= above || (share > 0 && error <= 2 * epsilon * Math.abs(r[i]))) continue
    differs[i] = 1
    count++
  }
  return { differs, count, above }
}

/** Elements that differ at each index of an axis. */
function alongAxis({ differs }: Mask, shape: readonly number[], axis: number): Float64Array {
  const length = shape[axis]
  const inner = stridesOf(shape)[axis]
  const counts = new Float64Array(length)
  let index = 0
  for (let from = 0; from < differs.length; from += inner) {
    for (let i = from; i < from + inner; i++) counts[index] += differs[i]
    if (++index === length) index = 0
  }
  return counts
}

/** What is left outside of the place: there nothing differs by more than the mask lets through. */
function outside({ left, right }: Sides, { differs }: Mask): Rest {
  const l = left.values.map((x, i) => (differs[i] === 1 ? right.values[i] : x))
  return restOf(l, right.values)
}

/** All that differs lies at one index of an axis, or in one short run of them. */
export function channel(sides: Sides, mask: Mask): Fit | null {
  const { shape, values } = sides.left
  if (mask.count < 2 || mask.count > values.length / 8) return null
  const found = shape.flatMap((length, axis) => {
    if (length < 8 || (!sides.whole && axis === 0)) return []
    const counts = alongAxis(mask, shape, axis)
    const from = counts.findIndex(count => count > 0)
    const to = counts.findLastIndex(count => count > 0)
    const run = to - from + 1
    const share = mask.count / ((values.length / length) * run)
    return from >= 0 &&
      run <= length / 8 &&
      share >= 0.3 &&
      counts.subarray(from, to + 1).every(count => count > 0)
      ? [{ axis, from, to, run, share: run / length }]
      : []
  })
  const [best] = found.toSorted((a, b) => a.share - b.share)
  if (!best) return null
  const { axis, from, to } = best
  return { facts: { axis, from, to, length: shape[axis] }, rest: outside(sides, mask) }
}

/** Equal up to an index of an axis, and different from there on. */
export function suffix(sides: Sides, mask: Mask): Fit | null {
  const { shape } = sides.left
  // Tokens stand on any axis but the last one, if at all.
  const axes = [...shape.keys()].sort(
    (a, b) => Number(a === shape.length - 1) - Number(b === shape.length - 1),
  )
  for (const axis of axes) {
    const length = shape[axis]
    if (length < 4 || (!sides.whole && axis === 0) || anyAtFirst(mask, shape, axis)) continue
    const counts = alongAxis(mask, shape, axis)
    const from = counts.findIndex(count => count > 0)
    const bad = counts.subarray(Math.max(0, from)).reduce((sum, count) => sum + Number(count > 0), 0)
    if (from < 1 || length - from < 2 || bad < (length - from) * 0.9) continue
    // A few elements far behind are no tail.
    if (mask.count < (length - from) * 2 && shape.length > 1) continue
    return { facts: { axis, from, length, ...padOf(sides, axis, from) }, rest: outside(sides, mask) }
  }
  return null
}

/** Something differs at the first index of an axis. */
function anyAtFirst({ differs }: Mask, shape: readonly number[], axis: number): boolean {
  const inner = stridesOf(shape)[axis]
  const block = inner * shape[axis]
  for (let base = 0; base < differs.length; base += block)
    for (let i = base; i < base + inner; i++) if (differs[i] === 1) return true
  return false
}

/** One side holds a single value behind an index: it was filled up. */
function padOf(
  { left, right }: Sides,
  axis: number,
  from: number,
): Readonly<Record<string, string | number>> {
  for (const [side, { values, shape }] of [
    ['left', left],
    ['right', right],
  ] as const) {
    const inner = stridesOf(shape)[axis]
    const length = shape[axis]
    let value: number | null = null
    let same = true
    for (let i = 0; i < values.length && same; i++) {
      if (Math.floor(i / inner) % length < from) continue
      value ??= values[i]
      same = values[i] === value
    }
    if (same && value !== null) return { side, value }
  }
  return {}
}

const periods = [8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096] as const

/** Differences come back every so many elements, at the same places. */
export function periodic(sides: Sides, mask: Mask): Fit | null {
  const { differs } = mask
  // Places are a quarter of a period at most.
  if (mask.count === 0 || mask.count > differs.length / 4) return null
  for (const period of periods) {
    if (differs.length < period * 4) break
    const counts = new Float64Array(period)
    for (let i = 0; i < differs.length; i++) if (differs[i] === 1) counts[i & (period - 1)]++
    const places = counts.reduce((sum, count) => sum + Number(count > 0), 0)
    const rounds = Math.floor(differs.length / period)
    const comesBack = counts.every(count => count === 0 || count >= rounds * 0.9)
    if (places === 0 || places > period / 4 || !comesBack) continue
    const first = counts.findIndex(count => count > 0)
    return { facts: { period, first, places }, rest: outside(sides, mask) }
  }
  return null
}

/** A handful of elements differ, all others are equal. */
export function few(sides: Sides, mask: Mask): Fit | null {
  if (mask.count === 0 || mask.count > 16 || mask.count > mask.differs.length / 64) return null
  return { facts: { count: mask.count, first: mask.differs.indexOf(1) }, rest: outside(sides, mask) }
}

const bitsOf: Readonly<Record<string, (values: ArrayLike<number>) => Uint32Array | null>> = {
  float32: values => new Uint32Array(Float32Array.from(values).buffer),
  bfloat16: values => new Uint32Array(Float32Array.from(values).buffer).map(bits => bits >>> 16),
  int32: values => new Uint32Array(Int32Array.from(values).buffer),
  int16: values => new Uint32Array(Int32Array.from(values).buffer).map(bits => bits & 0xffff),
  int8: values => new Uint32Array(Int32Array.from(values).buffer).map(bits => bits & 0xff),
  uint8: values => Uint32Array.from(values),
}

const isSingle = (bits: number): boolean => bits !== 0 && (bits & (bits - 1)) === 0

/** The first elements that differ. */
function firstOf({ differs }: Mask, most: number): readonly number[] {
  const found: number[] = []
  for (let i = 0; i < differs.length && found.length < most; i++) if (differs[i] === 1) found.push(i)
  return found
}

/** Elements differ in a single bit each, and it is not the last one of all of them. */
export function singleBits(sides: Sides, mask: Mask): Fit | null {
  const { left, right } = sides
  const of = bitsOf[left.dtype]
  if (!of || left.dtype !== right.dtype || mask.count === 0 || mask.count > left.values.length / 2)
    return null
  // Most differences are of several bits: a few of them tell.
  const some = firstOf(mask, 64)
  const [a, b] = [left, right].map(({ values }) => of(some.map(i => values[i])))
  if (!a || !b || !a.every((bits, i) => isSingle(bits ^ b[i]))) return null
  const picked = [left, right].map(({ values }) => of(values.filter((_, i) => mask.differs[i] === 1)))
  const [l, r] = picked
  if (!l || !r) return null
  const positions = new Set<number>()
  for (let i = 0; i < l.length; i++) {
    const bits = (l[i] ^ r[i]) >>> 0
    if (!isSingle(bits)) return null
    positions.add(31 - Math.clz32(bits))
  }
  const sure = positions.size === 1 || mask.count <= Math.max(4, left.values.length / 1000)
  if (!sure || [...positions].every(position => position < 2)) return null
  return {
    facts: {
      count: mask.count,
      bits: [...positions].sort((a, b) => a - b).join(', '),
      first: mask.differs.indexOf(1),
    },
    rest: outside(sides, mask),
  }
}
