// Functions of one tensor, element by element.
import type { Given } from './arguments.ts'
import { filled, map, type NdArray, withDtype } from './array.ts'
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
  summedInSteps,
} from './operation.ts'
import { floating } from './promote.ts'
import { floatFormat, isComplex, isFloat, isInteger } from './rounding.ts'
import { digamma, erf, erfc, erfinv, lgamma, roundEven, trigamma } from './special.ts'
import { Unsupported } from './unsupported.ts'

/** Gradient of a function of one tensor from its derivative at x, with y the result there. */
export function chained(
  call: BackwardCall,
  derivative: (x: number, y: number) => number,
  of: (values: NdArray) => Outcome = staged,
): readonly Gradient[] {
  const grad = incoming(call)
  if (!grad) return [null]
  const { data } = call.given.operand('input')
  const [result] = call.outputs()
  const into = new Float64Array(data.length)
  for (let i = 0; i < into.length; i++) into[i] = derivative(data[i], result.data[i]) * grad.data[i]
  return [of({ ...grad, data: into })]
}

/**
 * Gradients of what levels off come from the stored result: the nearer it is to one, the less is left of 1 − y but its
 * rounding.
 */
export const levelled = (call: BackwardCall, derivative: (y: number) => number): readonly Gradient[] =>
  chained(call, (_, y) => derivative(y), besideGradient(call))

/** Where a slope is made of parts that cancel, its errors are as large as the gradient that came in. */
const besideGradient =
  (call: BackwardCall) =>
  (values: NdArray): Outcome =>
    summedInSteps(values, 0, () => (incoming(call)?.data ?? values.data).map(Math.abs))

/** Where the derivative is zero nothing comes through, whatever came in. */
export function gated(call: BackwardCall, open: (x: number) => boolean): readonly Gradient[] {
  const grad = incoming(call)
  if (!grad) return [null]
  const { data } = call.given.operand('input')
  return [exact({ ...grad, data: grad.data.map((g, i) => (open(data[i]) ? g : 0)) })]
}

export function real(given: Given, name = 'input'): NdArray {
  const a = given.operand(name)
  if (isComplex(a.dtype)) throw new Unsupported('unsupported', a.dtype)
  return a
}

const smooth = (
  names: string,
  of: (x: number) => number,
  derivative: (x: number, y: number) => number,
  told: (values: NdArray, read: NdArray) => ReturnType<typeof step> = step,
): Operation =>
  operation(
    names,
    'input',
    given => {
      const a = real(given)
      return [told(map(a, of, floating(a.dtype)), a)]
    },
    { backward: call => chained(call, derivative) },
  )

const zeros = (call: BackwardCall): readonly Gradient[] => {
  const grad = incoming(call)
  return [grad && exact(filled(grad.shape, 0))]
}

/** Whole numbers of the same type; nothing flows back. */
const flat = (names: string, of: (x: number) => number): Operation =>
  operation(names, 'input', given => [exact(map(real(given), of))], { backward: zeros })

const asked = (names: string, of: (x: number) => boolean): Operation =>
  operation(names, 'input', given => {
    const a = given.operand('input')
    const { imaginary } = a
    const into = Float64Array.from(a.data, (x, i) =>
      Number(of(x) || (imaginary !== undefined && of(imaginary[i]))),
    )
    return [exact({ dtype: 'bool', shape: a.shape, data: into })]
  })

/** A result that 16-bit kernels take off one, so that what is small is rounded as one is. */
const beside1: typeof smooth = (names, of, derivative) =>
  smooth(names, of, derivative, (values, { dtype }) => {
    const isShort = (floatFormat(dtype)?.bits ?? 52) < 23
    return { values, bound: { is: 'step', ...(isShort && { number: 2 }) } }
  })

/** Where a function crosses zero, the rounding of the numbers that it is made of is left. */
const nearRoots = (values: NdArray): Outcome => ({ values, bound: { is: 'step', number: 8 } })

const sinc = (x: number): number => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x))
/** The angle is rounded before its sine is taken, which is as much of the result whatever the angle. */
const periodic = (values: NdArray): Outcome =>
  summedInSteps(values, 0, () => new Float64Array(values.data.length).fill(1))

const tan = (x: number): number => Math.tan(x)

