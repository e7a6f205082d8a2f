// Which values ranks share, and along which axis: a table by names, Megatron's own below the user's.
import { yamlDocument } from '../json/index.ts'
import { problem, Refusal } from '../model/index.ts'

export type Sharing =
  /** Every rank has the whole. */
  | { readonly how: 'same' }
  /** Every rank has a summand. */
  | { readonly how: 'sum' }
  /** The whole, or pieces of the sequence along the first axis: values tell which. */
  | { readonly how: 'sequence' }
  /** Pieces along an axis, counted from the end where it is negative; each may hold so many blocks side by side. */
  | { readonly how: 'split'; readonly axis: number; readonly blocks: number }

export interface SharingRule {
  /** Class or attribute of a module, or several parts of its name; `*` stands for any letters. */
  readonly module: string
  /** `input.0`, `output.*`, `parameters.weight`. */
  readonly item: string
  readonly sharing: Sharing
}

const same: Sharing = { how: 'same' }
const sum: Sharing = { how: 'sum' }
const sequence: Sharing = { how: 'sequence' }
const split = (axis: number, blocks = 1): Sharing => ({ how: 'split', axis, blocks })

type Table = Readonly<Record<string, Readonly<Record<string, Sharing>>>>

/** The order counts: the first line that fits decides. */
const megatron: Table = {
  '*ColumnParallelLinear': {
    'input.*': sequence,
    'output.0': split(-1),
    'output.1': split(0),
    'parameters_grad.layer_norm_*': sum,
    'parameters.layer_norm_*': same,
    'parameters.*': split(0),
  },
  '*RowParallelLinear': {
    'input.0': split(-1),
    'output.0': sequence,
    'output.1': same,
    'parameters.weight': split(1),
    'parameters_grad.bias': sum,
    'parameters.bias': same,
  },
  '*VocabParallelEmbedding': { 'input.*': same, 'output.*': sequence, 'parameters.weight': split(0) },
  // Of single heads, which ranks share.
  '?_layernorm': {
    'input.*': split(-2),
    'output.*': split(-2),
    'parameters_grad.*': sum,
    'parameters.*': same,
  },
  '*Norm*': { 'input.*': sequence, 'output.*': sequence, 'parameters_grad.*': sum, 'parameters.*': same },
  '*DotProductAttention': qkv(split(-1)),
  CoreAttention: qkv(split(-1)),
  '*FlashSelfAttention': qkv(split(-2)),
  '*Attention': { 'input.0': sequence, 'output.0': sequence, 'output.1': same },
  '*MLP': { 'input.*': sequence, 'output.0': sequence, 'output.1': same },
  '*TransformerLayer': { 'input.0': sequence, 'output.*': sequence },
  '*TransformerBlock': { 'input.0': sequence, 'output.*': sequence },
  '*Router': { 'input.*': sequence, 'output.*': sequence, 'parameters.*': same },
}

function qkv(output: Sharing): Table[string] {
  return { 'input.0': split(-2), 'input.1': split(-2), 'input.2': split(-2), 'output.0': output }
}

export const usualRules: readonly SharingRule[] = rulesIn(megatron)

function rulesIn(table: Table): readonly SharingRule[] {
  return Object.entries(table).flatMap(([module, items]) =>
    Object.entries(items).map(([item, sharing]) => ({ module, item, sharing })),
  )
}

/** Rules of a yaml text, before the built-in ones; `path` is named where it is wrong. */
export function readRules(text: string, path: string): readonly SharingRule[] {
  if (text.trim() === '') return usualRules
  const wrong = (where: string, reason: string): Refusal =>
    new Refusal(problem('ranks-rule', path, { where, reason }))
  let value: unknown
  try {
    const document = yamlDocument(text)
    const [error] = document.errors
    if (error) throw wrong(String(error.linePos?.[0].line ?? 1), error.code)
    value = document.toJS({ mapAsMap: true, maxAliasCount: 100 })
  } catch (error) {
    throw error instanceof Refusal ? error : wrong('1', 'TOO_COMPLEX')
  }
  if (!(value instanceof Map)) throw wrong('1', 'NOT_A_MAP')
  const own: SharingRule[] = []
  for (const [module, items] of value) {
    if (!(items instanceof Map)) throw wrong(String(module), 'NOT_A_MAP')
    for (const [item, word] of items) {
      const sharing = sharingIn(String(word))
      if (!sharing) throw wrong(`${String(module)} ${String(item)}`, String(word).slice(0, 40))
      own.push({ module: String(module), item: String(item), sharing })
    }
  }
  return [...own, ...usualRules]
}

const words: Readonly<Record<string, Sharing>> = { same, sum, sequence, last: split(-1) }

function sharingIn(word: string): Sharing | null {
  const known = Object.hasOwn(words, word) ? words[word] : null
  if (known) return known
  const [, axis, blocks = '1'] = /^(-?\d)(?: in (\d{1,2}))?$/.exec(word) ?? []
  return axis === undefined || Number(blocks) < 1 ? null : split(Number(axis), Number(blocks))
}

const turnedParts: Readonly<Record<string, string>> = { input: 'output', output: 'input' }

/** What the rules say of an item; null where they are silent. Gradients of inputs are shared as the inputs are. */
export function sharingBy(
  rules: readonly SharingRule[],
): (owner: string, key: string, isBackward: boolean) => Sharing | null {
  const compiled = rules.map(({ module, item, sharing }) => ({
    module: new RegExp(String.raw`(?:^|\.)${globText(module, '[^.]*')}(?:\.[^.]+)?$`),
    item: new RegExp(`^${globText(item, '.*')}$`),
    sharing,
  }))
  type Line = (typeof compiled)[number]
  const ofOwner = new Map<string, readonly Line[]>()
  const linesOf = (owner: string): readonly Line[] => {
    let lines = ofOwner.get(owner)
    if (!lines) ofOwner.set(owner, (lines = compiled.filter(line => line.module.test(owner))))
    return lines
  }
  return (owner, key, isBackward) => {
    const lines = linesOf(owner)
    if (lines.length === 0) return null
    const dot = key.indexOf('.')
    const part = dot < 0 ? key : key.slice(0, dot)
    const turned = isBackward && part in turnedParts ? turnedParts[part] + key.slice(part.length) : key
    const asParameter = turned.replace(/^parameters_grad\./, 'parameters.')
    return lines.find(({ item }) => item.test(turned) || item.test(asParameter))?.sharing ?? null
  }
}

const globText = (pattern: string, any: string): string =>
  pattern
    .replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll('*', any)
    .replaceAll('?', '[^.]')
