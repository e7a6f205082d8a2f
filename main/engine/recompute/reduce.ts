// Reductions along axes: sums, means, extremes, norms, running sums, softmax.
import { type Given, isNumber } from './arguments.ts'
import {
  array,
  axesOf,
  axisOf,
  expand,
  map,
  multiply,
  type NdArray,
  reduced,
  reshape,
  type Rows,
  rowsOf,
  sizeOf,
  sumOver,
  withDtype,
} from './array.ts'
import { settled } from './binary.ts'
import {
  type BackwardCall,
  exact,
  followed,
  type Gradient,
  incoming,
  type Operation,
  operation,
  type Outcome,
  staged,
  step,
  summed,
} from './operation.ts'
import { floating } from './promote.ts'
import { isComplex, isFloat } from './rounding.ts'
import { placesAlong } from './ties.ts'
import { Unsupported } from './unsupported.ts'

/** What is reduced, and along which axes. */
interface Reduction {
  readonly a: NdArray
  readonly axes: readonly number[]
  readonly keep: boolean
  /** Elements that each result is made of. */
  readonly length: number
}

export function reductionOf(given: Given, input?: NdArray): Reduction {
  const a = input ?? given.operand('input')
  if (isComplex(a.dtype)) throw new Unsupported('unsupported', a.dtype)
  const axes = axesOf(given.ints('dim'), a.shape.length)
  return { a, axes, keep: given.flag('keepdim', false), length: sizeOf(axes.map(axis => a.shape[axis])) }
}

/** One number per row. */
function perRow({ a, axes, keep }: Reduction, of: (row: Float64Array) => number): NdArray {
  const rows = rowsOf(a, axes)
  const into = new Float64Array(rows.count)
  for (let i = 0; i < rows.count; i++)
    into[i] = of(rows.data.subarray(i * rows.length, (i + 1) * rows.length))
  return array(into, reduced(a.shape, axes, keep), a.dtype)
}

/** A reduced array, or its gradient, spread over the axes again. */
export function spread(values: NdArray, { a, axes }: Pick<Reduction, 'a' | 'axes'>): NdArray {
  return expand(reshape(values, reduced(a.shape, axes, true)), a.shape)
}

const sumOf = (row: Float64Array): number => {
  let sum = 0
  for (let i = 0; i < row.length; i++) sum += row[i]
  return sum
}

/** The type of sums: small integers become wide. */
const sumType = ({ a }: Reduction, given: Given): NdArray['dtype'] =>
  given.dtype('dtype') ?? (isFloat(a.dtype) ? a.dtype : 'int64')

function summedUp(given: Given): readonly Outcome[] {
  const reduction = reductionOf(given)
  const dtype = sumType(reduction, given)
  const values = withDtype(perRow(reduction, sumOf), dtype)
  if (!isFloat(dtype)) return [exact(settled(values))]
  const { axes, keep, a } = reduction
  return [summed(values, reduction.length, () => sumOver(map(a, Math.abs), axes, keep).data)]
}

function averaged(given: Given): readonly Outcome[] {
  const reduction = reductionOf(given)
  const { a, axes, keep, length } = reduction
  const dtype = given.dtype('dtype') ?? floating(a.dtype)
  const mean = (x: NdArray): NdArray => map(sumOver(x, axes, keep), sum => sum / length, dtype)
  return [summed(mean(a), length, () => mean(map(a, Math.abs)).data)]
}

/** Exact where what comes in is only copied. */
const backOfSum =
  (divided: boolean) =>
  (call: BackwardCall): readonly Gradient[] => {
    const grad = incoming(call)
    if (!grad) return [null]
    const reduction = reductionOf(call.given)
    const wide = spread(grad, reduction)
    return [divided ? step(map(wide, g => g / reduction.length)) : exact(wide)]
  }

