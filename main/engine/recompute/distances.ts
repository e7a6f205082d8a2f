// Distances of points, and norms and products of what lies between them.
import { type Given, isList, isNumber } from './arguments.ts'
import {
  array,
  axisOf,
  broadcast,
  combine,
  expand,
  map,
  multiply,
  type NdArray,
  permute,
  reduced,
  reshape,
  rowsOf,
  sameShape,
  sizeOf,
  subtract,
  sumOver,
} from './array.ts'
import { ofShape } from './binary.ts'
import { reshapedOnly } from './matmul.ts'
import {
  type BackwardCall,
  exact,
  type Gradient,
  incoming,
  type Operation,
  operation,
  type Outcome,
  staged,
  summed,
  summedInSteps,
} from './operation.ts'
import { absolute, product } from './product.ts'
import { normOf, sizeOfGradient, slopeOfNorm, spread } from './reduce.ts'
import { Unsupported } from './unsupported.ts'

/** How much a distance changes with one of the differences that it is made of. */
function slopeAt(p: number): (difference: number, distance: number) => number {
  if (p === Infinity) return (x, d) => (Math.abs(x) === d ? Math.sign(x) : 0)
  const slope = slopeOfNorm(p)
  return (x, d) => (d === 0 ? 0 : slope(x, d))
}

// ---------------------------------------- every point of one set to every point of another

interface Points {
  readonly a: NdArray
  readonly b: NdArray
  readonly rows: number
  readonly columns: number
  readonly size: number
  /** Leading axes, broadcast. */
  readonly batch: readonly number[]
  readonly p: number
}

function pointsOf(given: Given): Points {
  const [x, y] = [given.tensor('x1'), given.tensor('x2')]
  const batch = broadcast(x.shape.slice(0, -2), y.shape.slice(0, -2))
  const [rows, columns, size] = [x.shape.at(-2) ?? 1, y.shape.at(-2) ?? 1, x.shape.at(-1) ?? 1]
  if (y.shape.at(-1) !== size) throw new Unsupported('shapes', 'cdist')
  return {
    a: expand(x, [...batch, rows, size]),
    b: expand(y, [...batch, columns, size]),
    rows,
    columns,
    size,
    batch,
    p: given.number('p', 2),
  }
}

/** Visits all pairs of points: where each begins, and the place of their distance. */
function eachPair(
  { rows, columns, size, batch }: Points,
  visit: (a: number, b: number, at: number) => void,
): void {
  let at = 0
  for (let group = 0; group < sizeOf(batch); group++)
    for (let i = 0; i < rows; i++)
      for (let j = 0; j < columns; j++) visit((group * rows + i) * size, (group * columns + j) * size, at++)
}

function distances(points: Points): NdArray {
  const { a, b, size, p, batch, rows, columns } = points
  const into = new Float64Array(sizeOf([...batch, rows, columns]))
  const row = new Float64Array(size)
  eachPair(points, (from, to, at) => {
    for (let k = 0; k < size; k++) row[k] = a.data[from + k] - b.data[to + k]
    into[at] = normOf(row, p)
  })
  return array(into, [...batch, rows, columns], a.dtype)
}

/** From so many points on, distances are taken from products: what cancels there is lost. */
const byProducts = ({ p, rows, columns }: Points, given: Given): boolean => {
  const mode = given.text('compute_mode', 'use_mm_for_euclid_dist_if_necessary')
  if (p !== 2 || mode === 'donot_use_mm_for_euclid_dist') return false
  return mode === 'use_mm_for_euclid_dist' || rows > 25 || columns > 25
}

/** Squares of lengths over twice the distance: how far an error of the squares moves it, near zero no more than its root. */
function lostTo(points: Points, values: NdArray): Float64Array {
  const { a, b, size } = points
  const square = (data: Float64Array, from: number): number =>
    data.subarray(from, from + size).reduce((sum, x) => sum + x * x, 0)
  const into = new Float64Array(values.data.length)
  eachPair(points, (from, to, at) => {
    const both = square(a.data, from) + square(b.data, to)
    into[at] = Math.min(both / (2 * values.data[at]), Math.sqrt(both / ((size + 16) * 2 ** -24)))
  })
  return into
}

