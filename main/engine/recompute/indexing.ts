// Operations that look elements up by index or mask, order them, or count them.
import { type Argument, type Given, isList, isNumber, isTensor } from './arguments.ts'
import {
  array,
  axisOf,
  broadcast,
  expand,
  filled,
  map,
  type NdArray,
  reduced,
  reshape,
  rowsOf,
  sameShape,
  sizeOf,
  stridesOf,
  take,
  addTo,
  withoutOnes,
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
  step,
  summed,
} from './operation.ts'
import { promoted } from './promote.ts'
import { greater, less } from './reduce.ts'
import { isFloat } from './rounding.ts'
import { cast, picked } from './shapes.ts'
import { placesAlong } from './ties.ts'
import { Unsupported } from './unsupported.ts'

// ---------------------------------------- conditions

/** `torch.where(condition, a, b)`, or as a method `a.where(condition, b)`. */
function choiceOf(given: Given): readonly [mask: NdArray, a: NdArray, b: NdArray, swapped: boolean] {
  const [first, second, third] = ['condition', 'self', 'other'].map(name => given.operand(name))
  const swapped = first.dtype !== 'bool' && second.dtype === 'bool'
  return swapped ? [second, first, third, true] : [first, second, third, false]
}

function chosen(given: Given): readonly Outcome[] {
  if (!given.has('self')) return coordinates(given.operand('condition'))
  const [mask, a, b] = choiceOf(given)
  const shape = broadcast(mask.shape, a.shape, b.shape)
  const [m, x, y] = [mask, a, b].map(one => expand(one, shape).data)
  return [
    exact(
      array(
        m.map((open, i) => (open !== 0 ? x[i] : y[i])),
        shape,
        promoted(a, b),
      ),
    ),
  ]
}

function backOfWhere(call: BackwardCall): readonly Gradient[] {
  const grad = incoming(call)
  if (!grad) return [null, null]
  const [mask, a, b] = choiceOf(call.given)
  const open = expand(mask, grad.shape).data
  return [a, b].map((argument, i) => {
    const part = array(
      grad.data.map((g, k) => ((open[k] !== 0) === (i === 0) ? g : 0)),
      grad.shape,
    )
    return argument.weak ? null : ofShape(part, argument.shape)
  })
}

function maskedFill(given: Given): readonly Outcome[] {
  const a = given.operand('input')
  const mask = given.operand('mask')
  const shape = broadcast(a.shape, mask.shape)
  const value = given.number('value')
  const [x, m] = [expand(a, shape).data, expand(mask, shape).data]
  return [
    exact(
      array(
        x.map((v, i) => (m[i] !== 0 ? value : v)),
        shape,
        a.dtype,
      ),
    ),
  ]
}

function backOfMaskedFill(call: BackwardCall): readonly Gradient[] {
  const grad = incoming(call)
  if (!grad) return [null]
  const mask = expand(call.given.operand('mask'), grad.shape).data
  const open = array(
    grad.data.map((g, i) => (mask[i] !== 0 ? 0 : g)),
    grad.shape,
  )
  return [ofShape(open, call.given.operand('input').shape)]
}

function maskedSelect(given: Given): readonly Outcome[] {
  const [a, mask] = [given.operand('input'), given.operand('mask')]
  const shape = broadcast(a.shape, mask.shape)
  const open = expand(mask, shape).data
  const data = expand(a, shape).data.filter((_, i) => open[i] !== 0)
  return [exact(array(data, [data.length], a.dtype))]
}

function backOfMaskedSelect(call: BackwardCall): readonly Gradient[] {
  const grad = incoming(call)
  if (!grad) return [null]
  const a = call.given.operand('input')
  const mask = call.given.operand('mask')
  const shape = broadcast(a.shape, mask.shape)
  let next = 0
  const data = expand(mask, shape).data.map(open => (open !== 0 ? grad.data[next++] : 0))
  return [ofShape(array(data, shape), a.shape)]
}

function maskedScatter(given: Given): readonly Outcome[] {
  const [a, source] = [given.operand('input'), given.operand('src')]
  const mask = expand(given.operand('mask'), a.shape).data
  let next = 0
  return [exact({ ...a, data: a.data.map((x, i) => (mask[i] !== 0 ? source.data[next++] : x)) })]
}

function nonzero(a: NdArray): NdArray {
  const strides = stridesOf(a.shape)
  const rank = a.shape.length
  const found: number[] = []
  for (let i = 0; i < a.data.length; i++)
    if (a.data[i] !== 0)
      for (let axis = 0; axis < rank; axis++) found.push(Math.floor(i / strides[axis]) % a.shape[axis])
  return array(
    Float64Array.from(found),
    [rank ? found.length / rank : Number(a.data[0] !== 0), rank],
    'int64',
  )
}

