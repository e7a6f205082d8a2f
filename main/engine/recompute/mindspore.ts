// Where MindSpore's functions and primitives of a name differ from PyTorch's.
import type { Given } from './arguments.ts'
import {
  array,
  axisOf,
  expand,
  type NdArray,
  permute,
  reshape,
  sameShape,
  sizeOf,
  stridesOf,
  take,
} from './array.ts'
import { binaryOperations, ofShape } from './binary.ts'
import { indexingOperations } from './indexing.ts'
import { lossOperations, wholeCrossEntropyGradient } from './loss.ts'
import { matmulOperations } from './matmul.ts'
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
import { absolute, product, transposed } from './product.ts'
import { reduceOperations } from './reduce.ts'
import { shapeOperations } from './shapes.ts'
import { unaryOperations } from './unary.ts'
import { activationOperations } from './activation.ts'
import { Unsupported } from './unsupported.ts'

const everything = [
  ...shapeOperations,
  ...reduceOperations,
  ...lossOperations,
  ...indexingOperations,
  ...matmulOperations,
  ...unaryOperations,
  ...activationOperations,
  ...binaryOperations,
]

function rowOf(name: string): Operation {
  const row = everything.findLast(one => one.names.includes(name))
  if (!row) throw new RangeError(name)
  return row
}

/** A row of the table under another name or with parameters in another order. */
const like = (names: string, of: string, signature: string, more: Partial<Operation> = {}): Operation => ({
  ...rowOf(of),
  names: names.split(' '),
  signature,
  ...more,
})

/** All axes by number, or two of them that change places. */
function transposing(given: Given): readonly number[] {
  const rank = given.operand('input').shape.length
  const dims = given.ints('dim') ?? []
  if (dims.length === 0) return Array.from({ length: rank }, (_, axis) => rank - 1 - axis)
  if (dims.length === rank && rank !== 2) return dims
  if (dims.length !== 2) throw new Unsupported('arguments', 'transpose')
  const order = Array.from({ length: rank }, (_, axis) => axis)
  const [x, y] = dims.map(dim => axisOf(dim, rank))
  // With two axes both readings give [0, 1] another meaning: the stored shape decides, where it can.
  if (rank === 2 && x === 0 && y === 1) {
    const { shape } = given.operand('input')
    const [result] = given.results
    if (shape[0] === shape[1] || !result) throw new Unsupported('attributes', 'transpose')
    return sameShape(result, shape) ? [0, 1] : [1, 0]
  }
  if (rank === 2) return dims.map(dim => axisOf(dim, rank))
  order[x] = y
  order[y] = x
  return order
}

function looked(given: Given): {
  readonly places: Float64Array
  readonly shape: readonly number[]
  readonly a: NdArray
} {
  if (given.number('batch_dims', 0) !== 0) throw new Unsupported('unsupported', 'batch_dims')
  const [a, index] = [given.operand('input'), given.operand('index')]
  const axis = axisOf(given.number('dim', 0), a.shape.length)
  const inner = sizeOf(a.shape.slice(axis + 1))
  const size = a.shape[axis]
  const shape = [...a.shape.slice(0, axis), ...index.shape, ...a.shape.slice(axis + 1)]
  const places = new Float64Array(sizeOf(shape))
  let to = 0
  for (let o = 0; o < sizeOf(a.shape.slice(0, axis)); o++)
    for (const at of index.data) {
      const row = at < 0 ? at + size : at
      if (!(row >= 0 && row < size)) throw new Unsupported('arguments', `index ${at}`)
      for (let i = 0; i < inner; i++) places[to++] = (o * size + row) * inner + i
    }
  return { places, shape, a }
}

const gathering = (names: string): Operation =>
  operation(
    names,
    'input index dim batch_dims',
    given => {
      const { places, shape, a } = looked(given)
      return [
        exact(
          array(
            places.map(at => a.data[at]),
            shape,
            a.dtype,
          ),
        ),
      ]
    },
    {
      backward(call) {
        const grad = incoming(call)
        if (!grad) return [null]
        const { places, a } = looked(call.given)
        const into = new Float64Array(a.data.length)
        const terms = new Float64Array(a.data.length)
        for (let i = 0; i < places.length; i++) {
          into[places[i]] += grad.data[i]
          terms[places[i]] += Math.abs(grad.data[i])
        }
        return [summed(array(into, a.shape), grad.shape[0] ?? 1, () => terms), null, null]
      },
    },
  )

