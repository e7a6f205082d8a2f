// Attention, rotary embeddings and steps of optimizers.
import { type Given, isTensor } from './arguments.ts'
import {
  array,
  broadcast,
  expand,
  map,
  multiply,
  type NdArray,
  permute,
  reshape,
  scaled,
  sizeOf,
} from './array.ts'
import {
  type BackwardCall,
  followed,
  type Gradient,
  incoming,
  type Operation,
  operation,
  type Outcome,
  staged,
} from './operation.ts'
import { fitting, reshapedOnly } from './matmul.ts'
import { absolute, matrices, transposed } from './product.ts'
import { ofExponentials, softmaxGradient, softmaxOf } from './reduce.ts'
import { Unsupported } from './unsupported.ts'

interface Heads {
  /** [batch, heads, length, size] */
  readonly query: NdArray
  readonly key: NdArray
  readonly value: NdArray
  readonly scale: number
  /** Added to the scores, -∞ where nothing may be seen; null where there is none. */
  readonly mask: NdArray | null
}

/** Fewer heads of keys than of queries: each serves a group. */
function grouped(a: NdArray, heads: number): NdArray {
  const own = a.shape[1]
  if (a.shape.length !== 4 || own === heads) return a
  if (heads % own !== 0) throw new Unsupported('shapes', 'heads')
  const [batch, , length, size] = a.shape
  return reshape(expand(reshape(a, [batch, own, 1, length, size]), [batch, own, heads / own, length, size]), [
    batch,
    heads,
    length,
    size,
  ])
}

export function causal(rows: number, columns: number, shift = 0): NdArray {
  const data = Float64Array.from({ length: rows * columns }, (_, i) =>
    i % columns > Math.floor(i / columns) + shift ? -Infinity : 0,
  )
  return array(data, [rows, columns])
}

/** True of a mask of booleans lets through. */
export const additive = (mask: NdArray, hides: boolean): NdArray =>
  mask.dtype === 'bool' || mask.dtype === 'uint8'
    ? map(mask, x => ((x !== 0) === hides ? -Infinity : 0), 'float64')
    : mask

function headsOf(given: Given): Heads {
  const [query, key, value] = ['query', 'key', 'value'].map(name => given.tensor(name))
  const [rows, columns] = [query.shape.at(-2) ?? 1, key.shape.at(-2) ?? 1]
  const size = query.shape.at(-1) ?? 1
  const mask = given.maybe('attn_mask')
  const seen = given.flag('is_causal', false) ? causal(rows, columns) : mask && additive(mask, false)
  const heads = query.shape[1] ?? 1
  return {
    query,
    key: grouped(key, heads),
    value: grouped(value, heads),
    scale: given.number('scale', 1 / Math.sqrt(size)),
    mask: seen,
  }
}

function scoresOf({ query, key, scale, mask }: Heads): NdArray {
  const scores = scaled(matrices(query, transposed(key)), scale)
  if (!mask) return scores
  const spread = expand(mask, broadcast(scores.shape, mask.shape))
  return array(
    scores.data.map((x, i) => x + spread.data[i]),
    scores.shape,
  )
}

interface Attended {
  readonly scores: NdArray
  readonly weights: NdArray
  readonly values: NdArray
}

function attended(heads: Heads): Attended {
  const scores = scoresOf(heads)
  const weights = softmaxOf(scores, -1)
  // Rows that may see nothing come to zero, as PyTorch has it.
  const safe = heads.mask ? { ...weights, data: weights.data.map(x => (Number.isNaN(x) ? 0 : x)) } : weights
  return { scores, weights: safe, values: matrices(safe, heads.value) }
}

/** How far roundings of scores and of what is made of them carry, in units of one rounding. */
interface Carried {
  readonly weights: NdArray
  readonly scoreGradients: NdArray
}

/**
 * A rounded score moves its weight, and by the row's sum all others; each weight, each gradient of one and their
 * sum along the row, which some take from the result, is rounded again.
 */
