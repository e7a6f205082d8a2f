// Products of matrices and what is made of them: linear layers, batches, einsum.
import type { Given } from './arguments.ts'
import {
  add,
  array,
  broadcast,
  combine,
  expand,
  multiply,
  type NdArray,
  permute,
  reshape,
  sameShape,
  scaled,
  sizeOf,
  sumTo,
  withoutOnes,
} from './array.ts'
import { ofShape, settled } from './binary.ts'
import { einsumParts } from './einsum.ts'
import { absolute, product, transposed } from './product.ts'
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
  summedInSteps,
} from './operation.ts'
import { promoted } from './promote.ts'
import { isFloat } from './rounding.ts'

/** A product with its bound; integers are exact. */
export function producing(a: NdArray, b: NdArray): Outcome {
  const values = product(a, b)
  if (!isFloat(values.dtype)) return exact(settled(values))
  return summed(values, a.shape.at(-1) ?? 1, () => product(absolute(a), absolute(b)).data)
}

/** A gradient that is a product. */
const gradientOf = (a: NdArray, b: NdArray, by = 1): Outcome => {
  const values = scaled(product(a, b), by)
  return summedAsStored(
    values,
    a.shape.at(-1) ?? 1,
    () => scaled(product(absolute(a), absolute(b)), Math.abs(by)).data,
  )
}

const flopsOf = (a: readonly number[], b: readonly number[]): number =>
  2 * sizeOf(a) * (b.length > 1 ? (b.at(-1) ?? 1) : 1)

const flops =
  (first: string, second: string) =>
  (given: Given): number =>
    flopsOf(given.tensor(first).shape, given.tensor(second).shape)

/**
 * The last node of a call that only gave its result another shape: its gradient is the incoming one, as it
 * was before. Null where the stored shape is not of that kind.
 */
export function reshapedOnly({ stored, ...call }: BackwardCall): Gradient {
  const grad = incoming({ stored, ...call })
  const [shape] = stored
  if (!grad || !shape || stored.length !== 1 || sizeOf(shape) !== grad.data.length) return null
  return exact(reshape(grad, shape))
}

function backOfMatmul(call: BackwardCall): readonly Gradient[] {
  const grad = incoming(call)
  if (!grad) return [null, null]
  const [a, b] = [call.given.tensor('input'), call.given.tensor('other')]
  const [first, second] = call.stored
  const fits =
    call.stored.length === 2 &&
    (!first || sameShape(first, a.shape)) &&
    (!second || sameShape(second, b.shape))
  // The node of a product of two matrices, of a batch, or of vectors.
  if (fits) return productGradients(a, b, grad)
  const inner = reshapedOnly(call)
  return inner ? [inner] : [null, null]
}

function productGradients(a: NdArray, b: NdArray, grad: NdArray): readonly Gradient[] {
  const [left, right] = [
    a.shape.length === 1 ? reshape(a, [1, -1]) : a,
    b.shape.length === 1 ? reshape(b, [-1, 1]) : b,
  ]
  const batch = broadcast(left.shape.slice(0, -2), right.shape.slice(0, -2))
  const g = reshape(grad, [...batch, left.shape.at(-2) ?? 1, right.shape.at(-1) ?? 1])
  return [
    inShape(gradientOf(g, transposed(right)), a.shape),
    inShape(gradientOf(transposed(left), g), b.shape),
  ]
}

/** A gradient summed over the axes that were broadcast. */
function inShape(of: Outcome, shape: readonly number[]): Outcome {
  if (sizeOf(shape) === of.values.data.length) return { ...of, values: reshape(of.values, shape) }
  const { bound } = of
  const times = of.values.data.length / Math.max(1, sizeOf(shape))
  const to = (data: Float64Array): NdArray =>
    reshape(sumTo(array(data, of.values.shape), broadcastShape(of.values.shape, shape)), shape)
  const terms = bound.is === 'sum' ? bound.terms : undefined
  return summed(
    to(of.values.data),
    (bound.is === 'sum' ? bound.length : 1) * times,
    terms && (() => to(terms()).data),
  )
}

