// Operations that copy: other shapes, orders, parts and joins of the same values.
import type { Given } from './arguments.ts'
import { dtypeOfNumber, isList, isNumber } from './arguments.ts'
import {
  addTo,
  array,
  axesOf,
  axisOf,
  expand,
  filled,
  map,
  type NdArray,
  permute,
  put,
  reshape,
  sameShape,
  sizeOf,
  stridesOf,
  sumOver,
  swapped,
  take,
  type View,
  withDtype,
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
} from './operation.ts'
import { promoted } from './promote.ts'
import { isFloat, rounderOf } from './rounding.ts'
import { Unsupported } from './unsupported.ts'

/** Gradients of a copy are the incoming ones in the shape of the input. */
const backAs =
  (of: (grad: NdArray, given: Given) => NdArray) =>
  (call: BackwardCall): readonly Gradient[] => {
    const grad = incoming(call)
    return [grad && exact(of(grad, call.given))]
  }
const reshaped = backAs((grad, given) => reshape(grad, given.operand('input').shape))

const shaped = (
  names: string,
  signature: string,
  shape: (a: NdArray, given: Given) => readonly number[],
): Operation =>
  operation(
    names,
    signature,
    given => {
      const a = given.operand('input')
      return [exact(reshape(a, shape(a, given)))]
    },
    { backward: reshaped },
  )

const inOrder = (
  names: string,
  signature: string,
  order: (a: NdArray, given: Given) => readonly number[],
): Operation =>
  operation(
    names,
    signature,
    given => {
      const a = given.operand('input')
      return [exact(permute(a, order(a, given)))]
    },
    {
      backward: backAs((grad, given) => {
        const a = given.operand('input')
        const forward = order(a, given).map(dim => axisOf(dim, a.shape.length))
        return permute(
          grad,
          forward.map((_, axis) => forward.indexOf(axis)),
        )
      }),
    },
  )

function flattened(a: NdArray, given: Given): readonly number[] {
  const rank = a.shape.length
  // MindSpore's flattens all but the first axis.
  const from = axisOf(given.number('start_dim', 0), rank)
  const to = axisOf(given.number('end_dim', -1), rank)
  if (rank === 0) return [1]
  return [...a.shape.slice(0, from), sizeOf(a.shape.slice(from, to + 1)), ...a.shape.slice(to + 1)]
}

function squeezed(a: NdArray, given: Given): readonly number[] {
  const dims = given.ints('dim')
  const axes = dims === null ? null : dims.map(dim => axisOf(dim, a.shape.length))
  return a.shape.filter((dim, axis) => dim !== 1 || (axes !== null && !axes.includes(axis)))
}

function unsqueezed(a: NdArray, given: Given): readonly number[] {
  const rank = a.shape.length + 1
  const axis = axisOf(given.number('dim'), rank)
  return [...a.shape.slice(0, axis), 1, ...a.shape.slice(axis)]
}

function unflattened(a: NdArray, given: Given): readonly number[] {
  const axis = axisOf(given.number('dim'), a.shape.length)
  const sizes = given.ints('sizes') ?? []
  const known = sizes.reduce((size, dim) => (dim === -1 ? size : size * dim), 1)
  return [
    ...a.shape.slice(0, axis),
    ...sizes.map(dim => (dim === -1 ? a.shape[axis] / known : dim)),
    ...a.shape.slice(axis + 1),
  ]
}

/** `expand` and its kin: -1 keeps an axis. */
function expanded(given: Given, shape: readonly number[]): readonly Outcome[] {
  const a = given.operand('input')
  const ahead = shape.length - a.shape.length
  return [
    exact(
      expand(
        a,
        shape.map((dim, axis) => (dim === -1 ? a.shape[axis - ahead] : dim)),
      ),
    ),
  ]
}

function backToInput(call: BackwardCall): readonly Gradient[] {
  const grad = incoming(call)
  return [grad && ofShape(grad, call.given.operand('input').shape)]
}

const turned = (a: NdArray): readonly number[] => a.shape.map((_, axis) => a.shape.length - 1 - axis)

