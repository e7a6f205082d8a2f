// Values put to other places: diagonals, blocks, quarter turns, stacks of raised parts; and arrays made of numbers alone.
import { type Given, isList } from './arguments.ts'
import {
  addTo,
  array,
  axisOf,
  broadcast,
  expand,
  filled,
  type NdArray,
  permute,
  put,
  reshape,
  sameShape,
  sizeOf,
  stridesOf,
  sumTo,
  swapped,
  take,
  type View,
} from './array.ts'
import { ofShape } from './binary.ts'
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
import { promoted } from './promote.ts'
import { cut, joined } from './shapes.ts'
import { Unsupported } from './unsupported.ts'

/** A view of the result that holds the input, everything else being zero: its gradient is that view of the incoming one. */
const placed = (
  names: string,
  signature: string,
  of: (given: Given) => View & { readonly whole: readonly number[] },
): Operation =>
  operation(
    names,
    signature,
    given => {
      const { whole, ...view } = of(given)
      const into = filled(whole, 0, given.operand('input').dtype)
      put(into.data, view, given.operand('input').data)
      return [exact(into)]
    },
    {
      backward(call) {
        const grad = incoming(call)
        const { whole, ...view } = of(call.given)
        const [stored] = call.stored
        if (!grad || !stored || !sameShape(grad.shape, whole)) return [null]
        return [exact(reshape(take(grad, view), stored))]
      },
    },
  )

/** The last axis of the input becomes a diagonal over two axes of the result. */
function embedded(given: Given): View & { readonly whole: readonly number[] } {
  const { shape } = given.operand('input')
  const shift = given.number('offset', 0)
  const rank = shape.length + 1
  const [one, other] = [axisOf(given.number('dim1', -2), rank), axisOf(given.number('dim2', -1), rank)]
  const size = (shape.at(-1) ?? 1) + Math.abs(shift)
  const outer = shape.slice(0, -1)
  const whole = Array.from({ length: rank }, (_, axis) =>
    axis === one || axis === other ? size : (outer.shift() ?? 1),
  )
  const strides = stridesOf(whole)
  const rest = strides.filter((_, axis) => axis !== one && axis !== other)
  return {
    whole,
    shape,
    strides: [...rest, strides[one] + strides[other]],
    offset: Math.max(0, -shift) * strides[one] + Math.max(0, shift) * strides[other],
  }
}

function flatDiagonal(given: Given): View & { readonly whole: readonly number[] } {
  const { data, shape } = given.operand('input')
  const shift = given.number('offset', 0)
  const size = data.length + Math.abs(shift)
  const own = stridesOf(shape)
  return {
    whole: [size, size],
    shape,
    strides: own.map(by => by * (size + 1)),
    offset: Math.max(0, -shift) * size + Math.max(0, shift),
  }
}

/** Quarter turns from one axis to another. */
function turnedBy(a: NdArray, times: number, axes: readonly number[]): NdArray {
  const [from, to] = axes.map(dim => axisOf(dim, a.shape.length))
  const count = ((times % 4) + 4) % 4
  const strides = stridesOf(a.shape)
  const flipped = (one: NdArray, which: readonly number[]): NdArray => {
    const own = stridesOf(one.shape)
    return take(one, {
      shape: one.shape,
      strides: own.map((by, axis) => (which.includes(axis) ? -by : by)),
      offset: which.reduce((sum, axis) => sum + (one.shape[axis] - 1) * own[axis], 0),
    })
  }
  if (count === 0 || strides.length < 2) return a
  if (count === 2) return flipped(a, [from, to])
  return flipped(swapped(a, from, to), [count === 1 ? from : to])
}

const turnAxes = (given: Given): readonly number[] => given.ints('dim') ?? [0, 1]

/** Parts raised to more axes, then put beside each other along one of them. */
const stacking = (
  names: string,
  raise: (shape: readonly number[]) => readonly number[],
  axis: number,
): Operation => {
  const raised = (given: Given): readonly NdArray[] =>
    given.tensors('tensors').map(part => reshape(part, raise(part.shape)))
  return operation(names, 'tensors', given => [exact(joined(raised(given), axis))], {
    backward(call) {
      const grad = incoming(call)
      const parts = raised(call.given)
      if (!grad) return parts.map(() => null)
      return cut(
        grad,
        axis,
        parts.map(part => part.shape[axis]),
      ).map(exact)
    },
  })
}