/** The same, an array for each axis. */
function coordinates(a: NdArray): readonly Outcome[] {
  const found = nonzero(a.shape.length > 0 ? a : reshape(a, [1]))
  const [count, rank] = found.shape
  return Array.from({ length: rank }, (_, axis) => {
    const places = Float64Array.from({ length: count }, (_, i) => found.data[i * rank + axis])
    return exact(array(places, [count], 'int64'))
  })
}

// ---------------------------------------- indices along one axis

const wholeIndex = (at: number, size: number): number => {
  const index = at < 0 ? at + size : at
  if (!(index >= 0 && index < size)) throw new Unsupported('arguments', `index ${at}`)
  return index
}

/** Where each element of an index array lies in a tensor, along an axis. */
function placesOf(index: NdArray, shape: readonly number[], dim: number): Float64Array {
  const rank = Math.max(1, shape.length)
  const axis = axisOf(dim, rank)
  const strides = stridesOf(shape.length ? shape : [1])
  const own = stridesOf(index.shape.length ? index.shape : [1])
  const sizes = index.shape.length ? index.shape : [1]
  return index.data.map((at, i) => {
    let place = 0
    for (let k = 0; k < rank; k++)
      place += strides[k] * (k === axis ? wholeIndex(at, shape[k] ?? 1) : Math.floor(i / own[k]) % sizes[k])
    return place
  })
}

function gathered(given: Given): readonly Outcome[] {
  const a = given.operand('input')
  const index = given.tensor('index')
  const places = placesOf(index, a.shape, given.number('dim'))
  return [
    exact(
      array(
        places.map(at => a.data[at]),
        index.shape,
        a.dtype,
      ),
    ),
  ]
}

/** The gradient of what was looked up: summed where it came from. */
function scattered(grad: NdArray, places: Float64Array, shape: readonly number[]): Outcome {
  const into = new Float64Array(sizeOf(shape))
  const counts = new Uint32Array(into.length)
  for (let i = 0; i < places.length; i++) {
    into[places[i]] += grad.data[i]
    counts[places[i]]++
  }
  const most = counts.reduce((top, count) => Math.max(top, count), 0)
  const values = array(into, shape)
  if (most < 2) return exact(values)
  return summed(values, most, () => {
    const sizes = new Float64Array(into.length)
    for (let i = 0; i < places.length; i++) sizes[places[i]] += Math.abs(grad.data[i])
    return sizes
  })
}

function backOfGather(call: BackwardCall): readonly Gradient[] {
  const grad = incoming(call)
  if (!grad) return [null]
  const a = call.given.operand('input')
  return [scattered(grad, placesOf(call.given.tensor('index'), a.shape, call.given.number('dim')), a.shape)]
}

/** Without an axis both are flat. */
function takenAlong(given: Given): { readonly a: NdArray; readonly index: NdArray; readonly dim: number } {
  const [a, index] = [given.operand('input'), given.tensor('index')]
  if (!given.has('dim'))
    return { a: reshape(a, [a.data.length]), index: reshape(index, [index.data.length]), dim: 0 }
  const axis = axisOf(given.number('dim'), a.shape.length)
  const common = broadcast(
    a.shape.map((dim, i) => (i === axis ? 1 : dim)),
    index.shape.map((dim, i) => (i === axis ? 1 : dim)),
  )
  const withAxis = (dim: number): readonly number[] => common.map((size, i) => (i === axis ? dim : size))
  return {
    a: expand(a, withAxis(a.shape[axis])),
    index: expand(index, withAxis(index.shape[axis])),
    dim: axis,
  }
}

function scatter(given: Given, add: boolean): readonly Outcome[] {
  const a = given.operand('input')
  const index = given.tensor('index')
  const places = placesOf(index, a.shape, given.number('dim'))
  const source = given.operand('src')
  const of = sourceReader(source, index)
  const reduce = given.text('reduce', add ? 'add' : '')
  const data = a.data.slice()
  const terms = a.data.map(Math.abs)
  for (let i = 0; i < places.length; i++) {
    const value = of(i)
    terms[places[i]] += Math.abs(value)
    if (reduce === '') data[places[i]] = value
    else if (reduce === 'add' || reduce === 'sum') data[places[i]] += value
    else if (reduce === 'multiply' || reduce === 'prod') data[places[i]] *= value
    else throw new Unsupported('unsupported', reduce)
  }
  const values = { ...a, data }
  if (reduce === '' || !isFloat(a.dtype)) return [exact(values)]
  return [summed(values, Math.max(1, index.data.length), () => terms)]
}

/** The source may be larger than the index: element by element they stand at equal places. */
function sourceReader(source: NdArray, index: NdArray): (i: number) => number {
  if (source.data.length === 1 && source.shape.length !== index.shape.length) return () => source.data[0]
  if (source.weak) return () => source.data[0]
  if (sameShape(source.shape, index.shape)) return i => source.data[i]
  const part = take(source, { shape: index.shape, strides: stridesOf(source.shape), offset: 0 })
  return i => part.data[i]
}

