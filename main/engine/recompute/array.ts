// N-dimensional arrays of doubles, always without gaps and in C order: broadcasting, views as copies, sums.
import type { DtypeName } from '../formats/index.ts'
import { Unsupported } from './unsupported.ts'

export interface NdArray {
  /** What the framework would have made; floating values are held as doubles whatever it says. */
  readonly dtype: DtypeName
  readonly shape: readonly number[]
  readonly data: Float64Array
  /** Imaginary parts of a complex array. */
  readonly imaginary?: Float64Array
  /** A number of the call, not a tensor: it gives way to the types of tensors. */
  readonly weak?: true
}

/** More elements than a result may have. */
const mostElements = 2 ** 28

/** Refuses sizes that nobody has, before memory is taken. */
export function sizeOf(shape: readonly number[]): number {
  let size = 1
  for (const dim of shape) {
    if (!Number.isInteger(dim) || dim < 0) throw new Unsupported('shapes', `[${shape.join(', ')}]`)
    size *= dim
  }
  if (size > mostElements) throw new Unsupported('limit', `[${shape.join(', ')}]`)
  return size
}

export const array = (
  data: Float64Array,
  shape: readonly number[],
  dtype: DtypeName = 'float64',
): NdArray => ({ data, shape, dtype })

export const filled = (shape: readonly number[], value: number, dtype: DtypeName = 'float64'): NdArray =>
  array(new Float64Array(sizeOf(shape)).fill(value), shape, dtype)

export const scalar = (value: number, dtype: DtypeName = 'float64'): NdArray =>
  array(Float64Array.of(value), [], dtype)

export const withDtype = (a: NdArray, dtype: DtypeName): NdArray => ({ ...a, dtype })

export function stridesOf(shape: readonly number[]): number[] {
  const steps = shape.map(() => 1)
  for (let axis = shape.length - 2; axis >= 0; axis--) steps[axis] = steps[axis + 1] * shape[axis + 1]
  return steps
}

export const sameShape = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((dim, axis) => dim === b[axis])

export const withoutOnes = (shape: readonly number[]): readonly number[] => shape.filter(dim => dim !== 1)

/** An axis as it was given, negative ones counted from the end. */
export function axisOf(dim: number, rank: number): number {
  const axis = dim < 0 ? dim + Math.max(rank, 1) : dim
  if (!Number.isInteger(axis) || axis < 0 || axis >= Math.max(rank, 1))
    throw new Unsupported('arguments', `dim ${dim}`)
  return axis
}

/** The axes as they were given, in order, each once; all of them where none is named. */
export function axesOf(dims: readonly number[] | null, rank: number): readonly number[] {
  if (dims === null || dims.length === 0) return Array.from({ length: rank }, (_, axis) => axis)
  if (rank === 0) return []
  return [...new Set(dims.map(dim => axisOf(dim, rank)))].sort((a, b) => a - b)
}

export function reshape(a: NdArray, shape: readonly number[]): NdArray {
  const unknown = shape.indexOf(-1)
  const known = shape.reduce((size, dim) => (dim === -1 ? size : size * dim), 1)
  const full = unknown < 0 ? shape : shape.map(dim => (dim === -1 ? a.data.length / known : dim))
  if (sizeOf(full) !== a.data.length)
    throw new Unsupported('shapes', `[${a.shape.join(', ')}] as [${shape.join(', ')}]`)
  return { ...a, shape: full }
}

// ---------------------------------------- views, as copies

export interface View {
  readonly shape: readonly number[]
  /** In elements. */
  readonly strides: readonly number[]
  readonly offset: number
}

/** Where the elements of a view stand, in its order. */
function eachRun(view: View, visit: (at: number, to: number, count: number, step: number) => void): void {
  const { shape, strides, offset } = view
  const last = shape.length - 1
  if (sizeOf(shape) === 0) return
  if (last < 0) {
    visit(offset, 0, 1, 1)
    return
  }
  const index = shape.map(() => 0)
  let at = offset
  const count = shape[last]
  for (let to = 0; ; to += count) {
    visit(at, to, count, strides[last])
    let axis = last - 1
    for (; axis >= 0; axis--) {
      at += strides[axis]
      if (++index[axis] < shape[axis]) break
      at -= strides[axis] * shape[axis]
      index[axis] = 0
    }
    if (axis < 0) return
  }
}

