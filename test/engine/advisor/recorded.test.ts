// What single rules say of pairs that the real tool recorded, among rounding: where one factor is on all of a result, where a
// result has lost digits, and what looks like either.
import { expect, test } from 'vitest'
import type { Advice } from '../../../preload/contract/engine.ts'
import { findingText } from '../../../preload/contract/words/advice.ts'
import { adviseFolders } from '../../support/advised.ts'
import { networkPair } from '../../support/strangers.ts'

const of = async (file: string, debug: string, step: number | null = null): Promise<Advice> =>
  (await adviseFolders('/debug', '/bench', {}, networkPair(file, debug), step)).advice
const said = ({ findings: [head] }: Advice): string =>
  head ? `${head.kind}${head.variant === '' ? '' : `.${head.variant}`} ${head.node}` : 'nothing'

test.each([
  [
    'a softmax on the way back, in TF32',
    'newest/gumbel',
    'fault1-tf-mix',
    'origin.scale Functional.softmax.0.backward',
  ],
  ['the same in bfloat16', 'further/hf_jetmoe', 'fault1-bf16-mix', 'origin.scale Torch.softmax.0.backward'],
  [
    'the same hardly above what rounding makes',
    'further/hf_cohere',
    'fault2-bf16-mix',
    'origin.scale Functional.softmax.1.backward',
  ],
  ['a tanh on the way back', 'newest/egnn', 'fault2-bf16-mix', 'origin.scale Torch.tanh.1.backward'],
  [
    'a norm on the way back',
    'networks/moe',
    'fault2-bf16-mix',
    'origin.scale Functional.layer_norm.0.backward',
  ],
  [
    'a sum of gradients that no call makes',
    'later/hf_dinov2',
    'fault1-bf16-mix',
    'uncovered-entry.scale Tensor.__add__.3.backward',
  ],
  [
    'a convolution on the way back',
    'seventh/hf_jamba',
    'fault1-tf-mix',
    'origin.scale Functional.conv1d.0.backward',
  ],
  [
    'the gradient of a bias whose sum is zero',
    'networks/bigru',
    'fault1-fp16-mix',
    'origin.scale Module.o.Linear.parameters_grad',
  ],
  [
    'a bias on the way back, by the sum of what came in',
    'seventh/hf_funnel',
    'fault1-bf16-mix',
    'origin.law Tensor.__add__.14.backward',
  ],
  [
    'a product added up in float16 that nothing recorded shows, beside far larger gradients that hardly differ',
    'eighth/hf_xmod',
    'fault0-split-mix',
    'uncovered-entry.gradient Tensor.permute.1.backward',
  ],
  [
    'a softmax in float16 among TF32',
    'newest/unet3',
    'fault2-tf-mix',
    'origin.rounded Functional.softmax.0.forward',
  ],
] as const)('found: %s', async (_what, file, debug, expected) => {
  expect(said(await of(file, debug))).toBe(expected)
})

test.each([
  [
    'a bias behind a norm, of which nothing but coarse digits is left',
    'seventh/hf_mobilevit',
    'noise-tf-mix',
  ],
  ['gradients of a factor of a kernel', 'later/kernelnet', 'noise-bf16-mix'],
  ['a buffer of whole numbers that is filled bit by bit', 'seventh/adaptive', 'noise-bf16-mix'],
  ['the root of a spread next to nothing', 'seventh/stylegan', 'noise-fp16-mix'],
  ['a gradient that is added up over places', 'seventh/sinkhorn', 'noise-split-mix'],
  ['gradients of biases of keys, which cancel out', 'networks/hf_bert', 'noise-fp16-mix'],
  ['small numbers added to coarse ones, which swallow them', 'networks/hf_swin', 'noise-bf16-mix'],
  ['a mean handed back to many places', 'seventh/hf_w2vconformer', 'noise-bf16-mix'],
  ['a gradient of a router that hardly anything is left of', 'further/hf_jetmoe', 'noise-bf16-L0'],
  ['a product that is off by a little more than was to be expected', 'again/cheb', 'noise-bf16-mix'],
  ['gradients that are added up where one of two is far larger', 'again/hf_nystrom', 'noise-bf16-mix'],
  ['products of rows that hold a single number', 'networks/hf_llama', 'noise-tf-mix'],
  ['complex numbers, whose extremes are sizes, and squares', 'tenth/stft', 'noise-bf16-mix'],
  ['a gradient that is padding throughout', 'tenth/hf_lxmert', 'noise-bf16-L1'],
] as const)('rounding alone: %s', async (_what, file, debug) => {
  expect(said(await of(file, debug))).toBe('nothing')
})

test.each([
  ['by Adam', 'tenth/a2c', 'noise-tf-mix-1'],
  ['by AdamW, split sums', 'tenth/latentdiff', 'noise-split-mix-1'],
] as const)('rounding alone: weights that earlier steps have trained, %s', async (_what, file, debug) => {
  expect(said(await of(file, debug, 1))).toBe('nothing')
  // Where no step came before, nothing has trained them.
  expect(said(await of(file, debug, 0))).toContain('different-weights')
})

test('a weight that differs alone was trained by nobody, in any step', async () => {
  expect(said(await of('eighth/hf_videomae', 'fault0-bf16-mix', 1))).toBe(
    'different-weights Functional.linear.12.forward',
  )
})

test('a loss below zero keeps to its law as one above does', async () => {
  const { findings } = await of('seventh/dpo', 'fault2-tf-mix')
  expect([findings[0]?.node, findings[0]?.variant]).toEqual(['Tensor.mean.1.backward', 'law'])
})

test('what is said of them', async () => {
  const texts = async (file: string, debug: string): Promise<string[]> => {
    const { findings } = await of(file, debug)
    const [head] = findings
    return head ? [findingText('en', head), findingText('zh', head)] : []
  }
  const [scale, zh] = await texts('newest/gumbel', 'fault1-tf-mix')
  expect(scale).toMatch(/its output\.0 is 1\.02 times what it is on the bench side, all of it alike/)
  expect(zh).toContain('1.02 倍')
  expect((await texts('later/hf_dinov2', 'fault1-bf16-mix'))[0]).toMatch(
    /^The difference enters before Tensor\.__add__\.3\.backward: its input\.0 is 1\.02\d* times/,
  )
  expect((await texts('newest/unet3', 'fault2-tf-mix'))[0]).toMatch(/has the digits of float16 only/)
})