const smoothRows: readonly Operation[] = [
  smooth('exp', Math.exp, (_, y) => y),
  smooth(
    'exp2',
    x => 2 ** x,
    (_, y) => y * Math.LN2,
  ),
  smooth('expm1', Math.expm1, (_, y) => y + 1),
  smooth('log', Math.log, x => 1 / x),
  smooth('log2', Math.log2, x => 1 / (x * Math.LN2)),
  smooth('log10', Math.log10, x => 1 / (x * Math.LN10)),
  smooth('log1p', Math.log1p, x => 1 / (x + 1)),
  smooth('sqrt', Math.sqrt, (_, y) => 0.5 / y),
  smooth(
    'rsqrt',
    x => 1 / Math.sqrt(x),
    (_, y) => -0.5 * y * y * y,
  ),
  smooth(
    'reciprocal',
    x => 1 / x,
    (_, y) => -y * y,
  ),
  smooth('sin', Math.sin, x => Math.cos(x)),
  smooth('cos', Math.cos, x => -Math.sin(x)),
  smooth('tan', tan, (_, y) => 1 + y * y),
  smooth('asin arcsin', Math.asin, x => 1 / Math.sqrt(1 - x * x)),
  smooth('acos arccos', Math.acos, x => -1 / Math.sqrt(1 - x * x)),
  smooth('atan arctan', Math.atan, x => 1 / (1 + x * x)),
  smooth('sinh', Math.sinh, x => Math.cosh(x)),
  smooth('cosh', Math.cosh, x => Math.sinh(x)),
  operation('tanh Tanh', 'input', given => [step(map(real(given), Math.tanh, floating(real(given).dtype)))], {
    backward: call => levelled(call, y => 1 - y * y),
  }),
  smooth('asinh arcsinh', Math.asinh, x => 1 / Math.sqrt(x * x + 1)),
  smooth('acosh arccosh', Math.acosh, x => 1 / Math.sqrt(x * x - 1)),
  smooth('atanh arctanh', Math.atanh, x => 1 / (1 - x * x)),
  beside1('erf special_erf', erf, x => (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x)),
  beside1('erfc special_erfc', erfc, x => (-2 / Math.sqrt(Math.PI)) * Math.exp(-x * x)),
  smooth('erfinv', erfinv, (_, y) => (Math.sqrt(Math.PI) / 2) * Math.exp(y * y)),
  operation('lgamma', 'input', given => [nearRoots(map(real(given), lgamma, floating(real(given).dtype)))], {
    backward: call => chained(call, digamma, besideGradient(call)),
  }),
  operation(
    'digamma',
    'input',
    given => [nearRoots(map(real(given), digamma, floating(real(given).dtype)))],
    { backward: call => chained(call, trigamma) },
  ),
  operation('sinc', 'input', given => [periodic(map(real(given), sinc, floating(real(given).dtype)))], {
    backward: call =>
      chained(call, x =>
        x === 0 ? 0 : (Math.cos(Math.PI * x) * Math.PI * x - Math.sin(Math.PI * x)) / (Math.PI * x * x),
      ),
  }),
  smooth(
    'deg2rad',
    x => (x * Math.PI) / 180,
    () => Math.PI / 180,
  ),
  smooth(
    'rad2deg',
    x => (x * 180) / Math.PI,
    () => 180 / Math.PI,
  ),
]

function absolute(given: Given): readonly Outcome[] {
  const a = given.operand('input')
  const { imaginary } = a
  if (!imaginary) return [exact(map(a, Math.abs))]
  const data = a.data.map((x, i) => Math.hypot(x, imaginary[i]))
  return [step({ dtype: a.dtype === 'complex64' ? 'float32' : 'float64', shape: a.shape, data })]
}

function negative(given: Given): readonly Outcome[] {
  const a = given.operand('input')
  return [exact({ ...map(a, x => -x), ...(a.imaginary && { imaginary: a.imaginary.map(x => -x) }) })]
}

function rounded(given: Given): readonly Outcome[] {
  const a = real(given)
  const decimals = given.number('decimals', 0)
  if (decimals === 0) return [exact(map(a, roundEven))]
  const by = 10 ** Math.abs(decimals)
  return [step(map(a, x => (decimals > 0 ? roundEven(x * by) / by : roundEven(x / by) * by)))]
}

const largest: Readonly<Record<string, number>> = {
  float16: 65504,
  bfloat16: 3.3895313892515355e38,
  float32: 3.4028234663852886e38,
}

