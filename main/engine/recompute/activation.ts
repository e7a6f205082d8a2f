// Activations: functions of one tensor with parameters.
import type { Given } from './arguments.ts'
import { array, axisOf, map, type NdArray, sizeOf, sumTo, take, stridesOf, put } from './array.ts'
import {
  type BackwardCall,
  exact,
  type Gradient,
  incoming,
  type Operation,
  operation,
  type Outcome,
  staged,
  step,
} from './operation.ts'
import { ofShape } from './binary.ts'
import { normalCdf, normalPdf, sigmoid, softplus } from './special.ts'
import { chained, gated, levelled, real } from './unary.ts'
import { Unsupported } from './unsupported.ts'

interface Curve {
  /** Exact ones copy their input or put a number in its place. */
  readonly copies?: boolean
  of(x: number): number
  slope(x: number, y: number): number
}

/** An activation whose parameters are read once per call. */
const activation = (names: string, signature: string, curve: (given: Given) => Curve): Operation =>
  operation(
    names,
    signature,
    given => {
      const { of, copies } = curve(given)
      const values = map(real(given), of)
      return [copies ? exact(values) : staged(values)]
    },
    {
      backward(call) {
        const { slope, copies } = curve(call.given)
        return copies ? gated(call, x => slope(x, 0) !== 0) : chained(call, slope)
      },
    },
  )

const fixed = (names: string, curve: Curve): Operation => activation(names, 'input inplace', () => curve)

const cube = 0.044715
const root = Math.sqrt(2 / Math.PI)
const gelu = (approximate: string): Curve =>
  approximate === 'tanh'
    ? {
        of: x => 0.5 * x * (1 + Math.tanh(root * (x + cube * x * x * x))),
        slope(x) {
          const t = Math.tanh(root * (x + cube * x * x * x))
          return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * root * (1 + 3 * cube * x * x)
        },
      }
    : { of: x => x * normalCdf(x), slope: x => normalCdf(x) + x * normalPdf(x) }

const silu: Curve = {
  of: x => (x === -Infinity ? NaN : x * sigmoid(x)),
  slope(x) {
    const s = sigmoid(x)
    return s * (1 + x * (1 - s))
  },
}

/** Outside of training, the mean of the slopes that it would draw. */
function rrelu(given: Given): Curve {
  const by = (given.number('lower', 1 / 8) + given.number('upper', 1 / 3)) / 2
  return { of: x => (x > 0 ? x : x * by), slope: x => (x > 0 ? 1 : by) }
}

const bent = (alpha: number, scale: number, inner: number): Curve => ({
  of: x => (x > 0 ? scale * x : scale * alpha * Math.expm1(x * inner)),
  slope: x => (x > 0 ? scale : scale * alpha * inner * Math.exp(x * inner)),
})

/** Keeps the two constants that make activations of unit variance. */
const selu = bent(1.6732632423543772, 1.0507009873554805, 1)

