// Tags of trend databases: the parts of a name by which a view filters.
import { describe, expect, it } from 'vitest'
import { dumpTags, monitorTags } from '../../../main/engine/series/index.ts'
import { bounded } from '../../../main/engine/trend/store.ts'

describe('tags', () => {
  it('of a module: its run of names, its numbered layer, its item', () => {
    expect(dumpTags('Module.module.layers.1.norm.LayerNorm.input.0')).toEqual([
      ['input.0', 'index'],
      ['Module', 'default'],
      ['module', 'module'],
      ['layers.1', 'layer'],
      ['norm.LayerNorm', 'module'],
    ])
  })
  it('of a parameter: that it is one', () => {
    expect(dumpTags('Module.head.Linear.parameters.weight')).toContainEqual(['parameters', 'default'])
  })
  it('of a function: its name', () => {
    expect(dumpTags('Torch.split.output.1')).toEqual([
      ['output.1', 'index'],
      ['Torch.split', 'function'],
    ])
  })
  it('of a monitored name: every part, numbers with what they number', () => {
    expect(monitorTags('module.layers.22.weight')).toEqual([
      ['module', 'module'],
      ['layers', 'module'],
      ['layers.22', 'layer'],
      ['weight', 'module'],
    ])
  })
})

describe('values', () => {
  it.each([
    [1.5, 1.5],
    [2e9, 1e9],
    [-2e9, -1e9],
    [Infinity, 1e9 + 1],
    [-Infinity, -1e9 - 1],
    [NaN, null],
    [null, null],
  ])('%s is kept as %s', (value, kept) => {
    expect(bounded(value)).toBe(kept)
  })
})