function movedOrder(a: NdArray, given: Given): readonly number[] {
  const rank = a.shape.length
  const from = (given.ints('source') ?? []).map(dim => axisOf(dim, rank))
  const to = (given.ints('destination') ?? []).map(dim => axisOf(dim, rank))
  const rest = a.shape.map((_, axis) => axis).filter(axis => !from.includes(axis))
  const order: number[] = []
  for (let axis = 0; axis < rank; axis++) {
    const moved = to.indexOf(axis)
    order.push(moved < 0 ? (rest.shift() ?? axis) : from[moved])
  }
  return order
}

// ---------------------------------------- joins and parts

export function joined(parts: readonly NdArray[], dim: number): NdArray {
  // Empty tensors of one axis are left out, as PyTorch does.
  const real = parts.filter(part => !(part.shape.length === 1 && part.shape[0] === 0))
  const [first = parts[0]] = real
  if (!first) throw new Unsupported('arguments', 'tensors')
  const axis = axisOf(dim, first.shape.length)
  const length = real.reduce((sum, part) => sum + part.shape[axis], 0)
  const shape = first.shape.map((size, i) => (i === axis ? length : size))
  const into = new Float64Array(sizeOf(shape))
  const imaginary = real.some(part => part.imaginary) ? new Float64Array(into.length) : null
  const strides = stridesOf(shape)
  let offset = 0
  for (const part of real) {
    if (!part.shape.every((size, i) => i === axis || size === shape[i]))
      throw new Unsupported('shapes', 'cat')
    const view = { shape: part.shape, strides, offset }
    put(into, view, part.data)
    if (imaginary && part.imaginary) put(imaginary, view, part.imaginary)
    offset += part.shape[axis] * strides[axis]
  }
  return { data: into, shape, dtype: promoted(...real), ...(imaginary && { imaginary }) }
}

/** The parts of an axis, by their lengths. */
export function cut(a: NdArray, axis: number, lengths: readonly number[]): readonly NdArray[] {
  const strides = stridesOf(a.shape)
  let from = 0
  return lengths.map(length => {
    const offset = from * strides[axis]
    from += length
    return take(a, { shape: a.shape.map((size, i) => (i === axis ? length : size)), strides, offset })
  })
}

function backOfJoin(call: BackwardCall): readonly Gradient[] {
  const grad = incoming(call)
  const parts = call.given.tensors('tensors')
  if (!grad) return parts.map(() => null)
  const axis = axisOf(call.given.number('dim', 0), grad.shape.length)
  const lengths = parts.map(part => (part.shape.length === grad.shape.length ? part.shape[axis] : 0))
  return cut(grad, axis, lengths).map(exact)
}

function stacked(given: Given): readonly Outcome[] {
  const parts = given.tensors('tensors')
  const axis = axisOf(given.number('dim', 0), parts[0].shape.length + 1)
  const raised = parts.map(part =>
    reshape(part, [...part.shape.slice(0, axis), 1, ...part.shape.slice(axis)]),
  )
  return [exact(joined(raised, axis))]
}

function backOfStack(call: BackwardCall): readonly Gradient[] {
  const grad = incoming(call)
  const parts = call.given.tensors('tensors')
  if (!grad) return parts.map(() => null)
  const axis = axisOf(call.given.number('dim', 0), grad.shape.length)
  return cut(
    grad,
    axis,
    parts.map(() => 1),
  ).map((part, i) => exact(reshape(part, parts[i].shape)))
}

const lengthsOf = (size: number, each: number): readonly number[] => {
  if (!(each > 0)) throw new Unsupported('arguments', `${each}`)
  const count = Math.max(1, Math.ceil(size / each))
  return Array.from({ length: count }, (_, i) => Math.min(each, size - i * each))
}

function splitLengths(given: Given, size: number, chunks: boolean): readonly number[] {
  const raw = given.raw('split_size')
  if (isList(raw)) return given.ints('split_size') ?? []
  const by = given.number('split_size')
  return lengthsOf(size, chunks ? Math.ceil(size / by) : by)
}