/** Zeros where something else was written; the source gets what stands there now. */
function backOfScatter(call: BackwardCall, add: boolean): readonly Gradient[] {
  const grad = incoming(call)
  if (!grad) return [null, null]
  const { given } = call
  const a = given.operand('input')
  const index = given.tensor('index')
  const places = placesOf(index, a.shape, given.number('dim'))
  const rest = grad.data.slice()
  if (!add && given.text('reduce', '') === '') for (const at of places) rest[at] = 0
  const first = exact(array(rest, grad.shape))
  const source = given.operand('src')
  if (source.weak) return [first]
  const own = array(
    places.map(at => grad.data[at]),
    index.shape,
  )
  if (sameShape(source.shape, index.shape)) return [first, exact(own)]
  const wide = new Float64Array(source.data.length)
  addTo(wide, { shape: index.shape, strides: stridesOf(source.shape), offset: 0 }, own.data)
  return [first, exact(array(wide, source.shape))]
}

const flatIndex = (given: Given, name = 'index'): Float64Array => given.operand(name).data

function indexSelected(given: Given): readonly Outcome[] {
  const a = given.operand('input')
  return [exact(picked(a, axisOf(given.number('dim', 0), a.shape.length), flatIndex(given)))]
}

/** Adds slices of a gradient to the places that an index names. */
function backOfIndexSelect(call: BackwardCall): readonly Gradient[] {
  const grad = incoming(call)
  if (!grad) return [null]
  const a = call.given.operand('input')
  return [
    slicesAdded(grad, flatIndex(call.given), axisOf(call.given.number('dim', 0), a.shape.length), a.shape),
  ]
}

function slicesAdded(grad: NdArray, index: Float64Array, axis: number, shape: readonly number[]): Outcome {
  const inner = sizeOf(shape.slice(axis + 1))
  const outer = sizeOf(shape.slice(0, axis))
  const places = new Float64Array(outer * index.length * inner)
  let to = 0
  for (let o = 0; o < outer; o++)
    for (const at of index) {
      const from = (o * shape[axis] + wholeIndex(at, shape[axis])) * inner
      for (let i = 0; i < inner; i++) places[to++] = from + i
    }
  return scattered(reshape(grad, [grad.data.length]), places, shape)
}

function indexAdded(given: Given, mode: 'add' | 'copy' | 'fill'): readonly Outcome[] {
  const a = given.operand('input')
  const axis = axisOf(given.number('dim'), a.shape.length)
  const index = flatIndex(given)
  const source = given.operand('src')
  const by = given.number('alpha', 1)
  const strides = stridesOf(a.shape)
  const data = a.data.slice()
  const slice = a.shape.map((size, i) => (i === axis ? 1 : size))
  const values =
    mode === 'fill'
      ? filled(
          a.shape.map((size, i) => (i === axis ? index.length : size)),
          source.data[0],
        )
      : source
  for (const [n, at] of index.entries()) {
    const part = picked(values, axis, [n]).data
    const view = { shape: slice, strides, offset: wholeIndex(at, a.shape[axis]) * strides[axis] }
    if (mode === 'add') addTo(data, view, by === 1 ? part : part.map(x => x * by))
    else
      addTo(
        data,
        view,
        part.map((x, i) => x - take({ ...a, data }, view).data[i]),
      )
  }
  const result = { ...a, data }
  return [mode === 'add' && isFloat(a.dtype) ? summed(result, index.length) : exact(result)]
}

function backOfIndexAdd(call: BackwardCall): readonly Gradient[] {
  const grad = incoming(call)
  if (!grad) return [null, null]
  const { given } = call
  const by = given.number('alpha', 1)
  const places = [...flatIndex(given)]
  const axis = axisOf(given.number('dim'), grad.shape.length)
  const own = picked(
    grad,
    axis,
    places.map(at => wholeIndex(at, grad.shape[axis])),
  )
  return [exact(grad), by === 1 ? exact(own) : step(map(own, g => g * by))]
}

// ---------------------------------------- embeddings

function embedded(given: Given): readonly Outcome[] {
  const [index, weight] = [given.tensor('input'), given.tensor('weight')]
  const values = picked(weight, 0, index.data)
  return [exact(reshape(values, [...index.shape, weight.shape[1]]))]
}

function backOfEmbedding(call: BackwardCall): readonly Gradient[] {
  const grad = incoming(call)
  if (!grad) return [null]
  const [index, weight] = [call.given.tensor('input'), call.given.tensor('weight')]
  const padding = call.given.has('padding_idx') ? call.given.number('padding_idx') : null
  const left = padding !== null && padding < 0 ? padding + weight.shape[0] : padding
  const width = weight.shape[1]
  const used =
    left === null ? grad.data : grad.data.map((g, i) => (index.data[Math.floor(i / width)] === left ? 0 : g))
  return [slicesAdded(array(used, grad.shape), index.data, 0, weight.shape)]
}