const curves: readonly Operation[] = [
  operation('sigmoid expit Sigmoid', 'input', given => [staged(map(real(given), sigmoid))], {
    backward: call => levelled(call, y => y * (1 - y)),
  }),
  fixed('silu SiLU swish npu_silu', silu),
  activation('gelu GeLU', 'input | approximate', given => gelu(given.text('approximate', 'none'))),
  fixed('npu_gelu fast_gelu npu_fast_gelu', gelu('tanh')),
  fixed('relu ReLU relu_', { copies: true, of: x => (x < 0 ? 0 : x), slope: x => Number(x > 0) }),
  fixed('relu6 ReLU6', {
    copies: true,
    of: x => Math.min(Math.max(x, 0), 6),
    slope: x => Number(x > 0 && x < 6),
  }),
  activation('hardtanh', 'input min_val max_val inplace', given => {
    const [low, high] = [given.number('min_val', -1), given.number('max_val', 1)]
    return {
      copies: true,
      of: x => Math.min(Math.max(x, low), high),
      slope: x => Number(x > low && x < high),
    }
  }),
  activation('threshold', 'input threshold value inplace', given => {
    const [limit, value] = [given.number('threshold'), given.number('value')]
    return { copies: true, of: x => (x <= limit ? value : x), slope: x => Number(!(x <= limit)) }
  }),
  activation('hardshrink', 'input lambd', given => {
    const by = given.number('lambd', 0.5)
    return { copies: true, of: x => (Math.abs(x) <= by ? 0 : x), slope: x => Number(Math.abs(x) > by) }
  }),
  activation('softshrink', 'input lambd', given => {
    const by = given.number('lambd', 0.5)
    const of = (x: number): number => (Math.abs(x) <= by ? 0 : x - Math.sign(x) * by)
    return { of, slope: x => Number(Math.abs(x) > by) }
  }),
  activation('leaky_relu', 'input negative_slope inplace', given => {
    const by = given.number('negative_slope', 0.01)
    return { of: x => (x > 0 ? x : x * by), slope: x => (x > 0 ? 1 : by) }
  }),
  operation(
    'rrelu',
    'input lower upper training inplace',
    given => [staged(map(real(given), rrelu(given).of))],
    {
      backward: call => chained(call, rrelu(call.given).slope),
      random: given => given.flag('training', false),
    },
  ),
  activation('elu', 'input alpha inplace', given => bent(given.number('alpha', 1), 1, 1)),
  activation('celu', 'input alpha inplace', given => {
    const alpha = given.number('alpha', 1)
    return bent(alpha, 1, 1 / alpha)
  }),
  fixed('selu', selu),
  activation('softplus', 'input beta threshold', given => {
    const [beta, limit] = [given.number('beta', 1), given.number('threshold', 20)]
    return {
      of: x => (x * beta > limit ? x : softplus(x * beta) / beta),
      slope: x => (x * beta > limit ? 1 : sigmoid(x * beta)),
    }
  }),
  fixed('logsigmoid', { of: x => -softplus(-x), slope: x => sigmoid(-x) }),
  fixed('mish npu_mish', {
    of: x => x * Math.tanh(softplus(x)),
    slope(x) {
      const t = Math.tanh(softplus(x))
      return t + x * (1 - t * t) * sigmoid(x)
    },
  }),
  fixed('hardsigmoid', {
    of: x => Math.min(Math.max(x + 3, 0), 6) / 6,
    // The sixth is kept as a float32 by PyTorch, whatever the type.
    slope: x => (x > -3 && x < 3 ? Math.fround(1 / 6) : 0),
  }),
  fixed('hardswish', {
    of: x => (x * Math.min(Math.max(x + 3, 0), 6)) / 6,
    slope(x) {
      if (x <= -3) return 0
      return x >= 3 ? 1 : x / 3 + 0.5
    },
  }),
  fixed('softsign', { of: x => x / (1 + Math.abs(x)), slope: x => 1 / (1 + Math.abs(x)) ** 2 }),
  fixed('tanhshrink', { of: x => x - Math.tanh(x), slope: x => Math.tanh(x) ** 2 }),
  activation('logit', 'input eps', given => {
    const eps = given.number('eps', -1)
    const inside = (x: number): number => (eps < 0 ? x : Math.min(Math.max(x, eps), 1 - eps))
    return {
      of: x => Math.log(inside(x) / (1 - inside(x))),
      slope: x => (eps >= 0 && (x < eps || x > 1 - eps) ? 0 : 1 / (x * (1 - x))),
    }
  }),
]

// ---------------------------------------- clamping

function bounds(given: Given): readonly [NdArray | null, NdArray | null] {
  return [given.maybe('min'), given.maybe('max')]
}

const at = (bound: NdArray | null, i: number, none: number): number => {
  if (!bound) return none
  return bound.data.length === 1 ? bound.data[0] : bound.data[i]
}

function clamped(given: Given): readonly Outcome[] {
  const a = real(given)
  const [low, high] = bounds(given)
  for (const bound of [low, high])
    if (bound && bound.data.length !== 1 && bound.data.length !== a.data.length)
      throw new Unsupported('shapes', 'min')
  const of = (x: number, i: number): number => {
    if (Number.isNaN(x)) return x
    return Math.min(Math.max(x, at(low, i, -Infinity)), at(high, i, Infinity))
  }
  return [exact({ ...a, data: a.data.map(of) })]
}

function backOfClamp(call: BackwardCall): readonly Gradient[] {
  const grad = incoming(call)
  if (!grad) return [null]
  const { data } = real(call.given)
  const [low, high] = bounds(call.given)
  const open = (i: number): boolean => data[i] >= at(low, i, -Infinity) && data[i] <= at(high, i, Infinity)
  return [exact({ ...grad, data: grad.data.map((g, i) => (open(i) ? g : 0)) })]
}

// ---------------------------------------- gates

