// Real dumps of both frameworks whose modules were given other names, as ports of a model have them.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { dumpFolders, fixturesRoot } from './fixtures.ts'

/** Words of names, each with what it becomes; whole parts between dots alone. */
export type Words = Readonly<Record<string, string>>

export const files = ['dump.json', 'stack.json', 'construct.json'] as const

const renamed = (text: string, words: Words): string =>
  text.replace(/"(?:Cell|Module)\.[^"]*"/g, name =>
    name
      .slice(1, -1)
      .split('.')
      .map(part => words[part] ?? part)
      .join('.')
      .replace(/^.*$/, '"$&"'),
  )

/** The files of a fixture's first dump under other names, by name. */
export function renamedTexts(name: string, words: Words): Readonly<Record<(typeof files)[number], string>> {
  const [folder] = dumpFolders(path.join(fixturesRoot(), 'dumps', name))
  if (folder === undefined) throw new Error(`no dump ${name}`)
  const text = (file: string): string => renamed(readFileSync(path.join(folder, file), 'utf8'), words)
  return {
    'dump.json': text('dump.json'),
    'stack.json': text('stack.json'),
    'construct.json': text('construct.json'),
  }
}

/** The same on a disk, for the app; the folder to open. */
export function renamedFolder(name: string, words: Words, within: string): string {
  const texts = renamedTexts(name, words)
  const folder = path.join(within, name)
  const rank = path.join(folder, 'step0', 'rank0')
  mkdirSync(rank, { recursive: true })
  for (const file of files) writeFileSync(path.join(rank, file), texts[file])
  return folder
}

/** A vision transformer's names on the debug side. */
export const blocks: Words = {
  model: 'vit',
  TransformerModel: 'VisionTransformer',
  layers: 'blocks',
  ParallelTransformerLayer: 'Block',
  input_norm: 'norm1',
  post_attention_norm: 'norm2',
  attention: 'attn',
  ParallelAttention: 'Attention',
  qkv_proj: 'qkv',
  out_proj: 'proj',
  mlp: 'ffn',
  ParallelMLP: 'FeedForward',
  mapping: 'up',
  projection: 'down',
}

/** Another port of it: nothing but the number of its parts and what they compute is the same. */
export const stages: Words = {
  module: 'vit',
  TransformerModel: 'VisionTransformer',
  layers: 'stages',
  ParallelTransformerLayer: 'Stage',
  input_norm: 'before',
  post_attention_norm: 'between',
  self_attention: 'mixer',
  ParallelAttention: 'TokenMixer',
  query_key_value: 'in_proj',
  dense: 'merge',
  mlp: 'channels',
  ParallelMLP: 'ChannelMixer',
  dense_h_to_4h: 'fc1',
  dense_4h_to_h: 'fc2',
}
