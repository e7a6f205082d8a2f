// What ranks share by the names of modules: the built-in table, and a user's lines before it.
import { describe, expect, it } from 'vitest'
import { Refusal } from '../../../main/engine/model/problem.ts'
import { readRules } from '../../../main/engine/parallel/index.ts'
import { sharingBy } from '../../../main/engine/parallel/rules.ts'

const said = (owner: string, key: string, text = '', backward = false): string => {
  const sharing = sharingBy(readRules(text, '/rules.yaml'))(owner, key, backward)
  if (!sharing) return 'nothing'
  return sharing.how === 'split' ? `${sharing.axis} in ${sharing.blocks}` : sharing.how
}
const refused = (text: string): unknown => {
  try {
    readRules(text, '/rules.yaml')
  } catch (error) {
    if (error instanceof Refusal) return error.problem
    throw error
  }
  return null
}
const layer = 'Module.module.module.decoder.layers.0'

describe('the built-in rules', () => {
  it.each([
    ['mlp.linear_fc1.ColumnParallelLinear', 'parameters.weight', '0 in 1'],
    ['mlp.linear_fc1.TEColumnParallelLinear', 'parameters_grad.weight', '0 in 1'],
    ['mlp.linear_fc1.TELayerNormColumnParallelLinear', 'parameters.layer_norm_weight', 'same'],
    ['mlp.linear_fc1.TELayerNormColumnParallelLinear', 'parameters_grad.layer_norm_weight', 'sum'],
    ['mlp.linear_fc1.ColumnParallelLinear', 'output.0', '-1 in 1'],
    ['mlp.linear_fc1.ColumnParallelLinear', 'input.0', 'sequence'],
    ['mlp.linear_fc2.RowParallelLinear', 'parameters.weight', '1 in 1'],
    ['mlp.linear_fc2.RowParallelLinear', 'parameters.bias', 'same'],
    ['mlp.linear_fc2.RowParallelLinear', 'input.0', '-1 in 1'],
    ['self_attention.core_attention.DotProductAttention', 'input.1', '-2 in 1'],
    ['self_attention.q_layernorm.RMSNorm', 'input.0', '-2 in 1'],
    ['input_layernorm.RMSNorm', 'input.0', 'sequence'],
    ['input_layernorm.RMSNorm', 'parameters_grad.weight', 'sum'],
    ['mlp.SwiGLU', 'input.0', 'nothing'],
  ])('%s %s: %s', (module, key, expected) => {
    expect(said(`${layer}.${module}`, key)).toBe(expected)
  })

  it('gradients of inputs are shared as the inputs, those of outputs as the outputs', () => {
    const row = `${layer}.mlp.linear_fc2.RowParallelLinear`
    expect(said(row, 'output.0', '', true)).toBe('-1 in 1')
    expect(said(row, 'input.0', '', true)).toBe('sequence')
  })
})

describe("the user's rules", () => {
  it('come first, by class or attribute', () => {
    const text = 'linear_qkv:\n  parameters.weight: 0 in 3\nMyNorm:\n  "*": same\n'
    expect(said(`${layer}.self_attention.linear_qkv.ColumnParallelLinear`, 'parameters.weight', text)).toBe(
      '0 in 3',
    )
    expect(said(`${layer}.self_attention.linear_qkv.ColumnParallelLinear`, 'parameters.bias', text)).toBe(
      '0 in 1',
    )
    expect(said(`${layer}.norm.MyNorm`, 'input.0', text)).toBe('same')
    expect(said('Module.MyNorm.layers.0.Linear', 'input.0', text)).toBe('nothing')
  })

  it.each([
    ['A:\n  input.0: sideways', 'A input.0', 'sideways'],
    ['A:\n  input.0: 0 in 0', 'A input.0', '0 in 0'],
    ['A: 1', 'A', 'NOT_A_MAP'],
    ['- A', '1', 'NOT_A_MAP'],
    ['A: [1', '1', 'BAD_COLLECTION_TYPE'],
  ])('%j is refused with its place', (text, where, reason) => {
    const found = refused(text) as { code: string; facts: { where: string; reason: string } }
    expect(found.code).toBe('ranks-rule')
    if (where !== '1') expect(found.facts).toEqual({ where, reason })
  })
})
