// Pools over one to three axes: largest and average, by windows or to a wanted size.
import type { Given } from './arguments.ts'
import { array, type NdArray, reshape, sameShape, sizeOf } from './array.ts'
import {
  type BackwardCall,
  exact,
  type Gradient,
  incoming,
  type Operation,
  operation,
  type Outcome,
  summed,
  summedInSteps,
} from './operation.ts'
import { reshapedOnly } from './matmul.ts'
import { Unsupported } from './unsupported.ts'
import { eachPlace, volume, type Windows, windowsOf } from './windows.ts'

/** A pool of an input: which elements belong to which result. */
interface Pool {
  readonly a: NdArray
  /** Batches and channels. */
  readonly planes: number
  readonly shape: readonly number[]
  readonly input: number
  readonly output: number
  /** All windows and their elements, in the order of the input. */
  each(visit: (window: number, at: number) => void): void
  readonly windows: Windows | null
}

function windowPool(given: Given, axes: number): Pool {
  const a = given.tensor('input')
  const input = a.shape.slice(a.shape.length - axes)
  const kernel = given.perAxis('kernel_size', axes, 1)
  const stride = (given.ints('stride') ?? []).length ? given.perAxis('stride', axes, 1) : kernel
  const pads = given.perAxis('padding', axes, 0)
  const dilation = given.perAxis('dilation', axes, 1)
  const windows = windowsOf(
    { input, kernel, stride, dilation, before: pads, after: pads },
    given.flag('ceil_mode', false),
  )
  const outer = a.shape.slice(0, a.shape.length - axes)
  return {
    a,
    planes: sizeOf(outer),
    shape: [...outer, ...windows.output.slice(3 - axes)],
    input: sizeOf(input),
    output: volume(windows.output),
    windows,
    each: visit => eachPlace(windows, (window, _, at) => visit(window, at)),
  }
}

/** Windows of unequal size that cover the input evenly. */
function adaptivePool(given: Given, axes: number): Pool {
  const a = given.tensor('input')
  const input = a.shape.slice(a.shape.length - axes)
  const output = wantedSize(given, input)
  const outer = a.shape.slice(0, a.shape.length - axes)
  const ranges = output.map((count, i) =>
    Array.from(
      { length: count },
      (_, n) => [Math.floor((n * input[i]) / count), Math.ceil(((n + 1) * input[i]) / count)] as const,
    ),
  )
  return {
    a,
    planes: sizeOf(outer),
    shape: [...outer, ...output],
    input: sizeOf(input),
    output: sizeOf(output),
    windows: null,
    each(visit) {
      let window = 0
      const walk = (axis: number, places: readonly number[]): void => {
        if (axis === axes) {
          for (const at of places) visit(window, at)
          window++
          return
        }
        for (const [from, to] of ranges[axis]) {
          const inner: number[] = []
          for (const at of places) for (let i = from; i < to; i++) inner.push(at * input[axis] + i)
          walk(axis + 1, inner)
        }
      }
      walk(0, [0])
    },
  }
}

function wantedSize(given: Given, input: readonly number[]): readonly number[] {
  const raw = given.raw('output_size')
  if (Array.isArray(raw) && raw.some(one => one === null))
    return raw.map((one, i) => (one === null ? input[i] : Number((one as { readonly value?: number }).value)))
  return given.perAxis('output_size', input.length, 1)
}

const plane = (data: Float64Array, index: number, size: number): Float64Array =>
  data.subarray(index * size, (index + 1) * size)

interface Largest {
  readonly values: Float64Array
  readonly places: Float64Array
}

function largestOf(pool: Pool): Largest {
  const values = new Float64Array(pool.planes * pool.output).fill(-Infinity)
  const places = new Float64Array(values.length).fill(-1)
  for (let p = 0; p < pool.planes; p++) {
    const data = plane(pool.a.data, p, pool.input)
    const [best, at] = [plane(values, p, pool.output), plane(places, p, pool.output)]
    pool.each((window, i) => {
      if (at[window] < 0 || data[i] > best[window] || Number.isNaN(data[i])) {
        best[window] = data[i]
        at[window] = i
      }
    })
  }
  return { values, places }
}

