// Functions of two or three tensors, element by element, broadcast to each other.
import type { DtypeName } from '../formats/index.ts'
import type { Given } from './arguments.ts'
import {
  broadcast,
  combine,
  expand,
  filled,
  map,
  multiply,
  type NdArray,
  sameShape,
  sizeOf,
  sum,
  sumTo,
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
  step,
  summed,
  summedAsStored,
  summedInSteps,
} from './operation.ts'
import { floating, promoted } from './promote.ts'
import {
  floatFormat,
  type FloatFormat,
  isComplex,
  isFloat,
  isInteger,
  largestExact,
  largestOf,
  stepAt,
  wrapped,
} from './rounding.ts'
import { Unsupported } from './unsupported.ts'

/** A gradient brought to the shape of the argument that it belongs to. */
export function ofShape(grad: NdArray, shape: readonly number[], plain = true): Outcome {
  if (sameShape(grad.shape, shape)) return plain ? exact(grad) : staged(grad)
  const values = sumTo(grad, shape)
  const length = grad.data.length / Math.max(1, values.data.length)
  const terms = (): Float64Array => sumTo(map(grad, Math.abs), shape).data
  return plain ? summedAsStored(values, length, terms) : summedInSteps(values, length, terms)
}

const absolute = (a: NdArray): NdArray => map(a, Math.abs)

/** Integers wrap around; those that a double cannot hold end the recomputation. */
export function settled(values: NdArray): NdArray {
  const { dtype, data } = values
  if (isFloat(dtype) || isComplex(dtype)) return values
  for (let i = 0; i < data.length; i++) {
    const x = data[i]
    if (x > largestExact || x < -largestExact) throw new Unsupported('wideIntegers')
    data[i] = wrapped(x, dtype)
  }
  return values
}

const noComplex = (...all: readonly NdArray[]): void => {
  for (const { dtype } of all) if (isComplex(dtype)) throw new Unsupported('unsupported', dtype)
}

/** Arguments of a function of two, and where which of them stands: `__rsub__` swaps them. */
function pair(given: Given): readonly [NdArray, NdArray] {
  return [given.operand('input'), given.operand('other')]
}

type Derivatives = (a: NdArray, b: NdArray, grad: NdArray, call: BackwardCall) => readonly [NdArray, NdArray]

/** Gradients of both arguments; a number has none. */
const backOfPair =
  (of: Derivatives, plain = false) =>
  (call: BackwardCall): readonly Gradient[] => {
    const grad = incoming(call)
    const [a, b] = pair(call.given)
    if (!grad) return [null, null]
    noComplex(a, b, grad)
    const gradients = of(a, b, grad, call)
    return [a, b].map((one, i) => (one.weak ? null : ofShape(gradients[i], one.shape, plain)))
  }

// ---------------------------------------- sums and products

function added(given: Given, sign: 1 | -1, swap = false): readonly Outcome[] {
  const [first, second] = pair(given)
  const [a, b] = swap ? [second, first] : [first, second]
  const by = sign * given.number('alpha', 1)
  const dtype = promoted(a, b)
  const values = settled(sum(a, b, by, dtype))
  const result = withImaginary(values, a, b, by)
  // The product is rounded before the sum, which may cancel it.
  if (Math.abs(by) === 1 || !isFloat(dtype))
    return [isFloat(dtype) || isComplex(dtype) ? besideNumber(result, a, b) : exact(result)]
  return [summed(result, 1, () => combine(absolute(a), absolute(b), (x, y) => x + Math.abs(by) * y).data)]
}

/** A sum may cancel all but the rounding of a number. */
function besideNumber(values: NdArray, a: NdArray, b: NdArray): Outcome {
  const number = [a, b].reduce((size, one) => (one.weak ? Math.max(size, Math.abs(one.data[0])) : size), 0)
  return { values, bound: { is: 'step', ...(Number.isFinite(number) && { number }) } }
}

function withImaginary(values: NdArray, a: NdArray, b: NdArray, by: number): NdArray {
  if (!a.imaginary && !b.imaginary) return values
  const part = ({ shape, data, imaginary }: NdArray): NdArray => ({
    shape,
    data: imaginary ?? new Float64Array(data.length),
    dtype: 'float64',
  })
  return { ...values, imaginary: sum(part(a), part(b), by).data }
}

