// Convolutions over one to three axes, their transposes and gradients, as products with the windows' columns.
import type { Given } from './arguments.ts'
import { array, map, type NdArray, reshape, sizeOf, sumOver } from './array.ts'
import { gemm } from './gemm.ts'
import {
  type BackwardCall,
  exact,
  type Gradient,
  incoming,
  type Operation,
  operation,
  type Outcome,
  summed,
  summedAsStored,
} from './operation.ts'
import { absolute, transposed } from './product.ts'
import { promoted } from './promote.ts'
import { isComplex } from './rounding.ts'
import { Unsupported } from './unsupported.ts'
import { columnsOf, fromColumns, volume, type Windows, windowsOf } from './windows.ts'

/** A convolution's geometry: the small side is the result, the large side what windows slide over. */
interface Geometry {
  readonly windows: Windows
  readonly batch: number
  readonly groups: number
  /** Channels of the large and of the small side. */
  readonly large: number
  readonly small: number
  readonly largeShape: readonly number[]
  readonly smallShape: readonly number[]
}

const spatialOf = (shape: readonly number[], axes: number): readonly number[] =>
  shape.slice(shape.length - axes)

/** The input with a batch axis. */
function batched(a: NdArray, axes: number): NdArray {
  if (a.shape.length === axes + 2) return a
  if (a.shape.length === axes + 1) return reshape(a, [1, ...a.shape])
  throw new Unsupported('shapes', `[${a.shape.join(', ')}]`)
}

/** Padding before and after each axis; `same` keeps the size and puts what is odd behind. */
function paddings(
  given: Given,
  axes: number,
  kernel: readonly number[],
  dilation: readonly number[],
): readonly [readonly number[], readonly number[]] {
  const raw = given.raw('padding')
  if (raw === 'valid') return [kernel.map(() => 0), kernel.map(() => 0)]
  if (raw === 'same') {
    const total = kernel.map((size, i) => dilation[i] * (size - 1))
    return [total.map(all => Math.floor(all / 2)), total.map(all => Math.ceil(all / 2))]
  }
  const pads = given.perAxis('padding', axes, 0)
  return [pads, pads]
}

function geometryOf(given: Given, a: NdArray, weight: NdArray): Geometry {
  const axes = weight.shape.length - 2
  const x = batched(a, axes)
  const [groups, kernel] = [given.number('groups', 1), weight.shape.slice(2)]
  const stride = given.perAxis('stride', axes, 1)
  const dilation = given.perAxis('dilation', axes, 1)
  const [before, after] = paddings(given, axes, kernel, dilation)
  const windows = windowsOf({ input: spatialOf(x.shape, axes), kernel, stride, dilation, before, after })
  if (x.shape[1] !== weight.shape[1] * groups || weight.shape[0] % groups !== 0)
    throw new Unsupported('shapes', 'weight')
  const spatial = windows.output.slice(3 - axes)
  const smallShape = [...(a.shape.length === axes + 2 ? [x.shape[0]] : []), weight.shape[0], ...spatial]
  return {
    windows,
    batch: x.shape[0],
    groups,
    large: x.shape[1],
    small: weight.shape[0],
    largeShape: a.shape,
    smallShape,
  }
}

const at = (data: Float64Array, index: number, size: number): Float64Array =>
  data.subarray(index * size, (index + 1) * size)

/** From the large side to the small one. */
function forwards(g: Geometry, large: Float64Array, weight: Float64Array): Float64Array {
  const { windows, batch, groups } = g
  const [inSize, outSize, kernel] = [volume(windows.input), volume(windows.output), volume(windows.kernel)]
  const [cin, cout] = [g.large / groups, g.small / groups]
  const into = new Float64Array(batch * g.small * outSize)
  for (let i = 0; i < batch * groups; i++) {
    const columns = columnsOf(at(large, i, cin * inSize), cin, windows)
    const own = at(weight, i % groups, cout * cin * kernel)
    gemm(own, columns, at(into, i, cout * outSize), [cout, cin * kernel, outSize])
  }
  return into
}

/** From the small side to the large one: the gradient of the input, and the transposed convolution. */
function backwards(g: Geometry, small: Float64Array, weight: Float64Array): Float64Array {
  const { windows, batch, groups } = g
  const [inSize, outSize, kernel] = [volume(windows.input), volume(windows.output), volume(windows.kernel)]
  const [cin, cout] = [g.large / groups, g.small / groups]
  const into = new Float64Array(batch * g.large * inSize)
  for (let i = 0; i < batch * groups; i++) {
    const own = transposed(array(at(weight, i % groups, cout * cin * kernel), [cout, cin * kernel]))
    const columns = new Float64Array(cin * kernel * outSize)
    gemm(own.data, at(small, i, cout * outSize), columns, [cin * kernel, cout, outSize])
    at(into, i, cin * inSize).set(fromColumns(columns, cin, windows))
  }
  return into
}