const largest = (given: Given, pool: Pool): readonly Outcome[] =>
  withPlaces(pool).slice(0, given.flag('return_indices', false) ? 2 : 1)

function withPlaces(pool: Pool): readonly Outcome[] {
  const { values, places } = largestOf(pool)
  const valueAt = (i: number, place: number): number | undefined =>
    pool.a.data[Math.floor(i / pool.output) * pool.input + place]
  return [
    exact(array(values, pool.shape, pool.a.dtype)),
    { ...exact(array(places, pool.shape, 'int64')), ties: { valueAt } },
  ]
}

function backOfLargest(call: BackwardCall, pool: Pool): readonly Gradient[] {
  const grad = incoming(call)
  if (!grad) return [null]
  const { places } = largestOf(pool)
  const into = new Float64Array(pool.a.data.length)
  const meets = new Uint32Array(pool.a.data.length)
  for (let p = 0; p < pool.planes; p++)
    for (let w = 0; w < pool.output; w++) {
      const at = p * pool.input + places[p * pool.output + w]
      into[at] += grad.data[p * pool.output + w]
      meets[at]++
    }
  const values = array(into, pool.a.shape)
  const most = meets.reduce((top, count) => Math.max(top, count), 0)
  return [most > 1 ? summed(values, most) : exact(values)]
}

// ---------------------------------------- back from the largest

/** Where each value of a pool goes; [planes, results] places within the larger plane. */
function unpooled(
  given: Given,
  axes: number,
): { readonly shape: readonly number[]; readonly places: Float64Array } {
  const a = given.tensor('input')
  const input = a.shape.slice(a.shape.length - axes)
  const kernel = given.perAxis('kernel_size', axes, 1)
  const stride = (given.ints('stride') ?? []).length ? given.perAxis('stride', axes, 1) : kernel
  const pads = given.perAxis('padding', axes, 0)
  const wanted = given.ints('output_size')?.slice(-axes)
  const output = wanted ?? input.map((size, i) => (size - 1) * stride[i] - 2 * pads[i] + kernel[i])
  const inner = sizeOf(output)
  const per = sizeOf(input)
  const places = given.tensor('indices').data.map((place, i) => {
    if (!(place >= 0 && place < inner)) throw new Unsupported('arguments', `index ${place}`)
    return Math.floor(i / per) * inner + place
  })
  return { shape: [...a.shape.slice(0, a.shape.length - axes), ...output], places }
}

const unpool = (axes: number): Operation =>
  operation(
    `max_unpool${axes}d`,
    'input indices kernel_size stride padding output_size',
    given => {
      const { shape, places } = unpooled(given, axes)
      const a = given.tensor('input')
      const into = new Float64Array(sizeOf(shape))
      for (const [i, at] of places.entries()) into[at] = a.data[i]
      return [exact(array(into, shape, a.dtype))]
    },
    {
      backward(call) {
        const grad = incoming(call)
        if (!grad) return [null]
        const { places } = unpooled(call.given, axes)
        return [
          exact(
            array(
              places.map(at => grad.data[at]),
              call.given.tensor('input').shape,
            ),
          ),
        ]
      },
    },
  )

