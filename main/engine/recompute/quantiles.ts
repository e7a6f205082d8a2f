// Order statistics: medians, quantiles, differences of neighbours.
import { type Given, isNumber } from './arguments.ts'
import { array, axisOf, map, type NdArray, reduced, reshape, rowsOf, sameShape, sumOver } from './array.ts'
import { reshapedOnly } from './matmul.ts'
import {
  type BackwardCall,
  exact,
  type Gradient,
  incoming,
  type Operation,
  operation,
  type Outcome,
  step,
  summed,
  summedInSteps,
} from './operation.ts'
import { floatFormat } from './rounding.ts'
import { placesAlong } from './ties.ts'
import { joined, picked } from './shapes.ts'
import { Unsupported } from './unsupported.ts'

const ascending = (row: Float64Array): Float64Array => row.slice().sort((x, y) => x - y)
const withoutNan = (row: Float64Array): Float64Array => row.filter(x => !Number.isNaN(x))

// ---------------------------------------- medians

interface Median {
  readonly values: NdArray
  readonly places: Outcome
}

/** The lower one of two in the middle. */
function medianOf(row: Float64Array, skipsNan: boolean): number {
  const own = skipsNan ? withoutNan(row) : row
  if (own.length === 0 || own.some(Number.isNaN)) return NaN
  return ascending(own)[Math.floor((own.length - 1) / 2)]
}

function mediansOf(given: Given, skipsNan: boolean): Median {
  const a = given.operand('input')
  const axis = given.has('dim') && a.shape.length > 0 ? axisOf(given.number('dim'), a.shape.length) : null
  const axes = axis === null ? a.shape.map((_, i) => i) : [axis]
  const rows = rowsOf(a, axes)
  const shape = reduced(a.shape, axes, given.flag('keepdim', false) && axis !== null)
  const [values, places] = [new Float64Array(rows.count), new Float64Array(rows.count)]
  for (let i = 0; i < rows.count; i++) {
    const row = rows.data.subarray(i * rows.length, (i + 1) * rows.length)
    values[i] = medianOf(row, skipsNan)
    places[i] = Math.max(
      0,
      row.findIndex(x => x === values[i] || (Number.isNaN(x) && Number.isNaN(values[i]))),
    )
  }
  return {
    values: array(values, shape, a.dtype),
    places: placesAlong(array(places, shape, 'int64'), a, axis),
  }
}

const median = (name: string, skipsNan: boolean): Operation =>
  operation(
    name,
    'input dim keepdim',
    given => {
      const { values, places } = mediansOf(given, skipsNan)
      return given.has('dim') ? [exact(values), places] : [exact(values)]
    },
    {
      backward(call) {
        const grad = incoming(call)
        const a = call.given.operand('input')
        if (!grad) return []
        const [values, places] = call.outputs()
        if (!places) return [amongEqual(a, values.data[0], grad.data[0])]
        const rows = rowsOf(a, [axisOf(call.given.number('dim'), a.shape.length)])
        const into = new Float64Array(a.data.length)
        for (let i = 0; i < rows.count; i++) into[i * rows.length + places.data[i]] = grad.data[i]
        return [exact(array(rows.back(into), a.shape))]
      },
    },
  )

/** Over all elements those that equal the median share its gradient. */
function amongEqual(a: NdArray, value: number, grad: number): Outcome {
  const same = (x: number): boolean => x === value || (Number.isNaN(x) && Number.isNaN(value))
  const count = a.data.reduce((sum, x) => sum + Number(same(x)), 0)
  return step(map(a, x => (same(x) ? grad / count : 0), 'float64'))
}

// ---------------------------------------- quantiles

interface Between {
  readonly low: number
  readonly high: number
  readonly share: number
}

type Rule = (rank: number) => readonly [number, number]
const even = (x: number): number => {
  const floor = Math.floor(x)
  return x - floor === 0.5 ? floor + (floor % 2) : Math.round(x)
}
/** Where the lower of two neighbours stands, and how far from it to the upper one. */
const rules: Readonly<Record<string, Rule>> = {
  linear: rank => [Math.floor(rank), rank - Math.floor(rank)],
  lower: rank => [Math.floor(rank), 0],
  higher: rank => [Math.ceil(rank), 0],
  nearest: rank => [even(rank), 0],
  midpoint: rank => [Math.floor(rank), Number.isInteger(rank) ? 0 : 0.5],
}

interface Quantiles {
  readonly found: readonly Between[]
  readonly shape: readonly number[]
}

function quantilesOf(given: Given, skipsNan: boolean): Quantiles {
  const a = given.operand('input')
  const source = given.has('dim') ? a : reshape(a, [a.data.length])
  const axis = axisOf(given.number('dim', 0), source.shape.length)
  const rows = rowsOf(source, [axis])
  const raw = given.raw('q')
  const format = floatFormat(a.dtype)
  const rule = rules[given.text('interpolation', 'linear')]
  if (!rule || !format) throw new Unsupported('arguments', 'interpolation')
  const wanted = given.operand('q')
  const found: Between[] = []
  for (const q of wanted.data)
    for (let i = 0; i < rows.count; i++) {
      const row = rows.data.subarray(i * rows.length, (i + 1) * rows.length)
      const own = withoutNan(row)
      const spoilt = own.length === 0 || (!skipsNan && own.length < row.length)
      // Ranks are numbers of the input's type: where they round up to a whole one, another element is meant.
      const [at, share] = rule(format.round(format.round(q) * (own.length - 1)))
      const sorted = ascending(own)
      const low = spoilt ? NaN : sorted[at]
      found.push({ low, high: share === 0 ? low : sorted[at + 1], share })
    }
  const keep = given.flag('keepdim', false)
  const axes = given.has('dim') ? [axis] : a.shape.map((_, i) => i)
  const rest = reduced(a.shape, axes, keep)
  return { found, shape: isNumber(raw) || wanted.shape.length === 0 ? rest : [wanted.data.length, ...rest] }
}

