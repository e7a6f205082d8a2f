// Two dumps recomputed, each side from its own inputs: the side with a planted fault is named, changed weights are told
// from wrong operations, and rounding from both.
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { findingRecomputedLines, recomputedLines } from '../../preload/contract/words/recomputed.ts'
import type { RecomputedCall, RecomputedState } from '../../main/engine/model/index.ts'
import { fixturesRoot } from '../support/fixtures.ts'
import { recomputeTwo, wantedOf } from '../support/recomputed.ts'

const part = (name: string): string => path.join(fixturesRoot(), 'next', 'recompute', name, 'step0', 'rank')
const dump = (name: string): string => path.join(fixturesRoot(), 'dumps', name, 'step0', 'rank')

const named = (calls: readonly RecomputedCall[], state: RecomputedState): readonly string[] =>
  calls
    .filter(call => call.state === state)
    .map(({ debug, bench, direction }) => `${debug?.call ?? bench?.call ?? ''}.${direction}`)

describe('planted faults', () => {
  const planted = wantedOf(path.join(fixturesRoot(), 'next', 'recompute', 'wrong'))
    .filter(({ corrupted }) => corrupted !== undefined)
    .map(({ call, direction, corrupted }) => ({ name: `${call}.${direction}`, kind: corrupted?.kind }))
  const faults = planted.filter(({ kind }) => kind !== 'hf32').map(({ name }) => name)
  let calls: readonly RecomputedCall[] = []

  beforeAll(async () => {
    calls = await recomputeTwo(part('wrong'), part('calls'))
  })

  it('are found on the debug side, and nowhere else', () => {
    expect([...named(calls, 'debugWrong')].sort()).toEqual([...new Set(faults)].sort())
    expect([...named(calls, 'benchWrong'), ...named(calls, 'bothWrong')]).toEqual([])
  })

  it('are found on the bench side where the sides are swapped', async () => {
    const swapped = await recomputeTwo(part('calls'), part('wrong'))
    expect([...named(swapped, 'benchWrong')].sort()).toEqual([...new Set(faults)].sort())
    expect([...named(swapped, 'debugWrong'), ...named(swapped, 'bothWrong')]).toEqual([])
  })

  it('are none where inputs were only rounded to 11 bits', () => {
    const reduced = planted.filter(({ kind }) => kind === 'hf32').map(({ name }) => name)
    expect(reduced.length).toBeGreaterThan(0)
    for (const name of reduced) expect(named(calls, 'rounding')).toContain(name)
  })

  it('are said with the side and by how much', () => {
    const call = calls.find(({ debug }) => debug?.call === 'Functional.layer_norm.0')
    if (!call) throw new Error('no such call')
    expect(recomputedLines('en', call)).toEqual([
      'The debug side computed it wrongly. This operation is off by 3,100 times its bound. The bench side is within its bound.',
    ])
    expect(recomputedLines('zh', call)[0]).toContain('调试侧计算错误')
    expect(findingRecomputedLines('en', { call, calls: 3, computed: 2 })[0]).toMatch(
      /^2 of 3 calls in it were recomputed; Functional\.layer_norm\.0\.forward decides\. The debug side/,
    )
  })
})

describe('changed weights', () => {
  let calls: readonly RecomputedCall[] = []
  beforeAll(async () => {
    calls = await recomputeTwo(dump('pt_lenet_w_conv2_tensor_mix'), dump('pt_lenet_none_tensor_mix'))
  })

  it('are no wrong operation: equal before them, explained by inputs behind', () => {
    expect(named(calls, 'equal')).toContain('Functional.conv2d.0.forward')
    expect(named(calls, 'inputs')).toContain('Functional.conv2d.1.forward')
    for (const wrong of ['debugWrong', 'benchWrong', 'bothWrong'] as const)
      expect(named(calls, wrong)).toEqual([])
  })

  it('that a normalization takes back leave only rounding', () => {
    expect(named(calls, 'rounding')).toContain('Functional.batch_norm.1.forward')
  })
})

it('the same dump twice is equal wherever it is right', async () => {
  const calls = await recomputeTwo(part('calls'), part('calls'))
  expect(new Set(calls.map(({ state }) => state))).toEqual(new Set(['equal', 'skipped']))
})

it('a dump alone is right or wrong, with no side to speak of', async () => {
  const calls = await recomputeTwo(part('wrong'), null)
  expect(new Set(calls.map(({ state }) => state))).toEqual(new Set(['wrong', 'right']))
})

describe('beyond the limit of operations', () => {
  const weights = [dump('pt_lenet_w_conv2_tensor_mix'), dump('pt_lenet_none_tensor_mix')] as const
  let calls: readonly RecomputedCall[] = []
  const callOf = (name: string): RecomputedCall => {
    const found = calls.find(({ debug, direction }) => debug?.call === name && direction === 'forward')
    if (!found) throw new Error(`no call ${name}`)
    return found
  }

  beforeAll(async () => {
    calls = await recomputeTwo(...weights, { limit: 20_000 })
  })

  it('rows of a product are sampled, and the answer says how many', () => {
    const { state, debug, bench } = callOf('Functional.linear.0')
    const [output] = debug?.outputs ?? []
    expect(state).toBe('rounding')
    expect(output?.sampled).toBeGreaterThan(0)
    expect(output?.sampled).toBeLessThan(output?.count ?? 0)
    expect(bench?.outputs[0]?.sampled).toBe(output?.sampled)
    expect(recomputedLines('en', callOf('Functional.linear.0'))[1]).toBe(
      `debug: Only ${output?.sampled} of ${output?.count} elements were recomputed: the call exceeds the limit of operations.`,
    )
  })

  it('what cannot be sampled is left out and says so', () => {
    const call = callOf('Functional.conv2d.1')
    expect(call.state).toBe('skipped')
    expect(call.debug?.reason).toBe('limit')
    expect(recomputedLines('en', call)[0]).toContain('more operations than the limit')
  })

  it('a wrong result is found where it is looked at, and right ones are not called wrong', async () => {
    const faults = new Set(named(await recomputeTwo(part('wrong'), null), 'wrong'))
    const few = await recomputeTwo(part('wrong'), null, { limit: 100 })
    const sampled = few.filter(({ outputs }) => outputs.some(({ debug }) => debug?.sampled))
    expect(sampled.length).toBeGreaterThan(0)
    const wrong = named(sampled, 'wrong')
    expect(wrong.length).toBeGreaterThan(0)
    expect(wrong.filter(name => !faults.has(name))).toEqual([])
  })
})
