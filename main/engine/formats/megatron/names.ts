// Names of parameters in checkpoints of Megatron, brought to those of its core, and what parallel ranks do to them.

/** One after the other, each wherever it stands. */
const renamed: readonly (readonly [from: string, to: string])[] = [
  ['self_attention.linear_qkv.layer_norm_', 'input_layernorm.'],
  ['language_model.', ''],
  ['encoder', 'decoder'],
  ['.input_norm.', '.input_layernorm.'],
  ['query_key_value', 'linear_qkv'],
  ['.dense.', '.linear_proj.'],
  ['post_attention_norm', 'pre_mlp_layernorm'],
  ['dense_h_to_4h', 'linear_fc1'],
  ['dense_4h_to_h', 'linear_fc2'],
  ['mlp.local_experts', 'mlp.experts.local_experts'],
  ['final_norm', 'final_layernorm'],
  ['word_embeddings_for_head', 'output_layer'],
]

export const coreName = (name: string): string =>
  renamed.reduce((text, [from, to]) => text.replaceAll(from, to), name)

const columnParallel = ['linear_qkv', 'linear_fc1', 'word_embeddings.weight', 'output_layer.weight']
const rowParallel = ['linear_fc2.weight', 'linear_proj.weight']

/** Which axis tensor-parallel ranks share; null: each has the whole. */
export function sharedAxis(name: string): 0 | 1 | null {
  if (columnParallel.some(part => name.includes(part))) return 0
  return rowParallel.some(part => name.includes(part)) ? 1 : null
}

const layer = /layers\.(\d+)\./
const expert = /experts\.(\d+)\./

/** The number of a layer within its stage; null where a name has none. */
export const layerOf = (name: string): number | null => numberIn(name, layer)

export const withLayer = (name: string, shift: number): string => shifted(name, layer, 'layers', shift)
export const withExpert = (name: string, shift: number): string => shifted(name, expert, 'experts', shift)

function numberIn(name: string, form: RegExp): number | null {
  const found = form.exec(name)?.[1]
  return found === undefined ? null : Number(found)
}

function shifted(name: string, form: RegExp, word: string, shift: number): string {
  const number = numberIn(name, form)
  return number === null ? name : name.replaceAll(`${word}.${number}`, `${word}.${number + shift}`)
}
