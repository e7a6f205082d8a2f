// Normalizations: by layer, group, batch, instance, root mean square, and by norm.
import type { Given } from './arguments.ts'
import {
  array,
  axesOf,
  axisOf,
  map,
  multiply,
  type NdArray,
  rowsOf,
  sameShape,
  sizeOf,
  sumOver,
  expand,
} from './array.ts'
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
  summedAsStored,
  summedInSteps,
} from './operation.ts'
import { fitting, reshapedOnly } from './matmul.ts'
import { normOf, sizeOfGradient, spread } from './reduce.ts'
import { Unsupported } from './unsupported.ts'

/** An array as rows that are normalized one by one, with what their mean and deviation were. */
interface Normalized {
  /** (x − mean) / deviation, in the order of the array. */
  readonly hat: Float64Array
  /** One per row. */
  readonly means: Float64Array
  readonly inverse: Float64Array
  readonly length: number
}

function normalizeRows(a: Float64Array, length: number, eps: number, centred = true): Normalized {
  const count = length ? a.length / length : 0
  const hat = new Float64Array(a.length)
  const means = new Float64Array(count)
  const inverse = new Float64Array(count)
  for (let row = 0; row < count; row++) {
    const from = row * length
    let mean = 0
    if (centred) for (let i = from; i < from + length; i++) mean += a[i] / length
    let square = 0
    for (let i = from; i < from + length; i++) square += (a[i] - mean) ** 2
    const by = 1 / Math.sqrt(square / length + eps)
    means[row] = mean
    inverse[row] = by
    for (let i = from; i < from + length; i++) hat[i] = (a[i] - mean) * by
  }
  return { hat, means, inverse, length }
}

/** A row far from zero beside its deviation: what rounds there is this much of the result, one per element. */
const leverage = ({ inverse, length }: Normalized, data: Float64Array): Float64Array =>
  data.map((x, i) => Math.abs(x) * inverse[Math.floor(i / length)])

/** How far a gradient is stretched by it at most. */
const mostLeverage = ({ means, inverse }: Normalized): number =>
  means.reduce(
    (most, mean, row) => Math.max(most, inverse[row] * Math.max(1, Math.abs(mean) * inverse[row])),
    1,
  )

const withLeverage = (hat: Float64Array, by: Float64Array, grads: Float64Array): Float64Array =>
  hat.map((x, i) => (Math.abs(x) + by[i]) * grads[i])

const absolute = (a: NdArray): NdArray => map(a, Math.abs)

const normed = (values: NdArray, length: number, terms: () => Float64Array): Outcome => ({
  values,
  bound: { is: 'sum', length, stages: true, terms },
})

/** The gradient of a normalized row: what is left of the incoming one without its mean and its part along the row. */
function backOfRows({ hat, inverse, length }: Normalized, grads: Float64Array, centred = true): Float64Array {
  const into = new Float64Array(grads.length)
  for (let row = 0; row < inverse.length; row++) {
    const from = row * length
    let mean = 0
    let along = 0
    for (let i = from; i < from + length; i++) {
      mean += grads[i] / length
      along += (grads[i] * hat[i]) / length
    }
    for (let i = from; i < from + length; i++)
      into[i] = inverse[row] * (grads[i] - (centred ? mean : 0) - hat[i] * along)
  }
  return into
}

// ---------------------------------------- by layer

/** Elements that are normalized together: the last axes. */
function layerLength(given: Given, a: NdArray): number {
  const shape = given.ints('normalized_shape') ?? a.shape.slice(-1)
  if (!sameShape(a.shape.slice(a.shape.length - shape.length), shape))
    throw new Unsupported('shapes', 'normalized_shape')
  return sizeOf(shape)
}

/** A result per element of the last axes, repeated. */
function affine(hat: Float64Array, weight: NdArray | null, bias: NdArray | null): Float64Array {
  if (!weight && !bias) return hat
  const length = (weight ?? bias)?.data.length ?? 1
  return hat.map((x, i) => x * (weight ? weight.data[i % length] : 1) + (bias ? bias.data[i % length] : 0))
}