/** The norm of each window. */
const normPool = (axes: number): Operation => {
  const sums = (given: Given): { readonly pool: Pool; readonly values: Float64Array; readonly p: number } => {
    const pool = windowPool(given, axes)
    const p = given.number('norm_type')
    if (given.flag('ceil_mode', false)) throw new Unsupported('unsupported', 'ceil_mode')
    const ones = new Float64Array(pool.output).fill(1)
    return {
      pool,
      values: averagesOf(
        pool,
        pool.a.data.map(x => x ** p),
        ones,
      ),
      p,
    }
  }
  return operation(
    `lp_pool${axes}d`,
    'input norm_type kernel_size stride ceil_mode',
    given => {
      const { pool, values, p } = sums(given)
      const result = array(
        values.map(sum => sum ** (1 / p)),
        pool.shape,
        pool.a.dtype,
      )
      return [summedInSteps(result, pool.input, () => result.data)]
    },
    {
      // The last node is the root of the sums.
      backward(call) {
        const grad = incoming(call)
        const { pool, values, p } = sums(call.given)
        if (!grad || !sameShape(call.stored[0] ?? [], pool.shape) || call.stored.length !== 1) return []
        const data = values.map((sum, i) => (grad.data[i] * sum ** (1 / p - 1)) / p)
        return [summedInSteps(array(data, pool.shape), pool.input, () => data.map(Math.abs))]
      },
    },
  )
}

// ---------------------------------------- averages

/** By how many the sum of each window is divided. */
function divisors(given: Given, pool: Pool): Float64Array {
  const counts = new Float64Array(pool.output)
  pool.each(window => {
    counts[window]++
  })
  const { windows } = pool
  const fixed = given.has('divisor_override') ? given.number('divisor_override') : null
  if (fixed !== null) return counts.fill(fixed)
  if (windows && given.flag('count_include_pad', true)) return paddedCounts(windows)
  return counts
}

/** Elements of each window that lie in the input or its padding. */
function paddedCounts({ input, kernel, stride, before, output }: Windows): Float64Array {
  const sizes = output.map((count, axis) =>
    Array.from({ length: count }, (_, n) => {
      const from = n * stride[axis] - before[axis]
      return Math.min(from + kernel[axis], input[axis] + before[axis]) - from
    }),
  )
  const into = new Float64Array(volume(output))
  let at = 0
  for (const z of sizes[0]) for (const y of sizes[1]) for (const x of sizes[2]) into[at++] = x * y * z
  return into
}

function averagesOf(pool: Pool, data: Float64Array, by: Float64Array): Float64Array {
  const into = new Float64Array(pool.planes * pool.output)
  for (let p = 0; p < pool.planes; p++) {
    const [from, to] = [plane(data, p, pool.input), plane(into, p, pool.output)]
    pool.each((window, at) => {
      to[window] += from[at] / by[window]
    })
  }
  return into
}

function average(given: Given, pool: Pool): readonly Outcome[] {
  const by = divisors(given, pool)
  const values = array(averagesOf(pool, pool.a.data, by), pool.shape, pool.a.dtype)
  const length = Math.ceil(by.reduce((most, count) => Math.max(most, count), 1))
  return [summed(values, length, () => averagesOf(pool, pool.a.data.map(Math.abs), by))]
}

function backOfAverage(call: BackwardCall, pool: Pool): readonly Gradient[] {
  const grad = incoming(call)
  if (!grad) return [null]
  const by = divisors(call.given, pool)
  const spread = (grads: Float64Array): Float64Array => {
    const into = new Float64Array(pool.a.data.length)
    for (let p = 0; p < pool.planes; p++) {
      const [to, from] = [plane(into, p, pool.input), plane(grads, p, pool.output)]
      pool.each((window, at) => {
        to[at] += from[window] / by[window]
      })
    }
    return into
  }
  const values = array(spread(grad.data), pool.a.shape)
  return [summed(values, by.length, () => spread(grad.data.map(Math.abs)))]
}

// ---------------------------------------- the table

type Make = (given: Given, axes: number) => Pool

/** In one dimension PyTorch pools in two, and its last node takes the second axis away again. */
const orInner =
  (back: (call: BackwardCall, pool: Pool) => readonly Gradient[], make: Make, axes: number) =>
  (call: BackwardCall): readonly Gradient[] => {
    const { a } = make(call.given, axes)
    const [stored] = call.stored
    if (stored && stored.length !== a.shape.length) {
      const inner = reshapedOnly(call)
      return inner ? [inner] : []
    }
    return back(call, make(call.given, axes))
  }