function taken(from: Float64Array, view: View): Float64Array {
  const into = new Float64Array(sizeOf(view.shape))
  eachRun(view, (at, to, count, step) => {
    for (let i = 0; i < count; i++) into[to + i] = from[at + i * step]
  })
  return into
}

export const take = (a: NdArray, view: View): NdArray => ({
  dtype: a.dtype,
  shape: view.shape,
  data: taken(a.data, view),
  ...(a.imaginary && { imaginary: taken(a.imaginary, view) }),
})

/** Adds values to the elements that a view of `into` covers. */
export function addTo(into: Float64Array, view: View, values: Float64Array): void {
  eachRun(view, (at, to, count, step) => {
    for (let i = 0; i < count; i++) into[at + i * step] += values[to + i]
  })
}

/** Puts values where a view of `into` lies. */
export function put(into: Float64Array, view: View, values: Float64Array): void {
  eachRun(view, (at, to, count, step) => {
    for (let i = 0; i < count; i++) into[at + i * step] = values[to + i]
  })
}

export const wholeView = (shape: readonly number[]): View => ({ shape, strides: stridesOf(shape), offset: 0 })

export function permute(a: NdArray, dims: readonly number[]): NdArray {
  const order = dims.map(dim => axisOf(dim, a.shape.length))
  if (order.length !== a.shape.length || new Set(order).size !== order.length)
    throw new Unsupported('arguments', `dims ${dims.join(', ')}`)
  if (order.every((axis, i) => axis === i)) return a
  const strides = stridesOf(a.shape)
  return take(a, {
    shape: order.map(axis => a.shape[axis]),
    strides: order.map(axis => strides[axis]),
    offset: 0,
  })
}

export function swapped(a: NdArray, one: number, other: number): NdArray {
  const order = a.shape.map((_, axis) => axis)
  const [x, y] = [axisOf(one, a.shape.length), axisOf(other, a.shape.length)]
  if (a.shape.length === 0) return a
  order[x] = y
  order[y] = x
  return permute(a, order)
}

// ---------------------------------------- broadcasting

export function broadcast(...shapes: readonly (readonly number[])[]): readonly number[] {
  const rank = Math.max(0, ...shapes.map(shape => shape.length))
  const common = Array.from({ length: rank }, () => 1)
  for (const shape of shapes)
    for (let i = 0; i < shape.length; i++) {
      const axis = rank - shape.length + i
      if (common[axis] === 1) common[axis] = shape[i]
      else if (shape[i] !== 1 && shape[i] !== common[axis])
        throw new Unsupported('shapes', shapes.map(one => `[${one.join(', ')}]`).join(' and '))
    }
  return common
}

export function expand(a: NdArray, shape: readonly number[]): NdArray {
  if (sameShape(a.shape, shape)) return a
  const ahead = shape.length - a.shape.length
  const own = stridesOf(a.shape)
  const strides = shape.map((dim, axis) => {
    if (axis < ahead || (a.shape[axis - ahead] === 1 && dim !== 1)) return 0
    if (a.shape[axis - ahead] !== dim)
      throw new Unsupported('shapes', `[${a.shape.join(', ')}] to [${shape.join(', ')}]`)
    return own[axis - ahead]
  })
  return take(a, { shape, strides, offset: 0 })
}

/** A function of one array's elements. */
export function map(a: NdArray, of: (x: number) => number, dtype: DtypeName = a.dtype): NdArray {
  const { data } = a
  const into = new Float64Array(data.length)
  for (let i = 0; i < into.length; i++) into[i] = of(data[i])
  return array(into, a.shape, dtype)
}

interface Aligned {
  readonly shape: readonly number[]
  /** The elements of both, and how far it is from one to the next: nothing where there is but one. */
  readonly x: Float64Array
  readonly dx: 0 | 1
  readonly y: Float64Array
  readonly dy: 0 | 1
}