function betweenAll(given: Given): readonly Outcome[] {
  const points = pointsOf(given)
  const values = distances(points)
  const terms = byProducts(points, given) ? () => lostTo(points, values) : () => values.data
  return [summedInSteps(values, points.size, terms)]
}

function backOfAll(call: BackwardCall): readonly Gradient[] {
  const grad = incoming(call)
  if (!grad) return []
  const points = pointsOf(call.given)
  const { a, b, size } = points
  const [values] = call.outputs()
  // Taken from products, the last node gives them their shape.
  if (call.stored.length === 1 && call.stored[0] && sameShape(call.stored[0], grad.shape))
    return [exact(grad)]
  const slope = slopeAt(points.p)
  const [first, second] = [new Float64Array(a.data.length), new Float64Array(b.data.length)]
  eachPair(points, (from, to, at) => {
    for (let k = 0; k < size; k++) {
      const part = grad.data[at] * slope(a.data[from + k] - b.data[to + k], values.data[at])
      first[from + k] += part
      second[to + k] -= part
    }
  })
  const also = sizeOfGradient(grad)
  const whole = (data: Float64Array, of: NdArray, given: NdArray): Gradient =>
    sameShape(of.shape, given.shape)
      ? staged(array(data, of.shape), points.rows + points.columns, also)
      : staged(summedBatches(array(data, of.shape), given.shape), of.data.length, also)
  return [whole(first, a, call.given.tensor('x1')), whole(second, b, call.given.tensor('x2'))]
}

/** The gradient of points that served several batches. */
function summedBatches(a: NdArray, shape: readonly number[]): NdArray {
  const into = new Float64Array(sizeOf(shape))
  if (shape.slice(0, -2).some(dim => dim !== 1)) throw new Unsupported('inner', 'cdist')
  for (let i = 0; i < a.data.length; i++) into[i % into.length] += a.data[i]
  return array(into, shape)
}

// ---------------------------------------- within one set

function withinOne(given: Given): readonly Outcome[] {
  const a = given.tensor('input')
  const [count, size] = a.shape
  const p = given.number('p', 2)
  const found: number[] = []
  for (let i = 0; i < count; i++)
    for (let j = i + 1; j < count; j++)
      found.push(
        normOf(
          Float64Array.from({ length: size }, (_, k) => a.data[i * size + k] - a.data[j * size + k]),
          p,
        ),
      )
  const values = array(Float64Array.from(found), [found.length], a.dtype)
  return [summedInSteps(values, size, () => values.data)]
}

function backOfOne(call: BackwardCall): readonly Gradient[] {
  const grad = incoming(call)
  if (!grad) return []
  const a = call.given.tensor('input')
  const [count, size] = a.shape
  const slope = slopeAt(call.given.number('p', 2))
  const [values] = call.outputs()
  const into = new Float64Array(a.data.length)
  let at = 0
  for (let i = 0; i < count; i++)
    for (let j = i + 1; j < count; j++, at++)
      for (let k = 0; k < size; k++) {
        const part = grad.data[at] * slope(a.data[i * size + k] - a.data[j * size + k], values.data[at])
        into[i * size + k] += part
        into[j * size + k] -= part
      }
  return [staged(array(into, a.shape), count, sizeOfGradient(grad))]
}

// ---------------------------------------- point by point

interface Between {
  readonly difference: NdArray
  readonly p: number
  readonly axes: readonly number[]
  readonly keep: boolean
}

function normed({ difference, p, axes, keep }: Between): NdArray {
  const rows = rowsOf(difference, axes)
  const into = Float64Array.from({ length: rows.count }, (_, i) =>
    normOf(rows.data.subarray(i * rows.length, (i + 1) * rows.length), p),
  )
  return array(into, reduced(difference.shape, axes, keep), difference.dtype)
}

const lengthOf = ({ difference, axes }: Between): number => sizeOf(axes.map(axis => difference.shape[axis]))