const broadcastShape = (whole: readonly number[], part: readonly number[]): readonly number[] => [
  ...Array.from({ length: whole.length - part.length }, () => 1),
  ...part,
]

// ---------------------------------------- sums with products

/** beta · input + alpha · (a · b), where a and b are matrices, batches or a matrix and a vector. */
function accumulated(given: Given, first: string, second: string, batches: boolean): readonly Outcome[] {
  const [input, a, b] = [given.operand('input'), given.tensor(first), given.tensor(second)]
  const [beta, alpha] = [given.number('beta', 1), given.number('alpha', 1)]
  const all = (x: NdArray, y: NdArray): NdArray => {
    const values = product(x, y)
    return batches ? reshape(sumBatches(values), values.shape.slice(1)) : values
  }
  // With beta 0 what stands in the input, NaN included, does not count.
  const base = beta === 0 ? null : scaled(input, beta)
  const values = base ? combine(base, all(a, b), (x, y) => x + alpha * y) : scaled(all(a, b), alpha)
  const length = (a.shape.at(-1) ?? 1) * (batches ? a.shape[0] : 1) + 1
  const dtype = promoted(input, a, b)
  if (!isFloat(dtype)) return [exact(settled({ ...values, dtype }))]
  const terms = (): Float64Array => {
    const sums = scaled(all(absolute(a), absolute(b)), Math.abs(alpha))
    return base ? add(absolute(base), sums).data : sums.data
  }
  return [summed({ ...values, dtype }, length, terms)]
}

const sumBatches = (a: NdArray): NdArray => sumTo(a, [1, ...a.shape.slice(1)])

const backOfAccumulated =
  (first: string, second: string) =>
  (call: BackwardCall): readonly Gradient[] => {
    const grad = incoming(call)
    if (!grad) return [null, null, null]
    const { given } = call
    const [input, a, b] = [given.operand('input'), given.tensor(first), given.tensor(second)]
    const [beta, alpha] = [given.number('beta', 1), given.number('alpha', 1)]
    const sized = b.shape.length === 1 ? reshape(grad, [...grad.shape, 1]) : grad
    const right = b.shape.length === 1 ? reshape(b, [1, b.data.length]) : transposed(b)
    return [
      ofShape(scaled(grad, beta), input.shape, beta === 1),
      inShape(gradientOf(sized, right, alpha), a.shape),
      inShape(gradientOf(transposed(a), sized, alpha), b.shape),
    ]
  }

const accumulating = (
  names: string,
  signature: string,
  [first, second]: readonly [string, string],
  batches = false,
): Operation =>
  operation(names, signature, given => accumulated(given, first, second, batches), {
    flops: flops(first, second),
    ...(!batches && { backward: backOfAccumulated(first, second) }),
  })

// ---------------------------------------- linear layers

function linear(given: Given): readonly Outcome[] {
  const [a, weight, bias] = [given.tensor('input'), given.tensor('weight'), given.maybe('bias')]
  const by = transposed(weight)
  const of = (x: NdArray, w: NdArray, c: NdArray | null): NdArray =>
    c ? add(product(x, w), c) : product(x, w)
  const values = { ...of(a, by, bias), dtype: promoted(a, weight) }
  const terms = (): Float64Array => of(absolute(a), absolute(by), bias && absolute(bias)).data
  const length = (a.shape.at(-1) ?? 1) + 1
  if (!bias) return [summed(values, length, terms)]
  // Of inputs with batches some take a product and a sum.
  const rounded = (): Float64Array => combine(values, bias, (x, y) => x - y).data
  return [{ values, bound: { is: 'sum', length, terms, rounded } }]
}