const parted = (names: string, lengths: (given: Given, size: number) => readonly number[]): Operation =>
  operation(
    names,
    'input split_size dim',
    given => {
      const a = given.operand('input')
      const axis = axisOf(given.number('dim', 0), a.shape.length)
      return cut(a, axis, lengths(given, a.shape[axis])).map(exact)
    },
    { backward: backOfParts },
  )

/** Parts whose gradient never came count as zeros. */
function backOfParts(call: BackwardCall): readonly Gradient[] {
  const a = call.given.operand('input')
  const outputs = call.outputs()
  const axis = axisOf(call.given.number('dim', 0), a.shape.length)
  const parts = outputs.map((output, i) => call.grads[i] ?? filled(output.shape, 0))
  return [exact(joined(parts, axis))]
}

function tensorSplit(given: Given, size: number): readonly number[] {
  const raw = given.raw('split_size')
  if (isNumber(raw)) {
    const count = raw.value
    return Array.from({ length: count }, (_, i) => Math.floor(size / count) + Number(i < size % count))
  }
  const ends = [...(given.ints('split_size') ?? []), size].map(at => Math.min(at < 0 ? at + size : at, size))
  return ends.map((end, i) => Math.max(0, end - (i ? ends[i - 1] : 0)))
}

function unbound(given: Given): readonly Outcome[] {
  const a = given.operand('input')
  const axis = axisOf(given.number('dim', 0), a.shape.length)
  const shape = a.shape.filter((_, i) => i !== axis)
  return cut(
    a,
    axis,
    Array.from({ length: a.shape[axis] }, () => 1),
  ).map(part => exact(reshape(part, shape)))
}

function backOfUnbind(call: BackwardCall): readonly Gradient[] {
  const a = call.given.operand('input')
  const axis = axisOf(call.given.number('dim', 0), a.shape.length)
  const single = a.shape.map((dim, i) => (i === axis ? 1 : dim))
  const parts = Array.from({ length: a.shape[axis] }, (_, i) => {
    const grad = call.grads[i]
    return grad ? reshape(grad, single) : filled(single, 0)
  })
  return [exact(joined(parts, axis))]
}

// ---------------------------------------- single parts as views

type ViewOf = (a: NdArray, given: Given) => View

/** Part of a tensor: backwards, zeros all around the gradient. Parts that overlap are summed, so many at most. */
const viewed = (
  names: string,
  signature: string,
  of: ViewOf,
  overlap: (call: BackwardCall) => number = () => 1,
): Operation =>
  operation(
    names,
    signature,
    given => {
      const a = given.operand('input')
      return [exact(take(a, of(a, given)))]
    },
    {
      backward(call) {
        const grad = incoming(call)
        if (!grad) return [null]
        const a = call.given.operand('input')
        const spread = (data: Float64Array): NdArray => {
          const into = new Float64Array(a.data.length)
          addTo(into, of(a, call.given), data)
          return array(into, a.shape)
        }
        const values = spread(grad.data)
        const most = overlap(call)
        return [most > 1 ? summed(values, most, () => spread(grad.data.map(Math.abs)).data) : exact(values)]
      },
    },
  )

/** Windows along an axis, each along a last axis of its own. */
function windowed(a: NdArray, given: Given): View {
  const axis = axisOf(given.number('dim'), a.shape.length)
  const [size, step] = [given.number('size'), given.number('step')]
  const length = a.shape[axis] ?? 1
  if (size > length || step < 1) throw new Unsupported('arguments', 'size')
  const strides = stridesOf(a.shape)
  const count = Math.floor((length - size) / step) + 1
  return {
    shape: [...a.shape.map((one, i) => (i === axis ? count : one)), size],
    strides: [...strides.map((one, i) => (i === axis ? one * step : one)), strides[axis]],
    offset: 0,
  }
}

function narrowed(a: NdArray, given: Given): View {
  const axis = axisOf(given.number('dim'), a.shape.length)
  const start = given.number('start')
  const from = start < 0 ? start + a.shape[axis] : start
  const length = given.number('length')
  if (from < 0 || length < 0 || from + length > a.shape[axis]) throw new Unsupported('arguments', 'start')
  const strides = stridesOf(a.shape)
  return {
    shape: a.shape.map((size, i) => (i === axis ? length : size)),
    strides,
    offset: from * strides[axis],
  }
}

