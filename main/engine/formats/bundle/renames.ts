// Which tensor of one bundle is which of another: by name, and by what the name is elsewhere, in training and inference.

export interface NamePair {
  readonly left: number
  readonly right: number
  /** They are called differently. */
  readonly renamed: boolean
}

export interface NamePairs {
  readonly pairs: readonly NamePair[]
  readonly onlyLeft: readonly number[]
  readonly onlyRight: readonly number[]
}

/** Parts of names, and what the same is called by most. */
const renames: Readonly<Record<string, string>> = {
  word_embeddings: 'embed_tokens',
  tok_embeddings: 'embed_tokens',
  embed_in: 'embed_tokens',
  wte: 'embed_tokens',
  wpe: 'position_embeddings',
  h: 'layers',
  block: 'layers',
  blocks: 'layers',
  layer: 'layers',
  self_attention: 'self_attn',
  attention: 'self_attn',
  attn: 'self_attn',
  linear_qkv: 'qkv_proj',
  query_key_value: 'qkv_proj',
  c_attn: 'qkv_proj',
  wq: 'q_proj',
  wk: 'k_proj',
  wv: 'v_proj',
  query: 'q_proj',
  key: 'k_proj',
  value: 'v_proj',
  wo: 'o_proj',
  linear_proj: 'o_proj',
  linear_q_proj: 'q_proj',
  linear_q_down_proj: 'q_a_proj',
  linear_q_up_proj: 'q_b_proj',
  linear_kv_down_proj: 'kv_a_proj_with_mqa',
  linear_kv_up_proj: 'kv_b_proj',
  feed_forward: 'mlp',
  block_sparse_moe: 'mlp',
  router: 'gate',
  expert_bias: 'e_score_correction_bias',
  linear_fc1: 'gate_up_proj',
  dense_h_to_4h: 'gate_up_proj',
  c_fc: 'gate_up_proj',
  w1: 'gate_proj',
  w3: 'up_proj',
  linear_fc2: 'down_proj',
  dense_4h_to_h: 'down_proj',
  w2: 'down_proj',
  attention_norm: 'input_layernorm',
  ln_1: 'input_layernorm',
  ffn_norm: 'post_attention_layernorm',
  ln_2: 'post_attention_layernorm',
  pre_mlp_layernorm: 'post_attention_layernorm',
  post_attention_norm: 'post_attention_layernorm',
  final_layernorm: 'norm',
  final_layer_norm: 'norm',
  final_norm: 'norm',
  ln_f: 'norm',
  output_layer: 'lm_head',
  embed_out: 'lm_head',
}

/** Two parts where one alone could be several things, after their own renames. */
const renamesOfTwo: Readonly<Record<string, string>> = {
  'self_attn.dense': 'self_attn.o_proj',
  'self_attn.c_proj': 'self_attn.o_proj',
  'mlp.c_proj': 'mlp.down_proj',
  'self_attn.q_layernorm': 'self_attn.q_a_layernorm',
  'self_attn.kv_layernorm': 'self_attn.kv_a_layernorm',
}

/** Norms that are kept with the product behind them. */
const fusedNorms: readonly (readonly [RegExp, string])[] = [
  [/\bself_attn\.(?:qkv|q|q_a)_proj\.layer_norm_(\w+)$/, 'input_layernorm.$1'],
  [/\bmlp\.gate_up_proj\.layer_norm_(\w+)$/, 'post_attention_layernorm.$1'],
]

/** Parts that only say in what the model is wrapped. */
const wrappers = new Set([
  'module',
  'model',
  '_orig_mod',
  '_fsdp_wrapped_module',
  '_checkpoint_wrapped_module',
])
const containers = new Set([
  'decoder',
  'encoder',
  'transformer',
  'gpt_neox',
  'language_model',
  'embedding',
  'local_experts',
])

/** The name that both training and inference frameworks come to. */
export function commonName(name: string): string {
  const parts = name.split(/[./]/).filter(part => !wrappers.has(part))
  const kept = parts.filter((part, i) => !containers.has(part) || i === parts.length - 1)
  const common: string[] = []
  for (const part of kept) {
    const renamed = renames[part] ?? part
    const two = renamesOfTwo[`${common.at(-1) ?? ''}.${renamed}`]
    if (two !== undefined) common.pop()
    common.push(two ?? renamed)
  }
  // At the top the last product gives the words; further in an output is anything.
  if (common[0] === 'output') common[0] = 'lm_head'
  return fusedNorms.reduce((text, [fused, alone]) => text.replace(fused, alone), common.join('.'))
}

export function pairNames(left: readonly string[], right: readonly string[]): NamePairs {
  const pairs: NamePair[] = []
  const [freeLeft, freeRight] = [new Set(left.keys()), new Set(right.keys())]
  const meet = (nameOf: (name: string) => string, renamed: boolean): void => {
    const [mine, theirs] = [onlyOnes(left, freeLeft, nameOf), onlyOnes(right, freeRight, nameOf)]
    for (const [name, l] of mine) {
      const r = theirs.get(name)
      if (l === null || r === null || r === undefined) continue
      pairs.push({ left: l, right: r, renamed })
      freeLeft.delete(l)
      freeRight.delete(r)
    }
  }
  meet(name => name, false)
  meet(commonName, true)
  pairs.sort((a, b) => a.left - b.left)
  return { pairs, onlyLeft: [...freeLeft], onlyRight: [...freeRight] }
}

/** Places by name; null for a name that several have. */
function onlyOnes(
  names: readonly string[],
  free: ReadonlySet<number>,
  nameOf: (name: string) => string,
): ReadonlyMap<string, number | null> {
  const places = new Map<string, number | null>()
  for (const i of free) {
    const name = nameOf(names[i])
    places.set(name, places.has(name) ? null : i)
  }
  return places
}