function withoutNan(given: Given): readonly Outcome[] {
  const a = real(given)
  const most = largest[a.dtype] ?? Number.MAX_VALUE
  const nan = given.number('nan', 0)
  const high = given.number('posinf', most)
  const low = given.number('neginf', -most)
  const of = (x: number): number => {
    if (Number.isNaN(x)) return nan
    if (Number.isFinite(x)) return x
    return x > 0 ? high : low
  }
  return [exact(map(a, of))]
}

/** Of a number without an imaginary part: half a turn where it is negative. */
function angleOf(given: Given): readonly Outcome[] {
  const a = given.operand('input')
  const { imaginary } = a
  const of = (x: number, y: number): number => (Number.isNaN(x) ? x : Math.atan2(y, x))
  if (!imaginary) return [step(map(a, x => of(x, 0), floating(a.dtype)))]
  const data = a.data.map((x, i) => of(x, imaginary[i]))
  return [step({ dtype: a.dtype === 'complex64' ? 'float32' : 'float64', shape: a.shape, data })]
}

const squared = (given: Given): readonly Outcome[] => {
  const a = real(given)
  return [step(map(a, x => x * x))]
}

const plus = (given: Given): readonly Outcome[] => [exact(given.operand('input'))]

export const unaryOperations: readonly Operation[] = [
  ...smoothRows,
  operation('abs absolute __abs__', 'input', absolute, {
    backward(call) {
      const grad = incoming(call)
      const a = call.given.operand('input')
      if (!grad || a.imaginary) return [null]
      return [exact({ ...grad, data: grad.data.map((g, i) => g * Math.sign(a.data[i])) })]
    },
  }),
  operation('neg negative __neg__', 'input', negative, {
    backward(call) {
      const grad = incoming(call)
      return [grad && exact(map(grad, g => -g))]
    },
  }),
  operation('positive __pos__', 'input', plus),
  operation('square', 'input', squared, { backward: call => chained(call, x => 2 * x) }),
  flat('sign sgn', Math.sign),
  flat('floor __floor__', Math.floor),
  flat('ceil __ceil__', Math.ceil),
  flat('trunc fix __trunc__', Math.trunc),
  operation('round __round__', 'input decimals', rounded, { backward: zeros }),
  operation('frac', 'input', given => [exact(map(real(given), x => x - Math.trunc(x)))], {
    backward: call => gated(call, () => true),
  }),
  operation('angle', 'input', angleOf, { backward: zeros }),
  asked('isnan', x => Number.isNaN(x)),
  asked('isinf', x => x === Infinity || x === -Infinity),
  asked('signbit', x => x < 0 || Object.is(x, -0)),
  asked('isposinf', x => x === Infinity),
  asked('isneginf', x => x === -Infinity),
  operation('isreal', 'input', given => {
    const { shape, data, imaginary } = given.operand('input')
    return [
      exact({ dtype: 'bool', shape, data: data.map((_, i) => Number(!imaginary || imaginary[i] === 0)) }),
    ]
  }),
  operation('__bool__ __nonzero__', 'input', given => {
    const { data } = real(given)
    if (data.length !== 1) throw new Unsupported('shapes', 'bool')
    return [exact({ dtype: 'bool', shape: [], data: Float64Array.of(Number(data[0] !== 0)) })]
  }),
  operation('isfinite', 'input', given => {
    const { data, imaginary, shape } = given.operand('input')
    const into = data.map((x, i) =>
      Number(Number.isFinite(x) && (!imaginary || Number.isFinite(imaginary[i]))),
    )
    return [exact({ dtype: 'bool', shape, data: into })]
  }),
  operation('logical_not', 'input', given => {
    const { data, shape } = real(given)
    return [exact({ dtype: 'bool', shape, data: data.map(x => Number(x === 0)) })]
  }),
  operation('bitwise_not __invert__', 'input', given => {
    const a = real(given)
    if (isFloat(a.dtype)) throw new Unsupported('arguments', a.dtype)
    return [exact(map(a, a.dtype === 'bool' ? x => 1 - x : x => -x - 1))]
  }),
  operation('nan_to_num', 'input nan posinf neginf', withoutNan, {
    backward: call => gated(call, x => Number.isFinite(x)),
  }),
  operation('real', 'input', given => {
    const { data, shape, dtype } = given.operand('input')
    return [exact({ data, shape, dtype: isInteger(dtype) ? dtype : floating(dtype) })]
  }),
  operation(
    'type_as',
    'input other',
    given => [exact(withDtype(given.operand('input'), given.operand('other').dtype))],
    { backward: call => gated(call, () => true), passes: true },
  ),
]