function selected(a: NdArray, given: Given): View {
  const axis = axisOf(given.number('dim'), a.shape.length)
  const at = axisOf(given.number('index'), a.shape[axis])
  const strides = stridesOf(a.shape)
  return {
    shape: a.shape.filter((_, i) => i !== axis),
    strides: strides.filter((_, i) => i !== axis),
    offset: at * strides[axis],
  }
}

function diagonal(a: NdArray, given: Given): View {
  const rank = a.shape.length
  const [x, y] = [axisOf(given.number('dim1', 0), rank), axisOf(given.number('dim2', 1), rank)]
  const shift = given.number('offset', 0)
  const strides = stridesOf(a.shape)
  const rows = a.shape[x] + Math.min(0, shift)
  const cols = a.shape[y] - Math.max(0, shift)
  const kept = a.shape.map((_, axis) => axis).filter(axis => axis !== x && axis !== y)
  return {
    shape: [...kept.map(axis => a.shape[axis]), Math.max(0, Math.min(rows, cols))],
    strides: [...kept.map(axis => strides[axis]), strides[x] + strides[y]],
    offset: Math.max(0, shift) * strides[y] + Math.max(0, -shift) * strides[x],
  }
}

/** Reversed axes are walked from their ends. */
function flippedView(a: NdArray, dims: readonly number[]): View {
  const axes = axesOf(dims, a.shape.length)
  const strides = stridesOf(a.shape)
  let offset = 0
  for (const axis of axes) {
    offset += strides[axis] * Math.max(0, a.shape[axis] - 1)
    strides[axis] = -strides[axis]
  }
  return { shape: a.shape, strides, offset }
}

function rolled(a: NdArray, shifts: readonly number[], dims: readonly number[] | null): NdArray {
  if (dims === null || dims.length === 0)
    return reshape(rolled(reshape(a, [a.data.length]), shifts, [0]), a.shape)
  let result = a
  for (const [i, dim] of dims.entries()) {
    const axis = axisOf(dim, a.shape.length)
    const size = a.shape[axis]
    if (size === 0) continue
    const by = ((shifts[i] % size) + size) % size
    const [head, tail] = cut(result, axis, [size - by, by])
    result = joined([tail, head], axis)
  }
  return { ...result, dtype: a.dtype }
}

// ---------------------------------------- repeats

function tiled(a: NdArray, times: readonly number[]): NdArray {
  const rank = Math.max(times.length, a.shape.length)
  const by = [...Array.from({ length: rank - times.length }, () => 1), ...times]
  const own = [...Array.from({ length: rank - a.shape.length }, () => 1), ...a.shape]
  const strides = stridesOf(own)
  const spread = take(a, {
    shape: own.flatMap((size, axis) => [by[axis], size]),
    strides: strides.flatMap(step => [0, step]),
    offset: 0,
  })
  return reshape(
    spread,
    own.map((size, axis) => size * by[axis]),
  )
}

const repeats = (names: string, signature: string, of: (given: Given) => readonly number[]): Operation =>
  operation(names, signature, given => [exact(tiled(given.operand('input'), of(given)))], {
    backward(call) {
      const grad = incoming(call)
      if (!grad) return [null]
      const a = call.given.operand('input')
      const times = of(call.given)
      const rank = grad.shape.length
      const by = [...Array.from({ length: rank - times.length }, () => 1), ...times]
      const split = reshape(
        grad,
        grad.shape.flatMap((size, axis) => [by[axis], size / by[axis]]),
      )
      const axes = by.map((_, axis) => axis * 2)
      const over = (of: NdArray): NdArray => reshape(sumOver(of, axes), a.shape)
      return [summed(over(split), sizeOf(by), () => over(map(split, Math.abs)).data)]
    },
  })