const shapeRow = operation('shape Shape', 'input', given =>
  given.operand('input').shape.map(dim => exact(array(Float64Array.of(dim), [], 'int64'))),
)

function strided(given: Given): readonly Outcome[] {
  const a = given.operand('input')
  const [begin, size] = [given.ints('begin') ?? [], given.ints('size') ?? []]
  const strides = stridesOf(a.shape)
  const offset = begin.reduce((sum, from, axis) => sum + from * strides[axis], 0)
  return [
    exact(
      take(a, {
        shape: size.map((many, axis) => (many === -1 ? a.shape[axis] - begin[axis] : many)),
        strides,
        offset,
      }),
    ),
  ]
}

/** Where numbers stand among NaN. */
function numbersOf({ data }: NdArray): Pick<Outcome, 'sampled'> {
  const sampled: number[] = []
  for (let i = 0; i < data.length; i++) if (!Number.isNaN(data[i])) sampled.push(i)
  return sampled.length < data.length ? { sampled } : {}
}

export const mindsporeOperations: readonly Operation[] = [
  operation(
    'transpose',
    'input *dim',
    given => [exact(permute(given.operand('input'), transposing(given)))],
    {
      backward(call) {
        const grad = incoming(call)
        const order = transposing(call.given)
        const a = call.given.operand('input')
        const axes = order.map(dim => axisOf(dim, a.shape.length))
        return [
          grad &&
            exact(
              permute(
                grad,
                axes.map((_, axis) => axes.indexOf(axis)),
              ),
            ),
        ]
      },
    },
  ),
  gathering('gather'),
  shapeRow,
  operation(
    'flatten',
    'input order start_dim end_dim',
    given => {
      const a = given.operand('input')
      const from = axisOf(given.number('start_dim', 1), a.shape.length)
      const to = axisOf(given.number('end_dim', -1), a.shape.length)
      return [
        exact(
          reshape(a, [
            ...a.shape.slice(0, from),
            sizeOf(a.shape.slice(from, to + 1)),
            ...a.shape.slice(to + 1),
          ]),
        ),
      ]
    },
    {
      backward(call) {
        const grad = incoming(call)
        return [grad && exact(reshape(grad, call.given.operand('input').shape))]
      },
    },
  ),
  like('cross_entropy', 'cross_entropy', 'input target weight ignore_index reduction label_smoothing', {
    backward: wholeCrossEntropyGradient,
  }),
  like('nll_loss', 'nll_loss', 'input target weight ignore_index reduction label_smoothing'),
  like('mse_loss', 'mse_loss', 'input target reduction'),
  like('l1_loss', 'l1_loss', 'input target reduction'),
  like('smooth_l1_loss', 'smooth_l1_loss', 'input target beta reduction'),
  operation(
    'clamp clip clip_by_value',
    'input min max',
    given =>
      // What becomes of NaN differs from device to device: it is not judged.
      rowOf('clamp')
        .forward(given)
        .map(one => ({ ...one, ...numbersOf(given.operand('input')) })),
    { backward: call => rowOf('clamp').backward?.(call) ?? [] },
  ),
  like('gelu', 'gelu', 'input approximate'),
  like('sum', 'sum', 'input dim dtype keepdim initial'),
  like('cumsum', 'cumsum', 'input dim dtype'),
  like('topk', 'topk', 'input k dim largest sorted'),
  like('one_hot', 'one_hot', 'input num_classes'),
  operation('slice', 'input begin size', strided),
  operation('bias_add', 'input bias', biasAdded, { backward: backOfBias }),
]

// ---------------------------------------- primitives

/** A dump does not hold whether a side is transposed: the shapes decide, where only one reading fits. */
function orientation(given: Given): {
  readonly a: NdArray
  readonly b: NdArray
  readonly turnsA: boolean
  readonly turnsB: boolean
} {
  const [a, b] = [given.tensor('input'), given.tensor('other')]
  const [result] = given.results
  if (a.shape.length < 2 || b.shape.length < 2 || !result) throw new Unsupported('attributes', 'transpose')
  const fits = [false, true].flatMap(turnsA =>
    [false, true].flatMap(turnsB => {
      const [m, k] = turnsA ? a.shape.slice(-2).reverse() : a.shape.slice(-2)
      const [p, n] = turnsB ? b.shape.slice(-2).reverse() : b.shape.slice(-2)
      return k === p && sameShape(result.slice(-2), [m, n]) ? [{ a, b, turnsA, turnsB }] : []
    }),
  )
  if (fits.length !== 1) throw new Unsupported('attributes', 'transpose_a, transpose_b')
  return fits[0]
}

