// What msprobe's own comparator says of a stored result beside the exact one: the columns of its details, of both
// generations.
import type { NdArray } from './array.ts'
import { type FloatFormat, floatFormat, isComplex, isFloat } from './rounding.ts'

export type Generation = '1.2.2' | '26'
export type Status = 'pass' | 'warning' | 'error' | 'SKIP'

/** A row of details: the cells behind the shape, in order; '' where nothing was computed. */
export interface StatusRow {
  readonly benchDtype: string
  readonly dtype: string
  readonly shape: readonly number[] | null
  readonly cells: readonly (number | null)[]
  readonly status: Status
  readonly message: string
}

/** Places of the cells. */
const at = {
  cosine: 0,
  maxAbs: 1,
  hundredth: 2,
  thousandth: 3,
  tenThousandth: 4,
  errorRate: 5,
  balance: 6,
  rmse: 7,
  small: 8,
  maxRelative: 9,
  meanRelative: 10,
  nonFinite: 11,
  relative: 12,
  absolute: 13,
  maxUlp: 14,
  meanUlp: 15,
  ulpShare: 16,
} as const
const cellCount = 17

type Standard = 'benchmark' | 'absolute' | 'binary' | 'ulp' | 'thousandth'

const names: Readonly<Record<Exclude<Standard, 'benchmark'>, ReadonlySet<string>>> = {
  absolute: new Set(
    (
      'mul mul_ __mul__ __imul__ __rmul__ add add_ __add__ __iadd__ __radd__ div div_ __div__ __idiv__ divide divide_ ' +
      'leaky_relu leaky_relu_ prelu reciprocal reciprocal_ rsqrt rsqrt_ square square_ sub sub_ rsub __isub__ __sub__'
    ).split(' '),
  ),
  binary: new Set(
    (
      'abs abs_ absolute absolute_ argmin bitwise_and bitwise_and_ broadcast_to ceil ceil_ equal fill_ flatten floor ' +
      'floor_ gather greater greater_ greater_equal greater_equal_ histc isfinite isnan less less_ less_equal ' +
      'less_equal_ logical_and logical_and_ logical_not logical_not_ logical_or logical_or_ masked_fill masked_fill_ ' +
      'max_pool3d maximum minimum neg neg_ nonzero not_equal not_equal_ one_hot pad relu reshape round round_ select ' +
      'sign sign_ sort tile topk transpose transpose_ tril tril_ triu triu_ type_as'
    ).split(' '),
  ),
  ulp: new Set(
    (
      '__matmul__ addbmm addbmm_ addmm addmm_ baddbmm baddbmm_ bilinear bmm chain_matmul hspmm linear matmul mm mv ' +
      'smm sspaddmm'
    ).split(' '),
  ),
  thousandth: new Set(['conv1d', 'conv2d']),
}

function standardOf(api: string, generation: Generation): Standard {
  if (generation === '26') return 'benchmark'
  for (const standard of ['absolute', 'binary', 'ulp', 'thousandth'] as const)
    if (names[standard].has(api)) return standard
  return 'benchmark'
}

/** Limits by the type of the device's result (precheck.md 4). */
interface Limits {
  readonly small: number
  readonly smallAbsolute: number
  readonly benchmarkAbsolute: number
  readonly relative: number
  readonly largest: number
}
const limits: Readonly<Record<string, Limits>> = {
  float16: {
    small: 2 ** -10,
    smallAbsolute: 2 ** -16,
    benchmarkAbsolute: 1e-16,
    relative: 2 ** -10,
    largest: 65504,
  },
  bfloat16: {
    small: 2 ** -10,
    smallAbsolute: 1e-16,
    benchmarkAbsolute: 1e-16,
    relative: 2 ** -8,
    largest: 3.3895313892515355e38,
  },
  float32: {
    small: 2 ** -20,
    smallAbsolute: 2 ** -30,
    benchmarkAbsolute: 2 ** -30,
    relative: 2 ** -20,
    largest: 3.4028234663852886e38,
  },
}

/** The exact result in the type that msprobe raises to, beside the stored one. */
interface Sides {
  readonly bench: Float64Array
  readonly device: Float64Array
  readonly format: FloatFormat
  readonly limits: Limits | null
  /** Arithmetic is done in float32 for 16-bit types. */
  readonly narrow: boolean
  readonly epsilon: number
}

const typeName = (dtype: string): string => `torch.${dtype}`