function interleaved(given: Given): readonly Outcome[] {
  const dim = given.raw('dim')
  const source = given.operand('input')
  const a = isNumber(dim) ? source : reshape(source, [source.data.length])
  const axis = axisOf(isNumber(dim) ? dim.value : 0, a.shape.length)
  const times = given.ints('repeats') ?? []
  const of = (i: number): number => (times.length === 1 ? times[0] : times[i])
  const order = Array.from({ length: a.shape[axis] }, (_, i) => Array.from({ length: of(i) }, () => i)).flat()
  return [exact(picked(a, axis, order))]
}

/** Chosen places along an axis. */
export function picked(a: NdArray, axis: number, order: ArrayLike<number>): NdArray {
  const inner = sizeOf(a.shape.slice(axis + 1))
  const outer = sizeOf(a.shape.slice(0, axis))
  const size = a.shape[axis] ?? 1
  const into = new Float64Array(outer * order.length * inner)
  const imaginary = a.imaginary && new Float64Array(into.length)
  for (let o = 0, to = 0; o < outer; o++)
    for (let i = 0; i < order.length; i++, to += inner) {
      const index = order[i] < 0 ? order[i] + size : order[i]
      if (!(index >= 0 && index < size)) throw new Unsupported('arguments', `index ${order[i]}`)
      const from = (o * size + index) * inner
      into.set(a.data.subarray(from, from + inner), to)
      if (imaginary && a.imaginary) imaginary.set(a.imaginary.subarray(from, from + inner), to)
    }
  const shape = a.shape.map((dim, i) => (i === axis ? order.length : dim))
  return { dtype: a.dtype, shape, data: into, ...(imaginary && { imaginary }) }
}

// ---------------------------------------- casts and fillings

export function cast(a: NdArray, dtype: NdArray['dtype']): NdArray {
  if (isFloat(dtype) || a.imaginary) return withDtype(a, dtype)
  if (dtype === 'bool') return map(a, x => Number(x !== 0), 'bool')
  return map(a, rounderOf(dtype), dtype)
}

const casts = (names: string, dtype: NdArray['dtype']): Operation =>
  operation(names, 'input', given => [exact(cast(given.operand('input'), dtype))], {
    backward: backAs(grad => grad),
    passes: true,
  })

function converted(given: Given): readonly Outcome[] {
  const a = given.operand('input')
  const rest = given.raw('rest')
  const named = isList(rest) ? rest : []
  for (const one of named) {
    if (one === null || isNumber(one) || isList(one)) continue
    if (typeof one === 'object' && one.is === 'dtype') return [exact(cast(a, one.dtype))]
    if (typeof one === 'object' && one.is === 'tensor') return [exact(cast(a, one.dtype))]
  }
  const dtype = given.dtype('dtype')
  return [exact(dtype === null ? a : cast(a, dtype))]
}

const filling = (names: string, signature: string, value: (given: Given) => number): Operation =>
  operation(names, signature, given => {
    const a = given.operand('input')
    const dtype = given.dtype('dtype') ?? a.dtype
    return [exact(filled(a.shape, isFloat(dtype) ? value(given) : rounderOf(dtype)(value(given)), dtype))]
  })

const made = (names: string, signature: string, of: (given: Given) => NdArray, as = exact): Operation =>
  operation(names, signature, given => {
    const values = of(given)
    const dtype = given.dtype('dtype') ?? values.dtype
    return [(isFloat(dtype) ? as : exact)(withDtype(values, dtype))]
  })

/** Frameworks take the steps in the type of the result or in doubles, and from both ends or from one. */
const aroundEnds = (values: NdArray): Outcome => {
  const number = Math.max(...[values.data[0] ?? 0, values.data.at(-1) ?? 0].map(Math.abs))
  return { values, bound: { is: 'step', number } }
}

function counted(given: Given): NdArray {
  const numbers = ['start', 'end', 'step'].map(name => (given.has(name) ? given.number(name) : null))
  const [first, second, by] = numbers
  const from = second === null ? 0 : (first ?? 0)
  const to = second === null ? (first ?? 0) : second
  const width = by ?? 1
  const whole = numbers.every(x => x === null || Number.isInteger(x))
  const length = sizeOf([Math.max(0, Math.ceil((to - from) / width))])
  return array(
    Float64Array.from({ length }, (_, i) => from + i * width),
    [length],
    whole ? 'int64' : 'float32',
  )
}