function pools(
  name: string,
  signature: string,
  make: Make,
  kind: 'largest' | 'average',
): readonly Operation[] {
  const [of, back] =
    kind === 'largest' ? ([largest, backOfLargest] as const) : ([average, backOfAverage] as const)
  return [1, 2, 3].flatMap(axes => {
    const backward = orInner(back, make, axes)
    return [
      operation(`${name}${axes}d`, signature, given => of(given, make(given, axes)), { backward }),
      ...(kind === 'largest'
        ? [
            operation(`${name}${axes}d_with_indices`, signature, given => withPlaces(make(given, axes)), {
              backward,
            }),
          ]
        : []),
    ]
  })
}

function shuffled(given: Given, up: boolean): readonly Outcome[] {
  const a = given.tensor('input')
  return [exact(up ? shuffleUp(a, given.number('factor')) : shuffleDown(a, given.number('factor')))]
}

function shuffleUp(a: NdArray, by: number): NdArray {
  const [channels, height, width] = a.shape.slice(-3)
  const outer = a.shape.slice(0, -3)
  const own = channels / by ** 2
  if (!Number.isInteger(own)) throw new Unsupported('shapes', 'pixel_shuffle')
  return moved(a, [...outer, own, height * by, width * by], { own, height, width, by }, true)
}

function shuffleDown(a: NdArray, by: number): NdArray {
  const [own, high, wide] = a.shape.slice(-3)
  const [height, width] = [high / by, wide / by]
  const outer = a.shape.slice(0, -3)
  return moved(a, [...outer, own * by ** 2, height, width], { own, height, width, by }, false)
}

interface Shuffle {
  readonly own: number
  readonly height: number
  readonly width: number
  readonly by: number
}

function moved(
  a: NdArray,
  shape: readonly number[],
  { own, height, width, by }: Shuffle,
  up: boolean,
): NdArray {
  const into = new Float64Array(a.data.length)
  const size = own * by * by * height * width
  for (let i = 0; i < size; i++) {
    const x = i % width
    const y = Math.floor(i / width) % height
    const q = Math.floor(i / (width * height)) % by
    const p = Math.floor(i / (width * height * by)) % by
    const c = Math.floor(i / (width * height * by * by))
    const large = (c * height * by + y * by + p) * width * by + x * by + q
    for (let at = 0; at < a.data.length; at += size) {
      if (up) into[at + large] = a.data[at + i]
      else into[at + i] = a.data[at + large]
    }
  }
  return reshape({ ...a, data: into }, shape)
}

const backOfShuffle =
  (up: boolean) =>
  (call: BackwardCall): readonly Gradient[] => {
    const grad = incoming(call)
    const by = call.given.number('factor')
    return [grad && exact(up ? shuffleDown(grad, by) : shuffleUp(grad, by))]
  }

export const poolingOperations: readonly Operation[] = [
  ...pools(
    'max_pool',
    'input kernel_size stride padding dilation ceil_mode return_indices',
    windowPool,
    'largest',
  ),
  ...pools(
    'avg_pool',
    'input kernel_size stride padding ceil_mode count_include_pad divisor_override',
    windowPool,
    'average',
  ),
  ...pools('adaptive_max_pool', 'input output_size return_indices', adaptivePool, 'largest'),
  ...pools('adaptive_avg_pool', 'input output_size', adaptivePool, 'average'),
  ...[1, 2, 3].flatMap(axes => [unpool(axes), normPool(axes)]),
  operation('pixel_shuffle', 'input factor', given => shuffled(given, true), {
    backward: backOfShuffle(true),
  }),
  operation('pixel_unshuffle', 'input factor', given => shuffled(given, false), {
    backward: backOfShuffle(false),
  }),
]