const turned = (a: NdArray, turns: boolean): NdArray => (turns ? transposed(a) : a)

function multiplied(given: Given): readonly Outcome[] {
  const { a, b, turnsA, turnsB } = orientation(given)
  const [x, y] = [turned(a, turnsA), turned(b, turnsB)]
  return [summed(product(x, y), x.shape.at(-1) ?? 1, () => product(absolute(x), absolute(y)).data)]
}

function backOfProduct(call: BackwardCall): readonly Gradient[] {
  const grad = incoming(call)
  if (!grad) return [null, null]
  const { a, b, turnsA, turnsB } = orientation(call.given)
  if (a.shape.length !== b.shape.length) return []
  const [x, y] = [turned(a, turnsA), turned(b, turnsB)]
  const of = (left: NdArray, right: NdArray, turns: boolean): Outcome => {
    const run = (p: NdArray, q: NdArray): NdArray => turned(product(p, q), turns)
    return summed(run(left, right), left.shape.at(-1) ?? 1, () => run(absolute(left), absolute(right)).data)
  }
  return [of(grad, transposed(y), turnsA), of(transposed(x), grad, turnsB)]
}

/** Channels stand behind the batch; another order only where the shape shows it. */
function channelShape(a: NdArray, bias: NdArray): readonly number[] {
  const count = bias.data.length
  const axes = a.shape
    .map((dim, axis) => (dim === count ? axis : -1))
    .filter(axis => axis === 1 || axis === a.shape.length - 1)
  const ends = axes.filter(axis => axis >= 0)
  if (ends.length !== 1) throw new Unsupported('attributes', 'data_format')
  return a.shape.map((_, axis) => (axis === ends[0] ? count : 1))
}

function biasAdded(given: Given): readonly Outcome[] {
  const [a, bias] = [given.tensor('input'), given.tensor('bias')]
  const wide = expand(reshape(bias, channelShape(a, bias)), a.shape).data
  return [step({ ...a, data: a.data.map((x, i) => x + wide[i]) })]
}

function backOfBias(call: BackwardCall): readonly Gradient[] {
  const grad = incoming(call)
  if (!grad) return [null, null]
  const [a, bias] = [call.given.tensor('input'), call.given.tensor('bias')]
  const sum = ofShape(grad, channelShape(a, bias))
  return [exact(grad), { ...sum, values: reshape(sum.values, bias.shape) }]
}

export const primitiveOperations: readonly Operation[] = [
  operation('MatMul BatchMatMul', 'input other', multiplied, { backward: backOfProduct }),
  operation('BiasAdd', 'input bias', biasAdded, { backward: backOfBias }),
  gathering('Gather GatherV2'),
  shapeRow,
  ...(
    [
      ['Add', 'add'],
      ['Sub', 'sub'],
      ['Mul', 'mul'],
      ['RealDiv Div', 'div'],
      ['Pow', 'pow'],
      ['Maximum', 'maximum'],
      ['Minimum', 'minimum'],
      ['Greater', 'gt'],
      ['GreaterEqual', 'ge'],
      ['Less', 'lt'],
      ['LessEqual', 'le'],
      ['Equal', 'eq'],
      ['NotEqual', 'ne'],
      ['LogicalAnd', 'logical_and'],
      ['LogicalOr', 'logical_or'],
    ] as const
  ).map(([names, of]) => like(names, of, 'input other')),
  like('LogicalNot', 'logical_not', 'input'),
  like('Reshape', 'reshape', 'input size'),
  like('ReLU', 'relu', 'input'),
  like('Sigmoid', 'sigmoid', 'input'),
  like('Tanh', 'tanh', 'input'),
  like('Exp', 'exp', 'input'),
  like('Log', 'log', 'input'),
  like('Sqrt', 'sqrt', 'input'),
  like('Rsqrt', 'rsqrt', 'input'),
  like('Abs', 'abs', 'input'),
  like('Neg', 'neg', 'input'),
  like('Square', 'square', 'input'),
  like('ExpandDims', 'unsqueeze', 'input dim'),
  operation('Transpose', 'input dim', given => [
    exact(permute(given.operand('input'), given.ints('dim') ?? [])),
  ]),
]