/** Both halves along an axis. */
export function halves(a: NdArray, dim: number): readonly [NdArray, NdArray] {
  const axis = axisOf(dim, a.shape.length)
  if (a.shape[axis] % 2 !== 0) throw new Unsupported('shapes', `[${a.shape.join(', ')}]`)
  const strides = stridesOf(a.shape)
  const shape = a.shape.map((size, i) => (i === axis ? size / 2 : size))
  const offset = (strides[axis] * a.shape[axis]) / 2
  return [take(a, { shape, strides, offset: 0 }), take(a, { shape, strides, offset })]
}

/** Gradients of both halves as one. */
function together(first: Float64Array, second: Float64Array, shape: readonly number[], dim: number): NdArray {
  const axis = axisOf(dim, shape.length)
  const into = new Float64Array(sizeOf(shape))
  const strides = stridesOf(shape)
  const part = shape.map((size, i) => (i === axis ? size / 2 : size))
  put(into, { shape: part, strides, offset: 0 }, first)
  put(into, { shape: part, strides, offset: (strides[axis] * shape[axis]) / 2 }, second)
  return array(into, shape)
}

interface Gate {
  /** The result of both halves, and its slopes by each. */
  of(a: number, b: number): number
  slopes(a: number, b: number): readonly [number, number]
}

const gate = (names: string, { of, slopes }: Gate): Operation =>
  operation(
    names,
    'input dim',
    given => {
      const a = real(given)
      const [first, second] = halves(a, given.number('dim', -1))
      return [staged({ ...first, dtype: a.dtype, data: first.data.map((x, i) => of(x, second.data[i])) })]
    },
    {
      backward(call) {
        const grad = incoming(call)
        if (!grad) return [null]
        const a = real(call.given)
        const dim = call.given.number('dim', -1)
        const [first, second] = halves(a, dim)
        const left = first.data.map((x, i) => grad.data[i] * slopes(x, second.data[i])[0])
        const right = first.data.map((x, i) => grad.data[i] * slopes(x, second.data[i])[1])
        return [staged(together(left, right, a.shape, dim))]
      },
    },
  )

// ---------------------------------------- weights per channel

function channels(a: NdArray, weight: NdArray): (i: number) => number {
  if (weight.data.length === 1) return () => weight.data[0]
  const inner = sizeOf(a.shape.slice(2))
  const count = a.shape[1] ?? a.shape[0]
  if (weight.data.length !== count) throw new Unsupported('shapes', 'weight')
  return i => weight.data[Math.floor(i / inner) % count]
}

function prelu(given: Given): readonly Outcome[] {
  const a = real(given)
  const weight = channels(a, given.tensor('weight'))
  return [step({ ...a, data: a.data.map((x, i) => (x > 0 ? x : x * weight(i))) })]
}

/** The node has the weight already spread over the axes: `[1, channels, 1]`. */
function backOfPrelu(call: BackwardCall): readonly Gradient[] {
  const grad = incoming(call)
  if (!grad) return [null, null]
  const a = real(call.given)
  const weight = channels(a, call.given.tensor('weight'))
  const first = a.data.map((x, i) => (x > 0 ? grad.data[i] : grad.data[i] * weight(i)))
  const second = array(
    a.data.map((x, i) => (x >= 0 ? 0 : x * grad.data[i])),
    a.shape,
  )
  const spread = a.shape.map((dim, axis) =>
    axis === 1 && call.given.tensor('weight').data.length > 1 ? dim : 1,
  )
  const stored = call.stored[1]
  const own = call.given.tensor('weight').shape
  const values = ofShape(second, spread, false)
  const shape = stored && sizeOf(stored) === sizeOf(own) ? stored : spread
  return [staged(array(first, a.shape)), { ...values, values: { ...sumTo(second, spread), shape } }]
}

export const activationOperations: readonly Operation[] = [
  ...curves,
  operation('clamp clip', 'input min max', clamped, { backward: backOfClamp }),
  operation('clamp_min', 'input min', clamped, { backward: backOfClamp }),
  operation('clamp_max', 'input max', clamped, { backward: backOfClamp }),
  gate('glu', {
    of: (a, b) => a * sigmoid(b),
    slopes: (a, b) => [sigmoid(b), a * sigmoid(b) * (1 - sigmoid(b))],
  }),
  gate('npu_swiglu swiglu', {
    of: (a, b) => silu.of(a) * b,
    slopes: (a, b) => [silu.slope(a, 0) * b, silu.of(a)],
  }),
  gate('npu_geglu geglu', {
    of: (a, b) => a * b * normalCdf(b),
    slopes: (a, b) => [b * normalCdf(b), a * (normalCdf(b) + b * normalPdf(b))],
  }),
  operation('prelu', 'input weight', prelu, { backward: backOfPrelu }),
]
