// interpolate: other sizes of the last axes, each result a sum of weighted elements.
import { type Given, isList } from './arguments.ts'
import { array, type NdArray, sizeOf } from './array.ts'
import {
  type BackwardCall,
  exact,
  type Gradient,
  incoming,
  type Operation,
  operation,
  type Outcome,
  summed,
} from './operation.ts'
import { Unsupported } from './unsupported.ts'

/** Which elements each place of an axis takes, with their weights. */
type Taps = readonly (readonly (readonly [at: number, weight: number])[])[]

const clip = (at: number, size: number): number => Math.min(Math.max(at, 0), size - 1)

/** Where a place of the result lies in the input. */
function sourceOf(i: number, aligned: boolean, sizes: readonly [number, number], scale: number): number {
  const [size, output] = sizes
  if (aligned) return output > 1 ? (i * (size - 1)) / (output - 1) : 0
  return (i + 0.5) * scale - 0.5
}

function cubic(t: number): readonly number[] {
  const a = -0.75
  const near = (x: number): number => ((a + 2) * x - (a + 3)) * x * x + 1
  const far = (x: number): number => ((a * x - 5 * a) * x + 8 * a) * x - 4 * a
  return [far(t + 1), near(t), near(1 - t), far(2 - t)]
}

interface Axis {
  readonly size: number
  readonly output: number
  /** Steps of the input per step of the result. */
  readonly scale: number
}

const kinds: Readonly<
  Record<string, (axis: Axis, i: number, aligned: boolean) => readonly (readonly [number, number])[]>
> = {
  nearest: ({ size, scale }, i) => [[Math.min(Math.floor(i * scale), size - 1), 1]],
  'nearest-exact': ({ size, scale }, i) => [[Math.min(Math.floor((i + 0.5) * scale), size - 1), 1]],
  linear({ size, output, scale }, i, aligned) {
    const at = Math.max(0, sourceOf(i, aligned, [size, output], scale))
    const low = Math.min(Math.floor(at), size - 1)
    const part = Math.min(at - low, 1)
    return [
      [low, 1 - part],
      [clip(low + 1, size), part],
    ]
  },
  cubic({ size, output, scale }, i, aligned) {
    const at = sourceOf(i, aligned, [size, output], scale)
    const low = Math.floor(at)
    return cubic(at - low).map((weight, k) => [clip(low - 1 + k, size), weight] as const)
  },
  area({ size, output }, i) {
    const from = Math.floor((i * size) / output)
    const to = Math.ceil(((i + 1) * size) / output)
    return Array.from({ length: to - from }, (_, k) => [from + k, 1 / (to - from)] as const)
  },
}

const kindOf: Readonly<Record<string, string>> = {
  nearest: 'nearest',
  'nearest-exact': 'nearest-exact',
  linear: 'linear',
  bilinear: 'linear',
  trilinear: 'linear',
  bicubic: 'cubic',
  area: 'area',
}

interface Resize {
  readonly a: NdArray
  readonly mode: string
  readonly shape: readonly number[]
  readonly taps: readonly Taps[]
}

function resizeOf(given: Given, named = ''): Resize {
  const a = given.tensor('input')
  const mode = named || given.text('mode', 'nearest')
  if (!Object.hasOwn(kindOf, mode) || given.flag('antialias', false))
    throw new Unsupported('unsupported', mode)
  const input = a.shape.slice(2)
  const output = outputOf(given, input)
  const factors = factorsOf(given, input)
  // The older names align corners.
  const aligned = named !== '' || given.flag('align_corners', false)
  const taps = input.map((size, axis) => {
    const count = output[axis]
    const used = factors && !given.flag('recompute_scale_factor', false)
    const scale = used ? 1 / factors[axis] : size / count
    return Array.from({ length: count }, (_, i) =>
      kinds[kindOf[mode]]({ size, output: count, scale }, i, aligned),
    )
  })
  return { a, mode, shape: [...a.shape.slice(0, 2), ...output], taps }
}

function factorsOf(given: Given, input: readonly number[]): readonly number[] | null {
  if (!given.has('scale_factor')) return null
  const raw = given.raw('scale_factor')
  return isList(raw) ? (given.ints('scale_factor') ?? []) : input.map(() => given.number('scale_factor'))
}

function outputOf(given: Given, input: readonly number[]): readonly number[] {
  const factors = factorsOf(given, input)
  if (factors) return input.map((size, i) => Math.floor(size * factors[i]))
  return given.perAxis('size', input.length, 1)
}

/** One axis after the other, each a matrix of few entries. */
function along(
  data: Float64Array,
  shape: readonly number[],
  axis: number,
  taps: Taps,
  back: boolean,
): Float64Array {
  const inner = sizeOf(shape.slice(axis + 1))
  const outer = sizeOf(shape.slice(0, axis))
  const [from, to] = back ? [taps.length, shape[axis]] : [shape[axis], taps.length]
  const into = new Float64Array(outer * to * inner)
  for (let o = 0; o < outer; o++)
    for (const [i, entries] of taps.entries())
      for (const [at, weight] of entries) {
        const source = (o * from + (back ? i : at)) * inner
        const target = (o * to + (back ? at : i)) * inner
        for (let k = 0; k < inner; k++) into[target + k] += weight * data[source + k]
      }
  return into
}

function resized({ a, taps, shape }: Resize, data: Float64Array): Float64Array {
  let values = data
  const now = [...a.shape]
  for (const [axis, one] of taps.entries()) {
    values = along(values, now, axis + 2, one, false)
    now[axis + 2] = shape[axis + 2]
  }
  return values
}

function interpolated(given: Given, named = ''): readonly Outcome[] {
  const resize = resizeOf(given, named)
  const values = array(resized(resize, resize.a.data), resize.shape, resize.a.dtype)
  if (resize.mode.startsWith('nearest')) return [exact(values)]
  // Weights are numbers of the same type: their rounding is part of the result.
  const terms = (): Float64Array => resized(resize, resize.a.data.map(Math.abs))
  // Axis by axis, each sum rounded.
  const bound = { is: 'sum', length: 8 * resize.taps.length, stages: true, terms } as const
  return [{ values, bound }]
}

function backOfInterpolation(call: BackwardCall, named = ''): readonly Gradient[] {
  const grad = incoming(call)
  if (!grad) return [null]
  const { a, taps, shape } = resizeOf(call.given, named)
  const through = (data: Float64Array): Float64Array => {
    let values = data
    const now = [...shape]
    for (const [axis, one] of taps.entries()) {
      now[axis + 2] = a.shape[axis + 2]
      values = along(values, now, axis + 2, one, true)
    }
    return values
  }
  const length = Math.ceil(grad.data.length / Math.max(1, a.data.length)) * 8
  return [summed(array(through(grad.data), a.shape), length, () => through(grad.data.map(Math.abs)))]
}

/** `upsample_…` of one mode. */
const older = (mode: string): Operation =>
  operation(`upsample_${mode}`, 'input size scale_factor', given => interpolated(given, mode), {
    backward: call => backOfInterpolation(call, mode),
  })

export const resizeOperations: readonly Operation[] = [
  operation(
    'interpolate upsample',
    'input size scale_factor mode align_corners recompute_scale_factor antialias',
    given => interpolated(given),
    { backward: call => backOfInterpolation(call) },
  ),
  older('nearest'),
  older('bilinear'),
]