function layerNorm(given: Given): readonly Outcome[] {
  const a = given.tensor('input')
  const length = layerLength(given, a)
  const rows = normalizeRows(a.data, length, given.number('eps', 1e-5))
  const [weight, bias] = [given.maybe('weight'), given.maybe('bias')]
  const terms = (): Float64Array => affine(leverage(rows, a.data), weight && absolute(weight), null)
  return [normed({ ...a, data: affine(rows.hat, weight, bias) }, length, terms)]
}

const perColumn = (grads: Float64Array, length: number, shape: readonly number[]): NdArray => {
  const into = new Float64Array(length)
  for (let i = 0; i < grads.length; i++) into[i % length] += grads[i]
  return array(into, shape)
}

function weightGradient(values: Float64Array, weight: NdArray, sizes = () => values): Outcome {
  const { length } = weight.data
  const terms = (): Float64Array => perColumn(sizes().map(Math.abs), length, weight.shape).data
  return summedInSteps(perColumn(values, length, weight.shape), values.length / Math.max(1, length), terms)
}

function biasGradient({ data }: NdArray, { data: { length }, shape }: NdArray): Outcome {
  const terms = (): Float64Array => perColumn(data.map(Math.abs), length, shape).data
  return summedAsStored(perColumn(data, length, shape), data.length / Math.max(1, length), terms)
}

function backOfLayerNorm(call: BackwardCall): readonly Gradient[] {
  const grad = incoming(call)
  if (!grad) return [null, null, null]
  const { given } = call
  const a = given.tensor('input')
  const [weight, bias] = [given.maybe('weight'), given.maybe('bias')]
  const length = layerLength(given, a)
  const rows = normalizeRows(a.data, length, given.number('eps', 1e-5))
  const inner = affine(grad.data, weight, null)
  const also = sizeOfGradient(grad)
  return [
    staged(array(backOfRows(rows, inner), a.shape), length, also * mostLeverage(rows)),
    weight &&
      weightGradient(
        rows.hat.map((x, i) => x * grad.data[i]),
        weight,
        () => withLeverage(rows.hat, leverage(rows, a.data), grad.data),
      ),
    bias && biasGradient(grad, bias),
  ]
}

/** MindSpore's primitive says by the weight's shape how many axes it takes. */
function layerNormPrimitive(given: Given): readonly Outcome[] {
  const a = given.tensor('input')
  const weight = given.tensor('weight')
  const length = weight.data.length
  const rows = normalizeRows(a.data, length, given.number('eps', 1e-7))
  const shape = [...a.shape.slice(0, a.shape.length - weight.shape.length), ...weight.shape.map(() => 1)]
  const spreads = map(array(rows.inverse, shape), x => 1 / (x * x))
  return [
    staged({ ...a, data: affine(rows.hat, weight, given.maybe('bias')) }, length),
    staged(array(rows.means, shape), length),
    staged(spreads, length),
  ]
}

// ---------------------------------------- by root mean square

function rmsLength(given: Given, a: NdArray): number {
  const weight = given.maybe('weight')
  const shape = given.ints('normalized_shape')
  return shape ? sizeOf(shape) : (weight?.data.length ?? a.shape.at(-1) ?? 1)
}

function rmsNorm(given: Given, fallback: number): readonly Outcome[] {
  const a = given.tensor('input')
  const length = rmsLength(given, a)
  const rows = normalizeRows(a.data, length, given.number('eps', fallback), false)
  const values = staged({ ...a, data: affine(rows.hat, given.maybe('weight'), null) }, length)
  const outer = [...a.shape.slice(0, -1), 1]
  return sizeOf(outer) === rows.inverse.length
    ? [values, staged(array(rows.inverse, outer), length)]
    : [values]
}

function backOfRmsNorm(call: BackwardCall): readonly Gradient[] {
  const grad = incoming(call)
  if (!grad) return [null, null]
  const a = call.given.tensor('input')
  const weight = call.given.maybe('weight')
  const length = rmsLength(call.given, a)
  const rows = normalizeRows(a.data, length, call.given.number('eps', 1e-6), false)
  const inner = affine(grad.data, weight, null)
  return [
    staged(array(backOfRows(rows, inner, false), a.shape), length, sizeOfGradient(grad)),
    weight &&
      weightGradient(
        rows.hat.map((x, i) => x * grad.data[i]),
        weight,
      ),
  ]
}

