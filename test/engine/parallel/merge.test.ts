// Splitting a model by a layout and putting its ranks together gives the dump of one rank, for many layouts.
import { describe, expect, it } from 'vitest'
import { type Dump, itemName, itemShape, opName } from '../../../main/engine/model/dump.ts'
import { Kind } from '../../../main/engine/model/names.ts'
import { Refusal } from '../../../main/engine/model/problem.ts'
import { mergeDumps, settle, type Shard, usualRules } from '../../../main/engine/parallel/index.ts'
import { drawn, tensor } from '../../support/dump-text.ts'
import { type Model, rankDump, type Spread } from '../../support/spread-model.ts'

const one: Spread = { tp: 1, pp: 1, vpp: 1, sequence: false }
const join = (): null => null

async function together(model: Model, spread: Spread): Promise<Dump> {
  const shards: Shard[] = []
  for (let stage = 0; stage < spread.pp; stage++)
    for (let slice = 0; slice < spread.tp; slice++)
      shards.push({
        seat: { rank: stage * spread.tp + slice, stage, slice },
        dump: await rankDump(model, spread, stage, slice),
      })
  return mergeDumps({ shards, rules: usualRules, path: '/run', join })
}

const opNames = (dump: Dump): readonly string[] =>
  Array.from({ length: dump.ops.length }, (_, op) => opName(dump, op))

/** Item by item: name, shape, and statistics as far as sums of pieces agree. */
function shown(dump: Dump): readonly string[] {
  const text = (name: 'max' | 'min' | 'mean' | 'norm', item: number): string => {
    const { kind, value } = dump.items[name]
    return kind[item] === Kind.float || kind[item] === Kind.int
      ? value[item].toPrecision(9)
      : `kind ${kind[item]}`
  }
  return Array.from({ length: dump.items.length }, (_, item) => {
    const numbers = (['max', 'min', 'mean', 'norm'] as const).map(name => text(name, item))
    return `${itemName(dump, item)} ${itemShape(dump, item)} ${numbers.join(' ')}`
  })
}

const parents = ({ construct, texts }: Dump): ReadonlyMap<string, string> =>
  new Map(
    Array.from({ length: construct.length }, (_, row) => [
      texts.get(construct.child[row]),
      construct.parent[row] < 0 ? '' : texts.get(construct.parent[row]),
    ]),
  )

const spreads: readonly Spread[] = [1, 2, 4].flatMap(tp =>
  [
    [1, 1],
    [2, 1],
    [4, 1],
    [2, 2],
  ].flatMap(([pp, vpp]) => [false, true].map(sequence => ({ tp, pp, vpp, sequence }))),
)

describe('put together is as one', () => {
  it.each(
    spreads.map(
      (spread, seed) =>
        [
          `tp ${spread.tp} pp ${spread.pp} vpp ${spread.vpp} sequence ${spread.sequence}`,
          spread,
          seed,
        ] as const,
    ),
  )('%s', async (_, spread, seed) => {
    const model: Model = { seed, layers: 4, micros: 1 + (seed % 3), hidden: 8, inner: 16 }
    const whole = await rankDump(model, one, 0, 0)
    const { debug } = settle(await together(model, spread), whole)
    expect(shown(debug)).toEqual(shown(whole))
    expect(opNames(debug)).toEqual(opNames(whole))
    expect(parents(debug)).toEqual(parents(whole))
    expect(debug.problems.filter(({ code }) => code !== 'ranks-transfers')).toEqual([])
  })

  it('two layouts agree with each other, without either being whole', async () => {
    const model: Model = { seed: 77, layers: 4, micros: 2, hidden: 8, inner: 16 }
    const [left, right] = [
      await together(model, { tp: 2, pp: 2, vpp: 1, sequence: true }),
      await together(model, { tp: 4, pp: 1, vpp: 1, sequence: false }),
    ]
    const { debug, bench } = settle(left, right)
    if (!bench) throw new Error('no bench')
    expect(shown(debug)).toEqual(shown(bench))
  })
})

