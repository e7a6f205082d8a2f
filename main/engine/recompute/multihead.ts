// Attention of several heads with its projections, as PyTorch's layer of that name calls it.
import type { Given } from './arguments.ts'
import { additive, causal } from './attention.ts'
import { add, array, expand, filled, map, type NdArray, permute, reshape, scaled, swapped } from './array.ts'
import { reshapedOnly } from './matmul.ts'
import {
  type BackwardCall,
  type Gradient,
  type Operation,
  operation,
  type Outcome,
  staged,
  summedInSteps,
} from './operation.ts'
import { absolute, matrices, product, transposed } from './product.ts'
import { softmaxOf } from './reduce.ts'
import { joined, picked } from './shapes.ts'
import { Unsupported } from './unsupported.ts'

const projected = (a: NdArray, weight: NdArray, bias: NdArray | null): NdArray => {
  const values = product(a, transposed(weight))
  return bias ? add(values, bias) : values
}

/** The third of what holds the weights of queries, keys and values below each other. */
const third = (a: NdArray, part: number): NdArray => {
  const size = a.shape[0] / 3
  return picked(
    a,
    0,
    Array.from({ length: size }, (_, i) => part * size + i),
  )
}

interface Projected {
  readonly query: NdArray
  readonly key: NdArray
  readonly value: NdArray
}

/** [length, batch, size] each; one more key and value where the layer has some of its own. */
function projections(given: Given): Projected {
  const apart = given.flag('use_separate_proj_weight', false)
  const whole = apart ? null : given.tensor('in_proj_weight')
  const bias = given.maybe('in_proj_bias')
  const [query, key, value] = ['query', 'key', 'value'].map((name, i) => {
    const a = given.tensor(name)
    const batched = a.shape.length === 3 ? a : reshape(a, [a.shape[0], 1, a.shape[1]])
    const weight = whole ? third(whole, i) : given.tensor(`${name[0]}_proj_weight`)
    return projected(batched, weight, bias && third(bias, i))
  })
  if (given.has('static_k') || given.has('static_v')) throw new Unsupported('unsupported', 'static_k')
  const row = (a: NdArray): readonly number[] => [1, ...a.shape.slice(1)]
  const more = (a: NdArray, name: string): readonly NdArray[] => [
    a,
    ...(given.has(name) ? [expand(given.tensor(name), row(a))] : []),
    ...(given.flag('add_zero_attn', false) ? [filled(row(a), 0)] : []),
  ]
  return { query, key: joined(more(key, 'bias_k'), 0), value: joined(more(value, 'bias_v'), 0) }
}

/** Added to the scores [batch, heads, queries, keys]; what was put to the keys is seen by all. */
function maskOf(given: Given, [batch, heads, rows, columns]: readonly number[]): NdArray | null {
  const own = given.tensor('key').shape[0]
  const wide = (a: NdArray): NdArray => {
    const more = columns - own
    return more === 0 ? a : joined([a, filled([...a.shape.slice(0, -1), more], 0)], a.shape.length - 1)
  }
  const parts: NdArray[] = []
  const seen = given.maybe('attn_mask')
  if (seen) {
    const mask = wide(additive(seen, true))
    parts.push(mask.shape.length === 3 ? reshape(mask, [batch, heads, rows, columns]) : mask)
  } else if (given.flag('is_causal', false)) parts.push(wide(causal(rows, own)))
  const padding = given.maybe('key_padding_mask')
  if (padding) parts.push(reshape(wide(additive(padding, true)), [batch, 1, 1, columns]))
  return parts.length > 0 ? parts.reduce(add) : null
}

function attended(given: Given): readonly Outcome[] {
  const { query, key, value } = projections(given)
  const heads = given.number('num_heads')
  const [rows, batch, width] = query.shape
  const size = width / heads
  const split = (a: NdArray): NdArray => permute(reshape(a, [a.shape[0], batch, heads, size]), [1, 2, 0, 3])
  const scores = scaled(matrices(split(query), transposed(split(key))), 1 / Math.sqrt(size))
  const mask = maskOf(given, scores.shape)
  const weights = softmaxOf(mask ? add(scores, mask) : scores, -1)
  const [weight, bias] = [given.tensor('out_proj_weight'), given.maybe('out_proj_bias')]
  const gathered = (over: NdArray): NdArray =>
    reshape(permute(matrices(weights, over), [2, 0, 1, 3]), [rows, batch, width])
  const output = projected(gathered(split(value)), weight, bias)
  const terms = (): Float64Array =>
    projected(gathered(absolute(split(value))), absolute(weight), bias && absolute(bias)).data
  const length =
    given.tensor('query').shape[given.tensor('query').shape.length - 1] + key.shape[0] + 2 * width
  const { dtype, shape } = given.tensor('query')
  const result = summedInSteps({ ...reshape(output, shape), dtype }, length, terms)
  if (!given.flag('need_weights', true)) return [result]
  return [result, staged({ ...shown(given, weights), dtype }, length, 1)]
}

/** As the call hands them out: one for all heads, or each by itself. */
function shown(given: Given, weights: NdArray): NdArray {
  const [batch, heads, rows, columns] = weights.shape
  const one = given.flag('average_attn_weights', true) ? meanOf(weights) : weights
  const isBatched = given.tensor('query').shape.length === 3
  const inner = one === weights ? [heads, rows, columns] : [rows, columns]
  return reshape(one, isBatched ? [batch, ...inner] : inner)
}

function meanOf(weights: NdArray): NdArray {
  const [batch, heads, rows, columns] = weights.shape
  const last = swapped(reshape(weights, [batch, heads, rows * columns]), 1, 2)
  const into = new Float64Array(batch * rows * columns)
  for (let i = 0; i < last.data.length; i++) into[Math.floor(i / heads)] += last.data[i]
  return map(array(into, [batch, rows, columns]), x => x / heads)
}

const signature = [
  'query key value embed_dim_to_check num_heads in_proj_weight in_proj_bias bias_k bias_v add_zero_attn dropout_p',
  'out_proj_weight out_proj_bias training key_padding_mask need_weights attn_mask use_separate_proj_weight',
  'q_proj_weight k_proj_weight v_proj_weight static_k static_v average_attn_weights is_causal',
].join(' ')

/** The last node gives the result of the projection its shape. */
function backOfAttended(call: BackwardCall): readonly Gradient[] {
  const inner = reshapedOnly(call)
  return inner ? [inner] : []
}

export const multiheadOperations: readonly Operation[] = [
  operation('multi_head_attention_forward', signature, attended, {
    backward: backOfAttended,
    random: given => given.flag('training', true) && given.number('dropout_p', 0) > 0,
  }),
]