/** First the sum of two tensors, then its norm; the sum is a result as well. */
function addRmsNorm(given: Given): readonly Outcome[] {
  const [a, b, weight] = [given.tensor('input'), given.tensor('other'), given.tensor('weight')]
  const sum = { ...a, data: a.data.map((x, i) => x + b.data[i]) }
  const rows = normalizeRows(sum.data, weight.data.length, given.number('eps', 1e-6), false)
  const length = weight.data.length
  return [
    staged({ ...a, data: affine(rows.hat, weight, null) }, length),
    staged(array(rows.inverse, [...a.shape.slice(0, -1), 1]), length),
    staged(sum),
  ]
}

// ---------------------------------------- by channel

/** Weights per channel of an array [batch, channels, …]. */
const perChannel = (a: NdArray, weight: NdArray | null, none: number): ((i: number) => number) => {
  if (!weight) return () => none
  const inner = sizeOf(a.shape.slice(2))
  const count = a.shape[1]
  if (weight.data.length !== count) throw new Unsupported('shapes', 'weight')
  return i => weight.data[Math.floor(i / inner) % count]
}

/** Sums over everything but the channels. */
function overChannels(data: Float64Array, a: NdArray): NdArray {
  const axes = a.shape.map((_, axis) => axis).filter(axis => axis !== 1)
  return sumOver(array(data, a.shape), axes)
}

function channelGradient(
  data: Float64Array,
  a: NdArray,
  sizes = () => data,
  by: typeof summedInSteps = summedInSteps,
): Outcome {
  const values = overChannels(data, a)
  const length = a.data.length / Math.max(1, values.data.length)
  return by(values, length, () => overChannels(sizes().map(Math.abs), a).data)
}

const channelSum = ({ data }: NdArray, a: NdArray): Outcome =>
  channelGradient(data, a, () => data, summedAsStored)

const groupLength = (a: NdArray, groups: number): number => a.data.length / (a.shape[0] * groups)

function groupNorm(given: Given): readonly Outcome[] {
  const a = given.tensor('input')
  const length = groupLength(a, given.number('num_groups'))
  const rows = normalizeRows(a.data, length, given.number('eps', 1e-5))
  const [by, plus] = [perChannel(a, given.maybe('weight'), 1), perChannel(a, given.maybe('bias'), 0)]
  const terms = (): Float64Array => leverage(rows, a.data).map((x, i) => x * Math.abs(by(i)))
  return [normed({ ...a, data: rows.hat.map((x, i) => x * by(i) + plus(i)) }, length, terms)]
}

function backOfGroupNorm(call: BackwardCall): readonly Gradient[] {
  const grad = incoming(call)
  if (!grad) return [null, null, null]
  const { given } = call
  const a = given.tensor('input')
  const [weight, bias] = [given.maybe('weight'), given.maybe('bias')]
  const length = groupLength(a, given.number('num_groups'))
  const rows = normalizeRows(a.data, length, given.number('eps', 1e-5))
  const by = perChannel(a, weight, 1)
  return [
    staged(
      array(
        backOfRows(
          rows,
          grad.data.map((g, i) => g * by(i)),
        ),
        a.shape,
      ),
      length,
      sizeOfGradient(grad) * mostLeverage(rows),
    ),
    weight &&
      channelGradient(
        rows.hat.map((x, i) => x * grad.data[i]),
        a,
        () => withLeverage(rows.hat, leverage(rows, a.data), grad.data),
      ),
    bias && channelSum(grad, a),
  ]
}

/** Channels in front, so that each is a row. */
interface Batch {
  readonly hat: Float64Array
  readonly rows: Normalized
  /** In the order of the rows, and back. */
  forth(data: Float64Array): Float64Array
  back(data: Float64Array): Float64Array
}

function batchOf(given: Given, a: NdArray, training: boolean): Batch {
  const axes = a.shape.map((_, axis) => axis).filter(axis => axis !== 1)
  const order = rowsOf(a, axes)
  const eps = given.number('eps', 1e-5)
  const forth = (data: Float64Array): Float64Array => rowsOf(array(data, a.shape), axes).data
  if (training) {
    const rows = normalizeRows(order.data, order.length, eps)
    return { rows, hat: order.back(rows.hat), forth, back: data => order.back(data) }
  }
  const [mean, variance] = [given.tensor('running_mean'), given.tensor('running_var')]
  const inverse = variance.data.map(x => 1 / Math.sqrt(x + eps))
  const hat = order.data.map((x, i) => {
    const row = Math.floor(i / order.length)
    return (x - mean.data[row]) * inverse[row]
  })
  const rows = { hat, means: mean.data, inverse, length: order.length }
  return { rows, hat: order.back(hat), forth, back: data => order.back(data) }
}