describe('a difference that one rank has', () => {
  const places = ['layer2 fc1', 'layer1 fc2', 'm0 layer1 middle', 'm0 layer3', 'm1 layer2']
  it.each(
    spreads.flatMap((spread, i) => {
      const wrong = places[i % places.length]
      return [
        [
          `${wrong}, tp ${spread.tp} pp ${spread.pp} vpp ${spread.vpp} sequence ${spread.sequence}`,
          spread,
          wrong,
        ],
      ] as const
    }),
  )('%s: is where one rank alone would have it, and nowhere else', async (_, spread, wrong) => {
    const model: Model = { seed: 5, layers: 4, micros: 2, hidden: 8, inner: 16 }
    const healthy = await rankDump(model, one, 0, 0)
    const differing = (dump: Dump): readonly string[] => {
      const [mine, theirs] = [shown(dump), shown(healthy)]
      return mine.filter((line, i) => line !== theirs[i])
    }
    const alone = await rankDump({ ...model, wrong }, one, 0, 0)
    const { debug } = settle(await together({ ...model, wrong }, spread), healthy)
    const told = differing(debug)
    expect(told.length).toBeGreaterThan(0)
    expect(told).toEqual(differing(alone))
  })
})

describe('what does not fit is said', () => {
  const op = (shape: readonly number[], stats: readonly string[]): string =>
    `[${tensor('torch.float32', shape, stats)}]`
  const row = 'Module.a.RowParallelLinear.forward.0'
  const merged = (dumps: readonly Dump[]): Dump =>
    mergeDumps({
      shards: dumps.map((dump, slice) => ({ seat: { rank: slice, stage: 0, slice }, dump })),
      rules: usualRules,
      path: '/run',
      join,
    })
  const codes = (dump: Dump): readonly string[] => settle(dump, null).debug.problems.map(({ code }) => code)
  const pt = { framework: 'pytorch' } as const

  it('pieces of other sizes are not compared', async () => {
    const dumps = await Promise.all(
      [
        [4, 2],
        [4, 3, 1],
      ].map(shape =>
        drawn(
          {
            [row]: { input_args: op(shape, ['1', '0', '0.5', '2']), output: op([4], ['1', '0', '0.5', '2']) },
          },
          pt,
        ),
      ),
    )
    const dump = merged(dumps)
    expect(codes(dump)).toEqual(['ranks-shards-unfit'])
    expect(dump.items.max.kind[0]).toBe(Kind.absent)
  })

  it('copies that are not the same are told, and the first stands', async () => {
    const bias = (max: string): string => `{"bias": ${tensor('torch.float32', [4], [max, '0', '0.5', '2'])}}`
    const dumps = await Promise.all(
      ['1', '1.5'].map(max =>
        drawn({ [row]: { parameters: bias(max), output: op([4], ['1', '0', '0.5', '2']) } }, pt),
      ),
    )
    const dump = merged(dumps)
    expect(codes(dump)).toEqual(['ranks-replicas-differ'])
    const item =
      Array.from({ length: dump.items.length }, (_, i) => i).find(i => itemName(dump, i).includes('bias')) ??
      -1
    expect(dump.items.max.value[item]).toBe(1)
    expect(dump.about?.shards?.(item)).toEqual({ ranks: [0, 1], way: 'unequal', axis: -1, guessed: false })
  })

  it('ranks of other calls, frameworks or tasks are refused', async () => {
    const a = await drawn({ [row]: { output: op([4], ['1', '0', '0.5', '2']) } }, pt)
    const b = await drawn({ 'Module.b.Linear.forward.0': { output: op([4], ['1', '0', '0.5', '2']) } }, pt)
    const c = await drawn({ [row]: { output: op([4], ['1', '0', '0.5', '2']) } })
    expect(() => merged([a, b])).toThrow(Refusal)
    expect(() => merged([a, b])).toThrow(/ranks-strangers/)
    expect(() => merged([a, c])).toThrow(/ranks-unlike/)
  })

  it('a summand takes what its collective gave', async () => {
    const group = '{"type": "torch.ProcessGroup", "group_ranks": [0, 1], "group_id": "g"}'
    const dumps = await Promise.all(
      ['3', '4'].map(own =>
        drawn(
          {
            'Torch.matmul.0.forward': {
              input_args: op([4], ['1', '0', '0.5', '2']),
              output: op([2, 2], [own, '0', '0.5', own]),
            },
            'Distributed.all_reduce.0.forward': {
              input_args: op([2, 2], [own, '0', '0.5', own]),
              input_kwargs: `{"group": ${group}}`,
              output: op([2, 2], ['7', '0', '1', '9']),
            },
          },
          pt,
        ),
      ),
    )
    const dump = merged(dumps)
    expect(opNames(dump)).toEqual(['Torch.matmul.0.forward'])
    expect(dump.items.max.value[1]).toBe(7)
    expect(dump.about?.shards?.(1)).toMatchObject({ way: 'sum' })
    expect(codes(dump)).toEqual(['ranks-transfers'])
  })
})