const backOfSum =
  (sign: 1 | -1, swap = false) =>
  (call: BackwardCall): readonly Gradient[] => {
    const grad = incoming(call)
    if (!grad) return [null, null]
    const by = sign * call.given.number('alpha', 1)
    const [a, b] = pair(call.given)
    const [one, other] = swap ? [b, a] : [a, b]
    const result = [
      one.weak ? null : ofShape(grad, one.shape),
      other.weak ? null : ofShape(by === 1 ? grad : map(grad, g => g * by), other.shape, Math.abs(by) === 1),
    ]
    return swap ? result.reverse() : result
  }

function product(given: Given): readonly Outcome[] {
  const [a, b] = pair(given)
  const dtype = promoted(a, b)
  if (!a.imaginary && !b.imaginary) {
    const values = settled(multiply(a, b, dtype))
    return [isFloat(dtype) ? step(values) : exact(values)]
  }
  const shape = broadcast(a.shape, b.shape)
  const [x, y] = [expand(a, shape), expand(b, shape)]
  const none = new Float64Array(sizeOf(shape))
  const [p, q] = [x.imaginary ?? none, y.imaginary ?? none]
  const data = x.data.map((re, i) => re * y.data[i] - p[i] * q[i])
  const imaginary = x.data.map((re, i) => re * q[i] + p[i] * y.data[i])
  const terms = (): Float64Array => x.data.map((re, i) => Math.hypot(re, p[i]) * Math.hypot(y.data[i], q[i]))
  return [summed({ dtype, shape, data, imaginary }, 2, terms)]
}

const backOfProduct = backOfPair((a, b, grad) => [multiply(grad, b), multiply(grad, a)])

// ---------------------------------------- quotients

const floorDivided = (x: number, y: number): number => {
  const rest = x % y
  const quotient = (x - rest) / y
  const whole = rest !== 0 && y < 0 !== rest < 0 ? quotient - 1 : quotient
  if (Number.isFinite(x / y)) return Math.round(whole)
  // An infinite dividend leaves no rest to be told.
  return y === 0 ? x / y : NaN
}

export const remainder = (x: number, y: number): number => {
  const rest = x % y
  return rest !== 0 && y < 0 !== rest < 0 ? rest + y : rest
}

function quotient(first: NdArray, second: NdArray, mode: string, given: Given): readonly Outcome[] {
  noComplex(first, second)
  const dtype = promoted(first, second)
  if (mode === '') return [step(combine(first, second, (x, y) => x / y, floating(dtype)))]
  const [a, b] = [asIn(first, given), asIn(second, given)]
  const of = mode === 'floor' ? floorDivided : (x: number, y: number) => Math.trunc(x / y)
  const values = combine(a, b, of, dtype)
  if (!isFloat(dtype)) return [exact(settled(values))]
  return [{ ...exact(values), alike: wholeAsWell(first, second, mode, dtype) }]
}

/** Frameworks round the quotient, or a number beside it, to the type before they cut it off; some by plain division. */
function wholeAsWell(
  first: NdArray,
  second: NdArray,
  mode: string,
  dtype: DtypeName,
): (i: number, stored: number) => boolean {
  const cut = mode === 'floor' ? Math.floor : Math.trunc
  const round = floatFormat(dtype)?.round ?? Math.fround
  const exactly = combine(first, second, (x, y) => x / y, dtype).data
  return (i, stored) => [exactly[i], round(exactly[i])].some(one => Object.is(cut(one) + 0, stored + 0))
}

function backOfQuotient(call: BackwardCall): readonly Gradient[] {
  const grad = incoming(call)
  const [a, b] = pair(call.given)
  if (!grad) return [null, null]
  if (call.given.text('rounding_mode', '') !== '')
    return [a, b].map(one => (one.weak ? null : exact(filled(one.shape, 0))))
  const first = combine(grad, b, (g, y) => g / y)
  return [
    a.weak ? null : ofShape(first, a.shape, false),
    b.weak
      ? null
      : ofShape(
          combine(
            first,
            combine(a, b, (x, y) => x / y),
            (g, q) => -g * q,
          ),
          b.shape,
          false,
        ),
  ]
}

