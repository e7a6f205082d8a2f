// Bundles of tensors as real writers leave them: torch, safetensors, numpy, SGLang.
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  type Bundle,
  openBundle,
  pairNames,
  tensors as format,
  wholeOf,
} from '../../main/engine/formats/index.ts'
import { compareBundles } from '../../main/engine/inspect/index.ts'
import { diskFiles } from '../../main/engine/io/files.ts'
import { tasks } from '../../main/engine/threads/index.ts'
import { inlinePool } from '../../main/engine/work/inline.ts'
import { job } from '../../main/engine/work/job.ts'
import { fixturesRoot } from '../support/fixtures.ts'

const folder = path.join(fixturesRoot(), 'next', 'bundles', 'bundles')
const files = diskFiles()
const pool = inlinePool(tasks)
const at = (name: string): Bundle => openBundle(files, path.join(folder, name))
const listed = ({ tensors }: Bundle): readonly unknown[] =>
  tensors.map(({ name, dtype, shape }) => [name, dtype, shape])

beforeAll(() => files.allow(folder))

describe('what a bundle holds', () => {
  it('is listed by name, type and shape', () => {
    const model = [
      ['ids', 'int64', [6]],
      ['model.embed_tokens.weight', 'float32', [8, 4]],
      ['model.layers.0.mlp.scale', 'float32', []],
      ['model.layers.0.mlp.up_proj.weight', 'bfloat16', [6, 4]],
      ['w8', 'float8_e4m3fn', [4, 4]],
    ]
    expect(listed(at('model.safetensors'))).toEqual(model)
    expect(listed(at('state.pt'))).toEqual(expect.arrayContaining(model))
    expect(listed(at('acts.npz'))).toEqual([
      ['decoder/layers_0/mlp', 'float32', [2, 3]],
      ['decoder/layers_1/mlp', 'float32', [2, 3]],
    ])
  })

  it('is equal whatever wrote it', async () => {
    const ports = { pool, files, job: job() }
    const tolerance = { atol: 0, rtol: 0 }
    const { rows, onlyLeft } = await compareBundles(at('model.safetensors'), at('state.pt'), tolerance, ports)
    expect(onlyLeft).toEqual([])
    expect(rows.map(row => row.state)).toEqual(rows.map(() => 'equal'))
  })

  it('is a dump with a hierarchy of its names', async () => {
    const file = path.join(folder, 'model.safetensors')
    const ports = {
      files,
      cacheDir: '',
      rules: 'plumbline',
      shared: { once: () => {} },
      partial: false,
    } as never
    const dump = await wholeOf(format.open({ path: file, step: null, rank: null }, ports, job()))
    const names = Array.from({ length: dump.ops.length }, (_, op) => dump.texts.get(dump.ops.name[op]))
    expect(names).toContain('model.layers.0.mlp.up_proj.weight')
    const { construct, texts } = dump
    const scopes = Array.from({ length: construct?.length ?? 0 }, (_, i) =>
      texts.get(construct?.child[i] ?? 0),
    )
    expect(scopes).toEqual(
      expect.arrayContaining(['model.', 'model.layers.', 'model.layers.0.', 'model.layers.0.mlp.']),
    )
    expect(dump.items.max.value[names.indexOf('ids')]).toBeGreaterThan(0)
  })
})

describe('names on both sides', () => {
  it('meet without what they are wrapped in, and with what inference calls them', () => {
    const left = [
      'module.decoder.layers.0.self_attention.linear_proj.weight',
      'module.embedding.word_embeddings.weight',
      'a',
    ]
    const right = ['model.layers.0.self_attn.o_proj.weight', 'model.embed_tokens.weight', 'b']
    expect(pairNames(left, right)).toEqual({
      pairs: [
        { left: 0, right: 0, renamed: true },
        { left: 1, right: 1, renamed: true },
      ],
      onlyLeft: [2],
      onlyRight: [2],
    })
  })

  it('do not meet where two could be meant', () => {
    expect(pairNames(['module.a', 'model.a'], ['a']).pairs).toEqual([])
  })
})