/** The pair of a call of this name; `plain`: a number that is no tensor. */
export function statusOf(api: string, exact: NdArray, stored: NdArray, generation: Generation): StatusRow {
  const { dtype, shape } = stored
  const raised = dtype === 'float16' || dtype === 'bfloat16' ? 'float32' : 'float64'
  const head = { benchDtype: typeName(isFloat(dtype) ? raised : dtype), dtype: typeName(dtype), shape }
  const format = floatFormat(dtype)
  const blank = Array.from({ length: cellCount }, () => null)
  if (exact.data.length !== stored.data.length)
    return { ...head, cells: blank, status: 'error', message: messages.shapes }
  if (stored.data.length === 0)
    return {
      ...head,
      cells: blank,
      status: generation === '26' ? 'SKIP' : 'error',
      message: messages.nothing,
    }
  if (isComplex(dtype) || !format) return { ...head, ...wholeStatus(exact, stored, generation) }
  const narrow = raised === 'float32'
  const sides: Sides = {
    bench: narrow ? exact.data.map(Math.fround) : exact.data,
    device: stored.data,
    format,
    limits: limits[dtype] ?? null,
    narrow,
    epsilon: epsilonOf(dtype),
  }
  const cells: (number | null)[] = blank
  if (sides.limits) standards[standardOf(api, generation)](sides, sides.limits, cells)
  return { ...head, cells, ...chain(sides, dtype, cells, generation, shape.length === 0) }
}

function epsilonOf(dtype: string): number {
  if (dtype === 'bfloat16') return 2 ** -8
  return dtype === 'float16' ? 2 ** -23 : 2 ** -52
}

const messages = {
  shapes: 'The shapes of bench and device output differ.',
  nothing: 'There is not bench calculation result.',
  scalar: 'All the data in device dump data is scalar. Please refer to other compare algorithms.',
  zeros: 'All the data in device and bench outputs are zero.',
  nan: 'Dump data has NaN when comparing with Cosine Similarity.',
  cosine: 'Cosine similarity is less than 0.99, consider as error, skip other check and set to SPACE.',
  close: 'Max abs error is less than 0.001, consider as pass, skip other check and set to SPACE.',
} as const

/** Types whose values are compared one by one, per generation. */
const whole: Readonly<Record<Generation, ReadonlySet<string>>> = {
  '1.2.2': new Set(['bool', 'uint8', 'int32', 'int64', 'uint16', 'uint32', 'uint64']),
  '26': new Set(['bool', 'uint8', 'int8', 'int32', 'int64', 'uint16', 'uint32', 'uint64']),
}

function wholeStatus(
  exact: NdArray,
  stored: NdArray,
  generation: Generation,
): Pick<StatusRow, 'cells' | 'status' | 'message'> {
  const cells: (number | null)[] = Array.from({ length: cellCount }, () => null)
  const { dtype } = stored
  if (!whole[generation].has(dtype))
    return {
      cells,
      status: 'error',
      message: `Bench out dtype is ${dtype} but npu output dtype is ${dtype}, cannot compare.`,
    }
  const rate = shareOf(stored.data, (d, i) => d !== exact.data[i])
  cells[at.errorRate] = rate
  const message =
    generation === '26'
      ? `Current ${dtype} data, only perform binary comparison.`
      : `Compare algorithm is not supported for ${dtype} data. Only judged by Error Rate.`
  return { cells, status: rate === 0 ? 'pass' : 'error', message }
}

/** A number beside a number. */
export const numberStatus = (type: string, same: boolean): StatusRow => ({
  benchDtype: `<class '${type}'>`,
  dtype: `<class '${type}'>`,
  shape: null,
  cells: Array.from({ length: cellCount }, (_, i) => (i === at.errorRate && same ? 0 : null)),
  status: same ? 'pass' : 'error',
  message: '',
})

/** A gradient that is None on both sides. */
export const noneStatus: StatusRow = {
  benchDtype: ' ',
  dtype: ' ',
  shape: null,
  cells: Array.from({ length: cellCount }, () => null),
  status: 'SKIP',
  message: 'Bench output is None, skip this test.',
}

function shareOf(values: Float64Array, of: (x: number, i: number) => boolean): number {
  let count = 0
  for (let i = 0; i < values.length; i++) if (of(values[i], i)) count++
  return values.length ? count / values.length : 0
}

// ---------------------------------------- standards

type Fill = (sides: Sides, limits: Limits, cells: (number | null)[]) => void