const swapArguments = (given: Given): readonly [NdArray, NdArray] => {
  const [a, b] = pair(given)
  return [b, a]
}

// ---------------------------------------- powers

function power(given: Given, swap = false): readonly Outcome[] {
  const [a, b] = swap ? swapArguments(given) : [given.operand('input'), given.operand('other')]
  noComplex(a, b)
  const dtype = promoted(a, b)
  const values = combine(a, b, powerOf, dtype)
  return [isFloat(dtype) ? step(values) : exact(settled(values))]
}

/** As C has it: 1 to any power, and -1 to an infinite one, is 1. */
const powerOf = (x: number, y: number): number => {
  if (x === 1 || (x === -1 && !Number.isFinite(y) && !Number.isNaN(y))) return 1
  return x ** y
}

const slope = (x: number, y: number): number => (y === 0 ? 0 : y * powerOf(x, y - 1))
const rise = (x: number, y: number): number => (x === 0 && y >= 0 ? 0 : powerOf(x, y) * Math.log(x))

const backOfPower = backOfPair((a, b, grad) => [
  multiply(grad, combine(a, b, slope)),
  multiply(grad, combine(a, b, rise)),
])

// ---------------------------------------- comparisons and bits

const compared = (names: string, of: (x: number, y: number) => boolean): Operation =>
  operation(names, 'input other', given => {
    const [a, b] = pair(given).map(one => asIn(one, given))
    noComplex(a, b)
    return [exact(combine(a, b, (x, y) => Number(of(x, y)), 'bool'))]
  })

/** A number as a tensor takes it where a little more or less of it makes another result: rounded to the tensor's type. */
function asIn(one: NdArray, given: Given): NdArray {
  if (!one.weak) return one
  const [a, b] = pair(given)
  const other = a.weak ? b : a
  const format = floatFormat(other.dtype)
  return format ? map(one, format.round) : one
}

const logical = (names: string, of: (x: boolean, y: boolean) => boolean): Operation =>
  operation(names, 'input other', given => {
    const [a, b] = pair(given)
    return [exact(combine(a, b, (x, y) => Number(of(x !== 0, y !== 0)), 'bool'))]
  })

const bits = (names: string, of: (x: bigint, y: bigint) => bigint): Operation =>
  operation(names, 'input other', given => {
    const [a, b] = pair(given)
    const dtype = promoted(a, b)
    if (isFloat(dtype)) throw new Unsupported('arguments', dtype)
    return [exact(settled(combine(a, b, (x, y) => Number(of(BigInt(x), BigInt(y))), dtype)))]
  })

/** Of two values one is taken, and its gradient; where both are equal each gets half. */
const chosen = (names: string, first: (x: number, y: number) => boolean, skipsNan: boolean): Operation => {
  const of = (x: number, y: number): number => {
    if (Number.isNaN(x)) return skipsNan ? y : x
    if (Number.isNaN(y)) return skipsNan ? x : y
    return first(x, y) ? x : y
  }
  return operation(
    names,
    'input other',
    given => {
      const [a, b] = pair(given)
      noComplex(a, b)
      return [exact(combine(a, b, of, promoted(a, b)))]
    },
    {
      backward: backOfPair((a, b, grad) => {
        const share = (x: number, y: number): number => (x === y ? 0.5 : Number(first(x, y)))
        return [
          multiply(grad, combine(a, b, share)),
          multiply(
            grad,
            combine(a, b, (x, y) => share(y, x)),
          ),
        ]
      }),
    },
  )
}

const close = (given: Given): NdArray => {
  const [a, b] = pair(given)
  const [rtol, atol, nan] = [
    given.number('rtol', 1e-5),
    given.number('atol', 1e-8),
    given.flag('equal_nan', false),
  ]
  const of = (x: number, y: number): number => {
    if (Number.isNaN(x) && Number.isNaN(y)) return Number(nan)
    return Number(x === y || (Number.isFinite(x - y) && Math.abs(x - y) <= atol + rtol * Math.abs(y)))
  }
  return combine(a, b, of, 'bool')
}

