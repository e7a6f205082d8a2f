// Inferred edges: which output is which later input.
import { EdgeBy } from '../../../main/engine/flow/classes.ts'
import { type Flow, inferFlow, parentOps } from '../../../main/engine/flow/flow.ts'
import { describe, expect, test } from 'vitest'
import { itemName, type Dump } from '../../../main/engine/model/dump.ts'
import { drawn, tensor, type Ops } from '../../support/dump-text.ts'

const values = (seed: number): string[] => [
  String(seed + 0.25),
  String(-seed - 0.5),
  String(seed / 64 + 0.001),
  String(seed * 3 + 0.125),
]
const t = (seed: number, shape: readonly number[] = [2, 3], more: Record<string, unknown> = {}): string =>
  tensor('Float32', shape, values(seed), more)
const op = (inputs: readonly string[], outputs: readonly string[]): Record<string, string> => ({
  input_args: `[${inputs.join(', ')}]`,
  output: `[${outputs.join(', ')}]`,
})

async function flowOf(
  ops: Ops,
  construct?: Record<string, string | null>,
  told?: Record<string, string>,
): Promise<{ dump: Dump; flow: Flow; edges: string[] }> {
  const dump = await drawn(ops, { ...(construct && { construct }), ...(told && { edges: told }) })
  const flow = await inferFlow(dump)
  const edges: string[] = []
  for (let i = 0; i < dump.items.length; i++)
    if (flow.producer[i] >= 0) edges.push(`${itemName(dump, flow.producer[i])} → ${itemName(dump, i)}`)
  return { dump, flow, edges }
}

describe('edges', () => {
  test('an input with the statistics of an earlier output is that output', async () => {
    const { edges, flow, dump } = await flowOf({
      'Mint.add.0.forward': op([t(1), t(2)], [t(3)]),
      'Mint.mul.0.forward': op([t(3), t(9)], [t(4)]),
    })
    expect(edges).toEqual(['Mint.add.0.forward.output.0 → Mint.mul.0.forward.input.0'])
    const reader = dump.items.length - 3
    expect(flow.by[reader]).toBe(EdgeBy.statistics)
    expect(flow.only[reader]).toBe(1)
  })

  test('that the dump tells itself go before what values look like', async () => {
    const told = {
      'Mint.b.0.forward.input.0': 'Mint.a.0.forward.output.0',
      'Mint.d.0.forward.input.0': 'Mint.c.0.forward.output.0',
    }
    const blank = tensor('Float32', [2, 3], [])
    const { edges, flow, dump } = await flowOf(
      {
        'Mint.a.0.forward': op([t(1)], [t(3)]),
        'Mint.b.0.forward': op([t(4), t(3)], [t(5)]),
        'Mint.c.0.forward': op([t(5)], [blank]),
        'Mint.d.0.forward': op([blank, t(3)], [t(6)]),
      },
      undefined,
      told,
    )
    expect(edges).toEqual(Object.entries(told).map(([to, from]) => `${from} → ${to}`))
    const row = (name: string): number =>
      Array.from({ length: dump.items.length }, (_, item) => itemName(dump, item)).indexOf(name)
    const [b, d] = Object.keys(told).map(row)
    expect([flow.by[b], flow.only[b], flow.by[d]]).toEqual([EdgeBy.graph, 1, EdgeBy.graph])
    expect([...flow.readers.subarray(flow.first[row('Mint.a.0.forward.output.0')])]).toEqual([b, d])
    // One tensor is one class; what only looks alike stays with its like.
    for (const classes of [flow.identity, flow.view]) {
      expect(classes[b]).toBe(classes[row('Mint.a.0.forward.output.0')])
      expect(classes[d]).toBe(classes[row('Mint.c.0.forward.output.0')])
      expect(classes[d]).toBeGreaterThanOrEqual(0)
      expect(classes[row('Mint.d.0.forward.input.1')]).toBe(classes[b])
    }
  })

  test('of several equal outputs the latest earlier one is taken, and the doubt is kept', async () => {
    const { edges, flow, dump } = await flowOf({
      'Mint.a.0.forward': op([t(1)], [t(3)]),
      'Mint.b.0.forward': op([t(2)], [t(3)]),
      'Mint.c.0.forward': op([t(3)], [t(4)]),
      'Mint.d.0.forward': op([t(5)], [t(3)]),
    })
    expect(edges).toEqual(['Mint.b.0.forward.output.0 → Mint.c.0.forward.input.0'])
    expect(flow.only[dump.ops.first[2]]).toBe(0)
  })

  test('what only hands a tensor on does not make the maker doubtful', async () => {
    const { flow, dump } = await flowOf({
      'Mint.a.0.forward': op([t(1)], [t(3)]),
      'Tensor.view_as.0.forward': op([t(3)], [t(3)]),
      'Mint.c.0.forward': op([t(3)], [t(4)]),
    })
    expect(itemName(dump, flow.producer[dump.ops.first[2]])).toBe('Tensor.view_as.0.forward.output.0')
    expect(flow.only[dump.ops.first[2]]).toBe(1)
  })

  test('another shape of the same elements is found as a second choice', async () => {
    const { edges, flow, dump } = await flowOf({
      'Mint.a.0.forward': op([t(1)], [t(3, [2, 3])]),
      'Mint.c.0.forward': op([t(3, [6])], [t(4)]),
    })
    expect(edges).toHaveLength(1)
    expect(flow.by[dump.ops.first[1]]).toBe(EdgeBy.viewStatistics)
  })

  test('zeros, ones and constants tell nothing', async () => {
    const flat = tensor('Float32', [2, 3], ['1.0', '1.0', '1.0', '2.449489742783178'])
    expect(
      (await flowOf({ 'Mint.a.0.forward': op([t(1)], [flat]), 'Mint.c.0.forward': op([flat], [t(4)]) }))
        .edges,
    ).toEqual([])
  })

  test('md5s count before statistics', async () => {
    const { edges } = await flowOf({
      'Mint.a.0.forward': op([t(1, [2, 3], { md5: 'aaaaaaa1' })], [t(3, [2, 3], { md5: 'aaaaaaa2' })]),
      'Mint.c.0.forward': op([t(3, [2, 3], { md5: 'aaaaaaa3' })], [t(4, [2, 3], { md5: 'aaaaaaa4' })]),
    })
    expect(edges).toEqual([])
  })

  test('a module reads before its children write', async () => {
    const { edges } = await flowOf(
      {
        'Mint.a.0.forward': op([t(1)], [t(3)]),
        'Mint.b.0.forward': op([t(3)], [t(3)]),
        'Cell.net.Net.forward.0': op([t(3)], [t(3)]),
      },
      { 'Mint.b.0.forward': 'Cell.net.Net.forward.0', 'Cell.net.Net.forward.0': null },
    )
    expect(edges).toContain('Mint.a.0.forward.output.0 → Cell.net.Net.forward.0.input.0')
  })

  test('a cycle of parents is cut and not followed', async () => {
    const { edges } = await flowOf(
      { 'Cell.a.A.forward.0': op([t(1)], [t(3)]), 'Cell.b.B.forward.0': op([t(3)], [t(4)]) },
      { 'Cell.a.A.forward.0': 'Cell.b.B.forward.0', 'Cell.b.B.forward.0': 'Cell.a.A.forward.0' },
    )
    expect(edges.length).toBeLessThanOrEqual(1)
  })
})