const atLeast =
  (rank: number) =>
  (shape: readonly number[]): readonly number[] => {
    if (shape.length >= rank) return shape
    if (shape.length === 0) return Array.from({ length: rank }, () => 1)
    if (rank === 2) return [1, ...shape]
    return shape.length === 1 ? [1, shape[0], 1] : [...shape, 1]
  }

const raising = (rank: number): Operation =>
  operation(
    `atleast_${rank}d`,
    'input',
    given => given.tensors('input').map(a => exact(reshape(a, atLeast(rank)(a.shape)))),
    {
      backward(call) {
        const grad = incoming(call)
        return [
          grad && call.given.isTensor('input')
            ? exact(reshape(grad, call.given.tensor('input').shape))
            : null,
        ]
      },
    },
  )

/** Where each block begins: they touch at their corners. */
function blocks(given: Given): {
  readonly parts: readonly NdArray[]
  readonly views: readonly View[]
  readonly whole: readonly number[]
} {
  const parts = given.tensors('tensors').map(part => reshape(part, atLeast(2)(part.shape)))
  const whole = [0, 1].map(axis => parts.reduce((sum, part) => sum + part.shape[axis], 0))
  let [row, column] = [0, 0]
  const views = parts.map(({ shape }) => {
    const view = { shape, strides: [whole[1], 1], offset: row * whole[1] + column }
    row += shape[0]
    column += shape[1]
    return view
  })
  return { parts, views, whole }
}

/** Places in an array that lists of indices name, each list for one axis. */
function chosenPlaces(
  given: Given,
  shape: readonly number[],
): { readonly places: Float64Array; readonly shape: readonly number[] } {
  const raw = given.raw('indices')
  const lists = (isList(raw) ? raw : [raw ?? null]).map(one => given.asArray(one, 'indices'))
  if (lists.some(list => list.dtype === 'bool' || list.dtype === 'uint8') || lists.length > shape.length)
    throw new Unsupported('unsupported', 'indices')
  const common = broadcast(...lists.map(list => list.shape))
  const strides = stridesOf(shape)
  const first = new Float64Array(sizeOf(common))
  for (const [axis, list] of lists.entries()) {
    const wide = expand(list, common).data
    for (let i = 0; i < first.length; i++) {
      const at = wide[i] < 0 ? wide[i] + shape[axis] : wide[i]
      if (!(at >= 0 && at < shape[axis])) throw new Unsupported('arguments', `index ${wide[i]}`)
      first[i] += at * strides[axis]
    }
  }
  const inner = shape.slice(lists.length)
  const size = sizeOf(inner)
  const places = new Float64Array(first.length * size)
  for (let i = 0; i < places.length; i++) places[i] = first[Math.floor(i / size)] + (i % size)
  return { places, shape: [...common, ...inner] }
}

function indexPut(given: Given): readonly Outcome[] {
  const a = given.operand('input')
  const { places, shape } = chosenPlaces(given, a.shape)
  const values = expand(given.operand('values'), shape).data
  const data = a.data.slice()
  if (!given.flag('accumulate', false)) {
    for (const [i, at] of places.entries()) data[at] = values[i]
    return [exact({ ...a, data })]
  }
  const terms = a.data.map(Math.abs)
  const meets = new Uint32Array(data.length)
  for (const [i, at] of places.entries()) {
    data[at] += values[i]
    terms[at] += Math.abs(values[i])
    meets[at]++
  }
  return [
    summed(
      { ...a, data },
      meets.reduce((most, count) => Math.max(most, count), 1),
      () => terms,
    ),
  ]
}

function backOfIndexPut(call: BackwardCall): readonly Gradient[] {
  const grad = incoming(call)
  if (!grad) return [null, null]
  const { given } = call
  const { places, shape } = chosenPlaces(given, grad.shape)
  const values = array(
    places.map(at => grad.data[at]),
    shape,
  )
  const rest = grad.data.slice()
  if (!given.flag('accumulate', false)) for (const at of places) rest[at] = 0
  return [
    exact(array(rest, grad.shape)),
    given.isTensor('values') ? ofShape(values, given.tensor('values').shape) : null,
  ]
}