/** The larger of two, and what the other adds to it: where both cancel, their roundings stay. */
const logOfSum =
  (base: number) =>
  (given: Given): readonly Outcome[] => {
    const [a, b] = pair(given)
    noComplex(a, b)
    const added = (x: number, y: number): number => Math.log1p(base ** -Math.abs(x - y)) / Math.log(base)
    const of = (x: number, y: number): number => {
      const most = Math.max(x, y)
      return Number.isFinite(most) ? most + added(x, y) : most
    }
    const size = (x: number, y: number): number => Math.abs(Math.max(x, y)) + added(x, y)
    return [summed(combine(a, b, of, floating(promoted(a, b))), 1, () => combine(a, b, size).data)]
  }

const plainPair = (
  names: string,
  of: (x: number, y: number) => number,
  back?: Operation['backward'],
): Operation =>
  operation(
    names,
    'input other',
    given => {
      const [a, b] = pair(given)
      noComplex(a, b)
      const dtype = promoted(a, b)
      return [step(combine(a, b, of, isFloat(dtype) ? dtype : floating(dtype)))]
    },
    back && { backward: back },
  )

const wholePair = (names: string, of: (x: number, y: number) => number, back: Derivatives): Operation =>
  operation(
    names,
    'input other',
    given => {
      const [a, b] = pair(given)
      noComplex(a, b)
      const dtype = promoted(a, b)
      const values = combine(asIn(a, given), asIn(b, given), of, dtype)
      if (isInteger(dtype)) return [exact(settled(values))]
      // Devices may take the quotient first, and what it is times the divisor off.
      return [summed(values, 1, () => combine(absolute(a), absolute(b), Math.max).data)]
    },
    { backward: backOfPair(back) },
  )

function nextTowards(x: number, y: number, format: FloatFormat): number {
  if (Number.isNaN(x) || Number.isNaN(y)) return NaN
  if (x === y) return y
  const smallest = 2 ** (format.least - format.bits)
  if (x === 0) return y > 0 ? smallest : -smallest
  const outwards = y > x === x > 0
  const size = Math.abs(x)
  if (size === Infinity) return Math.sign(x) * largestOf(format)
  // Inwards from a power of two the step is the smaller one below it.
  const step = outwards ? stepAt(format, size) : stepAt(format, size * (1 - 2 ** -53))
  return Math.sign(x) * (outwards ? format.round(size + step) : size - step)
}

function divisorOf(x: number, y: number): number {
  let [a, b] = [Math.abs(x), Math.abs(y)]
  while (b > 0) [a, b] = [b, a % b]
  return a
}
const multipleOf = (x: number, y: number): number =>
  x === 0 || y === 0 ? 0 : Math.abs((x / divisorOf(x, y)) * y)