function spaced(given: Given): NdArray {
  const [from, to, count] = [given.number('start'), given.number('end'), sizeOf([given.number('steps', 100)])]
  const width = count > 1 ? (to - from) / (count - 1) : 0
  const of = (i: number): number => (i < count / 2 ? from + i * width : to - (count - 1 - i) * width)
  return array(
    Float64Array.from({ length: count }, (_, i) => of(i)),
    [count],
    'float32',
  )
}

function identity(given: Given): NdArray {
  const rows = given.number('n')
  const cols = given.number('m', rows)
  return array(
    Float64Array.from({ length: sizeOf([rows, cols]) }, (_, i) => Number(Math.floor(i / cols) === i % cols)),
    [rows, cols],
    'float32',
  )
}

export const shapeOperations: readonly Operation[] = [
  shaped('reshape view __reshape Reshape npu_reshape', 'input *size', (_, given) => given.ints('size') ?? []),
  shaped('reshape_as view_as', 'input other', (_, given) => given.operand('other').shape),
  shaped('flatten', 'input start_dim end_dim', flattened),
  shaped('ravel', 'input', a => [a.data.length]),
  shaped('squeeze', 'input dim', squeezed),
  shaped('unsqueeze expand_dims', 'input dim', unsqueezed),
  shaped('unflatten', 'input dim sizes', unflattened),
  shaped('atleast_1d', 'input', a => (a.shape.length ? a.shape : [1])),
  operation(
    'view',
    'input *size',
    given => {
      const raw = given.raw('size')
      if (
        isList(raw) &&
        raw.some(one => typeof one === 'object' && one !== null && !isList(one) && one.is === 'dtype')
      )
        throw new Unsupported('unsupported', 'view(dtype)')
      const a = given.operand('input')
      return [exact(reshape(a, given.ints('size') ?? []))]
    },
    { backward: reshaped },
  ),
  inOrder('permute npu_transpose', 'input *dim', (_, given) => given.ints('dim') ?? []),
  inOrder('t', 'input', a => (a.shape.length < 2 ? turned({ ...a, shape: a.shape }) : turned(a))),
  inOrder('T numpy_T adjoint mT', 'input', turned),
  inOrder('movedim moveaxis', 'input source destination', movedOrder),
  operation(
    'transpose swapaxes swapdims',
    'input dim0 dim1',
    given => [exact(swapped(given.operand('input'), given.number('dim0'), given.number('dim1')))],
    { backward: backAs((grad, given) => swapped(grad, given.number('dim0'), given.number('dim1'))) },
  ),
  operation('expand', 'input *size', given => expanded(given, given.ints('size') ?? []), {
    backward: backToInput,
  }),
  operation('broadcast_to npu_broadcast', 'input size', given => expanded(given, given.ints('size') ?? []), {
    backward: backToInput,
  }),
  operation('expand_as', 'input other', given => expanded(given, given.operand('other').shape), {
    backward: backToInput,
  }),
  operation(
    'cat concat concatenate',
    'tensors dim',
    given => [exact(joined(given.tensors('tensors'), given.number('dim', 0)))],
    { backward: backOfJoin },
  ),
  operation('stack', 'tensors dim', stacked, { backward: backOfStack }),
  operation('hstack', 'tensors', given => {
    const parts = given.tensors('tensors').map(part => (part.shape.length ? part : reshape(part, [1])))
    return [exact(joined(parts, parts[0].shape.length > 1 ? 1 : 0))]
  }),
  parted('split split_with_sizes unsafe_split unsafe_split_with_sizes', (given, size) =>
    splitLengths(given, size, false),
  ),
  parted('chunk unsafe_chunk', (given, size) => splitLengths(given, size, true)),
  parted('tensor_split', tensorSplit),
  operation('unbind unstack', 'input dim', unbound, { backward: backOfUnbind }),
  viewed('narrow narrow_copy', 'input dim start length', narrowed),
  viewed('Tensor.unfold', 'input dim size step', windowed, ({ given }) =>
    Math.ceil(given.number('size') / given.number('step')),
  ),
  viewed('select', 'input dim index', selected),
  viewed('diagonal', 'input offset dim1 dim2', diagonal),
  viewed('flip', 'input *dim', (a, given) => flippedView(a, given.ints('dim') ?? [])),
  viewed('fliplr', 'input', a => flippedView(a, [1])),
  viewed('flipud', 'input', a => flippedView(a, [0])),
  operation(
    'roll',
    'input shifts dim',
    given => [exact(rolled(given.operand('input'), given.ints('shifts') ?? [], given.ints('dim')))],
    {
      backward: backAs((grad, given) =>
        rolled(
          grad,
          (given.ints('shifts') ?? []).map(by => -by),
          given.ints('dim'),
        ),
      ),
    },
  ),
  repeats('repeat', 'input *repeats', given => given.ints('repeats') ?? []),
  repeats('tile', 'input *dim', given => {
    const times = given.ints('dim') ?? []
    const rank = given.operand('input').shape.length
    return [...Array.from({ length: Math.max(0, rank - times.length) }, () => 1), ...times]
  }),
  operation('repeat_interleave', 'input repeats dim', interleaved, { backward: backOfInterleaved }),
  operation('clone detach alias copy lift_fresh', 'input', given => [exact(given.operand('input'))], {
    backward: backAs(grad => grad),
  }),
  operation('contiguous identity Identity cpu cuda npu', 'input', given => [exact(given.operand('input'))], {
    backward: backAs(grad => grad),
    passes: true,
  }),
  operation('copy_', 'input other', given => {
    const a = given.operand('input')
    return [exact(expand(cast(given.operand('other'), a.dtype), a.shape))]
  }),
  casts('float', 'float32'),
  casts('double', 'float64'),
  casts('half', 'float16'),
  casts('bfloat16', 'bfloat16'),
  casts('long', 'int64'),
  casts('int', 'int32'),
  casts('short', 'int16'),
  casts('char', 'int8'),
  casts('byte', 'uint8'),
  casts('bool', 'bool'),
  operation('to type astype cast npu_dtype_cast _npu_dtype_cast', 'input *rest | dtype', converted, {
    backward: backAs(grad => grad),
    passes: true,
  }),
  filling('ones_like', 'input dtype', () => 1),
  filling('zeros_like', 'input dtype', () => 0),
  filling('full_like', 'input fill_value dtype', given => given.number('fill_value')),
  filling('fill fill_', 'input value', given => given.number('value')),
  filling('zero_', 'input', () => 0),
  made('ones', '*size | dtype', given => filled(given.ints('size') ?? [], 1, 'float32')),
  made('zeros', '*size | dtype', given => filled(given.ints('size') ?? [], 0, 'float32')),
  made('full', 'size fill_value dtype', given => {
    const value = given.raw('fill_value')
    const kind = isNumber(value) ? value.kind : 'float'
    return filled(given.ints('size') ?? [], given.number('fill_value'), dtypeOfNumber[kind])
  }),
  made('arange range', 'start end step dtype', counted, aroundEnds),
  made('linspace', 'start end steps dtype', spaced, aroundEnds),
  made('eye', 'n m dtype', identity),
]

/** The node repeats by a new axis of its own, which is summed later. */
function backOfInterleaved(call: BackwardCall): readonly Gradient[] {
  const grad = incoming(call)
  const [stored] = call.stored
  if (!grad || !stored) return [null]
  const a = call.given.operand('input')
  if (sizeOf(stored) === grad.data.length) return [exact(reshape(grad, stored))]
  const times = call.given.ints('repeats') ?? []
  if (times.length !== 1 || !sameShape(stored, a.shape)) return [null]
  const dim = call.given.raw('dim')
  const axis = axisOf(isNumber(dim) ? dim.value : 0, a.shape.length)
  const split = [...a.shape.slice(0, axis + 1), times[0], ...a.shape.slice(axis + 1)]
  return [summed(reshape(sumOver(reshape(grad, split), [axis + 1]), a.shape), times[0])]
}