/** The places of one triangle of a matrix: rows, then columns. */
const triangle = (name: string, inside: (row: number, column: number, shift: number) => boolean): Operation =>
  operation(name, 'row col offset | dtype', given => {
    const [rows, columns, shift] = [given.number('row'), given.number('col'), given.number('offset', 0)]
    const found: (readonly [number, number])[] = []
    for (let i = 0; i < sizeOf([rows]); i++)
      for (let j = 0; j < sizeOf([columns]); j++) if (inside(i, j, shift)) found.push([i, j])
    const data = Float64Array.from([...found.map(([row]) => row), ...found.map(([, column]) => column)])
    return [exact(array(data, [2, found.length], given.dtype('dtype') ?? 'int64'))]
  })

/** A window of a spectrum, by the cosines that it is a sum of; periodic ones leave out the last element. */
const windowed = (
  name: string,
  of: (x: number, given: Given) => number,
  signature = 'window_length periodic',
): Operation =>
  operation(name, `${signature} | dtype`, given => {
    const length = given.number('window_length')
    const span = given.flag('periodic', true) ? length : length - 1
    const data = Float64Array.from({ length: sizeOf([length]) }, (_, i) =>
      length === 1 ? 1 : of(i / span, given),
    )
    const values = array(data, [length], given.dtype('dtype') ?? 'float32')
    return [summedInSteps(values, 0, () => data.map(() => 1))]
  })

const wave = (x: number, times: number): number => Math.cos(2 * Math.PI * times * x)

/** A diagonal of the result is replaced. */
function diagonalView(a: NdArray, shift: number, one: number, other: number): View {
  const [row, column] = [axisOf(one, a.shape.length), axisOf(other, a.shape.length)]
  const strides = stridesOf(a.shape)
  const kept = a.shape.map((_, axis) => axis).filter(axis => axis !== row && axis !== column)
  const length = Math.max(
    0,
    Math.min(a.shape[row] - Math.max(0, -shift), a.shape[column] - Math.max(0, shift)),
  )
  return {
    shape: [...kept.map(axis => a.shape[axis]), length],
    strides: [...kept.map(axis => strides[axis]), strides[row] + strides[column]],
    offset: Math.max(0, -shift) * strides[row] + Math.max(0, shift) * strides[column],
  }
}

const scatteredDiagonal = (given: Given, a: NdArray): View =>
  diagonalView(a, given.number('offset', 0), given.number('dim1', 0), given.number('dim2', 1))