function pairwise(given: Given): Between {
  const [x, y] = [given.tensor('x1'), given.tensor('x2')]
  const eps = given.number('eps', 1e-6)
  const difference = { ...combine(x, y, (a, b) => a - b + eps), dtype: x.dtype }
  return {
    difference,
    p: given.number('p', 2),
    axes: [difference.shape.length - 1],
    keep: given.flag('keepdim', false),
  }
}

function wholeDistance(given: Given): Between {
  const [x, y] = [given.tensor('input'), given.tensor('other')]
  const difference = { ...subtract(x, y), dtype: x.dtype }
  return { difference, p: given.number('p', 2), axes: difference.shape.map((_, axis) => axis), keep: false }
}

/** What lies between them comes from numbers of this size, each off by its own rounding. */
function apart(given: Given, [first, second]: readonly [string, string], of: Between): readonly Outcome[] {
  const values = normed(of)
  const sizes = (): Float64Array => {
    const [x, y] = [absolute(given.tensor(first)), absolute(given.tensor(second))]
    const both = { ...of, difference: combine(x, y, (a, b) => Math.max(a, b)), p: of.p > 1 ? 2 : 1 }
    return combine(values, normed(both), (d, size) => d + 2 ** -20 * size).data
  }
  return [summedInSteps(values, lengthOf(of), sizes)]
}

/** The gradient of the norm: by the differences, which an earlier node made. */
function backOfBetween(call: BackwardCall, of: Between): readonly Gradient[] {
  const grad = incoming(call)
  if (!grad) return []
  const { difference, p, axes } = of
  const wide = (a: NdArray): NdArray => spread(a, { a: difference, axes })
  const [grads, norms] = [wide(grad), wide(normed(of))]
  const slope = slopeAt(p)
  const data = difference.data.map((x, i) => grads.data[i] * slope(x, norms.data[i]))
  const first = staged(array(data, difference.shape), lengthOf(of), sizeOfGradient(grad))
  if (call.stored.length === 1) return [first]
  return [first, { ...first, values: map(first.values, x => -x) }]
}

// ---------------------------------------- contractions of chosen axes

interface Contraction {
  readonly rows: readonly number[]
  readonly left: readonly number[]
  readonly right: readonly number[]
  readonly columns: readonly number[]
}

/** Axes by how many of the last and first ones there are, or as two lists. */
function contractionOf(given: Given, a: NdArray, b: NdArray): Contraction {
  const raw = given.raw('dim')
  const listed = (of: NdArray, part: number): readonly number[] => {
    const one = isList(raw) ? raw[part] : null
    return (isList(one) ? one : [one]).map(dim => axisOf(isNumber(dim) ? dim.value : NaN, of.shape.length))
  }
  const count = isNumber(raw) ? raw.value : 2
  const left = isList(raw) ? listed(a, 0) : a.shape.map((_, axis) => axis).slice(a.shape.length - count)
  const right = isList(raw) ? listed(b, 1) : b.shape.map((_, axis) => axis).slice(0, count)
  const free = (of: NdArray, taken: readonly number[]): readonly number[] =>
    of.shape.map((_, axis) => axis).filter(axis => !taken.includes(axis))
  return { rows: free(a, left), left, right, columns: free(b, right) }
}

const sizesOf = ({ shape }: NdArray, axes: readonly number[]): readonly number[] =>
  axes.map(axis => shape[axis])

function tensorDot(given: Given): readonly Outcome[] {
  const [a, b] = [given.tensor('input'), given.tensor('other')]
  const { rows, left, right, columns } = contractionOf(given, a, b)
  const inner = sizeOf(sizesOf(a, left))
  const shape = [...sizesOf(a, rows), ...sizesOf(b, columns)]
  const of = (x: NdArray, y: NdArray): NdArray => {
    const first = reshape(permute(x, [...rows, ...left]), [sizeOf(sizesOf(x, rows)), inner])
    const second = reshape(permute(y, [...right, ...columns]), [inner, sizeOf(sizesOf(y, columns))])
    return reshape(product(first, second), shape)
  }
  return [summed(of(a, b), inner, () => of(absolute(a), absolute(b)).data)]
}