/** The gradient of the weight, from both sides. */
function weightOf(g: Geometry, large: Float64Array, small: Float64Array): Float64Array {
  const { windows, batch, groups } = g
  const [inSize, outSize, kernel] = [volume(windows.input), volume(windows.output), volume(windows.kernel)]
  const [cin, cout] = [g.large / groups, g.small / groups]
  const into = new Float64Array(g.small * cin * kernel)
  for (let i = 0; i < batch * groups; i++) {
    const columns = columnsOf(at(large, i, cin * inSize), cin, windows)
    const turned = transposed(array(columns, [cin * kernel, outSize]))
    gemm(at(small, i, cout * outSize), turned.data, at(into, i % groups, cout * cin * kernel), [
      cout,
      outSize,
      cin * kernel,
    ])
  }
  return into
}

const sized = (data: Float64Array): Float64Array => data.map(Math.abs)

/** Adds a number per channel. */
function biased(data: Float64Array, g: Geometry, channels: number, bias: NdArray | null): Float64Array {
  if (!bias) return data
  const inner = data.length / (g.batch * channels)
  return data.map((x, i) => x + bias.data[Math.floor(i / inner) % channels])
}

function sidesOf(given: Given): readonly [NdArray, NdArray, NdArray | null] {
  const sides = [given.tensor('input'), given.tensor('weight')] as const
  for (const { dtype } of sides) if (isComplex(dtype)) throw new Unsupported('unsupported', dtype)
  return [...sides, given.maybe('bias')]
}

function convolved(given: Given): readonly Outcome[] {
  const [a, weight, bias] = sidesOf(given)
  const g = geometryOf(given, a, weight)
  const run = (x: Float64Array, w: Float64Array, b: NdArray | null): Float64Array =>
    biased(forwards(g, x, w), g, g.small, b)
  const values = array(run(a.data, weight.data, bias), g.smallShape, promoted(a, weight))
  const length = sizeOf(weight.shape.slice(1)) + 1
  return [summed(values, length, () => run(sized(a.data), sized(weight.data), bias && absolute(bias)))]
}

const biasGradient = (grad: NdArray, axes: number): Outcome => {
  const x = batched(grad, axes)
  const over = x.shape.map((_, axis) => axis).filter(axis => axis !== 1)
  const values = sumOver(x, over)
  return summedAsStored(
    values,
    grad.data.length / Math.max(1, values.data.length),
    () => sumOver(map(x, Math.abs), over).data,
  )
}

function backOfConvolution(call: BackwardCall): readonly Gradient[] {
  const grad = incoming(call)
  if (!grad) return [null, null, null]
  const [a, weight, bias] = sidesOf(call.given)
  const g = geometryOf(call.given, a, weight)
  const axes = weight.shape.length - 2
  const perOutput = volume(g.windows.output) * g.batch
  return [
    summed(
      array(backwards(g, grad.data, weight.data), a.shape),
      (g.small / g.groups) * volume(g.windows.kernel),
      () => backwards(g, sized(grad.data), sized(weight.data)),
    ),
    summed(array(weightOf(g, a.data, grad.data), weight.shape), perOutput, () =>
      weightOf(g, sized(a.data), sized(grad.data)),
    ),
    bias && biasGradient(grad, axes),
  ]
}

// ---------------------------------------- transposed

/** Its result is the large side. */
function transposedGeometry(given: Given, a: NdArray, weight: NdArray): Geometry {
  const axes = weight.shape.length - 2
  const x = batched(a, axes)
  const kernel = weight.shape.slice(2)
  const [stride, dilation] = [given.perAxis('stride', axes, 1), given.perAxis('dilation', axes, 1)]
  const pads = given.perAxis('padding', axes, 0)
  const more = given.perAxis('output_padding', axes, 0)
  const groups = given.number('groups', 1)
  const spatial = spatialOf(x.shape, axes)
  const input = spatial.map(
    (size, i) => (size - 1) * stride[i] - 2 * pads[i] + dilation[i] * (kernel[i] - 1) + more[i] + 1,
  )
  const reached = spatial.map((size, i) => (size - 1) * stride[i] + dilation[i] * (kernel[i] - 1) + 1)
  const after = input.map((size, i) => reached[i] - size - pads[i])
  const windows = windowsOf({ input, kernel, stride, dilation, before: pads, after })
  const channels = weight.shape[1] * groups
  const largeShape = [...(a.shape.length === axes + 2 ? [x.shape[0]] : []), channels, ...input]
  return {
    windows,
    batch: x.shape[0],
    groups,
    large: channels,
    small: weight.shape[0],
    largeShape,
    smallShape: a.shape,
  }
}