function oneHot(given: Given): readonly Outcome[] {
  const a = given.tensor('input')
  const wanted = given.number('num_classes', -1)
  const count = wanted < 0 ? a.data.reduce((most, x) => Math.max(most, x), -1) + 1 : wanted
  const data = new Float64Array(a.data.length * count)
  for (let i = 0; i < a.data.length; i++) data[i * count + wholeIndex(a.data[i], count)] = 1
  return [exact(array(data, [...a.shape, count], 'int64'))]
}

// ---------------------------------------- brackets

type Index =
  | { readonly is: 'slice'; readonly from: number; readonly step: number; readonly count: number }
  | { readonly is: 'at'; readonly at: number }
  | { readonly is: 'new' }
  | { readonly is: 'array'; readonly values: NdArray; readonly axes: number }

/** What stands in brackets, one entry per axis of the tensor or of the result. */
function indicesOf(given: Given, shape: readonly number[]): readonly Index[] {
  const raw = given.raw('index')
  const list = isList(raw) && !(raw.every(isNumber) && raw.length > shape.length) ? raw : [raw ?? null]
  const consumed = list.reduce<number>((sum, one) => sum + axesTaken(one), 0)
  const parts: Index[] = []
  let axis = 0
  const whole = (): Index => ({ is: 'slice', from: 0, step: 1, count: shape[axis++] })
  for (const one of list) {
    if (isEllipsis(one)) for (let left = shape.length - consumed; left > 0; left--) parts.push(whole())
    else {
      const index = indexOf(one, shape, axis, given)
      axis += index.is === 'array' ? index.axes : Number(index.is !== 'new')
      parts.push(index)
    }
  }
  while (axis < shape.length) parts.push(whole())
  return parts
}

const isEllipsis = (one: Argument): boolean =>
  typeof one === 'object' && one !== null && !isList(one) && one.is === 'ellipsis'

function axesTaken(one: Argument): number {
  if (one === null || isEllipsis(one)) return 0
  if (isTensor(one)) return one.dtype === 'bool' || one.dtype === 'uint8' ? one.shape.length : 1
  return 1
}

function indexOf(one: Argument, shape: readonly number[], axis: number, given: Given): Index {
  const size = shape[axis] ?? 1
  if (one === null) return { is: 'new' }
  if (isNumber(one) && one.kind !== 'bool') return { is: 'at', at: wholeIndex(one.value, size) }
  if (isTensor(one)) {
    const values = given.asArray(one, 'index')
    if (one.dtype === 'bool' || one.dtype === 'uint8')
      return { is: 'array', values: maskPlaces(values, shape, axis), axes: values.shape.length }
    return { is: 'array', values: map(values, at => wholeIndex(at, size)), axes: 1 }
  }
  if (isList(one)) {
    const numbers = one.map(part => (isNumber(part) ? wholeIndex(part.value, size) : NaN))
    if (numbers.every(Number.isFinite))
      return { is: 'array', values: array(Float64Array.from(numbers), [numbers.length]), axes: 1 }
  }
  if (typeof one === 'object' && !isList(one) && one.is === 'slice') return sliceIndex(one.range, size)
  throw new Unsupported('arguments', 'index')
}

/** Flat places of the true elements within the axes that the mask covers. */
function maskPlaces(mask: NdArray, shape: readonly number[], axis: number): NdArray {
  if (!mask.shape.every((dim, i) => dim === shape[axis + i])) throw new Unsupported('shapes', 'mask')
  const places: number[] = []
  for (let i = 0; i < mask.data.length; i++) if (mask.data[i] !== 0) places.push(i)
  return array(Float64Array.from(places), [places.length])
}

function sliceIndex([from, to, by]: readonly (number | null)[], size: number): Index {
  const step = by ?? 1
  if (step <= 0) throw new Unsupported('arguments', 'step')
  const clip = (at: number): number => Math.min(Math.max(at < 0 ? at + size : at, 0), size)
  const start = clip(from ?? 0)
  const end = clip(to ?? size)
  return { is: 'slice', from: start, step, count: Math.max(0, Math.ceil((end - start) / step)) }
}

/** Where every element of an indexed tensor lies, and the shape of the result. */
interface Looked {
  readonly shape: readonly number[]
  readonly places: Float64Array
}

function lookUp(given: Given, a: NdArray): Looked {
  const parts = indicesOf(given, a.shape)
  const arrays = parts.filter(part => part.is === 'array')
  const strides = stridesOf(a.shape)
  const common = broadcast(...arrays.map(part => part.values.shape))
  const axes: { readonly size: number; readonly offsets: Float64Array }[] = []
  const looked = combinedOffsets(parts, arrays, common, { strides, shape: a.shape })
  let offset = 0
  let axis = 0
  let placed = -1
  let split = false
  for (const part of parts) {
    if (part.is === 'new') axes.push({ size: 1, offsets: Float64Array.of(0) })
    else if (part.is === 'at') {
      offset += part.at * strides[axis++]
      // A number beside arrays is one of them.
    } else if (part.is === 'slice') {
      const step = strides[axis++]
      axes.push({
        size: part.count,
        offsets: Float64Array.from({ length: part.count }, (_, i) => (part.from + i * part.step) * step),
      })
    } else {
      if (placed < 0) {
        placed = axes.length
        axes.push({ size: looked.length, offsets: looked })
      } else if (placed !== axes.length - 1) split = true
      axis += part.axes
    }
  }
  // Arrays that something stands between come first in the result.
  if (split || (placed > 0 && apart(parts))) axes.unshift(...axes.splice(placed, 1))
  const shape = axes.flatMap(one => (one.offsets === looked && arrays.length ? common : [one.size]))
  return {
    shape,
    places: outerSum(
      axes.map(one => one.offsets),
      offset,
    ),
  }
}

