// Whether two dumps were taken alike: what differs is named, and what only follows from it is not.
import path from 'node:path'
import { expect, it } from 'vitest'
import { canBeAlike, takenOf } from '../../../main/engine/collect/index.ts'
import type { Dump, Framework } from '../../../main/engine/model/index.ts'
import { takenEffects, takenLine } from '../../../preload/contract/words/taken.ts'
import { cli } from '../../support/cli.ts'
import { drawn, tensor } from '../../support/dump-text.ts'

const values = ['1.0', '-1.0', '0.5', '2.0']
const leaf = (max = '1.0', shape: readonly number[] = [2, 3], dtype = 'torch.float32'): string =>
  tensor(dtype, shape, [max, ...values.slice(1)])

const run = (names: readonly string[], input = leaf(), more: object = {}): Promise<Dump> =>
  drawn(Object.fromEntries(names.map(name => [name, { input_args: `[${input}]`, output: `[${leaf()}]` }])), {
    framework: 'pytorch',
    ...more,
  })
const calls = ['Functional.linear.0.forward', 'Functional.relu.0.forward']
const views = Array.from({ length: 6 }, (_, i) => `Tensor.view.${i}.forward`)
const differing = (a: Dump, b: Dump): unknown => takenOf(a, b).differ.map(({ what, side }) => [what, side])

it('says what is alike, and what the dumps do not tell', async () => {
  const taken = takenOf(await run(calls), await run(calls))
  expect(taken.differ).toEqual([])
  expect(taken.same).toContain('first-shapes')
  expect(taken.unknown).toEqual(['tool', 'ranks', 'precision', 'slice', 'seed', 'risk'])
  expect(takenLine('en', taken)).toMatch(/^Taken alike: framework, level, task/)
})

it('is no question where an NPU dumped what a graph made, and TensorFlow what a script says', async () => {
  const dump = await run(calls)
  const of = (framework: Framework): Dump => ({ ...dump, header: { ...dump.header, framework } })
  expect(canBeAlike(of('cann'), of('tensorflow'))).toBe(false)
  expect(canBeAlike(dump, dump)).toBe(true)
})

it('names the side whose views were left out', async () => {
  const taken = takenOf(await run(calls), await run([...calls, ...views]))
  expect(taken.differ).toEqual([{ what: 'risk', debug: 'FOCUS', bench: 'ALL', side: 'debug' }])
  expect(takenEffects('en', taken)[0]).toBe(
    'The debug side was dumped with risk_level FOCUS or CORE: view operations are missing there, and the flow of data has gaps.',
  )
})

it('tells other data from other shapes and other precision', async () => {
  const plain = await run(calls)
  expect(differing(plain, await run(calls, leaf('9.0')))).toEqual([['first-values', null]])
  expect(differing(plain, await run(calls, leaf('1.0', [4, 3])))).toEqual([['first-shapes', null]])
  const half = await run(['Functional.linear.0.forward'], leaf('1.0', [2, 3], 'torch.bfloat16'))
  const whole = await run(['Functional.linear.0.forward'], leaf('1.0', [2, 3], 'torch.float32'))
  expect(differing(half, whole)).toEqual([['dtype', null]])
})

it('asks for the inputs of a call that both sides have', async () => {
  const before = (name: string): readonly string[] => [name, ...calls]
  const mine = await drawn(
    Object.fromEntries(
      before('Tensor.to.0.forward').map(name => [
        name,
        {
          input_args: `[${leaf('1.0', name.startsWith('Tensor') ? [8, 8] : [2, 3])}]`,
          output: `[${leaf()}]`,
        },
      ]),
    ),
    { framework: 'pytorch' },
  )
  expect(differing(mine, await run(calls))).toEqual([['calls', 'bench']])
  expect(differing(await run(calls), await run(['Functional.gelu.0.forward']))).toEqual([['calls', 'bench']])
})

it('counts no calls where a direction was left out', async () => {
  const both = await run([...calls, 'Functional.relu.0.backward'])
  expect(differing(await run(calls), both)).toEqual([['data-mode', 'debug']])
})

it('counts calls, and parts that one side lacks', async () => {
  expect(differing(await run(calls.slice(0, 1)), await run(calls))).toEqual([['calls', 'debug']])
  const outputs = await drawn(Object.fromEntries(calls.map(name => [name, { output: `[${leaf()}]` }])), {
    framework: 'pytorch',
  })
  expect(differing(await run(calls), outputs)).toEqual([['data-mode', 'bench']])
})

it('knows a parameter that was split', async () => {
  const module = (shape: readonly number[]): Promise<Dump> =>
    drawn(
      Object.fromEntries(
        [0, 1, 2].map(i => [
          `Module.layer${i}.Linear.forward.0`,
          {
            input_args: `[${leaf()}]`,
            parameters: `{"weight": ${leaf('1.0', shape)}}`,
            output: `[${leaf()}]`,
          },
        ]),
      ),
      { framework: 'pytorch' },
    )
  const taken = takenOf(await module([8, 16]), await module([16, 16]))
  expect(taken.differ).toEqual([{ what: 'parallel', debug: '2', bench: '1', side: null }])
})

it('stands above all that advise says', async () => {
  const sample = path.join(import.meta.dirname, '..', '..', '..', 'resources', 'sample')
  const { out } = await cli(['advise', path.join(sample, 'debug'), path.join(sample, 'bench')])
  expect(out.split('\n')[0]).toMatch(/^Taken alike: framework, level/)
})

it('tells in what statistics of half precision were computed, and how many ranks there were', async () => {
  const made = (mean: (i: number) => number, ranks?: number): Promise<Dump> =>
    drawn(
      Object.fromEntries(
        Array.from({ length: 6 }, (_, i) => [
          `Functional.relu.${i}.forward`,
          {
            input_args: `[${tensor('torch.bfloat16', [2], ['1.0', '0.0', String(mean(i)), '1.0'])}]`,
            output: `[${tensor('torch.bfloat16', [2], ['1.0', '0.0', String(mean(i + 1)), '1.0'])}]`,
          },
        ]),
      ),
      { framework: 'pytorch' },
    ).then(dump => (ranks === undefined ? dump : { ...dump, header: { ...dump.header, ranks } }))
  const low = await made(i => 0.5 + i / 128, 8)
  const high = await made(i => 0.5001 + i / 127, 4)
  const { differ, same } = takenOf(low, high)
  expect(differ.filter(({ what }) => what === 'precision' || what === 'ranks')).toEqual([
    { what: 'ranks', debug: '8', bench: '4', side: null },
    { what: 'precision', debug: 'low', bench: 'high', side: null },
  ])
  expect(same).not.toContain('precision')
  expect(takenOf(low, low).same).toEqual(expect.arrayContaining(['precision', 'ranks']))
})