test('hashes of bytes tell tensors apart that statistics cannot', async () => {
  const dump = await drawn({
    'Mint.a.0.forward': op([t(1)], [t(3)]),
    'Mint.b.0.forward': op([t(2)], [t(3)]),
    'Mint.c.0.forward': op([t(3)], [t(4)]),
  })
  const hashes = new Uint32Array(2 * dump.items.length)
  const [a, b, c] = [dump.ops.first[0] + 1, dump.ops.first[1] + 1, dump.ops.first[2]]
  for (const [item, hash] of [
    [a, 7],
    [b, 8],
    [c, 7],
  ] as const)
    hashes[2 * item] = hash
  const flow = await inferFlow(dump, { hashes })
  expect(flow.producer[c]).toBe(a)
  expect(flow.by[c]).toBe(EdgeBy.bytes)
})

test('readers of an output are listed', async () => {
  const { flow, dump } = await flowOf({
    'Mint.a.0.forward': op([t(1)], [t(3)]),
    'Mint.b.0.forward': op([t(3), t(8)], [t(5)]),
    'Mint.c.0.forward': op([t(3)], [t(6)]),
  })
  const out = dump.ops.first[0] + 1
  expect(
    Array.from(flow.readers.slice(flow.first[out], flow.first[out + 1]), item => itemName(dump, item)),
  ).toEqual(['Mint.b.0.forward.input.0', 'Mint.c.0.forward.input.0'])
})

describe('the op around another', () => {
  const add = op([t(1), t(2)], [t(3)])
  const around = async (construct: Record<string, string | null>): Promise<readonly number[]> => {
    const names = ['Mint.a.0.forward', 'Mint.b.0.forward', 'Module.net.Net.forward.0']
    const dump = await drawn(Object.fromEntries(names.map(name => [name, add])), { construct })
    return [...parentOps(dump)]
  }
  test('is the nearest that was dumped: lists of modules are passed over', async () => {
    expect(
      await around({
        'Mint.a.0.forward': 'Module.net.layers.0',
        'Mint.b.0.forward': 'Module.net.layers.1',
        'Module.net.layers.0': 'Module.net.layers',
        'Module.net.layers.1': 'Module.net.layers',
        'Module.net.layers': 'Module.net.Net.forward.0',
        'Module.net.Net.forward.0': null,
      }),
    ).toEqual([2, 2, -1])
  })
  test('is none where scopes lie in each other or in nothing', async () => {
    expect(
      await around({
        'Mint.a.0.forward': 'Module.x',
        'Module.x': 'Module.y',
        'Module.y': 'Module.x',
        'Mint.b.0.forward': 'Module.z',
        'Module.net.Net.forward.0': null,
      }),
    ).toEqual([-1, -1, -1])
  })
})
