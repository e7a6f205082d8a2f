// Matches of two graphs, their indices, and matches made by hand.
import { describe, expect, test } from 'vitest'
import { findNode, nodeName } from '../../../main/engine/graph/graph.ts'
import {
  applyHand,
  handConfig,
  matchByHand,
  readConfig,
  unmatchByHand,
} from '../../../main/engine/graph/hand.ts'
import type { GraphPair } from '../../../main/engine/graph/pair.ts'
import { overflowNames } from '../../../main/engine/graph/pair.ts'
import { noHandMatches } from '../../../main/engine/pair/hand.ts'
import { Refusal } from '../../../main/engine/model/problem.ts'
import { scalar, tensor, type Ops } from '../../support/dump-text.ts'
import { compared, dumpOf, paired, small } from '../../support/graphs.ts'

const indexOf = (pair: GraphPair, id: string): number => pair.index[findNode(pair.debug, id)]!
const partnerOf = (pair: GraphPair, id: string): string => {
  const there = pair.matching.toBench[findNode(pair.debug, id)]!
  return there < 0 ? '' : nodeName(pair.bench, there)
}
const one = { 'Functional.relu.0.forward': null }
const outputs = (...leaves: string[]): Ops => ({
  'Functional.relu.0.forward': { input_args: `[${small()}]`, output: `[${leaves.join(', ')}]` },
})

describe('index of statistics', () => {
  const stat = (value: string, dtype = 'torch.float32'): string =>
    tensor(dtype, [2], [value, '0.0', '0.0', '0.0'])
  test.each([
    ['equal', '1.0', '1.0', 'torch.float32', 0],
    ['30 percent', '1.3', '1.0', 'torch.float64', 0.3000000000000001],
    ['more than all', '5.0', '1.0', 'torch.float32', 1],
    ['small and close', '0.0', '0.0000005', 'torch.float32', 0],
    ['small and far', '0.0000005', '0.0000025', 'torch.float32', 1],
    ['small in half precision', '0.0009', '0.0001', 'torch.float16', 0],
    ['no small values in double precision', '0.0000005', '0.0000025', 'torch.float64', 0.8],
    ['the bench is 0', '3.0', '0.0', 'torch.float32', 0],
    ['NaN says nothing', 'NaN', '1.0', 'torch.float32', 0],
  ])('%s', async (_, debug, bench, dtype, expected) => {
    const pair = await compared(
      await dumpOf(one, outputs(stat(debug, dtype))),
      await dumpOf(one, outputs(stat(bench, dtype))),
    )
    expect(indexOf(pair, 'Functional.relu.0.forward')).toBeCloseTo(expected, 15)
  })

  test('msprobe 1.2.2 knows no small values', async () => {
    const pair = await compared(
      await dumpOf(one, outputs(stat('0.0000005'))),
      await dumpOf(one, outputs(stat('0.000001'))),
      { rules: 'msprobe-1.2.2' },
    )
    expect(indexOf(pair, 'Functional.relu.0.forward')).toBe(0.5)
  })

  test('inputs do not count; nodes without rows have none; groups show their worst', async () => {
    const construct = { 'Torch.ones.0.forward': null, 'Tensor.add.0.forward': null, optimizer: null }
    const bad: Ops = {
      'Tensor.add.0.forward': { input_args: `[${small('9.0')}]`, output: `[${small('1.1')}]` },
    }
    const pair = await compared(await dumpOf(construct, bad), await dumpOf(construct))
    expect(indexOf(pair, 'Tensor.add.0.forward')).toBeCloseTo(0.1, 12)
    expect(indexOf(pair, 'Torch.ones.0.forward')).toBe(0)
    expect(indexOf(pair, 'Apis_Between_Modules.0')).toBeCloseTo(0.1, 12)
    expect([indexOf(pair, 'optimizer'), indexOf(pair, 'DefaultModel')]).toEqual([NaN, NaN])
  })
})