function carried({ scores, weights, values }: Attended, forWeights: NdArray, grad: NdArray): Carried {
  const columns = scores.shape.at(-1) ?? 1
  const width = values.shape.at(-1) ?? 1
  const ofWeights = new Float64Array(weights.data.length)
  const ofGradients = new Float64Array(weights.data.length)
  for (let row = 0, from = 0; from < weights.data.length; row++, from += columns) {
    const to = from + columns
    let moved = 0
    let along = 0
    for (let i = from; i < to; i++) {
      const weight = weights.data[i]
      if (weight === 0) continue
      moved += weight * Math.abs(scores.data[i])
      along += weight * forWeights.data[i]
    }
    let sum = 0
    for (let i = from; i < to; i++) {
      const weight = weights.data[i]
      if (weight === 0) continue
      ofWeights[i] = weight * (1 + Math.abs(scores.data[i]) + moved)
      sum += ofWeights[i] * Math.abs(forWeights.data[i])
    }
    for (let i = row * width; i < (row + 1) * width; i++) sum += Math.abs(grad.data[i] * values.data[i])
    for (let i = from; i < to; i++)
      ofGradients[i] =
        ofWeights[i] * Math.abs(forWeights.data[i] - along) +
        weights.data[i] * (Math.abs(forWeights.data[i]) + sum)
  }
  return { weights: array(ofWeights, weights.shape), scoreGradients: array(ofGradients, weights.shape) }
}

const boundOf = ({ query, key }: Heads): number => (query.shape.at(-1) ?? 1) + (key.shape.at(-2) ?? 1)

function attention(given: Given): readonly Outcome[] {
  const heads = headsOf(given)
  return [staged({ ...attended(heads).values, dtype: heads.query.dtype }, boundOf(heads))]
}

/** One node where the device has one for it; its math path ends in an inner product. */
function backOfAttention(call: BackwardCall): readonly Gradient[] {
  const grad = incoming(call)
  if (!grad) return []
  const inner = call.stored.length === 1 ? reshapedOnly(call) : null
  if (inner && call.stored[0]?.length !== grad.shape.length) return [inner]
  const heads = headsOf(call.given)
  if (heads.key.shape[1] !== call.given.tensor('key').shape[1]) return []
  const all = attended(heads)
  const { query, key, scale } = heads
  const forWeights = matrices(grad, transposed(heads.value))
  const forScores = scaled(softmaxGradient(all.weights, forWeights, -1, false), scale)
  const errors = lazily(() => carried(all, forWeights, grad))
  const length = boundOf(heads) + ofExponentials
  const through = (side: NdArray, turned: boolean) => (): Float64Array => {
    const { scoreGradients } = errors()
    return scaled(matrices(turned ? transposed(scoreGradients) : scoreGradients, absolute(side)), scale).data
  }
  return fitting(call.stored, [
    [
      followed(matrices(forScores, key), length, through(key, false)),
      followed(matrices(transposed(forScores), query), length, through(query, true)),
      followed(
        matrices(transposed(all.weights), grad),
        length,
        () => matrices(transposed(errors().weights), absolute(grad)).data,
      ),
    ],
  ])
}

function lazily<T>(make: () => T): () => T {
  let made: T | null = null
  return () => (made ??= make())
}

const flops = (given: Given): number => {
  const [query, key] = [given.tensor('query'), given.tensor('key')]
  return 4 * sizeOf(query.shape) * (key.shape.at(-2) ?? 1)
}

// ---------------------------------------- the device's own

type Layout = 'BSH' | 'SBH' | 'BNSD' | 'BSND'

/** Brought to [batch, heads, length, size]. */
function asHeads(a: NdArray, layout: Layout, heads: number): NdArray {
  if (layout === 'BNSD') return a
  if (layout === 'BSND') return permute(a, [0, 2, 1, 3])
  const [first, second, width] = a.shape
  const split = reshape(a, [first, second, heads, width / heads])
  return layout === 'BSH' ? permute(split, [0, 2, 1, 3]) : permute(split, [1, 2, 0, 3])
}