export const binaryOperations: readonly Operation[] = [
  operation('add __add__ __radd__ __iadd__', 'input other | alpha', given => added(given, 1), {
    backward: backOfSum(1),
  }),
  operation('sub subtract __sub__ __isub__', 'input other | alpha', given => added(given, -1), {
    backward: backOfSum(-1),
  }),
  operation('rsub __rsub__', 'input other | alpha', given => added(given, -1, true), {
    backward: backOfSum(-1, true),
  }),
  operation('mul multiply __mul__ __rmul__ __imul__', 'input other', product, { backward: backOfProduct }),
  operation(
    'div divide true_divide __truediv__ __div__ __itruediv__ __idiv__',
    'input other | rounding_mode',
    given => quotient(...pairOf(given), given.text('rounding_mode', ''), given),
    { backward: backOfQuotient },
  ),
  operation('__rtruediv__ __rdiv__', 'input other', given => quotient(...swapArguments(given), '', given)),
  operation('floor_divide __floordiv__ __ifloordiv__', 'input other', given =>
    quotient(...pairOf(given), 'floor', given),
  ),
  operation('__rfloordiv__', 'input other', given => quotient(...swapArguments(given), 'floor', given)),
  operation('pow float_power __pow__ __ipow__', 'input other', given => power(given), {
    backward: backOfPower,
  }),
  operation('__rpow__', 'input other', given => power(given, true)),
  wholePair(
    'fmod',
    (x, y) => x % y,
    (a, b, grad) => [
      grad,
      combine(
        grad,
        combine(a, b, (x, y) => -Math.trunc(x / y)),
        (g, q) => g * q,
      ),
    ],
  ),
  wholePair('remainder __mod__ __imod__', remainder, (a, b, grad) => [
    grad,
    combine(
      grad,
      combine(a, b, (x, y) => -Math.floor(x / y)),
      (g, q) => g * q,
    ),
  ]),
  plainPair(
    'atan2 arctan2',
    Math.atan2,
    backOfPair((a, b, grad) => {
      const scale = combine(
        grad,
        combine(a, b, (x, y) => x * x + y * y),
        (g, q) => g / q,
      )
      return [
        multiply(scale, b),
        multiply(
          scale,
          map(a, x => -x),
        ),
      ]
    }),
  ),
  plainPair(
    'hypot',
    Math.hypot,
    backOfPair((a, b, grad) => {
      const scale = combine(grad, combine(a, b, Math.hypot), (g, q) => g / q)
      return [multiply(scale, a), multiply(scale, b)]
    }),
  ),
  operation('xlogy', 'input other', given => {
    const [a, b] = pair(given)
    noComplex(a, b)
    const of = (x: number, y: number): number => (x === 0 && !Number.isNaN(y) ? 0 : x * Math.log(y))
    return [{ values: combine(a, b, of, floating(promoted(a, b))), bound: { is: 'step', roundings: 2 } }]
  }),
  operation('logaddexp', 'input other', logOfSum(Math.E)),
  operation('logaddexp2', 'input other', logOfSum(2), {
    backward: backOfPair((a, b, grad) => {
      const share = (x: number, y: number): number => 1 / (1 + 2 ** (y - x))
      return [
        multiply(grad, combine(a, b, share)),
        multiply(
          grad,
          combine(a, b, (x, y) => share(y, x)),
        ),
      ]
    }),
  }),
  operation('ldexp', 'input other', given => {
    const [a, b] = pair(given)
    return [step(combine(a, b, (x, y) => x * 2 ** y, floating(a.dtype)))]
  }),
  operation('heaviside', 'input other', given => {
    const [a, b] = pair(given)
    const of = (x: number, y: number): number => (x === 0 ? y : Number(x > 0))
    return [exact(combine(a, b, of, a.dtype))]
  }),
  ...[divisorOf, multipleOf].map((of, i) =>
    operation(['gcd', 'lcm'][i], 'input other', given => {
      const [a, b] = pair(given)
      const dtype = promoted(a, b)
      if (isFloat(dtype)) throw new Unsupported('arguments', dtype)
      return [exact(settled(combine(a, b, of, dtype)))]
    }),
  ),
  operation('copysign', 'input other', given => {
    const [a, b] = pair(given)
    const of = (x: number, y: number): number => (y < 0 || Object.is(y, -0) ? -Math.abs(x) : Math.abs(x))
    const values = combine(a, b, of, floating(promoted(a, b)))
    const signs = expand(b, values.shape).data
    // NaN has a sign that no double here keeps.
    const alike = (i: number, stored: number): boolean =>
      Number.isNaN(signs[i]) && Math.abs(stored) === Math.abs(values.data[i])
    return [{ ...exact(values), alike }]
  }),
  operation('nextafter', 'input other', given => {
    const [a, b] = pair(given)
    const dtype = promoted(a, b)
    const format = floatFormat(dtype)
    if (!format) throw new Unsupported('arguments', dtype)
    return [exact(combine(a, b, (x, y) => nextTowards(x, y, format), dtype))]
  }),
  compared('gt greater __gt__', (x, y) => x > y),
  compared('ge greater_equal __ge__', (x, y) => x >= y),
  compared('lt less __lt__', (x, y) => x < y),
  compared('le less_equal __le__', (x, y) => x <= y),
  compared('eq __eq__', (x, y) => x === y),
  compared('ne not_equal __ne__', (x, y) => x !== y),
  operation('isclose', 'input other rtol atol equal_nan', given => [exact(close(given))]),
  operation('allclose', 'input other rtol atol equal_nan', given => [
    exact({ dtype: 'bool', shape: [], data: Float64Array.of(Number(close(given).data.every(Boolean))) }),
  ]),
  operation('equal', 'input other', given => {
    const [a, b] = pair(given)
    const same = sameShape(a.shape, b.shape) && a.data.every((x, i) => x === b.data[i])
    return [exact({ dtype: 'bool', shape: [], data: Float64Array.of(Number(same)) })]
  }),
  logical('logical_and', (x, y) => x && y),
  logical('logical_or', (x, y) => x || y),
  logical('logical_xor', (x, y) => x !== y),
  bits('bitwise_and __and__ __rand__ __iand__', (x, y) => x & y),
  bits('bitwise_or __or__ __ror__ __ior__', (x, y) => x | y),
  bits('bitwise_xor __xor__ __rxor__ __ixor__', (x, y) => x ^ y),
  bits('bitwise_left_shift __lshift__ __ilshift__', (x, y) => x << y),
  bits('bitwise_right_shift __rshift__ __irshift__', (x, y) => x >> y),
  chosen('maximum', (x, y) => x >= y, false),
  chosen('minimum', (x, y) => x <= y, false),
  chosen('fmax', (x, y) => x >= y, true),
  chosen('fmin', (x, y) => x <= y, true),
  operation('addcmul', 'input tensor1 tensor2 | value', given => three(given, (p, q) => p * q), {
    backward: call => backOfThree(call, false),
  }),
  operation('addcdiv', 'input tensor1 tensor2 | value', given => three(given, (p, q) => p / q), {
    backward: call => backOfThree(call, true),
  }),
  operation('lerp', 'input end weight', interpolated, { backward: backOfLerp }),
]