export const placingOperations: readonly Operation[] = [
  placed('diag_embed', 'input offset dim1 dim2', embedded),
  placed('diagflat', 'input offset', flatDiagonal),
  operation(
    'rot90',
    'input k dim',
    given => [exact(turnedBy(given.operand('input'), given.number('k', 1), turnAxes(given)))],
    {
      backward(call) {
        const grad = incoming(call)
        return [grad && exact(turnedBy(grad, -call.given.number('k', 1), turnAxes(call.given)))]
      },
    },
  ),
  stacking('vstack row_stack', atLeast(2), 0),
  stacking('dstack', atLeast(3), 2),
  stacking('column_stack', shape => (shape.length < 2 ? [sizeOf(shape), 1] : shape), 1),
  raising(2),
  raising(3),
  operation(
    'block_diag',
    '*tensors',
    given => {
      const { parts, views, whole } = blocks(given)
      const into = filled(whole, 0, promoted(...parts))
      for (const [i, view] of views.entries()) put(into.data, view, parts[i].data)
      return [exact(into)]
    },
    {
      backward(call) {
        const grad = incoming(call)
        const { views } = blocks(call.given)
        return views.map(
          (view, i) => grad && exact(reshape(take(grad, view), call.given.tensors('tensors')[i].shape)),
        )
      },
    },
  ),
  operation(
    'broadcast_tensors',
    '*tensors',
    given => {
      const all = given.tensors('tensors')
      const shape = broadcast(...all.map(one => one.shape))
      return all.map(one => exact(expand(one, shape)))
    },
    {
      // The node of the first result.
      backward(call) {
        const grad = incoming(call)
        return [grad && ofShape(grad, call.given.tensors('tensors')[0].shape)]
      },
    },
  ),
  operation('sum_to_size', 'input *size', given => {
    const a = given.operand('input')
    const shape = given.ints('size') ?? []
    const times = a.data.length / Math.max(1, sizeOf(shape))
    const terms = (): Float64Array => sumTo({ ...a, data: a.data.map(Math.abs) }, shape).data
    return [summed({ ...sumTo(a, shape), dtype: a.dtype }, times, terms)]
  }),
  operation('index_put _index_put_impl', 'input indices values accumulate', indexPut, {
    backward: backOfIndexPut,
  }),
  operation(
    'diagonal_scatter',
    'input src offset dim1 dim2',
    given => {
      const a = given.operand('input')
      const data = a.data.slice()
      put(data, scatteredDiagonal(given, a), given.tensor('src').data)
      return [exact({ ...a, data })]
    },
    {
      backward(call) {
        const grad = incoming(call)
        if (!grad) return [null, null]
        const view = scatteredDiagonal(call.given, grad)
        const rest = grad.data.slice()
        const own = take(grad, view)
        addTo(
          rest,
          view,
          own.data.map(x => -x),
        )
        return [exact({ ...grad, data: rest }), exact(own)]
      },
    },
  ),
  operation('fill_diagonal_', 'input fill_value wrap', given => {
    const a = given.operand('input')
    if (given.flag('wrap', false) || a.shape.length !== 2)
      throw new Unsupported('unsupported', 'fill_diagonal_')
    const data = a.data.slice()
    const view = diagonalView(a, 0, 0, 1)
    put(data, view, new Float64Array(sizeOf(view.shape)).fill(given.number('fill_value')))
    return [exact({ ...a, data })]
  }),
  operation(
    'channel_shuffle',
    'input groups',
    given => {
      const a = given.operand('input')
      const [batch, channels, ...rest] = a.shape
      const groups = given.number('groups')
      const split = reshape(a, [batch, groups, channels / groups, sizeOf(rest)])
      return [exact(reshape(permute(split, [0, 2, 1, 3]), a.shape))]
    },
    {
      backward(call) {
        const grad = incoming(call)
        if (!grad) return [null]
        const [batch, channels, ...rest] = grad.shape
        const groups = call.given.number('groups')
        const split = reshape(grad, [batch, channels / groups, groups, sizeOf(rest)])
        return [exact(reshape(permute(split, [0, 2, 1, 3]), grad.shape))]
      },
    },
  ),
  operation('vander', 'x N increasing', given => {
    const a = given.tensor('x')
    const count = given.number('N', a.data.length)
    const rising = given.flag('increasing', false)
    const data = Float64Array.from(
      { length: sizeOf([a.data.length, count]) },
      (_, i) => a.data[Math.floor(i / count)] ** (rising ? i % count : count - 1 - (i % count)),
    )
    const values = array(data, [...a.shape, count], a.dtype)
    return [summedInSteps(values, count, () => data.map(Math.abs))]
  }),
  triangle('tril_indices', (row, column, shift) => column - row <= shift),
  triangle('triu_indices', (row, column, shift) => column - row >= shift),
  operation('logspace', 'start end steps base | dtype', given => {
    const [from, to, count] = [given.number('start'), given.number('end'), given.number('steps', 100)]
    const by = count > 1 ? (to - from) / (count - 1) : 0
    const data = Float64Array.from(
      { length: sizeOf([count]) },
      (_, i) => given.number('base', 10) ** (from + i * by),
    )
    const values = array(data, [count], given.dtype('dtype') ?? 'float32')
    return [summedInSteps(values, 0, () => data.map(x => x * (1 + Math.abs(Math.log(x)))))]
  }),
  windowed('hann_window', x => 0.5 - 0.5 * wave(x, 1)),
  windowed(
    'hamming_window',
    (x, given) => given.number('alpha', 0.54) - given.number('beta', 0.46) * wave(x, 1),
    'window_length periodic alpha beta',
  ),
  windowed('blackman_window', x => 0.42 - 0.5 * wave(x, 1) + 0.08 * wave(x, 2)),
  windowed('bartlett_window', x => 1 - Math.abs(2 * x - 1)),
]