function multiplied(given: Given): readonly Outcome[] {
  const reduction = reductionOf(given)
  const dtype = sumType(reduction, given)
  const values = withDtype(
    perRow(reduction, row => row.reduce((all, x) => all * x, 1)),
    dtype,
  )
  return [
    isFloat(dtype)
      ? { values, bound: { is: 'sum', length: reduction.length, terms: () => values.data.map(Math.abs) } }
      : exact(settled(values)),
  ]
}

function backOfProduct(call: BackwardCall): readonly Gradient[] {
  const grad = incoming(call)
  if (!grad) return [null]
  const reduction = reductionOf(call.given)
  const rows = rowsOf(reduction.a, reduction.axes)
  const others = new Float64Array(rows.data.length)
  for (let i = 0; i < rows.count; i++) productsOfOthers(rows.data, others, i * rows.length, rows.length)
  return [
    staged(multiply(spread(grad, reduction), array(rows.back(others), reduction.a.shape)), reduction.length),
  ]
}

/** For each element the product of all others of its row, also where some are zero. */
function productsOfOthers(data: Float64Array, into: Float64Array, from: number, length: number): void {
  let ahead = 1
  for (let i = 0; i < length; i++) {
    into[from + i] = ahead
    ahead *= data[from + i]
  }
  let behind = 1
  for (let i = length - 1; i >= 0; i--) {
    into[from + i] *= behind
    behind *= data[from + i]
  }
}

// ---------------------------------------- variance

function correction(given: Given): number {
  const named = given.raw('correction') ?? given.raw('unbiased')
  if (isNumber(named)) return named.value
  return 1
}

/** `var(input, unbiased)` gives a flag where others give axes. */
function spreadOf(given: Given): Reduction & { readonly less: number } {
  const first = given.raw('dim')
  if (isNumber(first) && first.kind === 'bool') {
    const a = given.operand('input')
    const axes = axesOf(null, a.shape.length)
    return { a, axes, keep: false, length: a.data.length, less: first.value }
  }
  return { ...reductionOf(given), less: correction(given) }
}

function variance(row: Float64Array, less: number): number {
  const mean = sumOf(row) / row.length
  let sum = 0
  for (let i = 0; i < row.length; i++) sum += (row[i] - mean) ** 2
  return sum / Math.max(0, row.length - less)
}

const spreads = (names: string, of: (x: number) => number): Operation =>
  operation(
    names,
    'input dim unbiased keepdim | correction',
    given => {
      const reduction = spreadOf(given)
      return [
        summed(
          perRow(reduction, row => of(variance(row, reduction.less))),
          2 * reduction.length,
        ),
      ]
    },
    {
      backward(call) {
        const grad = incoming(call)
        if (!grad) return [null]
        const reduction = spreadOf(call.given)
        const [result] = call.outputs()
        const means = spread(
          perRow(reduction, row => sumOf(row) / row.length),
          reduction,
        )
        const by = 2 / (reduction.length - reduction.less)
        const root = of(4) === 2
        const scale = root
          ? array(
              grad.data.map((g, i) => g / (2 * result.data[i])),
              grad.shape,
            )
          : grad
        const wide = spread(scale, reduction)
        const data = wide.data.map((g, i) => g * by * (reduction.a.data[i] - means.data[i]))
        return [staged(array(data, reduction.a.shape), reduction.length)]
      },
    },
  )

const spreadsWithMean = (names: string, of: (x: number) => number): Operation =>
  operation(names, 'input dim unbiased keepdim | correction', given => {
    const reduction = spreadOf(given)
    return [
      summed(
        perRow(reduction, row => of(variance(row, reduction.less))),
        2 * reduction.length,
      ),
      summed(
        perRow(reduction, row => sumOf(row) / row.length),
        reduction.length,
      ),
    ]
  })

// ---------------------------------------- norms

function orderOf(given: Given): number {
  const p = given.raw('p') ?? given.raw('ord')
  if (p === undefined || p === null || p === 'fro') return 2
  if (isNumber(p)) return p.value
  if (p === 'inf') return Infinity
  throw new Unsupported('unsupported', 'norm')
}