function batchNorm(given: Given, training: boolean): readonly Outcome[] {
  const a = given.tensor('input')
  const batch = batchOf(given, a, training)
  const [by, plus] = [perChannel(a, given.maybe('weight'), 1), perChannel(a, given.maybe('bias'), 0)]
  const terms = (): Float64Array =>
    batch.back(leverage(batch.rows, batch.forth(a.data))).map((x, i) => x * Math.abs(by(i)))
  return [normed({ ...a, data: batch.hat.map((x, i) => x * by(i) + plus(i)) }, batch.rows.length, terms)]
}

function backOfBatchNorm(call: BackwardCall): readonly Gradient[] {
  const grad = incoming(call)
  if (!grad) return [null, null, null]
  const { given } = call
  const a = given.tensor('input')
  const training = given.flag('training', false)
  const [weight, bias] = [given.maybe('weight'), given.maybe('bias')]
  const batch = batchOf(given, a, training)
  const by = perChannel(a, weight, 1)
  const inner = grad.data.map((g, i) => g * by(i))
  const { rows } = batch
  const first = training
    ? batch.back(backOfRows(rows, batch.forth(inner)))
    : batch.back(batch.forth(inner).map((g, i) => g * rows.inverse[Math.floor(i / rows.length)]))
  return [
    staged(array(first, a.shape), rows.length, sizeOfGradient(grad) * mostLeverage(rows)),
    weight &&
      channelGradient(
        batch.hat.map((x, i) => x * grad.data[i]),
        a,
        () => withLeverage(batch.hat, batch.back(leverage(rows, batch.forth(a.data))), grad.data),
      ),
    bias && channelSum(grad, a),
  ]
}

function instanceNorm(given: Given): readonly Outcome[] {
  const a = given.tensor('input')
  if (!given.flag('use_input_stats', true)) return batchNorm(given, false)
  const length = sizeOf(a.shape.slice(2))
  const rows = normalizeRows(a.data, length, given.number('eps', 1e-5))
  const [by, plus] = [perChannel(a, given.maybe('weight'), 1), perChannel(a, given.maybe('bias'), 0)]
  const terms = (): Float64Array => leverage(rows, a.data).map((x, i) => x * Math.abs(by(i)))
  return [normed({ ...a, data: rows.hat.map((x, i) => x * by(i) + plus(i)) }, length, terms)]
}

/** The last node gives the batch norm inside its shape back. */
const innerOnly = (call: BackwardCall): readonly Gradient[] => {
  const inner = reshapedOnly(call)
  return inner ? [inner] : []
}

// ---------------------------------------- others

function localResponse(given: Given): { readonly a: NdArray; readonly divisor: Float64Array } {
  const a = given.tensor('input')
  const size = given.number('size')
  const [alpha, beta, k] = [given.number('alpha', 1e-4), given.number('beta', 0.75), given.number('k', 1)]
  const channels = a.shape[1]
  const inner = sizeOf(a.shape.slice(2))
  const before = Math.floor(size / 2)
  const divisor = a.data.map((_, i) => {
    const channel = Math.floor(i / inner) % channels
    let sum = 0
    for (let c = channel - before; c < channel - before + size; c++)
      if (c >= 0 && c < channels) sum += a.data[i + (c - channel) * inner] ** 2
    return ((sum / size) * alpha + k) ** beta
  })
  return { a, divisor }
}

function backOfDivision(grad: NdArray, a: NdArray, divisor: NdArray): readonly Outcome[] {
  return [
    staged(
      array(
        grad.data.map((g, i) => g / divisor.data[i]),
        a.shape,
      ),
    ),
    staged(
      array(
        grad.data.map((g, i) => (-g * a.data[i]) / divisor.data[i] ** 2),
        a.shape,
      ),
    ),
  ]
}