/** Numbers and arrays with something else between them. */
function apart(parts: readonly Index[]): boolean {
  const at = parts.map((part, i) => (part.is === 'array' || part.is === 'at' ? i : -1)).filter(i => i >= 0)
  return at.some((place, i) => i > 0 && place !== at[i - 1] + 1)
}

/** Offsets of all arrays together, broadcast to each other. */
function combinedOffsets(
  parts: readonly Index[],
  arrays: readonly Index[],
  common: readonly number[],
  { strides, shape }: { readonly strides: readonly number[]; readonly shape: readonly number[] },
): Float64Array {
  const into = new Float64Array(arrays.length ? sizeOf(common) : 0)
  let axis = 0
  for (const part of parts) {
    if (part.is === 'array') {
      // A mask names flat places within several axes: the step is that of the last of them.
      const step = strides[axis + part.axes - 1] ?? 1
      const places = expand(part.values, common).data
      for (let i = 0; i < into.length; i++) into[i] += places[i] * step
      axis += part.axes
    } else if (part.is !== 'new') axis++
  }
  return shape.length >= 0 ? into : into
}

function outerSum(axes: readonly Float64Array[], offset: number): Float64Array {
  let places = Float64Array.of(offset)
  for (const offsets of axes) {
    const next = new Float64Array(places.length * offsets.length)
    let to = 0
    for (const base of places) for (const plus of offsets) next[to++] = base + plus
    places = next
  }
  return places
}

function bracketed(given: Given): readonly Outcome[] {
  const a = given.operand('input')
  const { shape, places } = lookUp(given, a)
  const imaginary = a.imaginary
  return [
    exact({
      dtype: a.dtype,
      shape,
      data: places.map(at => a.data[at]),
      ...(imaginary && { imaginary: places.map(at => imaginary[at]) }),
    }),
  ]
}

/** Several steps of indexing are several nodes: the last one's input may be a part already. */
function backOfBrackets(call: BackwardCall): readonly Gradient[] {
  const grad = incoming(call)
  const [stored] = call.stored
  if (!grad || !stored) return []
  const a = call.given.operand('input')
  const whole = scattered(grad, lookUp(call.given, a).places, a.shape)
  if (sameShape(stored, a.shape)) return [whole]
  // Axes that were put in belong to an earlier node.
  if (sameShape(withoutOnes(stored), withoutOnes(a.shape)))
    return [{ ...whole, values: reshape(whole.values, stored) }]
  return lastStep(call, grad, stored)
}

/** The last entry in brackets that takes a part: a number selects, a slice narrows. */
function lastStep(call: BackwardCall, grad: NdArray, stored: readonly number[]): readonly Gradient[] {
  const parts = indicesOf(call.given, call.given.operand('input').shape)
  const last = parts.findLastIndex(
    (part, i) => part.is === 'at' || (part.is === 'slice' && part.count !== sliceSize(call, parts, i)),
  )
  const part = parts[last]
  if (!part || parts.some(one => one.is === 'array')) return []
  // A slice of all that stands behind the others has a node that changes nothing.
  if (sameShape(stored, grad.shape)) return [exact(grad)]
  const axis = parts.slice(0, last).filter(one => one.is !== 'at').length
  const size = stored[axis]
  const [before, behind] = [grad.shape.slice(0, axis), grad.shape.slice(axis)]
  const into = new Float64Array(sizeOf(stored))
  const strides = stridesOf(stored)
  if (part.is === 'at' && sameShape(stored, [...before, size, ...behind]) && part.at < size) {
    const rest = strides.filter((_, i) => i !== axis)
    addTo(into, { shape: grad.shape, strides: rest, offset: part.at * strides[axis] }, grad.data)
    return [exact(array(into, stored))]
  }
  if (part.is !== 'slice' || !sameShape(stored, [...before, size, ...behind.slice(1)])) return []
  if (part.from + part.step * (part.count - 1) >= size) return []
  const wide = strides.map((stride, i) => (i === axis ? stride * part.step : stride))
  addTo(into, { shape: grad.shape, strides: wide, offset: part.from * strides[axis] }, grad.data)
  return [exact(array(into, stored))]
}

function sliceSize(call: BackwardCall, parts: readonly Index[], at: number): number {
  const axis = parts.slice(0, at).filter(part => part.is !== 'new').length
  return call.given.operand('input').shape[axis] ?? 1
}