export function normOf(row: Float64Array, p: number): number {
  if (p === 2) return Math.sqrt(sumOf(row.map(x => x * x)))
  if (p === 1) return sumOf(row.map(Math.abs))
  if (p === Infinity) return row.reduce((most, x) => Math.max(most, Math.abs(x)), 0)
  if (p === -Infinity) return row.reduce((least, x) => Math.min(least, Math.abs(x)), Infinity)
  if (p === 0) return row.reduce((count, x) => count + Number(x !== 0), 0)
  return sumOf(row.map(x => Math.abs(x) ** p)) ** (1 / p)
}

function norm(given: Given): readonly Outcome[] {
  const reduction = reductionOf(given)
  const p = orderOf(given)
  return [
    summed(
      withDtype(
        perRow(reduction, row => normOf(row, p)),
        given.dtype('dtype') ?? reduction.a.dtype,
      ),
      reduction.length,
    ),
  ]
}

/** A norm of matrices that is one of their elements, too: that of Frobenius. */
function ofElements(given: Given): Given {
  const raw = given.raw('ord')
  const axes = given.ints('dim')?.length ?? given.operand('input').shape.length
  const isMatrix = axes === 2 && raw !== undefined && raw !== null
  if (isMatrix && raw !== 'fro') throw new Unsupported('unsupported', 'matrix norm')
  return given
}

/** Batches of matrices have axes of their own. */
function ofMatrix(given: Given): Given {
  if (given.operand('input').shape.length !== 2) throw new Unsupported('unsupported', 'matrix norm')
  return ofElements(given)
}

function backOfNorm(call: BackwardCall): readonly Gradient[] {
  const grad = incoming(call)
  if (!grad) return [null]
  const reduction = reductionOf(call.given)
  const p = orderOf(call.given)
  const norms = spread(call.outputs()[0], reduction)
  const wide = spread(grad, reduction)
  const slope = slopeOfNorm(p)
  const data = wide.data.map((g, i) =>
    norms.data[i] === 0 ? 0 : g * slope(reduction.a.data[i], norms.data[i]),
  )
  return [staged(array(data, reduction.a.shape), reduction.length)]
}

export function slopeOfNorm(p: number): (x: number, norm: number) => number {
  if (p === 2) return (x, norm) => x / norm
  if (p === 1) return x => Math.sign(x)
  if (!Number.isFinite(p) || p === 0) throw new Unsupported('unsupported', 'norm')
  return (x, norm) => (Math.sign(x) * Math.abs(x) ** (p - 1)) / norm ** (p - 1)
}

// ---------------------------------------- extremes

export type Better = (x: number, y: number) => boolean
export const greater: Better = (x, y) => x > y || (Number.isNaN(x) && !Number.isNaN(y))
export const less: Better = (x, y) => x < y || (Number.isNaN(x) && !Number.isNaN(y))

/** The place of the first of the best in a row. */
function placeOf(row: Float64Array, better: Better): number {
  let best = 0
  for (let i = 1; i < row.length; i++) if (better(row[i], row[best])) best = i
  return best
}

function placesOf(reduction: Reduction, better: Better): Outcome {
  const places = withDtype(
    perRow(reduction, row => placeOf(row, better)),
    'int64',
  )
  const { a, axes } = reduction
  return placesAlong(places, a, axes.length === 1 && a.shape.length > 1 ? axes[0] : null)
}

const extreme = (names: string, better: Better, mindsporePlaces: boolean): Operation =>
  operation(
    names,
    'input dim keepdim',
    given => {
      const raw = given.raw('dim') ?? given.raw('other')
      if (given.isTensor('dim') || given.isTensor('other')) {
        const [a, b] = [given.operand('input'), given.operand(given.isTensor('dim') ? 'dim' : 'other')]
        const shape = a.data.length >= b.data.length ? a.shape : b.shape
        const [x, y] = [expand(a, shape), expand(b, shape)]
        return [
          exact({
            ...x,
            data: x.data.map((v, i) => (better(v, y.data[i]) || v === y.data[i] ? v : y.data[i])),
          }),
        ]
      }
      const reduction = reductionOf(given)
      if (reduction.length === 0) throw new Unsupported('shapes', 'empty')
      const values = exact(perRow(reduction, row => row[placeOf(row, better)]))
      if ((raw === undefined || raw === null) && !mindsporePlaces) return [values]
      return [values, placesOf(reduction, better)]
    },
    { backward: call => backOfExtreme(call, better) },
  )