describe('both sides of the deviations', () => {
  const both = async (
    debug: readonly [Readonly<Record<string, string | null>>, Ops?],
    bench: readonly [Readonly<Record<string, string | null>>, Ops?],
    more: Parameters<typeof compared>[2] = {},
  ): Promise<readonly [GraphPair, GraphPair]> => {
    const [a, b] = [await dumpOf(...debug), await dumpOf(...bench)]
    return [await compared(a, b, { ...more, rules: 'msprobe-1.2.2' }), await compared(a, b, more)]
  }

  test('graph-lone-groups', async () => {
    const [theirs, ours] = await both(
      [{ 'Torch.ones.0.forward': null, 'Tensor.add.0.forward': null }],
      [{ 'Module.a.A.forward.0': null }],
    )
    expect([theirs, ours].map(pair => indexOf(pair, 'Apis_Between_Modules.0'))).toEqual([0, NaN])
  })

  test('graph-orphans: what nobody can reach meets nobody, fuzzy or not', async () => {
    const lost = { 'Tensor.add.0.forward': 'Module.ghost.G.forward.0' }
    for (const fuzzy of [false, true]) {
      const [theirs, ours] = await both([lost], [lost], { fuzzy })
      expect([theirs, ours].map(pair => partnerOf(pair, 'Tensor.add.0.forward'))).toEqual([
        '',
        'Tensor.add.0.forward',
      ])
    }
  })
})

describe('md5', () => {
  const leaf = (md5: string): string => tensor('torch.float32', [2], ['1.0', '1.0', '1.0', '1.0'], { md5 })
  test('one difference makes a node 0; msprobe 26 turns the scale round', async () => {
    const debug = await dumpOf(one, {
      'Functional.relu.0.forward': { input_args: `[${leaf('aa')}]`, output: `[${leaf('bb')}]` },
    })
    const bench = await dumpOf(one, {
      'Functional.relu.0.forward': { input_args: `[${leaf('aa')}]`, output: `[${leaf('cc')}]` },
    })
    const pair = await compared(debug, bench)
    expect(pair.mode).toBe('md5')
    expect(indexOf(pair, 'Functional.relu.0.forward')).toBe(0)
    expect(indexOf(await compared(debug, debug), 'Functional.relu.0.forward')).toBe(1)
    expect(indexOf(await compared(debug, bench, { rules: 'msprobe-26' }), 'Functional.relu.0.forward')).toBe(
      1,
    )
  })

  test('what is null on one side is no other type or shape in graphs of msprobe 26', async () => {
    const shown = tensor('torch.float32', [2], ['1.0', '1.0', '1.0', '1.0'])
    const of = (bias: string) => ({
      'Functional.relu.0.forward': { input_args: `[${shown}, ${bias}]`, output: `[${shown}]` },
    })
    const pair = await compared(await dumpOf(one, of('null')), await dumpOf(one, of(shown)), {
      rules: 'msprobe-26',
    })
    expect(indexOf(pair, 'Functional.relu.0.forward')).toBe(0)
  })

  test('sides of different kinds are refused', async () => {
    const md5 = await dumpOf(one, outputs(leaf('aa')))
    await expect(compared(md5, await dumpOf(one))).rejects.toThrow(Refusal)
    await expect(compared(await dumpOf(one, {}, { task: 'tensor' }), await dumpOf(one))).rejects.toThrow(
      Refusal,
    )
  })
})

