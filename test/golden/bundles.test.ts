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

  // Each family beside what Hugging Face's files of the same model have.
  it.each([
    [
      'module.decoder.layers.3.self_attention.linear_qkv.layer_norm_weight',
      'model.layers.3.input_layernorm.weight',
    ],
    ['decoder.layers.3.mlp.linear_fc1.layer_norm_bias', 'model.layers.3.post_attention_layernorm.bias'],
    [
      'decoder.layers.0.mlp.experts.local_experts.7.linear_fc2.weight',
      'model.layers.0.mlp.experts.7.down_proj.weight',
    ],
    ['decoder.layers.1.self_attention.linear_kv_up_proj.weight', 'model.layers.1.self_attn.kv_b_proj.weight'],
    ['decoder.layers.1.self_attention.kv_layernorm.weight', 'model.layers.1.self_attn.kv_a_layernorm.weight'],
    ['decoder.layers.1.mlp.router.expert_bias', 'model.layers.1.mlp.gate.e_score_correction_bias'],
    ['layers.2.attention.wq.weight', 'model.layers.2.self_attn.q_proj.weight'],
    ['layers.2.feed_forward.w3.weight', 'model.layers.2.mlp.up_proj.weight'],
    ['layers.2.ffn_norm.weight', 'model.layers.2.post_attention_layernorm.weight'],
    ['tok_embeddings.weight', 'model.embed_tokens.weight'],
    ['output.weight', 'lm_head.weight'],
    ['decoder.layers.4.self_attention.linear_proj.bias', 'transformer.h.4.attn.c_proj.bias'],
    ['decoder.layers.4.mlp.linear_fc2.bias', 'transformer.h.4.mlp.c_proj.bias'],
    ['decoder.layers.4.self_attention.linear_qkv.weight', 'transformer.h.4.attn.c_attn.weight'],
    ['decoder.final_layernorm.weight', 'transformer.ln_f.weight'],
    ['decoder.layers.5.self_attention.linear_proj.weight', 'gpt_neox.layers.5.attention.dense.weight'],
    ['output_layer.weight', 'embed_out.weight'],
    ['decoder.layers.6.mlp.linear_fc1.weight', 'transformer.encoder.layers.6.mlp.dense_h_to_4h.weight'],
    ['layers.0.feed_forward.w2.weight', 'model.layers.0.block_sparse_moe.w2.weight'],
  ])('of other families meet: %s', (mine, theirs) => {
    expect(pairNames([mine, 'x'], ['y', theirs]).pairs).toEqual([{ left: 0, right: 1, renamed: true }])
  })

  it('do not meet where two could be meant', () => {
    expect(pairNames(['module.a', 'model.a'], ['a']).pairs).toEqual([])
  })
})