/** The node is `addmm`, `mm`, or the view that a third axis asks for; MindSpore has one node of its own. */
function backOfLinear(call: BackwardCall): readonly Gradient[] {
  const grad = incoming(call)
  if (!grad) return [null]
  const { given, stored } = call
  const [a, weight, bias] = [given.tensor('input'), given.tensor('weight'), given.maybe('bias')]
  // With batches the last node may add the bias to the product.
  if (
    bias &&
    stored.length === 2 &&
    stored[0] &&
    sameShape(stored[0], grad.shape) &&
    !sameShape(grad.shape, bias.shape)
  )
    return fitting(stored, [[exact(grad), ofShape(grad, bias.shape)]])
  const inner = stored.length === 1 ? reshapedOnly(call) : null
  if (inner && (a.shape.length !== 2 || !sameShape(inner.values.shape, a.shape))) return [inner]
  const rows = reshape(grad, [-1, weight.shape[0] ?? 1])
  const x = reshape(a, [-1, a.shape.at(-1) ?? 1])
  const forInput = inShape(gradientOf(rows, weight), a.shape)
  const forBias = bias && ofShape(rows, bias.shape)
  const whole = [forInput, gradientOf(transposed(rows), x), ...(bias ? [forBias] : [])]
  const turned = gradientOf(transposed(x), rows)
  const asNode = [...(bias ? [forBias] : []), forInput, turned]
  return fitting(stored, [asNode, whole])
}

/** The first list of gradients whose shapes are those that were stored; else none. */
export function fitting(
  stored: readonly (readonly number[] | null)[],
  lists: readonly (readonly Gradient[])[],
): readonly Gradient[] {
  const fits = (list: readonly Gradient[]): boolean =>
    list.length === stored.length &&
    list.every((gradient, i) => {
      const shape = stored[i]
      return !gradient || !shape || sameShape(gradient.values.shape, shape)
    })
  return lists.find(fits) ?? []
}

// ---------------------------------------- einsum and others

function contracted(given: Given): readonly Outcome[] {
  const { values, length, terms } = einsumParts(given.text('equation', ''), operands(given))
  return [summed(values, length, terms)]
}

/** Tensors one by one, or as a list. */
const operands = (given: Given): readonly NdArray[] => given.tensors('tensors')

function bilinear(given: Given): readonly Outcome[] {
  const [a, b, weight, bias] = [
    given.tensor('input1'),
    given.tensor('input2'),
    given.tensor('weight'),
    given.maybe('bias'),
  ]
  const of = (x: NdArray, y: NdArray, w: NdArray, c: NdArray | null): NdArray => {
    const sums = einsumParts('...i,oij,...j->...o', [x, w, y]).values
    return c ? add(sums, c) : sums
  }
  const terms = (): Float64Array =>
    of(absolute(a), absolute(b), absolute(weight), bias && absolute(bias)).data
  const length = weight.shape[1] * weight.shape[2]
  // Made of two products and a sum, each rounded.
  return [summedInSteps({ ...of(a, b, weight, bias), dtype: promoted(a, b) }, length, terms)]
}

/** The node adds the bias to what the trilinear node made. */
function backOfBilinear(call: BackwardCall): readonly Gradient[] {
  const grad = incoming(call)
  const bias = call.given.maybe('bias')
  if (!grad) return []
  return bias && call.stored.length === 2 ? [exact(grad), ofShape(grad, bias.shape)] : []
}

function backOfVectors(call: BackwardCall): readonly Gradient[] {
  const grad = incoming(call)
  if (!grad) return [null, null]
  const [a, b] = [call.given.tensor('input'), call.given.tensor('other')]
  const times = (one: NdArray): Outcome => summed(multiply(reshape(grad, []), one), 1)
  return [times(b), times(a)]
}

function backOfOuter(call: BackwardCall): readonly Gradient[] {
  const grad = incoming(call)
  if (!grad) return [null, null]
  const [a, b] = [call.given.tensor('input'), call.given.tensor('other')]
  const column = reshape(a, [-1, 1])
  const first = multiply(grad, b)
  const second = multiply(grad, column)
  const asNode = [ofShape(first, [a.data.length, 1], false), ofShape(second, b.shape, false)]
  const whole = [inShape(asNode[0], a.shape), asNode[1]]
  return fitting(call.stored, [asNode, whole])
}

/** Only by its shape the node of an einsum is known to be a view. */
function backOfEinsum(call: BackwardCall): readonly Gradient[] {
  const inner = reshapedOnly(call)
  const grad = incoming(call)
  const same = inner && grad && sameShape(withoutOnes(inner.values.shape), withoutOnes(grad.shape))
  return same ? [inner] : []
}