/** Along one axis the gradient goes to the chosen element; over all to every one that equals it. */
function backOfExtreme(call: BackwardCall, better: Better): readonly Gradient[] {
  const grad = incoming(call)
  if (!grad) return [null]
  const reduction = reductionOf(call.given)
  const { a, axes } = reduction
  const rows = rowsOf(a, axes)
  // The place that was stored tells which of several equal ones it came from.
  const places = call.outputs()[1]
  const alone = places !== undefined
  const into = new Float64Array(rows.data.length)
  for (let i = 0; i < rows.count; i++) {
    const row = rows.data.subarray(i * rows.length, (i + 1) * rows.length)
    const place = places ? places.data[i] : placeOf(row, better)
    const same = row.reduce((count, x) => count + Number(x === row[place]), 0)
    for (let j = 0; j < row.length; j++) {
      if (alone) into[i * rows.length + j] = j === place ? grad.data[i] : 0
      else if (row[j] === row[place]) into[i * rows.length + j] = grad.data[i] / same
    }
  }
  const values = array(rows.back(into), a.shape)
  return [alone ? exact(values) : step(values)]
}

const amplest = (names: string, better: Better): Operation =>
  operation(
    names,
    'input dim keepdim',
    given => {
      const reduction = reductionOf(given)
      return [exact(perRow(reduction, row => row[placeOf(row, better)]))]
    },
    { backward: call => backOfExtreme(call, better) },
  )

const placing = (names: string, better: Better): Operation =>
  operation(names, 'input dim keepdim', given => {
    return [placesOf(reductionOf(given), better)]
  })

const yes = (names: string, of: (row: Float64Array) => boolean): Operation =>
  operation(names, 'input dim keepdim', given => {
    const { dtype } = given.operand('input')
    const values = perRow(reductionOf(given), row => Number(of(row)))
    return [exact(withDtype(values, dtype === 'uint8' ? 'uint8' : 'bool'))]
  })

// ---------------------------------------- running sums

/** Each row changed in place. */
function alongRows(a: NdArray, dim: number, act: (row: Float64Array) => void): NdArray {
  if (a.shape.length === 0) return a
  const axis = axisOf(dim, a.shape.length)
  const rows = rowsOf(a, [axis])
  const data = rows.data.slice()
  for (let i = 0; i < rows.count; i++) act(data.subarray(i * rows.length, (i + 1) * rows.length))
  return { ...a, data: rows.back(data) }
}

const running =
  (of: (x: number, y: number) => number) =>
  (row: Float64Array): void => {
    for (let i = 1; i < row.length; i++) row[i] = of(row[i - 1], row[i])
  }

const accumulating = (
  names: string,
  of: (x: number, y: number) => number,
  back?: Operation['backward'],
): Operation =>
  operation(
    names,
    'input dim dtype',
    given => {
      const a = given.operand('input')
      const dtype = given.dtype('dtype') ?? (isFloat(a.dtype) ? a.dtype : 'int64')
      const dim = given.number('dim')
      const values = withDtype(alongRows(a, dim, running(of)), dtype)
      if (!isFloat(dtype)) return [exact(settled(values))]
      const length = a.shape[axisOf(dim, a.shape.length)] ?? 1
      return [summed(values, length, () => alongRows(map(a, Math.abs), dim, running(of)).data)]
    },
    back && { backward: back },
  )