function assigned(given: Given): readonly Outcome[] {
  const a = given.operand('input')
  const { shape, places } = lookUp(given, a)
  const value = expand(cast(given.operand('value'), a.dtype), shape)
  const data = a.data.slice()
  for (let i = 0; i < places.length; i++) data[places[i]] = value.data[i]
  return [exact({ ...a, data })]
}

// ---------------------------------------- order

function ordered(row: Float64Array, descending: boolean): number[] {
  const better = descending ? greater : less
  const order = Array.from(row, (_, i) => i)
  return order.sort((i, j) => {
    if (better(row[i], row[j])) return -1
    return better(row[j], row[i]) ? 1 : i - j
  })
}

interface Sorted {
  readonly values: NdArray
  readonly places: NdArray
}

/** The first `count` of each row, in order. */
function sortedRows(a: NdArray, dim: number, count: number | null, descending: boolean): Sorted {
  const source = a.shape.length ? a : reshape(a, [1])
  const axis = axisOf(dim, source.shape.length)
  const rows = rowsOf(source, [axis])
  const many = count ?? rows.length
  if (many > rows.length) throw new Unsupported('arguments', 'k')
  const values = new Float64Array(rows.count * many)
  const places = new Float64Array(values.length)
  for (let i = 0; i < rows.count; i++) {
    const row = rows.data.subarray(i * rows.length, (i + 1) * rows.length)
    const order = ordered(row, descending)
    for (let j = 0; j < many; j++) {
      places[i * many + j] = order[j]
      values[i * many + j] = row[order[j]]
    }
  }
  const shape = a.shape.length ? a.shape.map((size, i) => (i === axis ? many : size)) : []
  const back = (data: Float64Array): Float64Array => {
    if (axis === source.shape.length - 1) return data
    const moved = rowsOf(array(new Float64Array(data.length), shape), [axis])
    return moved.back(data)
  }
  return { values: array(back(values), shape, a.dtype), places: array(back(places), shape, 'int64') }
}

function topOf(given: Given): Sorted {
  return sortedRows(
    given.operand('input'),
    given.number('dim', -1),
    given.number('k'),
    given.flag('largest', true),
  )
}

/** The places of values in a row, each told once. */
function placesIn(given: Given, { places }: Sorted): Outcome {
  const a = given.operand('input')
  const axis = a.shape.length ? axisOf(given.number('dim', -1), a.shape.length) : null
  return placesAlong(places, a, axis, axis === null ? 1 : places.shape[axis])
}

const both = (given: Given, sorted: Sorted): readonly Outcome[] => [
  exact(sorted.values),
  placesIn(given, sorted),
]

const sortOf = (given: Given): Sorted =>
  sortedRows(given.operand('input'), given.number('dim', -1), null, given.flag('descending', false))

const backOfOrder =
  (of: (given: Given) => Sorted) =>
  (call: BackwardCall): readonly Gradient[] => {
    const grad = incoming(call)
    if (!grad) return [null]
    const a = call.given.operand('input')
    // The places that were stored decide where equal values came from.
    const stored = call.outputs()[1]
    const places = placesOf(stored ?? of(call.given).places, a.shape, call.given.number('dim', -1))
    return [scattered(grad, places, a.shape)]
  }

// ---------------------------------------- triangles, counts, searches

const triangle = (
  names: string,
  keeps: (row: number, column: number, shift: number) => boolean,
): Operation => {
  const cut = (a: NdArray, shift: number): NdArray => {
    const [rows, columns] = a.shape.slice(-2)
    return {
      ...a,
      data: a.data.map((x, i) => (keeps(Math.floor(i / columns) % rows, i % columns, shift) ? x : 0)),
    }
  }
  return operation(
    names,
    'input diagonal',
    given => [exact(cut(given.operand('input'), given.number('diagonal', 0)))],
    {
      backward(call) {
        const grad = incoming(call)
        return [grad && exact(cut(grad, call.given.number('diagonal', 0)))]
      },
    },
  )
}

function counted(given: Given): readonly Outcome[] {
  const a = given.tensor('input')
  const weights = given.maybe('weights')
  const top = a.data.reduce((most, x) => Math.max(most, x), -1)
  const into = new Float64Array(Math.max(top + 1, given.number('minlength', 0)))
  for (let i = 0; i < a.data.length; i++) into[a.data[i]] += weights ? weights.data[i] : 1
  const values = array(into, [into.length], weights ? 'float64' : 'int64')
  return [weights ? summed(values, a.data.length) : exact(values)]
}

function histogram(given: Given): readonly Outcome[] {
  const a = given.tensor('input')
  const bins = given.number('bins', 100)
  let [low, high] = [given.number('min', 0), given.number('max', 0)]
  if (low === 0 && high === 0)
    [low, high] = [a.data.reduce((x, y) => Math.min(x, y)), a.data.reduce((x, y) => Math.max(x, y))]
  const into = new Float64Array(bins)
  for (const x of a.data)
    if (x >= low && x <= high) into[Math.min(bins - 1, Math.floor(((x - low) / (high - low || 1)) * bins))]++
  return [exact(array(into, [bins], a.dtype))]
}