const pairOf = (names: string, more: Partial<Operation> = {}): Operation =>
  operation(names, 'input other', given => [producing(given.tensor('input'), given.tensor('other'))], {
    backward: backOfMatmul,
    flops: flops('input', 'other'),
    ...more,
  })

export const matmulOperations: readonly Operation[] = [
  pairOf('matmul __matmul__ mm bmm mv MatMul matmul_v2 batch_matmul'),
  operation('__rmatmul__', 'input other', given => [producing(given.tensor('other'), given.tensor('input'))]),
  pairOf('dot vdot inner', { backward: backOfVectors }),
  operation(
    'outer ger',
    'input other',
    given => {
      const [a, b] = [given.tensor('input'), given.tensor('other')]
      return [summed({ ...multiply(reshape(a, [-1, 1]), reshape(b, [1, -1])), dtype: promoted(a, b) }, 1)]
    },
    { backward: backOfOuter },
  ),
  accumulating('addmm', 'input mat1 mat2 | beta alpha', ['mat1', 'mat2']),
  accumulating('addmv', 'input mat vec | beta alpha', ['mat', 'vec']),
  accumulating('baddbmm', 'input batch1 batch2 | beta alpha', ['batch1', 'batch2']),
  accumulating('addbmm', 'input batch1 batch2 | beta alpha', ['batch1', 'batch2'], true),
  operation('linear dense npu_linear', 'input weight bias', linear, {
    backward: backOfLinear,
    flops: given => flopsOf(given.tensor('input').shape, [1, given.tensor('weight').shape[0]]),
  }),
  operation('einsum', 'equation *tensors', contracted, { backward: backOfEinsum }),
  operation('bilinear', 'input1 input2 weight bias', bilinear, {
    backward: backOfBilinear,
    flops: given =>
      2 *
      sizeOf(given.tensor('input1').shape) *
      sizeOf([given.tensor('weight').shape[0], given.tensor('weight').shape[2]]),
  }),
  operation('chain_matmul multi_dot', '*tensors', given => {
    const values = given.tensors('tensors').reduce(product)
    const terms = (): Float64Array => given.tensors('tensors').map(absolute).reduce(product).data
    return [{ ...summed(values, 3 * sizeOf(given.tensors('tensors').map(one => one.shape[0])), terms) }]
  }),
  operation('kron', 'input other', given => {
    const [a, b] = [given.tensor('input'), given.tensor('other')]
    const rank = Math.max(a.shape.length, b.shape.length)
    const pad = (one: NdArray): readonly number[] => [
      ...Array.from({ length: rank - one.shape.length }, () => 1),
      ...one.shape,
    ]
    const [p, q] = [pad(a), pad(b)]
    const left = reshape(
      a,
      p.flatMap(dim => [dim, 1]),
    )
    const right = reshape(
      b,
      q.flatMap(dim => [1, dim]),
    )
    return [
      summed(
        reshape(
          multiply(left, right),
          p.map((dim, i) => dim * q[i]),
        ),
        1,
      ),
    ]
  }),
  operation('cross', 'input other dim', given => [crossProduct(given)]),
]

function crossProduct(given: Given): Outcome {
  const [a, b] = [given.tensor('input'), given.tensor('other')]
  const axis = given.has('dim') ? given.number('dim') : a.shape.findIndex(dim => dim === 3)
  const order = a.shape.map((_, i) => i).filter(i => i !== (axis < 0 ? axis + a.shape.length : axis))
  const last = axis < 0 ? axis + a.shape.length : axis
  const [x, y] = [permute(a, [...order, last]), permute(expand(b, a.shape), [...order, last])]
  const data = x.data.map((_, i) => {
    const base = i - (i % 3)
    const [j, k] = [base + ((i + 1) % 3), base + ((i + 2) % 3)].map(at => (at % 3) + base)
    return x.data[j] * y.data[k] - x.data[k] * y.data[j]
  })
  const back = a.shape.map((_, i) => [...order, last].indexOf(i))
  return summed(permute(array(data, x.shape), back), 2)
}
