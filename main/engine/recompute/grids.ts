// Samples of images at places that a grid names, and grids of affine maps.
import type { Given } from './arguments.ts'
import { array, type NdArray, reshape, sizeOf } from './array.ts'
import {
  type BackwardCall,
  type Gradient,
  incoming,
  type Operation,
  operation,
  type Outcome,
  summed,
  summedInSteps,
} from './operation.ts'
import { absolute, matrices, transposed } from './product.ts'
import { roundEven } from './special.ts'
import { Unsupported } from './unsupported.ts'

interface Sampling {
  /** [batch, channels, …] */
  readonly image: NdArray
  /** [batch, …, axes], the last axis of the image named first. */
  readonly grid: NdArray
  readonly mode: 'bilinear' | 'nearest' | 'bicubic'
  readonly padding: string
  readonly aligned: boolean
}

const modes = ['bilinear', 'nearest', 'bicubic'] as const

function samplingOf(given: Given): Sampling {
  // The lower functions count what the upper ones name.
  const named = (name: string, all: readonly string[]): string => {
    const raw = given.raw(name)
    return typeof raw === 'string' || raw === null || raw === undefined
      ? given.text(name, all[0])
      : all[given.number(name)]
  }
  const mode = modes.find(one => one === named('mode', modes))
  const padding = named('padding_mode', ['zeros', 'border', 'reflection'])
  if (!mode) throw new Unsupported('arguments', 'mode')
  return {
    image: given.tensor('input'),
    grid: given.tensor('grid'),
    mode,
    padding,
    aligned: given.flag('align_corners', false),
  }
}

const within = (x: number, low: number, high: number): number => Math.min(Math.max(x, low), high)

function reflected(x: number, low: number, high: number): number {
  if (high <= low) return 0
  const span = high - low
  const from = Math.abs(x - low)
  const rest = from % span
  return Math.floor(from / span) % 2 === 0 ? rest + low : span - rest + low
}

/** Brought into an image of so many elements, as the padding asks. */
function inside(x: number, size: number, { padding, aligned }: Sampling): number {
  if (padding === 'border') return within(x, 0, size - 1)
  if (padding !== 'reflection') return x
  const low = aligned ? 0 : -0.5
  return within(reflected(x, low, size - 1 - low), 0, size - 1)
}

interface Tap {
  readonly at: number
  readonly weight: number
}

const cubic = (distance: number): number => {
  const a = -0.75
  const x = Math.abs(distance)
  if (x <= 1) return ((a + 2) * x - (a + 3)) * x * x + 1
  return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0
}

/** Elements along one axis that a place is made of; those outside of the image are left out. */
function tapsAt(place: number, size: number, of: Sampling): readonly Tap[] {
  const { mode, aligned } = of
  const raw = aligned ? ((place + 1) / 2) * (size - 1) : ((place + 1) * size - 1) / 2
  const keep = (taps: readonly Tap[]): readonly Tap[] => taps.filter(({ at }) => at >= 0 && at < size)
  if (mode === 'bicubic') {
    const first = Math.floor(raw)
    return keep(
      [-1, 0, 1, 2].map(by => ({ at: inside(first + by, size, of), weight: cubic(raw - first - by) })),
    )
  }
  const x = inside(raw, size, of)
  if (mode === 'nearest') return keep([{ at: roundEven(x), weight: 1 }])
  const low = Math.floor(x)
  return keep([
    { at: low, weight: low + 1 - x },
    { at: low + 1, weight: x - low },
  ])
}

interface Places {
  readonly batch: number
  readonly channels: number
  readonly input: readonly number[]
  readonly output: readonly number[]
  /** Visits each element of the image that a result of one batch is made of. */
  each(batch: number, visit: (result: number, at: number, weight: number) => void): void
}

function placesOf(of: Sampling): Places {
  const { image, grid } = of
  const [batch, channels, ...input] = image.shape
  const axes = input.length
  const output = grid.shape.slice(1, -1)
  if (grid.shape[0] !== batch || grid.shape.at(-1) !== axes) throw new Unsupported('shapes', 'grid')
  if (of.mode === 'bicubic' && axes !== 2) throw new Unsupported('unsupported', 'bicubic')
  const count = sizeOf(output)
  return {
    batch,
    channels,
    input,
    output,
    each(b, visit) {
      for (let i = 0; i < count; i++) {
        const from = (b * count + i) * axes
        let taps: readonly Tap[] = [{ at: 0, weight: 1 }]
        for (const [axis, size] of input.entries()) {
          const own = tapsAt(grid.data[from + axes - 1 - axis], size, of)
          taps = taps.flatMap(outer =>
            own.map(tap => ({ at: outer.at * size + tap.at, weight: outer.weight * tap.weight })),
          )
        }
        for (const { at, weight } of taps) visit(i, at, weight)
      }
    },
  }
}

