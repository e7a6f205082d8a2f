// How alike two names, two bags of shapes or two bags of values are, in [0,1], and what follows from that.
import {
  type Dump,
  type ItemRow,
  Kind,
  type MappingReason,
  type OpRow,
  State,
  itemShape,
} from '../model/index.ts'

/** Words that models of different origin use for the same thing. */
const synonyms: readonly (readonly string[])[] = [
  ['attention', 'attn', 'self_attention', 'self_attn'],
  ['query_key_value', 'qkv', 'qkv_proj', 'c_attn', 'wqkv'],
  ['mlp', 'ffn', 'feed_forward', 'feedforward'],
  ['norm', 'layernorm', 'layer_norm', 'ln', 'rmsnorm', 'rms_norm'],
  ['linear', 'dense', 'fc', 'matmul'],
  ['embedding', 'embeddings', 'embed', 'emb', 'wte', 'word_table'],
  ['out', 'output', 'o'],
  ['proj', 'projection', 'dense', 'linear'],
  ['mapping', 'dense_h_to_4h', 'fc1', 'w1', 'up_proj', 'gate_up'],
  ['projection', 'dense_4h_to_h', 'fc2', 'w2', 'down_proj'],
  ['head', 'lm_head', 'output_layer', 'classifier'],
  ['model', 'module', 'network', 'net', 'backbone'],
  ['conv', 'convolution', 'conv2d'],
  ['bn', 'batchnorm', 'batch_norm', 'batchnorm2d'],
  ['axis', 'dim'],
  ['x', 'input', 'self'],
  ['other', 'y'],
  ['keep_dims', 'keepdim'],
  ['loss', 'criterion', 'loss_fn'],
  ['first', 'input', 'pre'],
  ['final', 'last'],
]
const family = new Map<string, Set<number>>()
synonyms.forEach((words, i) => {
  for (const word of words) {
    const known = family.get(word)
    if (known) known.add(i)
    else family.set(word, new Set([i]))
  }
})

const sameFamily = (a: string, b: string): boolean =>
  [...(family.get(a) ?? [])].some(i => family.get(b)?.has(i))

/** `qkvProj_1` → qkv proj 1. */
const wordsOf = (name: string): readonly string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+|(?<=\d)(?=[a-z]{3})/)
    .filter(word => word !== '')

const known = new Map<string, number>()

/** Likeness of two names: equal, of one family, or by shared words and letters. */
export function nameLikeness(a: string, b: string): number {
  if (a === b) return 1
  const key = `${a}\n${b}`
  const before = known.get(key)
  if (before !== undefined) return before
  const [x, y] = [a.toLowerCase(), b.toLowerCase()]
  let score = 0.98
  if (x !== y)
    score = sameFamily(x, y)
      ? 0.85
      : Math.max(wordLikeness(wordsOf(a), wordsOf(b)), 0.8 * trigramLikeness(x, y))
  if (known.size > 100_000) known.clear()
  known.set(key, score)
  return score
}

function wordLikeness(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return 0
  const left = [...b]
  let met = 0
  for (const word of a) {
    let at = left.indexOf(word)
    let worth = 1
    if (at < 0) {
      at = left.findIndex(other => sameFamily(word, other))
      worth = 0.8
    }
    if (at < 0) continue
    left.splice(at, 1)
    met += worth
  }
  return ((2 * met) / (a.length + b.length)) * 0.95
}

function trigramLikeness(a: string, b: string): number {
  return bagLikeness(trigrams(a), trigrams(b))
}

function trigrams(text: string): Bag {
  const found: Bag = new Map()
  const padded = ` ${text} `
  for (let i = 0; i + 3 <= padded.length; i++) addTo(found, padded.slice(i, i + 3))
  return found
}

export type Bag = Map<string, number>

export function addTo(bag: Bag, key: string, count = 1): void {
  bag.set(key, (bag.get(key) ?? 0) + count)
}