function workOf(given: Given): number {
  const [a, b] = [given.tensor('input'), given.tensor('other')]
  return 2 * a.data.length * sizeOf(sizesOf(b, contractionOf(given, a, b).columns))
}

/** The last node gives the product its shape. */
const backOfView = (call: BackwardCall): readonly Gradient[] => {
  const inner = reshapedOnly(call)
  return inner ? [inner] : []
}

function backOfAddr(call: BackwardCall): readonly Gradient[] {
  const grad = incoming(call)
  if (!grad) return [null, null, null]
  const { given } = call
  const [x, y] = [given.tensor('vec1'), given.tensor('vec2')]
  const alpha = given.number('alpha', 1)
  const beta = given.number('beta', 1)
  const of = (by: NdArray, axis: number): Gradient => {
    const part = (g: NdArray, v: NdArray): NdArray => sumOver(multiply(g, v), [axis])
    const values = map(part(grad, by), g => g * alpha)
    return summed(
      values,
      by.data.length,
      () => map(part(absolute(grad), absolute(by)), g => g * Math.abs(alpha)).data,
    )
  }
  return [
    ofShape(
      map(grad, g => g * beta),
      given.operand('input').shape,
      beta === 1,
    ),
    of(reshape(y, [1, -1]), 1),
    of(reshape(x, [-1, 1]), 0),
  ]
}

export const distanceOperations: readonly Operation[] = [
  operation('cdist', 'x1 x2 p compute_mode', betweenAll, { backward: backOfAll }),
  operation('pdist', 'input p', withinOne, { backward: backOfOne }),
  operation(
    'pairwise_distance',
    'x1 x2 p eps keepdim',
    given => apart(given, ['x1', 'x2'], pairwise(given)),
    { backward: call => backOfBetween(call, pairwise(call.given)) },
  ),
  operation('dist', 'input other p', given => apart(given, ['input', 'other'], wholeDistance(given)), {
    backward: call => backOfBetween(call, wholeDistance(call.given)),
  }),
  operation('tensordot', 'input other dim', tensorDot, { backward: backOfView, flops: workOf }),
  operation(
    'vecdot linalg_vecdot',
    'input other | dim',
    given => {
      const [a, b] = [given.tensor('input'), given.tensor('other')]
      const dim = given.number('dim', -1)
      const of = (x: NdArray, y: NdArray): NdArray => {
        const all = multiply(x, y)
        const rows = rowsOf(all, [axisOf(dim, all.shape.length)])
        const into = Float64Array.from({ length: rows.count }, (_, i) =>
          rows.data.subarray(i * rows.length, (i + 1) * rows.length).reduce((sum, v) => sum + v, 0),
        )
        return array(into, rows.outer, a.dtype)
      }
      return [
        summedInSteps(
          of(a, b),
          a.shape[axisOf(dim, a.shape.length)],
          () => of(absolute(a), absolute(b)).data,
        ),
      ]
    },
    {
      backward(call) {
        const grad = incoming(call)
        const { shape } = call.given.tensor('input')
        const axis = axisOf(call.given.number('dim', -1), shape.length)
        const fits = call.stored.length === 1 && call.stored[0] && sameShape(call.stored[0], shape)
        return grad && fits ? [exact(spread(grad, { a: call.given.tensor('input'), axes: [axis] }))] : []
      },
    },
  ),
  operation(
    'addr',
    'input vec1 vec2 | beta alpha',
    given => {
      const [beta, alpha] = [given.number('beta', 1), given.number('alpha', 1)]
      const [input, x, y] = [given.operand('input'), given.tensor('vec1'), given.tensor('vec2')]
      const outer = multiply(reshape(x, [-1, 1]), reshape(y, [1, -1]))
      const of = (base: NdArray, times: NdArray, by: number, plus: number): NdArray =>
        combine(base, times, (b, t) => (plus === 0 ? 0 : plus * b) + by * t)
      const terms = (): Float64Array =>
        of(absolute(input), absolute(outer), Math.abs(alpha), Math.abs(beta)).data
      return [summedInSteps({ ...of(input, outer, alpha, beta), dtype: x.dtype }, 2, terms)]
    },
    { backward: backOfAddr },
  ),
]