function backOfCumsum(call: BackwardCall): readonly Gradient[] {
  const grad = incoming(call)
  if (!grad) return [null]
  const dim = call.given.number('dim')
  const turned = (a: NdArray): NdArray =>
    alongRows(a, dim, row => {
      for (let i = row.length - 2; i >= 0; i--) row[i] += row[i + 1]
    })
  const length = grad.shape[axisOf(dim, grad.shape.length)] ?? 1
  return [summed(turned(grad), length, () => turned(map(grad, Math.abs)).data)]
}

const runningExtreme = (names: string, better: Better): Operation =>
  operation(names, 'input dim', given => {
    const a = given.operand('input')
    const dim = given.number('dim')
    const places = alongRows(a, dim, row => {
      let best = 0
      const values = row.slice()
      for (let i = 0; i < row.length; i++) {
        if (i > 0 && (better(values[i], values[best]) || values[i] === values[best])) best = i
        row[i] = best
      }
    })
    const values = alongRows(a, dim, row => {
      for (let i = 1; i < row.length; i++) if (!better(row[i], row[i - 1])) row[i] = row[i - 1]
    })
    const axis = axisOf(dim, a.shape.length)
    const { ties } = placesAlong(places, a, axis, a.shape[axis])
    // One place may be the best of several results.
    return [
      exact(values),
      { ...exact(withDtype(places, 'int64')), ...(ties && { ties: { valueAt: ties.valueAt } }) },
    ]
  })

// ---------------------------------------- softmax

export function softmaxRow(row: Float64Array): void {
  const most = row.reduce((top, x) => Math.max(top, x), -Infinity)
  let sum = 0
  for (let i = 0; i < row.length; i++) {
    row[i] = Math.exp(row[i] - most)
    sum += row[i]
  }
  for (let i = 0; i < row.length; i++) row[i] /= sum
}

export function logSumExp(row: Float64Array): number {
  const most = row.reduce((top, x) => Math.max(top, x), -Infinity)
  if (!Number.isFinite(most)) return row.some(x => Number.isNaN(x)) ? NaN : most
  let sum = 0
  for (let i = 0; i < row.length; i++) sum += Math.exp(row[i] - most)
  return most + Math.log(sum)
}

export const softmaxOf = (a: NdArray, dim: number): NdArray => alongRows(a, dim, softmaxRow)

export const logSoftmaxOf = (a: NdArray, dim: number): NdArray =>
  alongRows(a, dim, row => {
    const total = logSumExp(row)
    for (let i = 0; i < row.length; i++) row[i] -= total
  })

/** Without an axis the framework chooses: 0 for 0, 1 and 3 axes, else 1. */
function softmaxDim(given: Given): number {
  const rank = given.operand('input').shape.length
  return given.number('dim', [0, 1, 3].includes(rank) ? 0 : 1)
}

const lengthAlong = (a: NdArray, dim: number): number => a.shape[axisOf(dim, a.shape.length)] ?? 1

function softmaxCall(
  given: Given,
  of: (a: NdArray, dim: number) => NdArray,
  sign: 1 | -1 = 1,
): readonly Outcome[] {
  const a = given.operand('input')
  const dim = softmaxDim(given)
  const dtype = given.dtype('dtype') ?? floating(a.dtype)
  return [staged(withDtype(of(sign === 1 ? a : map(a, x => -x), dim), dtype), lengthAlong(a, dim))]
}

/** Largest size of an incoming gradient: in these backward steps its errors do not shrink with the result. */
export const sizeOfGradient = (grad: NdArray): number =>
  grad.data.reduce((most, g) => (Number.isFinite(g) ? Math.max(most, Math.abs(g)) : most), 0)