const quantile = (name: string, skipsNan: boolean): Operation =>
  operation(
    name,
    'input q dim keepdim | interpolation',
    given => {
      const { found, shape } = quantilesOf(given, skipsNan)
      const { dtype } = given.operand('input')
      const values = array(
        Float64Array.from(found, ({ low, high, share }) => low + share * (high - low)),
        shape,
        dtype,
      )
      return [
        summed(values, 1, () => Float64Array.from(found, ({ low, high }) => Math.abs(low) + Math.abs(high))),
      ]
    },
    {
      // The last node takes an axis away that sorting had put there.
      backward(call) {
        const inner = reshapedOnly(call)
        return inner ? [inner] : []
      },
    },
  )

// ---------------------------------------- neighbours

function difference(given: Given): readonly Outcome[] {
  const a = given.operand('input')
  const axis = axisOf(given.number('dim', -1), a.shape.length)
  const times = given.number('n', 1)
  if (!(times >= 0 && times < 64)) throw new Unsupported('arguments', 'n')
  const whole = (of: (one: NdArray) => NdArray): NdArray =>
    joined(
      [
        ...(given.has('prepend') ? [of(given.tensor('prepend'))] : []),
        of(a),
        ...(given.has('append') ? [of(given.tensor('append'))] : []),
      ],
      axis,
    )
  const neighbours = (one: NdArray, by: number): NdArray => {
    const count = Math.max(0, one.shape[axis] - 1)
    const order = Array.from({ length: count }, (_, i) => i)
    const [first, second] = [
      picked(one, axis, order),
      picked(
        one,
        axis,
        order.map(i => i + 1),
      ),
    ]
    return { ...second, data: second.data.map((x, i) => x + by * first.data[i]) }
  }
  const repeated = (one: NdArray, by: number): NdArray => {
    let values = one
    for (let i = 0; i < times; i++) values = neighbours(values, by)
    return values
  }
  const values = repeated(
    whole(one => one),
    -1,
  )
  if (a.dtype === 'bool') throw new Unsupported('unsupported', 'bool')
  if (!floatFormat(a.dtype)) return [exact(values)]
  if (times < 2) return [step(values)]
  const terms = (): Float64Array =>
    repeated(
      whole(one => map(one, Math.abs)),
      1,
    ).data
  return [summedInSteps(values, times, terms)]
}

/** The last node takes one neighbour from the other. */
function backOfDifference(call: BackwardCall): readonly Gradient[] {
  const grad = incoming(call)
  if (!grad || call.given.number('n', 1) < 1 || call.stored.length !== 2) return []
  if (!call.stored.every(shape => shape && sameShape(shape, grad.shape))) return []
  return [exact(grad), exact(map(grad, g => -g))]
}

// ---------------------------------------- areas

function area(given: Given): readonly Outcome[] {
  const y = given.tensor('y')
  const axis = axisOf(given.number('dim', -1), y.shape.length)
  const x = given.has('x') && given.isTensor('x') ? given.tensor('x') : null
  const width = given.number('dx', 1)
  const order = Array.from({ length: Math.max(0, y.shape[axis] - 1) }, (_, i) => i)
  const next = order.map(i => i + 1)
  const wide = (of: NdArray, size: (v: number) => number, by: number): NdArray => {
    const [low, high] = [picked(of, axis, order), picked(of, axis, next)]
    if (!x) return { ...low, data: low.data.map((v, i) => ((size(v) + size(high.data[i])) * width) / 2) }
    const along = x.shape.length === 1 ? 0 : axis
    const [from, to] = [picked(x, along, order), picked(x, along, next)]
    const gap = (i: number): number => {
      const at = from.data.length === low.data.length ? i : Math.floor(i / inner) % order.length
      return size(to.data[at]) + by * size(from.data[at])
    }
    const inner = low.shape.slice(axis + 1).reduce((product, dim) => product * dim, 1)
    return { ...low, data: low.data.map((v, i) => ((size(v) + size(high.data[i])) * gap(i)) / 2) }
  }
  const values = {
    ...sumOver(
      wide(y, v => v, -1),
      [axis],
    ),
    dtype: y.dtype,
  }
  const terms = (): Float64Array => sumOver(wide(y, Math.abs, 1), [axis]).data
  return [summedInSteps(values, order.length, terms)]
}

export const quantileOperations: readonly Operation[] = [
  median('median', false),
  median('nanmedian', true),
  quantile('quantile', false),
  quantile('nanquantile', true),
  operation('diff', 'input n dim prepend append', difference, { backward: backOfDifference }),
  operation('trapz trapezoid', 'y x | dx dim', area, {
    // Half of the sum, by the last node.
    backward(call) {
      const grad = incoming(call)
      return grad && call.stored.length === 1 ? [exact(map(grad, g => g / 2))] : []
    },
  }),
]