function fromHeads(a: NdArray, layout: Layout): NdArray {
  if (layout === 'BNSD') return a
  if (layout === 'BSND') return permute(a, [0, 2, 1, 3])
  const [batch, heads, length, size] = a.shape
  const moved = permute(a, layout === 'BSH' ? [0, 2, 1, 3] : [2, 0, 1, 3])
  return reshape(moved, layout === 'BSH' ? [batch, length, heads * size] : [length, batch, heads * size])
}

function fused(given: Given): readonly Outcome[] {
  const layout = given.text('input_layout', 'BSH') as Layout
  if (!['BSH', 'SBH', 'BNSD', 'BSND'].includes(layout)) throw new Unsupported('unsupported', layout)
  const count = given.number('head_num')
  const query = asHeads(given.tensor('query'), layout, count)
  const size = query.shape[3]
  const keyHeads =
    layout === 'BSH' || layout === 'SBH' ? (given.tensor('key').shape[2] ?? size) / size : count
  const [key, value] = ['key', 'value'].map(name =>
    grouped(asHeads(given.tensor(name), layout, keyHeads), count),
  )
  const [rows, columns] = [query.shape[2], key.shape[2]]
  const heads = { query, key, value, scale: given.number('scale', 1), mask: fusedMask(given, rows, columns) }
  const scores = scoresOf(heads)
  const { values } = attended(heads)
  const stats = statistics(scores)
  const length = boundOf(heads)
  return [
    staged({ ...fromHeads(values, layout), dtype: given.tensor('query').dtype }, length),
    ...stats.map(one => staged(one, length)),
  ]
}

function fusedMask(given: Given, rows: number, columns: number): NdArray | null {
  const mode = given.number('sparse_mode', 0)
  const mask = given.maybe('atten_mask')
  const shift = given.maybe('pse')
  if (mode === 2) return causal(rows, columns)
  if (mode === 3) return causal(rows, columns, columns - rows)
  if (mode > 3) throw new Unsupported('unsupported', `sparse_mode ${mode}`)
  const hidden =
    mask &&
    additive(
      map(mask, x => x, 'bool'),
      true,
    )
  if (!shift) return hidden
  if (!hidden) return shift
  const shape = broadcast(hidden.shape, shift.shape)
  const [a, b] = [expand(hidden, shape), expand(shift, shape)]
  return array(
    a.data.map((x, i) => x + b.data[i]),
    shape,
  )
}

/** Largest score and sum of each row, eight times as the device keeps them. */
function statistics(scores: NdArray): readonly NdArray[] {
  const columns = scores.shape.at(-1) ?? 1
  const rows = scores.data.length / columns
  const most = new Float64Array(rows * 8)
  const sums = new Float64Array(rows * 8)
  for (let i = 0; i < rows; i++) {
    const row = scores.data.subarray(i * columns, (i + 1) * columns)
    const top = row.reduce((a, b) => Math.max(a, b), -Infinity)
    const sum = row.reduce((all, x) => all + Math.exp(x - top), 0)
    most.fill(top, i * 8, i * 8 + 8)
    sums.fill(sum, i * 8, i * 8 + 8)
  }
  const shape = [...scores.shape.slice(0, -1), 8]
  return [array(most, shape, 'float32'), array(sums, shape, 'float32')]
}

// ---------------------------------------- rotary embeddings

/** x · cos + turned(x) · sin: the second half, negated, stands in front. */
function rotary(given: Given): readonly Outcome[] {
  const a = given.tensor('input')
  const [cos, sin] = [expand(given.tensor('r1'), a.shape), expand(given.tensor('r2'), a.shape)]
  const turned = turn(a, given.text('rotary_mode', 'half'))
  return [staged({ ...a, data: a.data.map((x, i) => x * cos.data[i] + turned.data[i] * sin.data[i]) })]
}