/** Which elements count in which measure. */
interface Masks {
  /** Both finite, the bench also in the device's type. */
  finite(i: number): boolean
  small(i: number): boolean
  /** |d − b| / (|b| + eps) */
  relative(i: number): number
  absolute(i: number): number
}

function masksOf({ bench, device, format, epsilon, narrow }: Sides, { small }: Limits): Masks {
  const round = narrow ? Math.fround : (x: number): number => x
  const finite = (i: number): boolean => Number.isFinite(format.round(bench[i])) && Number.isFinite(device[i])
  const absolute = (i: number): number => round(Math.abs(device[i] - bench[i]))
  return {
    finite,
    small: i => finite(i) && Math.abs(bench[i]) <= small,
    absolute,
    relative: i => round(absolute(i) / round(Math.abs(bench[i]) + epsilon)),
  }
}

const rate = (count: number, of: number): number => (of === 0 ? 0 : count / of)

const benchmark: Fill = (sides, limits, cells) => {
  const { device, bench, format, narrow } = sides
  const { finite, small, absolute, relative } = masksOf(sides, limits)
  let [smallCount, smallErrors, masked, squares, more, less] = [0, 0, 0, 0, 0, 0]
  let [most, sum, counted] = [0, 0, 0]
  for (let i = 0; i < device.length; i++) {
    // bfloat16 is compared as the float32 that it was widened to.
    const b = narrow && format.bits === 7 ? bench[i] : format.round(bench[i])
    if (device[i] > b) more++
    else if (device[i] < b) less++
    const isSmall = small(i)
    if (isSmall) {
      smallCount++
      if (absolute(i) > limits.benchmarkAbsolute) smallErrors++
    }
    if (isSmall || !finite(i)) {
      masked++
      continue
    }
    squares += absolute(i) ** 2
    const error = relative(i)
    most = Math.max(most, error)
    sum += error
    counted++
  }
  const n = device.length
  cells[at.balance] = Math.abs(more - less) / n
  cells[at.rmse] = Math.sqrt((squares / n) * (n / (n - masked + 0.0001) + 0.0001))
  cells[at.small] = rate(smallErrors, smallCount)
  cells[at.maxRelative] = most
  cells[at.meanRelative] = counted ? sum / counted : 0
}

const absoluteThreshold: Fill = (sides, limits, cells) => {
  const { device, bench, format, epsilon } = sides
  const { finite, small, absolute, relative } = masksOf(sides, limits)
  const clip = (x: number): number => Math.min(Math.max(x, -limits.largest), limits.largest)
  const counts = { infinite: 0, infiniteErrors: 0, small: 0, smallErrors: 0, normal: 0, normalErrors: 0 }
  for (let i = 0; i < device.length; i++) {
    if (!finite(i)) {
      counts.infinite++
      const b = format.round(bench[i])
      const bothNan = Number.isNaN(b) && Number.isNaN(device[i])
      const off = Math.abs(clip(device[i]) - clip(b)) / (Math.abs(b) + epsilon)
      if (!bothNan && !(off <= limits.relative)) counts.infiniteErrors++
    } else if (small(i)) {
      counts.small++
      if (absolute(i) > limits.smallAbsolute) counts.smallErrors++
    } else {
      counts.normal++
      if (relative(i) > limits.relative) counts.normalErrors++
    }
  }
  cells[at.nonFinite] = rate(counts.infiniteErrors, counts.infinite)
  cells[at.relative] = rate(counts.normalErrors, counts.normal)
  cells[at.absolute] = rate(counts.smallErrors, counts.small)
}

const binary: Fill = ({ bench, device }, _, cells) => {
  cells[at.errorRate] = shareOf(device, (d, i) => d !== bench[i])
}

const ulps: Fill = ({ bench, device, format }, _, cells) => {
  const { bits, least } = format
  const limit = bits < 23 ? 1 : 32
  let [most, sum, over] = [0, 0, 0]
  for (let i = 0; i < device.length; i++) {
    const exponent = bench[i] === 0 ? 0 : Math.floor(Math.log2(Math.abs(bench[i])))
    const error = Math.abs(device[i] - bench[i]) * 2 ** (bits - Math.max(exponent, least))
    most = Number.isNaN(error) || Number.isNaN(most) ? NaN : Math.max(most, error)
    sum += error
    if (error > limit) over++
  }
  cells[at.maxUlp] = most
  cells[at.meanUlp] = sum / device.length
  cells[at.ulpShare] = over / device.length
}

