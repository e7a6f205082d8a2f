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
  self_attention: 'self_attn',
  attention: 'self_attn',
  linear_qkv: 'qkv_proj',
  query_key_value: 'qkv_proj',
  linear_proj: 'o_proj',
  router: 'gate',
  linear_fc1: 'gate_up_proj',
  dense_h_to_4h: 'gate_up_proj',
  linear_fc2: 'down_proj',
  dense_4h_to_h: 'down_proj',
  pre_mlp_layernorm: 'post_attention_layernorm',
  post_attention_norm: 'post_attention_layernorm',
  final_layernorm: 'norm',
  final_norm: 'norm',
  output_layer: 'lm_head',
}

/** Parts that only say in what the model is wrapped. */
const wrappers = new Set([
  'module',
  'model',
  '_orig_mod',
  '_fsdp_wrapped_module',
  '_checkpoint_wrapped_module',
])
const containers = new Set(['decoder', 'encoder', 'transformer', 'language_model', 'embedding'])

/** The name that both training and inference frameworks come to. */
export function commonName(name: string): string {
  const parts = name.split(/[./]/).filter(part => !wrappers.has(part))
  const kept = parts.filter((part, i) => !containers.has(part) || i === parts.length - 1)
  return kept.map(part => renames[part] ?? part).join('.')
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