describe('matching', () => {
  const parent = { 'Module.a.A.forward.0': null }

  test('shape, type, number of items and ancestors have to agree', async () => {
    const construct = {
      ...parent,
      'Tensor.add.0.forward': 'Module.a.A.forward.0',
      'Tensor.mul.0.forward': null,
    }
    const debug = await dumpOf(construct)
    const shape = await compared(
      debug,
      await dumpOf(construct, {
        'Tensor.add.0.forward': { input_args: `[${small('1.0', [9])}]`, output: `[${small()}]` },
      }),
    )
    const count = await compared(
      debug,
      await dumpOf(construct, { 'Tensor.add.0.forward': { input_args: `[${small()}]`, output: '[]' } }),
    )
    const type = await compared(
      debug,
      await dumpOf(construct, {
        'Tensor.add.0.forward': { input_args: `[${scalar('int', '1')}]`, output: `[${small()}]` },
      }),
    )
    const elsewhere = await compared(debug, await dumpOf({ ...construct, 'Tensor.add.0.forward': null }))
    for (const pair of [shape, count, type, elsewhere])
      expect(partnerOf(pair, 'Tensor.add.0.forward')).toBe('')
    expect(partnerOf(await compared(debug, debug), 'Tensor.add.0.forward')).toBe('Tensor.add.0.forward')
    const dtype = await compared(
      debug,
      await dumpOf(construct, {
        'Tensor.add.0.forward': {
          input_args: `[${small('1.0', [2, 3], 'torch.float16')}]`,
          output: `[${small()}]`,
        },
      }),
    )
    expect(partnerOf(dtype, 'Tensor.add.0.forward')).toBe('Tensor.add.0.forward')
    expect(
      partnerOf(
        await compared(
          debug,
          await dumpOf(construct, {
            'Tensor.add.0.forward': { input_args: `[${small('1.0', [9])}]`, output: `[${small()}]` },
          }),
          { rules: 'msprobe-26' },
        ),
        'Tensor.add.0.forward',
      ),
    ).toBe('Tensor.add.0.forward')
  })

  test('fuzzy: calls meet by name and position', async () => {
    const below = (...names: string[]): Record<string, string | null> => ({
      ...parent,
      ...Object.fromEntries(names.map(name => [name, 'Module.a.A.forward.0'])),
    })
    const debug = await dumpOf(below('Tensor.add.1.forward', 'Tensor.mul.4.forward', 'Tensor.add.2.forward'))
    const bench = await dumpOf(below('Tensor.add.5.forward', 'Tensor.add.9.forward', 'Tensor.mul.0.forward'))
    const pair = await compared(debug, bench, { fuzzy: true })
    expect(
      ['Tensor.add.1.forward', 'Tensor.mul.4.forward', 'Tensor.add.2.forward'].map(id => partnerOf(pair, id)),
    ).toEqual(['Tensor.add.5.forward', 'Tensor.mul.0.forward', 'Tensor.add.9.forward'])
    const strict = await compared(debug, bench)
    expect(partnerOf(strict, 'Tensor.add.1.forward')).toBe('')
  })

  test('a layer mapping translates names', async () => {
    const frames = ['File x.py, line 1, in f, \n g()']
    const draw = (names: readonly string[]): ReturnType<typeof dumpOf> =>
      dumpOf(
        Object.fromEntries(names.map((name, i) => [name, i === 0 ? null : names[0]!])),
        {},
        { stack: Object.fromEntries(names.map(name => [name, frames])) },
      )
    const debug = await draw([
      'Module.m.GPT.forward.0',
      'Module.m.layers.5.Layer.forward.0',
      'Module.m.layers.6.Layer.forward.0',
      'Module.m.lang.emb.Embedding.forward.0',
    ])
    const bench = await draw([
      'Module.m.GPT2.forward.0',
      'Module.m.layers.0.Layer.forward.0',
      'Module.m.layers.1.Layer.forward.0',
      'Module.m.emb.Embedding.forward.0',
    ])
    const pair = await compared(debug, bench, {
      layerMapping: "GPT:\n  lang.emb: emb\nlayers:\n  '5': '0'\n  '6': '1'\n",
    })
    expect(partnerOf(pair, 'Module.m.layers.5.Layer.forward.0')).toBe('Module.m.layers.0.Layer.forward.0')
    expect(partnerOf(pair, 'Module.m.layers.6.Layer.forward.0')).toBe('Module.m.layers.1.Layer.forward.0')
    expect(partnerOf(pair, 'Module.m.lang.emb.Embedding.forward.0')).toBe('Module.m.emb.Embedding.forward.0')
    expect(partnerOf(pair, 'Module.m.GPT.forward.0')).toBe('Module.m.GPT2.forward.0')
  })
})

