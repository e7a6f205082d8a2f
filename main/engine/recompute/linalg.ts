// Inverses, determinants, solutions and powers of square matrices. How far a device may be off grows with the condition.
import type { Given } from './arguments.ts'
import { array, map, type NdArray, reshape, sameShape, sizeOf, swapped } from './array.ts'
import {
  type BackwardCall,
  type Gradient,
  incoming,
  type Operation,
  operation,
  type Outcome,
  staged,
  summedInSteps,
} from './operation.ts'
import { absolute, matrices, product, transposed } from './product.ts'
import { sizeOfGradient } from './reduce.ts'
import { Unsupported } from './unsupported.ts'

/** More elements than a matrix may have: inverting takes the power of one and a half of them. */
const mostElements = 1024 ** 2

interface Solved {
  readonly inverse: NdArray
  /** Per matrix: the sign of its determinant, and the logarithm of its size. */
  readonly signs: Float64Array
  readonly logs: Float64Array
  /** The largest condition of all matrices. */
  readonly condition: number
}

function solved(a: NdArray): Solved {
  const [rows, n] = a.shape.slice(-2)
  if (a.shape.length < 2 || rows !== n) throw new Unsupported('shapes', 'square')
  if (n * n > mostElements) throw new Unsupported('limit', `[${a.shape.join(', ')}]`)
  const count = sizeOf(a.shape.slice(0, -2))
  const inverse = new Float64Array(a.data.length)
  const [signs, logs] = [new Float64Array(count), new Float64Array(count)]
  for (let i = 0; i < count; i++) {
    const part = (data: Float64Array): Float64Array => data.subarray(i * n * n, (i + 1) * n * n)
    const { sign, log } = invertInto(part(a.data).slice(), part(inverse), n)
    signs[i] = sign
    logs[i] = log
  }
  const whole = { ...a, data: inverse }
  const both = matrices(absolute(whole), absolute(a))
  const condition = both.data.reduce((most, x) => Math.max(most, x), 1)
  return { inverse: whole, signs, logs, condition }
}

/** Gauss and Jordan's way, by the largest element of each column. A singular matrix leaves NaN. */
function invertInto(
  a: Float64Array,
  into: Float64Array,
  n: number,
): { readonly sign: number; readonly log: number } {
  for (let i = 0; i < n; i++) into[i * n + i] = 1
  let sign = 1
  let log = 0
  for (let column = 0; column < n; column++) {
    let best = column
    for (let row = column + 1; row < n; row++)
      if (Math.abs(a[row * n + column]) > Math.abs(a[best * n + column])) best = row
    const pivot = a[best * n + column]
    if (!(Math.abs(pivot) > 0)) {
      into.fill(NaN)
      return { sign: 0, log: -Infinity }
    }
    if (best !== column) sign = -sign
    sign *= Math.sign(pivot)
    log += Math.log(Math.abs(pivot))
    for (const of of [a, into])
      for (let k = 0; k < n; k++) {
        const held = of[best * n + k]
        of[best * n + k] = of[column * n + k]
        of[column * n + k] = held / pivot
      }
    for (let row = 0; row < n; row++) {
      const by = a[row * n + column]
      if (row === column || by === 0) continue
      for (const of of [a, into]) for (let k = 0; k < n; k++) of[row * n + k] -= by * of[column * n + k]
    }
  }
  return { sign, log }
}

/** Results of elimination: as many steps as the matrix has rows, times what its condition makes of each. */
const eliminated = (values: NdArray, { condition }: Solved, n: number, also = 0): Outcome =>
  staged(values, n * condition, also)

const sizeOfRows = (a: NdArray): number => a.shape.at(-1) ?? 1

function inverted(given: Given): readonly Outcome[] {
  const a = given.tensor('input')
  const all = solved(a)
  return [eliminated(all.inverse, all, sizeOfRows(a))]
}

function backOfInverse(call: BackwardCall): readonly Gradient[] {
  const grad = incoming(call)
  if (!grad) return []
  const a = call.given.tensor('input')
  const all = solved(a)
  const turned = transposed(all.inverse)
  const values = map(matrices(matrices(turned, grad), turned), x => -x)
  return [eliminated(values, all, 2 * sizeOfRows(a))]
}

const determinants = ({ signs, logs }: Solved): Float64Array =>
  signs.map((sign, i) => (sign === 0 ? 0 : sign * Math.exp(logs[i])))

const perMatrix = (data: Float64Array, a: NdArray): NdArray => array(data, a.shape.slice(0, -2), a.dtype)

function determinant(given: Given): readonly Outcome[] {
  const a = given.tensor('input')
  const all = solved(a)
  const values = perMatrix(determinants(all), a)
  return [summedInSteps(values, sizeOfRows(a) * all.condition, () => values.data)]
}