/** The first place in a sorted row that is not below a value, or is above it. */
function searched(row: Float64Array, value: number, right: boolean): number {
  let [from, to] = [0, row.length]
  while (from < to) {
    const middle = (from + to) >> 1
    const ahead = right ? row[middle] <= value : row[middle] < value
    if (ahead) from = middle + 1
    else to = middle
  }
  return from
}

function search(given: Given, rowsName: string, valuesName: string): readonly Outcome[] {
  const [rows, values] = [given.tensor(rowsName), given.operand(valuesName)]
  const right = given.flag('right', false) || given.text('side', 'left') === 'right'
  const length = rows.shape.at(-1) ?? 1
  const each = values.shape.at(-1) ?? 1
  const data = values.data.map((value, i) => {
    const row = rows.shape.length > 1 ? Math.floor(i / each) : 0
    return searched(rows.data.subarray(row * length, (row + 1) * length), value, right)
  })
  return [exact(array(data, values.shape, given.flag('out_int32', false) ? 'int32' : 'int64'))]
}

// ---------------------------------------- padding

interface Padding {
  readonly before: readonly number[]
  readonly after: readonly number[]
}

function paddingOf(given: Given, a: NdArray): Padding {
  const raw = given.raw('pad')
  const pads = isList(raw)
    ? raw.flatMap(one => (isList(one) ? one : [one])).map(one => (isNumber(one) ? one.value : NaN))
    : []
  if (pads.length === 0 || pads.some(Number.isNaN) || pads.length > 2 * a.shape.length)
    throw new Unsupported('arguments', 'pad')
  const before = a.shape.map(() => 0)
  const after = a.shape.map(() => 0)
  for (let i = 0; i < pads.length; i += 2) {
    before[a.shape.length - 1 - i / 2] = pads[i]
    after[a.shape.length - 1 - i / 2] = pads[i + 1]
  }
  return { before, after }
}

/** Which element stands at a place beyond the edge; -1 for none. */
const outside: Readonly<Record<string, (at: number, size: number) => number>> = {
  constant: (at, size) => (at >= 0 && at < size ? at : -1),
  reflect(at, size) {
    const back = at < 0 ? -at : at
    return back >= size ? 2 * (size - 1) - back : back
  },
  replicate: (at, size) => Math.min(Math.max(at, 0), size - 1),
  circular: (at, size) => ((at % size) + size) % size,
}

interface Padded {
  readonly shape: readonly number[]
  readonly places: Float64Array
}

function padded(given: Given, a: NdArray): Padded {
  const { before, after } = paddingOf(given, a)
  const mode = given.text('mode', 'constant')
  if (!Object.hasOwn(outside, mode)) throw new Unsupported('unsupported', mode)
  const shape = a.shape.map((size, axis) => Math.max(0, size + before[axis] + after[axis]))
  const strides = stridesOf(a.shape)
  let places = Float64Array.of(0)
  for (const [axis, size] of shape.entries()) {
    const next = new Float64Array(places.length * size)
    let to = 0
    for (const base of places)
      for (let i = 0; i < size; i++) {
        const at = outside[mode](i - before[axis], a.shape[axis])
        next[to++] = base < 0 || at < 0 ? -1 : base + at * strides[axis]
      }
    places = next
  }
  return { shape, places }
}

function padCall(given: Given): readonly Outcome[] {
  const a = given.operand('input')
  const { shape, places } = padded(given, a)
  const value = given.number('value', 0)
  return [
    exact(
      array(
        places.map(at => (at < 0 ? value : a.data[at])),
        shape,
        a.dtype,
      ),
    ),
  ]
}

function backOfPad(call: BackwardCall): readonly Gradient[] {
  const grad = incoming(call)
  if (!grad) return [null]
  const a = call.given.operand('input')
  const { places } = padded(call.given, a)
  const kept: number[] = []
  const values: number[] = []
  for (let i = 0; i < places.length; i++)
    if (places[i] >= 0) {
      kept.push(places[i])
      values.push(grad.data[i])
    }
  return [scattered(array(Float64Array.from(values), [values.length]), Float64Array.from(kept), a.shape)]
}