function pairOf(given: Given): readonly [NdArray, NdArray] {
  return pair(given)
}

// ---------------------------------------- three arguments

function three(given: Given, of: (p: number, q: number) => number): readonly Outcome[] {
  const [a, p, q] = ['input', 'tensor1', 'tensor2'].map(name => given.operand(name))
  const by = given.number('value', 1)
  const dtype = promoted(a, p, q)
  const part = map(combine(p, q, of), x => x * by)
  const values = combine(a, part, (x, y) => x + y, dtype)
  if (!isFloat(dtype)) return [exact(settled(values))]
  return [summed(values, 2, () => combine(absolute(a), absolute(part), (x, y) => x + y).data)]
}

function backOfThree({ given, ...call }: BackwardCall, divides: boolean): readonly Gradient[] {
  const grad = incoming({ given, ...call })
  if (!grad) return [null, null, null]
  const [a, p, q] = ['input', 'tensor1', 'tensor2'].map(name => given.operand(name))
  const part = map(grad, g => g * given.number('value', 1))
  const first = divides ? combine(part, q, (g, y) => g / y) : multiply(part, q)
  const second = divides
    ? combine(
        first,
        combine(p, q, (x, y) => -x / y),
        (g, r) => g * r,
      )
    : multiply(part, p)
  return [ofShape(grad, a.shape), ofShape(first, p.shape, false), ofShape(second, q.shape, false)]
}

function interpolated(given: Given): readonly Outcome[] {
  const [a, b, w] = ['input', 'end', 'weight'].map(name => given.operand(name))
  const shape = broadcast(a.shape, b.shape, w.shape)
  const [x, y, t] = [a, b, w].map(one => expand(one, shape).data)
  const data = x.map((from, i) =>
    t[i] < 0.5 ? from + t[i] * (y[i] - from) : y[i] - (y[i] - from) * (1 - t[i]),
  )
  const terms = (): Float64Array =>
    x.map((from, i) => Math.abs(from) + Math.abs(t[i] * (y[i] - from)) + Math.abs(y[i]))
  return [summed({ data, shape, dtype: promoted(a, b, w) }, 2, terms)]
}

function backOfLerp(call: BackwardCall): readonly Gradient[] {
  const grad = incoming(call)
  if (!grad) return [null, null, null]
  const [a, b, w] = ['input', 'end', 'weight'].map(name => call.given.operand(name))
  return [
    ofShape(
      combine(grad, w, (g, t) => g * (1 - t)),
      a.shape,
      false,
    ),
    ofShape(multiply(grad, w), b.shape, false),
    w.weak
      ? null
      : ofShape(
          multiply(
            grad,
            combine(a, b, (x, y) => y - x),
          ),
          w.shape,
          false,
        ),
  ]
}