describe('why a node is alone', () => {
  const construct = { 'Module.a.A.forward.0': null, 'Tensor.add.0.forward': 'Module.a.A.forward.0' }
  const why = async (bench: Record<string, string | null>, parts: Ops = {}): Promise<string[]> => {
    const { pair, why } = await paired(await dumpOf(construct), await dumpOf(bench, parts))
    const node = findNode(pair.debug, 'Tensor.add.0.forward')
    if (pair.matching.toBench[node] >= 0) return []
    return [why.reason('debug', node), ...why.candidates('debug', node)].map(found => found.code)
  }
  test('no such id, and who could be meant', async () => {
    expect(
      await why({ 'Module.a.A.forward.0': null, 'Tensor.add.7.forward': 'Module.a.A.forward.0' }),
    ).toEqual(['unmatched-no-such-id', 'unmatched-candidate'])
  })
  test('a node of the same rows has a partner wherever it lies', async () => {
    expect(await why({ ...construct, 'Tensor.add.0.forward': null })).toEqual([])
  })
  test('another number of items', async () => {
    expect(
      await why(construct, {
        'Tensor.add.0.forward': { input_args: `[${small()}, ${small()}]`, output: `[${small()}]` },
      }),
    ).toContain('unmatched-count')
  })
  test('another shape', async () => {
    expect(
      await why(construct, {
        'Tensor.add.0.forward': { input_args: `[${small('1.0', [7])}]`, output: `[${small()}]` },
      }),
    ).toEqual(['unmatched-shape', 'unmatched-namesake'])
  })
  test('another type', async () => {
    expect(
      await why(construct, {
        'Tensor.add.0.forward': { input_args: `[${scalar('int', '3')}]`, output: `[${small()}]` },
      }),
    ).toContain('unmatched-type')
  })
  test('a node with a partner has no reason', async () => {
    expect(await why(construct)).toEqual([])
  })
})

describe('matches by hand', () => {
  const debugTree = {
    'Module.a.A.forward.0': null,
    'Module.a.x.X.forward.0': 'Module.a.A.forward.0',
    'Tensor.add.0.forward': 'Module.a.x.X.forward.0',
    'Module.a.A.backward.0': null,
  }
  const benchTree = {
    'Module.b.A.forward.0': null,
    'Module.b.y.X.forward.0': 'Module.b.A.forward.0',
    'Tensor.add.3.forward': 'Module.b.y.X.forward.0',
    'Module.b.A.backward.0': null,
  }
  const bad: Ops = { 'Tensor.add.0.forward': { input_args: `[${small()}]`, output: `[${small('1.5')}]` } }

  test('two nodes, their twins and what is alike below them; judged again at once', async () => {
    const [debug, bench] = [await dumpOf(debugTree, bad), await dumpOf(benchTree)]
    const before = await compared(debug, bench)
    expect(partnerOf(before, 'Tensor.add.0.forward')).toBe('')
    const hand = matchByHand(before, noHandMatches, 'Module.a.A.forward.0', 'Module.b.A.forward.0', true)
    const after = await compared(debug, bench, { hand })
    expect(partnerOf(after, 'Module.a.A.backward.0')).toBe('Module.b.A.backward.0')
    expect(partnerOf(after, 'Tensor.add.0.forward')).toBe('Tensor.add.3.forward')
    expect(indexOf(after, 'Tensor.add.0.forward')).toBe(0.5)
    expect(JSON.parse(handConfig(hand))).toMatchObject({
      'Module.a.A.forward.0': 'Module.b.A.forward.0',
      'Tensor.add.0.forward': 'Tensor.add.3.forward',
    })
    const undone = await compared(debug, bench, {
      hand: unmatchByHand(after, hand, 'Module.a.A.forward.0', true),
    })
    expect(partnerOf(undone, 'Tensor.add.0.forward')).toBe('')
    expect(handConfig(unmatchByHand(after, hand, 'Module.a.A.forward.0', true))).toBe('{}')
  })

  test('undoing a match by hand leaves what was found without it, undoing a found one parts it', async () => {
    const tree = { ...debugTree, 'Module.a.z.Z.forward.0': 'Module.a.A.forward.0' }
    const [debug, bench] = [await dumpOf(tree), await dumpOf({ ...tree, 'Module.b.A.forward.0': null })]
    const before = await compared(debug, bench)
    const hand = matchByHand(before, noHandMatches, 'Module.a.A.forward.0', 'Module.b.A.forward.0', true)
    const after = await compared(debug, bench, { hand })
    expect(partnerOf(after, 'Module.a.A.forward.0')).toBe('Module.b.A.forward.0')
    const undone = unmatchByHand(after, hand, 'Module.a.A.forward.0', true)
    expect([...undone]).toEqual([])
    const parted = await compared(debug, bench, {
      hand: unmatchByHand(before, noHandMatches, 'Module.a.A.forward.0', true),
    })
    expect(['Module.a.A.forward.0', 'Module.a.z.Z.forward.0'].map(id => partnerOf(parted, id))).toEqual([
      '',
      '',
    ])
  })

  test('a match by hand takes the place of another one', async () => {
    const tree = { 'Tensor.add.0.forward': null, 'Module.a.A.forward.0': null, 'Tensor.add.1.forward': null }
    const dump = await dumpOf(tree)
    const pair = await compared(dump, dump)
    const hand = new Map([['Tensor.add.0.forward', 'Tensor.add.1.forward']])
    const changed = applyHand(pair.matching, hand, pair.debug, pair.bench)
    const at = (id: string): number => findNode(pair.debug, id)
    expect(changed.toBench[at('Tensor.add.0.forward')]).toBe(at('Tensor.add.1.forward'))
    expect(changed.toBench[at('Tensor.add.1.forward')]).toBe(-1)
    expect(changed.toDebug[at('Tensor.add.0.forward')]).toBe(-1)
  })

  test('nodes of different kinds and unknown nodes are refused', async () => {
    const pair = await compared(await dumpOf(debugTree), await dumpOf(benchTree))
    expect(() =>
      matchByHand(pair, noHandMatches, 'Module.a.A.forward.0', 'Tensor.add.3.forward', false),
    ).toThrow(Refusal)
    expect(() => matchByHand(pair, noHandMatches, 'Module.a.A.forward.0', 'nobody', false)).toThrow(Refusal)
  })

  test('a mapping file is read either way round and says what does not fit', async () => {
    const pair = await compared(await dumpOf(debugTree), await dumpOf(benchTree))
    const read = readConfig(
      pair,
      noHandMatches,
      JSON.stringify({
        'Module.a.A.forward.0': 'Module.b.A.forward.0',
        'Tensor.add.3.forward': 'Tensor.add.0.forward',
        nobody: 'x',
        'Module.a.x.X.forward.0': 'Tensor.add.3.forward',
      }),
      'a.vis.config',
    )
    expect([read.total, read.applied]).toEqual([4, 2])
    expect(read.failed.map(found => found.code)).toEqual(['match-unknown-node', 'match-kinds-differ'])
    expect(() => readConfig(pair, noHandMatches, '{"a"', 'a.vis.config')).toThrow(Refusal)
  })
})