/** The norm along an axis, never below eps, spread over the array. */
function divisorOf(given: Given): {
  readonly a: NdArray
  readonly divisor: NdArray
  readonly length: number
} {
  const a = given.tensor('input')
  const axes = axesOf(given.ints('dim') ?? [1], a.shape.length)
  const rows = rowsOf(a, axes)
  const [p, eps] = [given.number('p', 2), given.number('eps', 1e-12)]
  const norms = new Float64Array(rows.count)
  for (let i = 0; i < rows.count; i++)
    norms[i] = Math.max(eps, normOf(rows.data.subarray(i * rows.length, (i + 1) * rows.length), p))
  return { a, divisor: spread(array(norms, rows.outer), { a, axes }), length: rows.length }
}

function cosine(given: Given): readonly Outcome[] {
  const [first, second] = [given.tensor('x1'), given.tensor('x2')]
  const shape = first.data.length >= second.data.length ? first.shape : second.shape
  const [a, b] = [expand(first, shape), expand(second, shape)]
  const axis = axisOf(given.number('dim', 1), shape.length)
  const eps = given.number('eps', 1e-8)
  const lengths = [a, b].map(one =>
    map(sumOver(multiply(one, one), [axis]), x => Math.max(Math.sqrt(x), eps)),
  )
  const dots = sumOver(multiply(a, b), [axis])
  const data = dots.data.map((dot, i) => dot / (lengths[0].data[i] * lengths[1].data[i]))
  return [summed({ ...dots, data, dtype: a.dtype }, shape[axis], () => data.map(() => 1))]
}

export const normalizeOperations: readonly Operation[] = [
  operation(
    'layer_norm native_layer_norm',
    'input normalized_shape weight bias eps cudnn_enable',
    layerNorm,
    { backward: backOfLayerNorm },
  ),
  operation('LayerNorm', 'input weight bias eps', layerNormPrimitive),
  operation('npu_rms_norm', 'input weight eps', given => rmsNorm(given, 1e-6), { backward: backOfRmsNorm }),
  operation('rms_norm', 'input normalized_shape weight eps', given => rmsNorm(given, 2 ** -23).slice(0, 1), {
    backward: backOfRmsNorm,
  }),
  operation('npu_add_rms_norm', 'input other weight eps', addRmsNorm),
  operation('group_norm', 'input num_groups weight bias eps', groupNorm, { backward: backOfGroupNorm }),
  operation(
    'batch_norm',
    'input running_mean running_var weight bias training momentum eps',
    given => batchNorm(given, given.flag('training', false)),
    { backward: backOfBatchNorm },
  ),
  operation(
    'instance_norm',
    'input running_mean running_var weight bias use_input_stats momentum eps',
    instanceNorm,
    { backward: innerOnly },
  ),
  operation(
    'local_response_norm',
    'input size alpha beta k',
    given => {
      const { a, divisor } = localResponse(given)
      return [staged({ ...a, data: a.data.map((x, i) => x / divisor[i]) }, given.number('size'))]
    },
    {
      backward(call) {
        const grad = incoming(call)
        if (!grad) return [null, null]
        const { a, divisor } = localResponse(call.given)
        return backOfDivision(grad, a, array(divisor, a.shape))
      },
    },
  ),
  operation(
    'normalize',
    'input p dim eps',
    given => {
      const { a, divisor, length } = divisorOf(given)
      return [staged({ ...a, data: a.data.map((x, i) => x / divisor.data[i]) }, length)]
    },
    {
      backward(call) {
        const grad = incoming(call)
        if (!grad) return [null, null]
        const { a, divisor } = divisorOf(call.given)
        return fitting(call.stored, [backOfDivision(grad, a, divisor)])
      },
    },
  ),
  operation('cosine_similarity', 'x1 x2 dim eps', cosine, { backward: backOfSumNode }),
]

/** The node is the sum along the axis: the incoming gradient, spread. */
function backOfSumNode(call: BackwardCall): readonly Gradient[] {
  const grad = incoming(call)
  const [stored] = call.stored
  if (!grad || !stored || call.stored.length !== 1) return []
  const a = call.given.tensor('x1')
  if (!sameShape(stored, a.shape)) return []
  return [exact(spread(grad, { a, axes: [axisOf(call.given.number('dim', 1), a.shape.length)] }))]
}