function deconvolved(given: Given): readonly Outcome[] {
  const [a, weight, bias] = sidesOf(given)
  const g = transposedGeometry(given, a, weight)
  const run = (x: Float64Array, w: Float64Array, b: NdArray | null): Float64Array =>
    biased(backwards(g, x, w), g, g.large, b)
  const values = array(run(a.data, weight.data, bias), g.largeShape, promoted(a, weight))
  const length = (g.small / g.groups) * volume(g.windows.kernel) + 1
  const terms = (): Float64Array => run(sized(a.data), sized(weight.data), bias && absolute(bias))
  // Windows that meet in a place are added up there one after the other, and the bias to what they come to.
  const meet = g.windows.kernel.reduce((most, size, i) => most * Math.ceil(size / g.windows.stride[i]), 1)
  const rounded = (): Float64Array => run(sized(a.data), sized(weight.data), null).map(x => x * meet)
  return [{ values, bound: { is: 'sum', length, terms, rounded } }]
}

function backOfDeconvolution(call: BackwardCall): readonly Gradient[] {
  const grad = incoming(call)
  if (!grad) return [null, null, null]
  const [a, weight, bias] = sidesOf(call.given)
  const g = transposedGeometry(call.given, a, weight)
  const axes = weight.shape.length - 2
  return [
    summed(array(forwards(g, grad.data, weight.data), a.shape), sizeOf(weight.shape.slice(1)), () =>
      forwards(g, sized(grad.data), sized(weight.data)),
    ),
    summed(array(weightOf(g, grad.data, a.data), weight.shape), volume(g.windows.output) * g.batch, () =>
      weightOf(g, sized(grad.data), sized(a.data)),
    ),
    bias && biasGradient(grad, axes),
  ]
}

// ---------------------------------------- windows as columns

function unfoldWindows(given: Given, input: readonly number[]): Windows {
  const [kernel, stride, dilation, pads] = [
    given.perAxis('kernel_size', 2, 1),
    given.perAxis('stride', 2, 1),
    given.perAxis('dilation', 2, 1),
    given.perAxis('padding', 2, 0),
  ]
  return windowsOf({ input, kernel, stride, dilation, before: pads, after: pads })
}

function unfolded(given: Given): readonly Outcome[] {
  const a = given.tensor('input')
  const x = batched(a, 2)
  const windows = unfoldWindows(given, x.shape.slice(2))
  const [channels, rows] = [x.shape[1], x.shape[1] * volume(windows.kernel)]
  const into = new Float64Array(x.shape[0] * rows * volume(windows.output))
  const size = channels * volume(windows.input)
  for (let i = 0; i < x.shape[0]; i++)
    at(into, i, rows * volume(windows.output)).set(columnsOf(at(x.data, i, size), channels, windows))
  const shape = [rows, volume(windows.output)]
  return [exact(array(into, a.shape.length === 4 ? [x.shape[0], ...shape] : shape, a.dtype))]
}

function folded(grad: NdArray, channels: number, windows: Windows): NdArray {
  const rows = channels * volume(windows.kernel)
  const size = channels * volume(windows.input)
  const columns = rows * volume(windows.output)
  const batch = grad.data.length / columns
  const into = new Float64Array(batch * size)
  for (let i = 0; i < batch; i++)
    at(into, i, size).set(fromColumns(at(grad.data, i, columns), channels, windows))
  return array(into, [batch, channels, ...windows.input.slice(1)])
}

function backOfUnfold(call: BackwardCall): readonly Gradient[] {
  const grad = incoming(call)
  if (!grad) return [null]
  const a = call.given.tensor('input')
  const x = batched(a, 2)
  const windows = unfoldWindows(call.given, x.shape.slice(2))
  return [summed(reshape(folded(grad, x.shape[1], windows), a.shape), volume(windows.kernel))]
}

function foldCall(given: Given): readonly Outcome[] {
  const a = given.tensor('input')
  const windows = unfoldWindows(given, given.perAxis('output_size', 2, 1))
  const channels = (a.shape.at(-2) ?? 1) / volume(windows.kernel)
  const values = folded(a, channels, windows)
  return [
    summed(
      reshape({ ...values, dtype: a.dtype }, a.shape.length === 3 ? values.shape : values.shape.slice(1)),
      volume(windows.kernel),
    ),
  ]
}

const flopsOf = (given: Given): number => {
  const [a, weight] = [given.tensor('input'), given.tensor('weight')]
  const g = geometryOf(given, a, weight)
  return 2 * g.batch * sizeOf(weight.shape) * volume(g.windows.output)
}
const flopsOfTransposed = (given: Given): number =>
  2 *
  (given.tensor('input').data.length / given.tensor('weight').shape[0]) *
  sizeOf(given.tensor('weight').shape)

const signature = 'input weight bias stride padding dilation groups'

export const convolutionOperations: readonly Operation[] = [
  operation('conv1d conv2d conv3d npu_conv2d npu_conv3d', signature, convolved, {
    backward: backOfConvolution,
    flops: flopsOf,
  }),
  operation(
    'conv_transpose1d conv_transpose2d conv_transpose3d',
    'input weight bias stride padding output_padding groups dilation',
    deconvolved,
    { backward: backOfDeconvolution, flops: flopsOfTransposed },
  ),
  operation('unfold', 'input kernel_size dilation padding stride', unfolded, { backward: backOfUnfold }),
  operation('fold', 'input output_size kernel_size dilation padding stride', foldCall),
]