/** y (g − Σ g y), or for the logarithm g − eʸ Σ g. */
export function softmaxGradient(y: NdArray, grad: NdArray, dim: number, logs: boolean): NdArray {
  const axis = axisOf(dim, y.shape.length)
  const rows: Rows = rowsOf(y, [axis])
  const grads = rowsOf(grad, [axis]).data
  const into = new Float64Array(rows.data.length)
  for (let i = 0; i < rows.count; i++) {
    const from = i * rows.length
    let sum = 0
    for (let j = from; j < from + rows.length; j++) sum += logs ? grads[j] : grads[j] * rows.data[j]
    for (let j = from; j < from + rows.length; j++)
      into[j] = logs ? grads[j] - Math.exp(rows.data[j]) * sum : rows.data[j] * (grads[j] - sum)
  }
  return array(rows.back(into), y.shape)
}

const backOfSoftmax =
  (logs: boolean) =>
  (call: BackwardCall): readonly Gradient[] => {
    const grad = incoming(call)
    if (!grad) return [null]
    const [y] = call.outputs()
    if (y.shape.length === 0) return [null]
    const dim = softmaxDim(call.given)
    return [softmaxGradientCall(y, grad, dim, logs)]
  }

/** Devices make exponentials of float32 that are off by some steps, as long sums are. */
export const ofExponentials = 32

function softmaxGradientCall(y: NdArray, grad: NdArray, dim: number, logs: boolean): Outcome {
  const terms = (): Float64Array => softmaxRoundings(y, grad, dim, logs)
  return followed(softmaxGradient(y, grad, dim, logs), lengthAlong(y, dim) + ofExponentials, terms)
}

/** What the rounded result, products with it and their sum come to, in units of one rounding. */
function softmaxRoundings(y: NdArray, grad: NdArray, dim: number, logs: boolean): Float64Array {
  const axis = axisOf(dim, y.shape.length)
  const rows = rowsOf(y, [axis])
  const grads = rowsOf(grad, [axis]).data
  const into = new Float64Array(rows.data.length)
  for (let i = 0; i < rows.count; i++) {
    const from = i * rows.length
    let sum = 0
    for (let j = from; j < from + rows.length; j++) sum += Math.abs(logs ? grads[j] : grads[j] * rows.data[j])
    for (let j = from; j < from + rows.length; j++)
      into[j] = logs
        ? Math.abs(grads[j]) + Math.exp(rows.data[j]) * (1 + Math.abs(finite(rows.data[j]))) * sum
        : rows.data[j] * (Math.abs(grads[j]) + 2 * sum)
  }
  return rows.back(into)
}

const finite = (x: number): number => (Number.isFinite(x) ? x : 0)

/** The gradient as a call of its own. */
function softmaxBackward(given: Given): readonly Outcome[] {
  const [grad, y] = [given.tensor('grad_output'), given.tensor('output')]
  const dim = given.number('dim')
  return [softmaxGradientCall(y, grad, dim, false)]
}

function maskedSoftmax(given: Given): readonly Outcome[] {
  const a = given.operand('input')
  const by = given.number('scale', 1)
  const mask = given.maybe('mask')
  const hidden = mask && expand(mask, a.shape)
  const scores = { ...a, data: a.data.map((x, i) => (hidden && hidden.data[i] !== 0 ? -10000 : x * by)) }
  return [staged(softmaxOf(scores, -1), lengthAlong(a, -1))]
}