/** A determinant changes with each element by its cofactor. */
function backOfDeterminant(call: BackwardCall): readonly Gradient[] {
  const grad = incoming(call)
  const a = call.given.tensor('input')
  if (!grad || call.stored.length !== 1 || !call.stored[0] || !sameShape(call.stored[0], a.shape)) return []
  const all = solved(a)
  const by = determinants(all).map((d, i) => d * grad.data[i])
  const n = sizeOfRows(a)
  const turned = transposed(all.inverse)
  return [eliminated({ ...turned, data: turned.data.map((x, i) => x * by[Math.floor(i / (n * n))]) }, all, n)]
}

function logarithm(given: Given): readonly Outcome[] {
  const a = given.tensor('input')
  const all = solved(a)
  const values = perMatrix(
    all.logs.map((log, i) => (all.signs[i] < 0 ? NaN : log)),
    a,
  )
  return [staged(values, sizeOfRows(a) * all.condition, 1)]
}

function signed(given: Given): readonly Outcome[] {
  const a = given.tensor('input')
  const all = solved(a)
  const length = sizeOfRows(a) * all.condition
  return [staged(perMatrix(all.signs, a), 0), staged(perMatrix(all.logs, a), length, 1)]
}

/** A vector on the right stands for one column, where the matrices are no batch of their own. */
function rightOf(a: NdArray, b: NdArray): { readonly matrix: NdArray; readonly isVector: boolean } {
  const isVector =
    b.shape.length === 1 ||
    (b.shape.length === a.shape.length - 1 && sameShape(b.shape, a.shape.slice(0, -1)))
  return { matrix: isVector ? reshape(b, [...b.shape, 1]) : b, isVector }
}

function solution(given: Given): readonly Outcome[] {
  const [a, b] = [given.tensor('input'), given.tensor('B')]
  if (!given.flag('left', true)) throw new Unsupported('unsupported', 'left')
  const all = solved(a)
  const { matrix, isVector } = rightOf(a, b)
  const values = matrices(all.inverse, matrix)
  return [
    eliminated(
      { ...(isVector ? reshape(values, values.shape.slice(0, -1)) : values), dtype: a.dtype },
      all,
      sizeOfRows(a),
    ),
  ]
}

function backOfSolution(call: BackwardCall): readonly Gradient[] {
  const grad = incoming(call)
  const [a, b] = [call.given.tensor('input'), call.given.tensor('B')]
  const { matrix, isVector } = rightOf(a, b)
  if (!grad || call.stored.length !== 2 || sizeOf(matrix.shape.slice(0, -2)) !== sizeOf(a.shape.slice(0, -2)))
    return []
  const all = solved(a)
  const g = isVector ? reshape(grad, [...grad.shape, 1]) : grad
  const forRight = matrices(transposed(all.inverse), g)
  const forLeft = map(matrices(forRight, swapped(matrices(all.inverse, matrix), -1, -2)), x => -x)
  const n = sizeOfRows(a)
  return [
    eliminated(forLeft, all, 2 * n, sizeOfGradient(grad)),
    eliminated(reshape(forRight, b.shape), all, n, sizeOfGradient(grad)),
  ]
}

function power(given: Given): readonly Outcome[] {
  const a = given.tensor('input')
  const n = given.number('n')
  if (!(Number.isInteger(n) && n > 0 && n < 64)) throw new Unsupported('unsupported', `matrix_power ${n}`)
  const of = (x: NdArray): NdArray => Array.from({ length: n - 1 }, () => x).reduce(product, x)
  return [summedInSteps(of(a), n * sizeOfRows(a), () => of(absolute(a)).data)]
}

/** The lower factor of a positive matrix. */
function factored(given: Given): readonly Outcome[] {
  const a = given.tensor('input')
  const all = solved(a)
  const n = sizeOfRows(a)
  const into = new Float64Array(a.data.length)
  for (let at = 0; at < into.length; at += n * n)
    for (let i = 0; i < n; i++)
      for (let j = 0; j <= i; j++) {
        let sum = a.data[at + i * n + j]
        for (let k = 0; k < j; k++) sum -= into[at + i * n + k] * into[at + j * n + k]
        into[at + i * n + j] = i === j ? Math.sqrt(sum) : sum / into[at + j * n + j]
      }
  const lower = { ...a, data: into }
  return [eliminated(given.flag('upper', false) ? swapped(lower, -1, -2) : lower, all, n)]
}

export const linalgOperations: readonly Operation[] = [
  operation('inverse linalg_inv', 'input', inverted, { backward: backOfInverse }),
  operation('det linalg_det', 'input', determinant, { backward: backOfDeterminant }),
  operation('logdet', 'input', logarithm),
  operation('slogdet linalg_slogdet', 'input', signed),
  operation('linalg_solve', 'input B | left', solution, { backward: backOfSolution }),
  operation('matrix_power linalg_matrix_power', 'input n', power),
  operation('cholesky linalg_cholesky', 'input upper', factored),
]