const thousandths: Fill = (sides, _, cells) => {
  cells[at.thousandth] = below(sides, 1e-3)
}

const standards: Readonly<Record<Standard, Fill>> = {
  benchmark,
  absolute: absoluteThreshold,
  binary,
  ulp: ulps,
  thousandth: thousandths,
}

/** Share of elements whose relative error is below a limit. */
const below = ({ bench, device, epsilon, narrow }: Sides, limit: number): number =>
  shareOf(device, (d, i) => {
    const error = Math.abs(d - bench[i]) / (Math.abs(bench[i]) + epsilon)
    return (narrow ? Math.fround(error) : error) < limit
  })

// ---------------------------------------- the chain

/** The checks one after the other; those behind the one that decides stay blank. */
function chain(
  sides: Sides,
  dtype: string,
  cells: (number | null)[],
  generation: Generation,
  isScalar: boolean,
): Pick<StatusRow, 'status' | 'message'> {
  const said: string[] = []
  if (dtype === 'float64')
    said.push('The data type torch.float64 is not supported for new precision standard.')
  const ends = (status: Status, text: string): Pick<StatusRow, 'status' | 'message'> => ({
    status: generation === '1.2.2' || status !== 'warning' ? status : 'warning',
    message: [...said, text].join('\n'),
  })
  const cosine = cosineOf(sides, isScalar || sides.device.length === 1)
  cells[at.cosine] = cosine.value
  if (cosine.said !== '') said.push(cosine.said)
  if (!cosine.fine && !(generation === '26' && Number.isNaN(cosine.value)))
    return ends('error', messages.cosine)
  const most = largestError(sides)
  cells[at.maxAbs] = most
  if (most < 0.001) return ends('pass', messages.close)
  if (dtype === 'float16' || dtype === 'bfloat16') {
    const hundredth = below(sides, 1e-2)
    cells[at.hundredth] = hundredth
    if (hundredth <= 0.99) return ends('error', wordsOf('greater', 0.01, 'error'))
    const thousandth = below(sides, 1e-3)
    cells[at.thousandth] = thousandth
    return thousandth > 0.999
      ? ends('pass', wordsOf('less', 0.001, 'pass'))
      : ends('warning', wordsOf('greater', 0.001, 'warning'))
  }
  const [thousandth, tenThousandth] = [below(sides, 1e-3), below(sides, 1e-4)]
  cells[at.thousandth] = thousandth
  cells[at.tenThousandth] = tenThousandth
  if (thousandth <= 0.999) return ends('error', wordsOf('greater', 0.001, 'error'))
  return tenThousandth <= 0.9999
    ? ends('warning', wordsOf('greater', 0.0001, 'warning'))
    : ends('pass', wordsOf('less', 0.0001, 'pass'))
}

const wordsOf = (than: string, limit: number, as: string): string =>
  `Relative error is ${than} than ${limit}, consider as ${as}, skip other check and set to SPACE.`

function largestError({ bench, device, narrow }: Sides): number {
  let most = 0
  for (let i = 0; i < device.length; i++) {
    const error = Math.abs(device[i] - bench[i])
    if (Number.isNaN(error)) return NaN
    most = Math.max(most, narrow ? Math.fround(error) : error)
  }
  return most
}

interface Cosine {
  readonly value: number | null
  readonly fine: boolean
  readonly said: string
}

function cosineOf({ bench, device }: Sides, isScalar: boolean): Cosine {
  const size = (values: Float64Array): number =>
    values.reduce((most, x) => (Number.isNaN(x) ? NaN : Math.max(most, Math.abs(x))), 0)
  if (isScalar) return { value: null, fine: true, said: messages.scalar }
  const [a, b] = [size(device), size(bench)]
  const [emptyA, emptyB] = [a <= 2.2e-16, b <= 2.2e-16]
  if (emptyA && emptyB) return { value: null, fine: true, said: messages.zeros }
  if (emptyA || emptyB) return { value: null, fine: false, said: '' }
  let [dot, x, y] = [0, 0, 0]
  for (let i = 0; i < device.length; i++) {
    const [p, q] = [device[i] / a, bench[i] / b]
    dot += p * q
    x += p * p
    y += q * q
  }
  const value = Math.min(1, Math.max(-1, dot / Math.sqrt(x * y)))
  if (Number.isNaN(value)) return { value, fine: false, said: messages.nan }
  return { value, fine: value > 0.99, said: '' }
}
