// Which calls of an earlier dump scope and list hit, as the tool's own ranges do.
import { describe, expect, it } from 'vitest'
import { checkBeside, hitsOf, type RunPlaces } from '../../../main/engine/collect/index.ts'
import type { ConfigEffect } from '../../../main/engine/model/index.ts'
import { dumpOf } from '../../support/graphs.ts'

const dump = await dumpOf({
  'Module.net.Net.forward.0': null,
  'Module.net.fc.Linear.forward.0': 'Module.net.Net.forward.0',
  'Functional.linear.0.forward': 'Module.net.fc.Linear.forward.0',
  'Tensor.add.0.forward': 'Module.net.fc.Linear.forward.0',
  'Functional.relu.0.forward': 'Module.net.Net.forward.0',
  'Functional.linear.1.forward': 'Module.net.Net.forward.0',
  'Functional.linear.1.backward': 'Module.net.Net.forward.0',
})

const effect = (more: Partial<ConfigEffect>): ConfigEffect => ({
  task: 'tensor',
  level: 'L1',
  step: [],
  rank: [],
  scope: [],
  list: [],
  dataMode: ['all'],
  risk: 'ALL',
  ...more,
})
const names = (more: Partial<ConfigEffect>): readonly string[] => hitsOf(dump, effect(more)).names

describe('levels', () => {
  it('L1 takes APIs, L0 modules, mix both', () => {
    expect(names({})).toHaveLength(5)
    expect(names({ level: 'L0' })).toEqual(['Module.net.Net.forward.0', 'Module.net.fc.Linear.forward.0'])
    expect(names({ level: 'mix' })).toHaveLength(7)
  })
})

describe('risk_level', () => {
  const views = dumpOf({ 'Tensor.view.0.forward': null, 'Functional.linear.0.forward': null })
  it('leaves views out unless told otherwise, and only where nothing else chooses', async () => {
    const text = (more: object): string =>
      JSON.stringify({ task: 'statistics', dump_path: './d', level: 'L1', ...more })
    const hit = async (more: object): Promise<number | undefined> =>
      checkBeside(text(more), { version: '26', mode: 'pytorch' }, await views).hits?.hit
    expect(await hit({})).toBe(1)
    expect(await hit({ risk_level: 'ALL' })).toBe(2)
    expect(await hit({ statistics: { list: ['forward'] } })).toBe(2)
  })
})

describe('lists', () => {
  it('look for their entries anywhere in a name', () => {
    expect(names({ list: ['linear'] })).toEqual([
      'Functional.linear.0.forward',
      'Functional.linear.1.forward',
      'Functional.linear.1.backward',
    ])
  })
  it('open what runs inside a module at mix', () => {
    expect(names({ level: 'mix', list: ['net.fc'] })).toEqual([
      'Module.net.fc.Linear.forward.0',
      'Functional.linear.0.forward',
      'Tensor.add.0.forward',
    ])
  })
})

describe('scopes', () => {
  it('go from the first name to the second, both taken', () => {
    expect(names({ scope: ['Tensor.add.0.forward', 'Functional.relu.0.forward'] })).toEqual([
      'Tensor.add.0.forward',
      'Functional.relu.0.forward',
    ])
  })
  it('end behind the last call inside a module', () => {
    const scope = ['Module.net.fc.Linear.forward.0', 'Module.net.fc.Linear.forward.0']
    expect(names({ level: 'mix', scope })).toEqual([
      'Module.net.fc.Linear.forward.0',
      'Functional.linear.0.forward',
      'Tensor.add.0.forward',
    ])
  })
  it('never open by a name that does not run', () => {
    const hits = hitsOf(dump, effect({ scope: ['Tensor.sub.0.forward', 'Functional.relu.0.forward'] }))
    expect(hits.hit).toBe(0)
    expect(hits.missing).toEqual(['Tensor.sub.0.forward'])
  })
})

describe('sizes', () => {
  it('fall with what data_mode leaves out', () => {
    const all = hitsOf(dump, effect({}))
    const inputs = hitsOf(dump, effect({ dataMode: ['forward', 'input'] }))
    expect(all.bytes).toBeGreaterThan(inputs.bytes)
    expect(all.files).toBeGreaterThan(inputs.files)
    expect(hitsOf(dump, effect({ task: 'statistics' })).files).toBe(3)
  })
})

it('says beside the text what hits nothing', () => {
  const text = JSON.stringify({
    task: 'tensor',
    dump_path: './d',
    level: 'L1',
    tensor: { scope: ['Functional.relu.0.forward', 'Tensor.add.0.forward'], list: ['softmax'] },
  })
  const { check, hits } = checkBeside(text, { version: '1.2', mode: 'pytorch' }, dump)
  expect(check.diagnostics.map(one => one.code)).toEqual(['scope-order', 'hits-nothing', 'list-no-hit'])
  expect(hits?.hit).toBe(0)
})

describe('what an opened run says beside', () => {
  const target = { version: '1.2', mode: 'pytorch' } as const
  const codes = (config: object, run: RunPlaces | null = null): readonly string[] =>
    checkBeside(
      JSON.stringify({ dump_path: './d', level: 'L1', ...config }),
      target,
      dump,
      run,
    ).check.diagnostics.map(({ code }) => code)

  it('tells a name that hits others which begin alike', async () => {
    const many = await dumpOf({ 'Functional.relu.1.forward': null, 'Functional.relu.10.forward': null })
    const text = (entry: string): string =>
      JSON.stringify({ task: 'tensor', dump_path: './d', level: 'L1', tensor: { list: [entry] } })
    const found = (entry: string): unknown =>
      checkBeside(text(entry), target, many).check.diagnostics.find(({ code }) => code === 'list-substring')
        ?.facts
    expect(found('Functional.relu.1')).toEqual({ entry: 'Functional.relu.1', hits: 2 })
    expect(found('Functional.relu.10')).toBeUndefined()
    expect(found('relu')).toBeUndefined()
  })

  it('warns of ranks where the run has none', () => {
    const config = { task: 'statistics', rank: [0] }
    expect(codes(config, { steps: [0], ranks: [] })).toContain('rank-alone')
    expect(codes(config, { steps: [0], ranks: [0, 1] })).not.toContain('rank-alone')
    expect(codes(config)).not.toContain('rank-alone')
  })

  it('notes a step beyond all that were dumped, where there are several', () => {
    const config = { task: 'statistics', step: [1, '7-9'] }
    expect(codes(config, { steps: [0, 1, 2], ranks: [0] })).toContain('step-beyond')
    expect(codes(config, { steps: [0], ranks: [0] })).not.toContain('step-beyond')
    expect(codes({ ...config, step: [2] }, { steps: [0, 1, 2], ranks: [0] })).not.toContain('step-beyond')
  })

  it('notes a section of another task that stands alone', () => {
    const list = { list: ['linear'] }
    expect(codes({ task: 'statistics', tensor: list })).toContain('foreign-section')
    expect(codes({ task: 'statistics', tensor: list, statistics: {} })).not.toContain('foreign-section')
    expect(codes({ task: 'statistics', tensor: {} })).not.toContain('foreign-section')
  })
})
