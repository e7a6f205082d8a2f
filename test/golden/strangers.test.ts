// Networks unlike those of the generator, dumped by the real tool on "another device": what is found in recorded
// pairs that differ by rounding alone, or by rounding and one fault.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Advice } from '../../preload/contract/engine.ts'
import { adviseFolders } from '../support/advised.ts'
import { memoryFiles } from '../support/memory-files.ts'

const folder = path.join(import.meta.dirname, '..', 'fixtures', 'strangers')

async function advised(name: string): Promise<Advice> {
  const text = gunzipSync(readFileSync(path.join(folder, `${name}.json.gz`))).toString()
  const files = z.record(z.string(), z.string()).parse(JSON.parse(text))
  return (await adviseFolders('/debug', '/bench', {}, memoryFiles(files))).advice
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
  ['gqa-noise-tf', 'norms and elementwise calls are equal to the bit, products are not'],
])('rounding alone is no finding: %s, %s', async name => {
  expect((await advised(name)).findings).toEqual([])
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