export const reduceOperations: readonly Operation[] = [
  operation('sum ReduceSum reduce_sum', 'input dim keepdim | dtype', summedUp, {
    backward: backOfSum(false),
  }),
  operation('nansum', 'input dim keepdim | dtype', given => {
    const reduction = reductionOf(
      given,
      map(given.operand('input'), x => (Number.isNaN(x) ? 0 : x)),
    )
    return [summed(perRow(reduction, sumOf), reduction.length)]
  }),
  operation('mean ReduceMean reduce_mean', 'input dim keepdim | dtype', averaged, {
    backward: backOfSum(true),
  }),
  operation('prod', 'input dim keepdim | dtype', multiplied, { backward: backOfProduct }),
  spreads('var', x => x),
  spreads('std', Math.sqrt),
  spreadsWithMean('var_mean', x => x),
  spreadsWithMean('std_mean', Math.sqrt),
  operation('norm', 'input p dim keepdim dtype', norm, { backward: backOfNorm }),
  operation('linalg_norm', 'input ord dim keepdim | dtype', given => norm(ofElements(given)), {
    backward: call => backOfNorm({ ...call, given: ofElements(call.given) }),
  }),
  operation('linalg_matrix_norm', 'input ord dim keepdim | dtype', given => norm(ofMatrix(given)), {
    backward: call => backOfNorm({ ...call, given: ofMatrix(call.given) }),
  }),
  operation('frobenius_norm', 'input dim keepdim', norm, { backward: backOfNorm }),
  operation('_foreach_norm', 'tensors ord | dtype', given =>
    given.tensors('tensors').map(a => {
      const dtype = given.dtype('dtype') ?? a.dtype
      return summed(array(Float64Array.of(normOf(a.data, orderOf(given))), [], dtype), a.data.length)
    }),
  ),
  operation('linalg_vector_norm vector_norm', 'input ord dim keepdim | dtype', norm, {
    backward: backOfNorm,
  }),
  extreme('max', greater, false),
  extreme('min', less, false),
  amplest('amax', greater),
  amplest('amin', less),
  operation('aminmax', 'input dim keepdim', given => {
    const reduction = reductionOf(given)
    return [less, greater].map(better => exact(perRow(reduction, row => row[placeOf(row, better)])))
  }),
  placing('argmax', greater),
  placing('argmin', less),
  yes('any', row => row.some(x => x !== 0)),
  yes('all', row => row.every(x => x !== 0)),
  operation('count_nonzero', 'input dim keepdim', given => [
    exact(
      withDtype(
        perRow(reductionOf(given), row => row.reduce((count, x) => count + Number(x !== 0), 0)),
        'int64',
      ),
    ),
  ]),
  operation(
    'logsumexp',
    'input dim keepdim',
    given => {
      const reduction = reductionOf(given)
      return [staged(perRow(reduction, logSumExp), reduction.length)]
    },
    {
      backward(call) {
        const grad = incoming(call)
        if (!grad) return [null]
        const reduction = reductionOf(call.given)
        const totals = spread(call.outputs()[0], reduction)
        const wide = spread(grad, reduction)
        const data = wide.data.map((g, i) => g * Math.exp(reduction.a.data[i] - totals.data[i]))
        return [staged(array(data, reduction.a.shape), reduction.length, sizeOfGradient(grad))]
      },
    },
  ),
  accumulating('cumsum', (x, y) => x + y, backOfCumsum),
  operation('logcumsumexp', 'input dim', given => {
    const a = given.operand('input')
    const dim = given.number('dim')
    const values = alongRows(a, dim, row => {
      let most = -Infinity
      let sum = 0
      for (let i = 0; i < row.length; i++) {
        const next = Math.max(most, row[i])
        if (next > -Infinity) sum = sum * Math.exp(most - next) + Math.exp(row[i] - next)
        most = next
        row[i] = next === -Infinity ? next : next + Math.log(sum)
      }
    })
    return [staged(values, lengthAlong(a, dim))]
  }),
  accumulating('cumprod', (x, y) => x * y),
  runningExtreme('cummax', greater),
  runningExtreme('cummin', less),
  operation('_softmax_backward_data', 'grad_output output dim input_dtype', softmaxBackward),
  operation(
    'softmax Softmax _softmax',
    'input dim _stacklevel dtype',
    given => softmaxCall(given, softmaxOf),
    { backward: backOfSoftmax(false) },
  ),
  operation(
    'log_softmax LogSoftmax',
    'input dim _stacklevel dtype',
    given => softmaxCall(given, logSoftmaxOf),
    { backward: backOfSoftmax(true) },
  ),
  operation('softmin', 'input dim _stacklevel dtype', given => softmaxCall(given, softmaxOf, -1)),
  operation(
    'npu_scaled_masked_softmax scaled_masked_softmax',
    'input mask scale fixed_triu_mask',
    maskedSoftmax,
  ),
]
