// What msprobe calls the toy operations in each dialect, and which arguments it records for them.
import type { Attrs, OpName } from './arith.ts'

export type Style = 'pt' | 'ms'

export type Arg =
  | { readonly input: number }
  | { readonly list: readonly Arg[] }
  | { readonly constant: number; readonly shape: readonly number[] }
  | number
  | string
  | boolean
  | null

interface Form {
  readonly api: string
  readonly args: (inputs: number) => readonly Arg[]
  readonly kwargs?: Readonly<Record<string, Arg>>
}

const inputs = (n: number): Arg[] => Array.from({ length: n }, (_, input) => ({ input }))
const numbers = (list: unknown): Arg => ({ list: list as readonly number[] })
const list = (list: unknown): Arg[] => [...(list as readonly number[])]

type Row = readonly [
  api: string,
  args?: ((a: Attrs, n: number) => readonly Arg[]) | undefined,
  kwargs?: (a: Attrs) => Readonly<Record<string, Arg>>,
]

const pt: Partial<Record<OpName, Row>> = {
  linear: ['Functional.linear'],
  matmul: ['Torch.matmul'],
  conv2d: [
    'Functional.conv2d',
    (a, n) => [
      ...inputs(n),
      numbers([Number(a.stride ?? 1), Number(a.stride ?? 1)]),
      numbers([Number(a.pad ?? 0), Number(a.pad ?? 0)]),
      numbers([1, 1]),
      1,
    ],
  ],
  batchNorm: [
    'Functional.batch_norm',
    a => [
      { input: 0 },
      { constant: 0, shape: [Number(a.width)] },
      { constant: 1, shape: [Number(a.width)] },
      { input: 1 },
      { input: 2 },
      true,
      0.1,
      Number(a.eps),
    ],
  ],
  layerNorm: [
    'Functional.layer_norm',
    a => [{ input: 0 }, numbers([Number(a.width)]), { input: 1 }, { input: 2 }, Number(a.eps)],
  ],
  rmsNorm: [
    'Functional.rms_norm',
    a => [{ input: 0 }, numbers([Number(a.width)]), { input: 1 }, Number(a.eps)],
  ],
  relu: ['Functional.relu'],
  gelu: ['Functional.gelu', undefined, a => (a.approximate ? { approximate: String(a.approximate) } : {})],
  silu: ['Functional.silu'],
  tanh: ['Torch.tanh'],
  sigmoid: ['Torch.sigmoid'],
  scale: ['Torch.mul', a => [{ input: 0 }, Number(a.by)]],
  softmax: ['Functional.softmax', undefined, () => ({ dim: -1 })],
  maxPool: ['Functional.max_pool2d', () => [{ input: 0 }, 2, 2, 0, 1]],
  meanPool: ['Torch.mean', () => [{ input: 0 }, numbers([2, 3])]],
  add: ['Tensor.__add__'],
  mul: ['Tensor.__mul__'],
  embedding: ['Functional.embedding', () => [{ input: 0 }, { input: 1 }, null, null, 2.5, false, false]],
  reshape: ['Tensor.reshape', a => [{ input: 0 }, ...list(a.shape)]],
  permute: ['Tensor.permute', a => [{ input: 0 }, ...list(a.order)]],
  split: ['Torch.split', a => [{ input: 0 }, Number(a.width)], () => ({ dim: -1 })],
  crossEntropy: [
    'Functional.cross_entropy',
    undefined,
    () => ({ weight: null, ignore_index: -100, reduction: 'mean', label_smoothing: 0.5 }),
  ],
  mse: ['Functional.mse_loss', undefined, () => ({ reduction: 'mean' })],
  masked: ['Functional.dropout', a => [{ input: 0 }, Number(a.p ?? 0.5), true]],
  fill: ['Tensor.masked_fill', a => [{ input: 0 }, { input: 1 }, Number(a.value)]],
  biasAdd: ['Tensor.add'],
  matmulT: ['Torch.mm'],
  allReduce: ['Distributed.all_reduce'],
}

const ms: Partial<Record<OpName, Row>> = {
  matmulT: ['Primitive.matmul.MatMul'],
  biasAdd: ['Primitive.bias_add.BiasAdd'],
  matmul: ['Mint.matmul'],
  linear: ['MintFunctional.linear'],
  conv2d: ['Primitive.conv2d.Conv2D'],
  batchNorm: [
    'Primitive.bn_train.BatchNorm',
    a => [
      { input: 0 },
      { input: 1 },
      { input: 2 },
      { constant: 0, shape: [Number(a.width)] },
      { constant: 1, shape: [Number(a.width)] },
    ],
  ],
  layerNorm: ['Primitive.layer_norm.LayerNorm'],
  rmsNorm: ['Primitive.rms_norm.RmsNorm'],
  relu: ['Functional.relu'],
  gelu: ['Functional.gelu'],
  silu: ['MintFunctional.silu'],
  tanh: ['Mint.tanh'],
  sigmoid: ['Mint.sigmoid'],
  scale: ['Functional.mul', a => [{ input: 0 }, Number(a.by)]],
  softmax: ['MintFunctional.softmax', undefined, () => ({ dim: -1 })],
  maxPool: ['Primitive.max_pool.MaxPool'],
  meanPool: ['Mint.mean', () => [{ input: 0 }, numbers([2, 3])]],
  add: ['Mint.add'],
  mul: ['Mint.mul'],
  embedding: ['Primitive.gather.Gather', () => [{ input: 1 }, { input: 0 }, 0]],
  reshape: ['Tensor.reshape', a => [{ input: 0 }, ...list(a.shape)]],
  permute: ['Mint.permute', a => [{ input: 0 }, numbers(a.order)]],
  split: ['Functional.split', a => [{ input: 0 }, Number(a.width)], () => ({ axis: -1 })],
  crossEntropy: ['Functional.cross_entropy', () => [{ input: 0 }, { input: 1 }, null, -100, 'mean', 0.5]],
  mse: ['MintFunctional.mse_loss'],
  masked: ['MintFunctional.dropout', a => [{ input: 0 }, Number(a.p ?? 0.5)]],
  fill: ['Tensor.masked_fill', a => [{ input: 0 }, { input: 1 }, Number(a.value)]],
  allReduce: ['Distributed.all_reduce'],
}

export function named(style: Style, op: OpName, attrs: Attrs): Form {
  const row = (style === 'pt' ? pt : ms)[op]
  if (!row) throw new Error(`${op} has no name in ${style}`)
  const [api, args, kwargs] = row
  return { api, args: n => (args ? args(attrs, n) : inputs(n)), ...(kwargs && { kwargs: kwargs(attrs) }) }
}

/** Class names of modules, where the dialects differ. */
export const className = (style: Style, name: string): string =>
  style === 'ms' && name === 'Linear' ? 'Dense' : name
export const parameterName = (style: Style, kind: 'norm' | 'plain', name: 'weight' | 'bias'): string =>
  style === 'ms' && kind === 'norm' ? (name === 'weight' ? 'gamma' : 'beta') : name