function turn(a: NdArray, mode: string): NdArray {
  const last = a.shape.at(-1) ?? 1
  if (mode === 'interleave')
    return { ...a, data: a.data.map((_, i) => (i % 2 === 0 ? -a.data[i + 1] : a.data[i - 1])) }
  if (mode !== 'half') throw new Unsupported('unsupported', mode)
  const half = last / 2
  return { ...a, data: a.data.map((_, i) => (i % last < half ? -a.data[i + half] : a.data[i - half])) }
}

function backOfRotary(call: BackwardCall): readonly Gradient[] {
  const grad = incoming(call)
  if (!grad || call.given.text('rotary_mode', 'half') !== 'half') return []
  const a = call.given.tensor('input')
  const [cos, sin] = [expand(call.given.tensor('r1'), a.shape), expand(call.given.tensor('r2'), a.shape)]
  const through = multiply(grad, sin)
  const back = turn(through, 'half')
  return [
    staged(
      array(
        grad.data.map((g, i) => g * cos.data[i] - back.data[i]),
        a.shape,
      ),
    ),
    null,
    null,
  ]
}

// ---------------------------------------- steps of optimizers

interface Adam {
  readonly decoupled: boolean
}

/** Variable, both moments and what they come to after one step. */
function adamStep(given: Given, { decoupled }: Adam): readonly Outcome[] {
  const [beta1Power, beta2Power] = [given.number('beta1_power'), given.number('beta2_power')]
  const [rate, beta1, beta2, eps] = ['lr', 'beta1', 'beta2', 'epsilon'].map(name => given.number(name))
  const grad = given.tensor('grad')
  const decay = decoupled ? given.number('weight_decay', 0) : 0
  const named = ['var', 'm', 'v'].map(name => given.raw(name))
  if (!named.every(isTensor)) throw new Unsupported('arguments', 'var')
  const [weight, m, v] = ['var', 'm', 'v'].map(name => given.tensor(name))
  const first = m.data.map((x, i) => x * beta1 + (1 - beta1) * grad.data[i])
  const second = v.data.map((x, i) => x * beta2 + (1 - beta2) * grad.data[i] ** 2)
  const by = (rate * Math.sqrt(1 - beta2Power)) / (1 - beta1Power)
  const next = weight.data.map(
    (w, i) => w * (1 - rate * decay) - (by * first[i]) / (Math.sqrt(second[i]) + eps),
  )
  return [next, first, second].map((data, i) => staged({ ...[weight, m, v][i], data }, 4))
}

export const attentionOperations: readonly Operation[] = [
  operation(
    'scaled_dot_product_attention',
    'query key value attn_mask dropout_p is_causal | scale enable_gqa',
    attention,
    { backward: backOfAttention, flops, random: given => given.number('dropout_p', 0) > 0 },
  ),
  operation(
    'npu_fusion_attention flash_attention_score',
    'query key value head_num input_layout pse padding_mask atten_mask scale keep_prob pre_tockens next_tockens inner_precise prefix actual_seq_qlen actual_seq_kvlen sparse_mode gen_mask_parallel sync',
    fused,
    { flops, random: given => given.number('keep_prob', 1) < 1 },
  ),
  operation('npu_rotary_mul rotary_position_embedding', 'input r1 r2 rotary_mode', rotary, {
    backward: backOfRotary,
  }),
  operation(
    'npu_apply_adam',
    'beta1_power beta2_power lr beta1 beta2 epsilon grad use_locking use_nesterov var m v',
    given => adamStep(given, { decoupled: false }),
  ),
  operation(
    'npu_apply_adam_w',
    'beta1_power beta2_power lr weight_decay beta1 beta2 epsilon grad max_grad_norm amsgrad maximize var m v',
    given => adamStep(given, { decoupled: true }),
  ),
]