/** Dice's coefficient of two bags; 0 when both are empty. */
function bagLikeness(a: Bag, b: Bag): number {
  let shared = 0
  let all = 0
  for (const [key, count] of a) {
    all += count
    shared += Math.min(count, b.get(key) ?? 0)
  }
  for (const count of b.values()) all += count
  return all === 0 ? 0 : (2 * shared) / all
}

/** What a call carries, as bags: shapes and rounded values of its tensors. */
export interface Evidence {
  readonly shapes: Bag
  /** Parameters and inputs, which should agree between two runs of one model. */
  readonly values: Bag
  readonly dtypes: Bag
}

export const noEvidence = (): Evidence => ({ shapes: new Map(), values: new Map(), dtypes: new Map() })

/** Adds a call's tensors; gradients carry nothing that tells calls apart. */
export function addEvidence(dump: Dump, op: OpRow, to: Evidence): void {
  const { items, ops, texts } = dump
  for (let item = ops.first[op]; item < ops.first[op + 1]; item++) {
    if (items.tensor[item] === 0 || items.state[item] === State.parametersGrad) continue
    const shape = itemShape({ items, texts }, item)
    addTo(to.shapes, `${items.state[item]} ${shape}`)
    addTo(
      to.dtypes,
      items.dtype[item] < 0 ? '' : texts.get(items.dtype[item]).replace('torch.', '').toLowerCase(),
    )
    const value = valueOf(dump, item)
    if (value !== '') addTo(to.values, `${items.state[item]} ${shape} ${value}`)
  }
}

/** A tensor's identity by its statistics to four digits, or by md5; '' when it says nothing. */
export function valueOf(dump: Dump, item: ItemRow, digits = 4): string {
  const { items, texts } = dump
  if (dump.header.hasMd5) return items.md5[item] < 0 ? '' : texts.get(items.md5[item])
  if (items.norm.kind[item] !== Kind.float || items.max.kind[item] !== Kind.float) return ''
  const [max, min, norm] = [items.max.value[item], items.min.value[item], items.norm.value[item]]
  return norm === 0 || max === min ? '' : [max, min, norm].map(x => x.toPrecision(digits)).join(' ')
}

/** A score from the kinds of evidence that there are, each with its share. */
export function weigh(
  parts: readonly (readonly [MappingReason['key'], weight: number, score: number | null])[],
): { score: number; reasons: MappingReason[] } {
  const there = parts.filter(([, , score]) => score !== null)
  const all = there.reduce((sum, [, weight]) => sum + weight, 0)
  const score = there.reduce((sum, [, weight, part]) => sum + weight * (part ?? 0), 0) / (all || 1)
  const reasons = there
    .filter(([, , part]) => (part ?? 0) >= 0.5)
    .map(([key, weight, part]): MappingReason => ({ key, weight: (weight * (part ?? 0)) / (all || 1) }))
  return { score, reasons: reasons.sort((a, b) => b.weight - a.weight) }
}

/** Below what is accepted without looking: the pair is right only in part. */
const mostForPart = 0.5

/** A pair of which one side does a part of what the other does says so, and is left to the user. */
export const inPart = <P extends { readonly score: number; readonly reasons: readonly MappingReason[] }>(
  pair: P,
): P => ({
  ...pair,
  score: Math.min(pair.score, mostForPart),
  reasons: [...pair.reasons, { key: 'part', weight: 0 } satisfies MappingReason],
})

/** Likeness of two bags, or null when neither side has any. */
export const bags = (a: Bag, b: Bag): number | null =>
  a.size === 0 && b.size === 0 ? null : bagLikeness(a, b)

/** Takes pairs from the best down; each side is used once. */
export function bestPairs<
  P extends { readonly mine: string; readonly theirs: string; readonly score: number },
>(pairs: readonly P[]): P[] {
  const used = { mine: new Set<string>(), theirs: new Set<string>() }
  return [...pairs]
    .sort((a, b) => b.score - a.score)
    .filter(pair => {
      if (used.mine.has(pair.mine) || used.theirs.has(pair.theirs)) return false
      used.mine.add(pair.mine)
      used.theirs.add(pair.theirs)
      return true
    })
}