export const indexingOperations: readonly Operation[] = [
  operation('where', 'condition self other', chosen, { backward: backOfWhere }),
  operation('masked_fill', 'input mask value', maskedFill, { backward: backOfMaskedFill }),
  operation('masked_select', 'input mask', maskedSelect, { backward: backOfMaskedSelect }),
  operation('masked_scatter', 'input mask src', maskedScatter),
  operation('nonzero argwhere', 'input as_tuple', given => {
    const a = given.operand('input')
    return given.flag('as_tuple', false) ? coordinates(a) : [exact(nonzero(a))]
  }),
  operation('gather gather_elements', 'input dim index', gathered, { backward: backOfGather }),
  operation(
    'take_along_dim',
    'input index dim',
    given => {
      const { a, index, dim } = takenAlong(given)
      return [
        exact(
          array(
            placesOf(index, a.shape, dim).map(at => a.data[at]),
            index.shape,
            a.dtype,
          ),
        ),
      ]
    },
    {
      backward(call) {
        const grad = incoming(call)
        if (!grad) return [null]
        const { a, index, dim } = takenAlong(call.given)
        return [
          ofShape(
            scattered(grad, placesOf(index, a.shape, dim), a.shape).values,
            call.given.operand('input').shape,
            false,
          ),
        ]
      },
    },
  ),
  operation('take', 'input index', given => {
    const [a, index] = [given.operand('input'), given.tensor('index')]
    return [
      exact(
        array(
          index.data.map(at => a.data[wholeIndex(at, a.data.length)]),
          index.shape,
          a.dtype,
        ),
      ),
    ]
  }),
  operation('scatter scatter_reduce', 'input dim index src reduce', given => scatter(given, false), {
    backward: call => backOfScatter(call, false),
  }),
  operation('scatter_add', 'input dim index src', given => scatter(given, true), {
    backward: call => backOfScatter(call, true),
  }),
  operation('index_select', 'input dim index', indexSelected, { backward: backOfIndexSelect }),
  operation('index_add', 'input dim index src | alpha', given => indexAdded(given, 'add'), {
    backward: backOfIndexAdd,
  }),
  operation('index_copy', 'input dim index src', given => indexAdded(given, 'copy')),
  operation('index_fill', 'input dim index src', given => indexAdded(given, 'fill')),
  operation('embedding', 'input weight padding_idx max_norm norm_type scale_grad_by_freq sparse', embedded, {
    backward: backOfEmbedding,
  }),
  operation('one_hot', 'input num_classes', oneHot),
  operation('__getitem__', 'input index', bracketed, { backward: backOfBrackets }),
  operation('__setitem__', 'input index value', assigned),
  operation('topk', 'input k dim largest sorted', given => both(given, topOf(given)), {
    backward: backOfOrder(topOf),
  }),
  operation('sort', 'input dim descending stable', given => both(given, sortOf(given)), {
    backward: backOfOrder(sortOf),
  }),
  operation('msort', 'input', given => [exact(sortedRows(given.operand('input'), 0, null, false).values)], {
    // Where equal values came from is not stored.
    backward(call) {
      const grad = incoming(call)
      const a = call.given.operand('input')
      if (!grad || new Set(a.data).size < a.data.length) return []
      return [scattered(grad, placesOf(sortedRows(a, 0, null, false).places, a.shape, 0), a.shape)]
    },
  }),
  operation('argsort', 'input dim descending stable', given => [placesIn(given, sortOf(given))]),
  operation('kthvalue', 'input k dim keepdim', given => {
    const a = given.operand('input')
    const dim = given.number('dim', -1)
    const { values, places } = sortedRows(a, dim, null, false)
    const axis = axisOf(dim, a.shape.length)
    const keep = given.flag('keepdim', false)
    const [value, place] = [values, places].map(one => {
      const part = picked(one, axis, [given.number('k') - 1])
      return keep ? part : reshape(part, reduced(part.shape, [axis], false))
    })
    return [exact(value), placesAlong(place, a, axis)]
  }),
  triangle('tril', (row, column, shift) => column - row <= shift),
  triangle('triu', (row, column, shift) => column - row >= shift),
  operation('bincount', 'input weights minlength', counted),
  operation('histc', 'input bins min max', histogram),
  operation('searchsorted', 'sorted_sequence values out_int32 right side', given =>
    search(given, 'sorted_sequence', 'values'),
  ),
  operation('bucketize', 'values boundaries out_int32 right', given => search(given, 'boundaries', 'values')),
  operation('pad', 'input pad mode value', padCall, { backward: backOfPad }),
  operation('constant_pad_nd', 'input pad value', padCall, { backward: backOfPad }),
  operation('unique', 'input sorted', given => {
    const a = given.operand('input')
    const values = Float64Array.from(new Set(a.data)).sort()
    return [exact(array(values, [values.length], a.dtype))]
  }),
  operation('unique_consecutive', 'input', given => {
    const { data, dtype } = given.operand('input')
    const values = data.filter((x, i) => i === 0 || x !== data[i - 1])
    return [exact(array(values, [values.length], dtype))]
  }),
  operation('diag', 'input diagonal', given => {
    const a = given.operand('input')
    const shift = given.number('diagonal', 0)
    if (a.shape.length !== 1) throw new Unsupported('unsupported', 'diag')
    const size = a.data.length + Math.abs(shift)
    const data = new Float64Array(size * size)
    for (let i = 0; i < a.data.length; i++)
      data[(i + Math.max(0, -shift)) * size + i + Math.max(0, shift)] = a.data[i]
    return [exact(array(data, [size, size], a.dtype))]
  }),
]