describe('overflow', () => {
  const levelOf = async (
    name: string,
    input: readonly string[],
    output: readonly string[],
    rules: 'plumbline' | 'msprobe-1.2.2' = 'plumbline',
  ): Promise<string> => {
    const leaf = (stats: readonly string[]): string => tensor('torch.float32', [2], stats)
    const dump = await dumpOf(
      { [name]: null },
      { [name]: { input_args: `[${leaf(input)}]`, output: `[${leaf(output)}]` } },
    )
    const pair = await compared(dump, dump, { overflow: true, rules })
    return overflowNames[pair.overflow!.debug[1]! as 0]
  }
  const clean = ['1.0', '1.0', '1.0', '1.0']
  const inf = ['Infinity', '1.0', '1.0', '1.0']
  test.each([
    ['clean', clean, clean, ''],
    ['it begins here', clean, inf, 'critical'],
    ['it passes through', inf, inf, 'high'],
    ['it ends here', inf, clean, 'medium'],
    ['the norm grows a hundredfold', clean, ['1.0', '1.0', '1.0', '100.0'], ''],
    ['and more', clean, ['1.0', '1.0', '1.0', '101.0'], 'high'],
    ['from nothing', ['0.0', '0.0', '0.0', '0.0'], ['1.0', '1.0', '1.0', '200.0'], 'high'],
    ['only the mean', clean, ['1.0', '1.0', 'NaN', '1.0'], ''],
  ])('%s', async (_, input, output, expected) => {
    expect(await levelOf('Tensor.add.0.forward', input, output)).toBe(expected)
  })

  test('a buffer may hold anything; what comes out of it may not', async () => {
    expect(await levelOf('Distributed.recv.0.forward', inf, clean)).toBe('')
    expect(await levelOf('Distributed.recv.0.forward', inf, inf)).toBe('critical')
    expect(await levelOf('Distributed.recv.0.forward', clean, inf, 'msprobe-1.2.2')).toBe('')
    expect(await levelOf('Torch.empty.0.forward', clean, inf)).toBe('')
  })
})