/** Sums over the image, or back to it. */
function through(
  places: Places,
  from: Float64Array,
  back: boolean,
  size: (x: number) => number = x => x,
): Float64Array {
  const { batch, channels, input, output } = places
  const [inner, outer] = [sizeOf(input), sizeOf(output)]
  const into = new Float64Array(batch * channels * (back ? inner : outer))
  for (let b = 0; b < batch; b++)
    places.each(b, (result, at, weight) => {
      const by = size(weight)
      for (let c = 0; c < channels; c++) {
        const [low, high] = [(b * channels + c) * inner + at, (b * channels + c) * outer + result]
        if (back) into[low] += by * from[high]
        else into[high] += by * from[low]
      }
    })
  return into
}

/** Places are numbers of the same type: an error there moves the weights by as much as the image is long. */
const lengthOf = ({ image }: Sampling): number =>
  16 * image.shape.slice(2).reduce((sum, size) => sum + size, 0)

function sampled(given: Given): readonly Outcome[] {
  const of = samplingOf(given)
  const places = placesOf(of)
  const { image } = of
  const values = array(
    through(places, image.data, false),
    [places.batch, places.channels, ...places.output],
    image.dtype,
  )
  const largest = image.data.reduce((most, x) => Math.max(most, Math.abs(x)), 0)
  // A place right between two elements may be moved to a neighbour that is much larger.
  const terms = (): Float64Array =>
    through(places, absolute(image).data, false, Math.abs).map(x => x + largest)
  return [summedInSteps(values, lengthOf(of), terms)]
}

/** Of the image; by how much each place counts is not computed. */
function backOfSampled(call: BackwardCall): readonly Gradient[] {
  const grad = incoming(call)
  if (!grad) return []
  const of = samplingOf(call.given)
  const places = placesOf(of)
  const values = array(through(places, grad.data, true), of.image.shape)
  const largest = grad.data.reduce((most, x) => Math.max(most, Math.abs(x)), 0)
  const terms = (): Float64Array =>
    through(places, grad.data.map(Math.abs), true, Math.abs).map(x => x + largest)
  return [summedInSteps(values, lengthOf(of), terms), null]
}

// ---------------------------------------- affine grids

interface Affine {
  readonly theta: NdArray
  /** [batch, places, axes + 1], the last axis named first and one at the end. */
  readonly base: NdArray
  readonly output: readonly number[]
}

function affineOf(given: Given): Affine {
  const theta = given.tensor('theta')
  const size = given.ints('size') ?? []
  const [batch, , ...output] = size
  const aligned = given.flag('align_corners', false)
  const along = (count: number, i: number): number => {
    const at = count > 1 ? -1 + (2 * i) / (count - 1) : 0
    return aligned ? at : (at * (count - 1)) / count
  }
  const axes = output.length
  const count = sizeOf(output)
  const data = new Float64Array(batch * count * (axes + 1))
  for (let i = 0; i < batch * count; i++) {
    let rest = i % count
    for (let axis = axes - 1; axis >= 0; axis--) {
      data[i * (axes + 1) + axes - 1 - axis] = along(output[axis], rest % output[axis])
      rest = Math.floor(rest / output[axis])
    }
    data[i * (axes + 1) + axes] = 1
  }
  return { theta, base: array(data, [batch, count, axes + 1]), output }
}

function affine(given: Given): readonly Outcome[] {
  const { theta, base, output } = affineOf(given)
  const shape = [theta.shape[0], ...output, output.length]
  const of = (x: NdArray, y: NdArray): NdArray => reshape(matrices(x, transposed(y)), shape)
  const terms = (): Float64Array => of(absolute(base), absolute(theta)).data.map(x => x + 1)
  return [summedInSteps({ ...of(base, theta), dtype: theta.dtype }, 8, terms)]
}

function backOfAffine(call: BackwardCall): readonly Gradient[] {
  const grad = incoming(call)
  if (!grad) return []
  const { theta, base, output } = affineOf(call.given)
  const rows = reshape(grad, [theta.shape[0], sizeOf(output), output.length])
  const of = (x: NdArray, y: NdArray): NdArray => matrices(transposed(x), y)
  return [summed(of(rows, base), 4 * sizeOf(output), () => of(absolute(rows), absolute(base)).data)]
}

export const gridOperations: readonly Operation[] = [
  operation('grid_sample', 'input grid mode padding_mode align_corners', sampled, {
    backward: backOfSampled,
  }),
  operation(
    'grid_sampler grid_sampler_2d grid_sampler_3d',
    'input grid mode padding_mode align_corners',
    sampled,
    { backward: backOfSampled },
  ),
  operation('affine_grid affine_grid_generator', 'theta size align_corners', affine, {
    backward: backOfAffine,
  }),
]