/** Two arrays that are broadcast to each other; a single element is not spread out. */
function aligned(a: NdArray, b: NdArray): Aligned {
  const shape = broadcast(a.shape, b.shape)
  if (b.data.length === 1 && sameShape(a.shape, shape)) return { shape, x: a.data, dx: 1, y: b.data, dy: 0 }
  if (a.data.length === 1 && sameShape(b.shape, shape)) return { shape, x: a.data, dx: 0, y: b.data, dy: 1 }
  return { shape, x: expand(a, shape).data, dx: 1, y: expand(b, shape).data, dy: 1 }
}

/** A function of the elements of two arrays that are broadcast to each other. */
export function combine(
  a: NdArray,
  b: NdArray,
  of: (x: number, y: number) => number,
  dtype: DtypeName = 'float64',
): NdArray {
  const { shape, x, dx, y, dy } = aligned(a, b)
  const into = new Float64Array(sizeOf(shape))
  for (let i = 0; i < into.length; i++) into[i] = of(x[i * dx], y[i * dy])
  return array(into, shape, dtype)
}

// Sums and products are most of all calls: in a loop of their own no function is called for an element.

/** a + by · b */
export function sum(a: NdArray, b: NdArray, by = 1, dtype: DtypeName = 'float64'): NdArray {
  const { shape, x, dx, y, dy } = aligned(a, b)
  const into = new Float64Array(sizeOf(shape))
  for (let i = 0; i < into.length; i++) into[i] = x[i * dx] + by * y[i * dy]
  return array(into, shape, dtype)
}

export function multiply(a: NdArray, b: NdArray, dtype: DtypeName = 'float64'): NdArray {
  const { shape, x, dx, y, dy } = aligned(a, b)
  const into = new Float64Array(sizeOf(shape))
  for (let i = 0; i < into.length; i++) into[i] = x[i * dx] * y[i * dy]
  return array(into, shape, dtype)
}

export const add = (a: NdArray, b: NdArray): NdArray => sum(a, b)
export const subtract = (a: NdArray, b: NdArray): NdArray => sum(a, b, -1)
export const scaled = (a: NdArray, by: number): NdArray => (by === 1 ? a : map(a, x => x * by))

// ---------------------------------------- rows

/** An array as rows along some of its axes. */
export interface Rows {
  readonly data: Float64Array
  /** The other axes. */
  readonly outer: readonly number[]
  readonly count: number
  readonly length: number
  /** Brings values of all rows back to the order of the array. */
  back(values: Float64Array): Float64Array
}

export function rowsOf(a: NdArray, axes: readonly number[]): Rows {
  const kept = a.shape.map((_, axis) => axis).filter(axis => !axes.includes(axis))
  const order = [...kept, ...axes]
  const plain = order.every((axis, i) => axis === i)
  const shape = order.map(axis => a.shape[axis])
  const outer = kept.map(axis => a.shape[axis])
  return {
    data: plain ? a.data : permute(a, order).data,
    outer,
    count: sizeOf(outer),
    length: sizeOf(axes.map(axis => a.shape[axis])),
    back(values) {
      if (plain) return values
      const returning = a.shape.map((_, axis) => order.indexOf(axis))
      return permute(array(values, shape), returning).data
    },
  }
}

/** A shape with some axes taken out, or kept with length 1. */
export const reduced = (
  shape: readonly number[],
  axes: readonly number[],
  keep: boolean,
): readonly number[] =>
  keep
    ? shape.map((dim, axis) => (axes.includes(axis) ? 1 : dim))
    : shape.filter((_, axis) => !axes.includes(axis))

export function sumOver(a: NdArray, axes: readonly number[], keep = false): NdArray {
  const rows = rowsOf(a, axes)
  const into = new Float64Array(rows.count)
  for (let row = 0, at = 0; row < rows.count; row++) {
    let sum = 0
    for (let i = 0; i < rows.length; i++) sum += rows.data[at++]
    into[row] = sum
  }
  return array(into, reduced(a.shape, axes, keep))
}

/** The gradient of what was broadcast from `shape`: the sum over all its copies. */
export function sumTo(a: NdArray, shape: readonly number[]): NdArray {
  if (sameShape(a.shape, shape)) return a
  const ahead = a.shape.length - shape.length
  const axes = a.shape.flatMap((dim, axis) =>
    axis < ahead || (shape[axis - ahead] === 1 && dim !== 1) ? [axis] : [],
  )
  return reshape(sumOver(a, axes), shape)
}
