// Networks unlike those of the generator, dumped by the real tool on "another device": what is found in recorded
// pairs that differ by rounding alone, or by rounding and one fault.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { adviseAcross } from '../../main/engine/advisor/across.ts'
import type { Advice, Finding } from '../../preload/contract/engine.ts'
import { adviseFolders } from '../support/advised.ts'
import { memoryFiles } from '../support/memory-files.ts'
import { networkPair } from '../support/strangers.ts'

const folder = path.join(import.meta.dirname, '..', 'fixtures', 'strangers')

function filesOf(name: string): Record<string, string> {
  const text = gunzipSync(readFileSync(path.join(folder, `${name}.json.gz`))).toString()
  return z.record(z.string(), z.string()).parse(JSON.parse(text))
}

async function advised(name: string): Promise<Advice> {
  return (await adviseFolders('/debug', '/bench', {}, memoryFiles(filesOf(name)))).advice
}

test.each([
  ['fourier-noise-split', 'transforms that are not recorded give a product its second input'],
  ['diffusion-noise-tf', 'hooks of modules read one tensor twice'],
  ['hf_swin-noise-split', 'modules alone, whose inputs were reshaped unseen'],
  ['hf_gpt2-noise-split', 'a view that was not recorded stands before a hook'],
  ['hf_t5-noise-split', 'a bias of positions is added to the scores'],
  ['gat-noise-bf16', 'a gradient that one side only rounds on its way is not overwritten'],
  ['hf_deberta-noise-bf16', 'the gradient of a bias is a sum that cancels out'],
  ['packed-noise-split', 'the gradient of a bias before a softmax is zero but for rounding'],
  ['packed-noise-fp16', 'what a mask leaves of a tensor has the errors of the whole'],
  ['hf_swin-noise-fp16', 'the smallest gradients of float16 end in more zeros'],
  ['vae-noise-tf', 'the first product in reduced precision is off by less than others'],
  ['clipped-noise-tf', 'moments and weights after the last gradient'],
  ['seq2seq-noise-tf', 'a recurrent layer is made of products'],
  ['hf_bloom-noise-tf', 'the only product with equal inputs is hardly off'],
  ['hyper-noise-split', 'two modules that are equal to the bit say little of what is between others'],
  ['tied-noise-tf', 'attention in one call is made of products'],
  ['gqa-noise-tf', 'norms and elementwise calls are equal to the bit, products are not'],
])('rounding alone is no finding: %s, %s', async name => {
  expect((await advised(name)).findings).toEqual([])
})

test.each([
  ['later/fpn', 'noise-fp16-mix', 'the gradient of a bias is a sum over all places'],
  ['later/fpn', 'noise-bf16-mix', 'so is that of the gain of a norm'],
  ['later/hf_rwkv', 'noise-split-mix', 'a gradient that was added up unseen cancels out'],
  ['later/accumulate', 'noise-tf-mix', 'a recurrent module is made of products that nobody records'],
  ['networks/packed', 'noise-split-mix', 'a place in memory that nobody has filled'],
  ['networks/autocast', 'noise-bf16-L1', 'half precision is equal to the bit, the rest is rounded'],
])('rounding alone is no finding: %s %s, %s', async (file, debug) => {
  const { advice } = await adviseFolders('/debug', '/bench', {}, networkPair(file, debug))
  expect(advice.findings).toEqual([])
})

test.each([
  ['later/binary', 'fault1-None-L1', 'unmatched-call', 'Tensor.__mul__.3.forward'],
  ['later/crf', 'fault0-None-mix', 'unmatched-call', 'Tensor.t.0.forward'],
  ['later/hf_gemma', 'fault0-tf-mix', 'different-input', 'Tensor.__getitem__.20.forward'],
  ['networks/gat', 'fault0-bf16-mix', 'unmatched-call', 'Tensor.__add__.0.forward'],
])('what is exact among rounding: %s %s', async (file, debug, kind, node) => {
  const { advice } = await adviseFolders('/debug', '/bench', {}, networkPair(file, debug))
  expect([advice.findings[0]?.kind, advice.findings[0]?.node]).toEqual([kind, node])
})

test.each([
  ['hf_swin-fault3-bf16', 'Functional.linear.25.backward'],
  ['tcn-fault3-fp16', 'Functional.relu.1.backward'],
  ['fourier-fault3-bf16', 'Module.w.1.Conv1d.forward.0'],
  ['hf_mamba-fault2-fp16', 'Module.backbone.layers.0.mixer.MambaMixer.forward.0'],
  ['hf_deberta-fault2-bf16', 'Module.deberta.encoder.layer.0.attention.self.key_proj.Linear.forward.0'],
])('a fault among rounding is named: %s', async (name, node) => {
  expect((await advised(name)).findings[0]?.node).toBe(node)
})

test.each([
  ['bigru-fault0-split', 'unmatched-call', 'Tensor.flip.0.forward', 'it reorders what looks the same'],
  [
    'diffusion-fault1',
    'uncovered-entry',
    'Module.b.0.t.Linear.forward.0',
    'between modules anything may happen',
  ],
])('what was not recorded, or looks alike: %s', async (name, kind, node) => {
  const [head] = (await advised(name)).findings
  expect([head?.kind, head?.node]).toEqual([kind, node])
})

/** All ranks of a recorded pair. */
async function advisedRanks(name: string): Promise<readonly Finding[]> {
  const files = filesOf(name)
  const ranks = [...new Set(Object.keys(files).map(file => Number(/rank(\d+)/.exec(file)?.[1])))].sort()
  const units = await Promise.all(
    ranks.map(async rank => {
      const { advice } = await adviseFolders(
        `/debug/rank${rank}`,
        `/bench/rank${rank}`,
        {},
        memoryFiles(files),
      )
      return {
        step: 0,
        rank,
        advice: { ...advice, findings: advice.findings.map(one => ({ ...one, rank })) },
      }
    }),
  )
  return adviseAcross(units)
}

test.each([['ranks-pp3-act'], ['ranks-pp3-act-bf16']])(
  'in a pipeline the stage is named that sends something wrong, not the one that receives it: %s',
  async name => {
    const all = await advisedRanks(name)
    expect(all.map(one => [one.kind, one.node, one.rank])).toEqual([
      ['unmatched-call', 'Tensor.__mul__.0.forward', 1],
    ])
  },
)

test('what another rank sent may hold the rounding of its products', async () => {
  expect(await advisedRanks('ranks-pp3-noise-tf')).toEqual([])
})
