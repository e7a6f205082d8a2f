// Hierarchies built of dumps drawn by hand: order, parents, groups, micro steps, what is broken.
import { describe, expect, test } from 'vitest'
import { deepestLevel, nodeName } from '../../../main/engine/graph/graph.ts'
import { itemSides } from '../../../main/engine/graph/items.ts'
import { stackLines } from '../../../main/engine/graph/stacks.ts'
import { built, dumpOf, outline, small } from '../../support/graphs.ts'

const codes = (problems: readonly { readonly code: string }[]): string[] => problems.map(found => found.code)

describe('hierarchy', () => {
  test('an API that was recorded before its module still hangs below it', async () => {
    const graph = await built(
      await dumpOf({
        'Functional.linear.0.forward': 'Module.fc.Linear.forward.0',
        'Module.fc.Linear.forward.0': null,
      }),
    )
    expect(outline(graph)).toEqual([
      'DefaultModel:',
      '  Module.fc.Linear.forward.0:',
      '    Functional.linear.0.forward',
    ])
    expect(Array.from({ length: graph.length }, (_, node) => nodeName(graph, node))).toEqual([
      'DefaultModel',
      'Module.fc.Linear.forward.0',
      'Functional.linear.0.forward',
    ])
  })

  test('a chain of ten thousand modules ends at the deepest level, and nothing is lost', async () => {
    const name = (i: number): string => `Module.m${i}.Foo.forward.0`
    const chain = Array.from({ length: 10_000 }, (_, i) => [name(i), i > 0 ? name(i - 1) : null] as const)
    const graph = await built(await dumpOf(Object.fromEntries(chain)))
    expect(graph.length).toBe(10_001)
    expect(Math.max(...graph.depth)).toBe(deepestLevel)
    expect(Array.from(graph.order).length).toBe(10_001)
    expect(graph.problems).toMatchObject([{ code: 'graph-deep', facts: { count: 10_000 - deepestLevel } }])
  })

  test('runs of free APIs become groups, single ones stay', async () => {
    const construct = {
      'Torch.ones.0.forward': null,
      'Tensor.add.0.forward': null,
      'Module.net.Net.forward.0': null,
      'Functional.ce.0.forward': null,
      'Module.net.Net.backward.0': null,
      'Functional.relu.0.backward': null,
      optimizer: null,
      'Distributed.all_reduce.0.forward': null,
    }
    const graph = await built(await dumpOf(construct))
    expect(outline(graph)).toEqual([
      'DefaultModel:',
      '  Apis_Between_Modules.0:',
      '    Torch.ones.0.forward',
      '    Tensor.add.0.forward',
      '  Module.net.Net.forward.0',
      '  Functional.ce.0.forward',
      '  Module.net.Net.backward.0',
      '  Functional.relu.0.backward',
      '  optimizer',
      '  Distributed.all_reduce.0.forward',
    ])
    expect(graph.microSteps).toBe(1)
    expect(graph.kind[graph.length - 1]).toBe(9)
  })

  test('a forward module after something else begins a micro step', async () => {
    const graph = await built(
      await dumpOf({
        'Module.a.A.forward.0': null,
        'Module.a.A.backward.0': null,
        'Module.a.A.forward.1': null,
        'Tensor.add.0.forward': null,
        optimizer: null,
        'Module.a.A.forward.2': null,
      }),
    )
    expect(graph.microSteps).toBe(3)
    expect(Array.from(graph.order, node => graph.micro[node])).toEqual([-1, 0, 0, 1, 1, 1, 2])
  })

  test('a backward API finds its parent through its forward twin where the rules say so', async () => {
    const construct = {
      'Module.net.fc1.Linear.forward.0': null,
      'Functional.linear.0.forward': 'Module.net.fc1.Linear.forward.0',
      'Functional.relu.0.forward': 'Module.other.Other.forward.0',
      'Module.net.fc1.Linear.backward.0': null,
      'Functional.linear.0.backward': null,
      'Functional.relu.0.backward': null,
    }
    const dump = await dumpOf(construct)
    const repaired = await built(dump, 'msprobe-1.2.2')
    expect(outline(repaired)).toContain('    Functional.linear.0.backward')
    expect(outline(repaired)).toContain('  Functional.relu.0.backward')
    expect(outline(await built(dump))).toContain('    Functional.linear.0.backward')
    expect(outline(await built(dump))).toContain('  Apis_Between_Modules.0:')
  })

  test('a backward module finds its parent through its forward twin', async () => {
    const graph = await built(
      await dumpOf({
        'Module.a.A.forward.0': null,
        'Module.a.b.B.forward.0': 'Module.a.A.forward.0',
        'Module.a.A.backward.0': null,
        'Module.a.b.B.backward.0': null,
      }),
    )
    expect(outline(graph)).toEqual([
      'DefaultModel:',
      '  Module.a.A.forward.0:',
      '    Module.a.b.B.forward.0',
      '  Module.a.A.backward.0:',
      '    Module.a.b.B.backward.0',
    ])
  })

  test('msprobe 26 shows gradients and hands micro steps down', async () => {
    const dump = await dumpOf(
      {
        'Module.a.A.forward.0': null,
        'Module.a.A.backward.0': null,
        'Tensor.add.0.forward': 'Module.a.A.forward.0',
      },
      { 'Module.a.A.parameters_grad': { weight: '[null]' } },
    )
    expect(outline(await built(dump))).not.toContain('    Module.a.A.parameters_grad')
    const graph = await built(dump, 'msprobe-26')
    expect(outline(graph)).toContain('    Module.a.A.parameters_grad')
    expect([...graph.micro]).not.toContain(-1)
  })
})

test('an output that is null stands among the inputs by the words of its name, among the outputs by its part', async () => {
  const dump = await dumpOf(
    { 'Tensor.add.0.forward': null },
    { 'Tensor.add.0.forward': { input_args: `[${small()}]`, output: 'null' } },
  )
  expect([...itemSides(dump, 'msprobe-1.2.2').side]).toEqual([0, 0])
  expect([...itemSides(dump, 'plumbline').side]).toEqual([0, 1])
})

describe('bad input', () => {
  test('an empty construct gives the root and says why', async () => {
    const graph = await built(
      await dumpOf({}, { 'Tensor.add.0.forward': { input_args: '[]', output: '[]' } }),
    )
    expect(outline(graph)).toEqual(['DefaultModel'])
    expect(codes(graph.problems)).toEqual(['no-hierarchy'])
  })

  test('a ring of parents is opened', async () => {
    const graph = await built(
      await dumpOf({
        'Module.a.A.forward.0': 'Module.b.B.forward.0',
        'Module.b.B.forward.0': 'Module.c.C.forward.0',
        'Module.c.C.forward.0': 'Module.a.A.forward.0',
        'Tensor.add.0.forward': null,
      }),
    )
    expect(outline(graph)).toHaveLength(5)
    expect(codes(graph.problems)).toContain('construct-cycle')
    expect(graph.end[0]).toBe(graph.length)
  })

  test('a module that is its own parent hangs below the root', async () => {
    expect(outline(await built(await dumpOf({ 'Module.a.A.forward.0': 'Module.a.A.forward.0' })))).toEqual([
      'DefaultModel:',
      '  Module.a.A.forward.0',
    ])
  })

  test('a parent without an entry hangs below the root, where msprobe loses it', async () => {
    const dump = await dumpOf({
      'Tensor.add.0.forward': 'Module.lost.Lost.forward.0',
      'Module.a.A.forward.0': null,
    })
    expect(outline(await built(dump))).toEqual([
      'DefaultModel:',
      '  Module.lost.Lost.forward.0:',
      '    Tensor.add.0.forward',
      '  Module.a.A.forward.0',
    ])
    const lost = await built(dump, 'msprobe-1.2.2')
    expect(outline(lost)).toEqual([
      'DefaultModel:',
      '  Module.a.A.forward.0',
      'Module.lost.Lost.forward.0:',
      '  Tensor.add.0.forward',
    ])
  })

  test('names that dump.json lacks are counted', async () => {
    const dump = await dumpOf({ 'Module.a.A.forward.0': null })
    const graph = await built({ ...dump, ops: { ...dump.ops, length: 0 } })
    expect(graph.problems).toMatchObject([{ code: 'construct-unknown-op', facts: { count: 1 } }])
  })

  test('60 levels and 5,000 siblings', async () => {
    const construct: Record<string, string | null> = {}
    let parent: string | null = null
    for (let level = 0; level < 60; level++) {
      const name = `Module.${'m.'.repeat(level + 1)}Deep.forward.0`
      construct[name] = parent
      parent = name
    }
    for (let i = 0; i < 5000; i++) construct[`Tensor.add.${i}.forward`] = parent
    const graph = await built(await dumpOf(construct))
    expect(Math.max(...graph.depth)).toBe(61)
    expect(graph.length).toBe(5061)
  })
})

describe('stack lines', () => {
  const frames = [
    'File a.py, line 1, in functional_op_template, \n return FunctionalOPTemplate(op_name)',
    'File b.py, line 2, in forward, \n y = F.linear(x)',
    'File net.py, line 3, in forward, \n x = self.fc(x)',
  ]
  const dump = dumpOf(
    {
      'Module.net.fc.Linear.forward.0': null,
      'Functional.linear.0.forward': 'Module.net.fc.Linear.forward.0',
      'Functional.linear.0.backward': null,
      'Module.net.fc.Linear.backward.0': null,
    },
    {},
    { stack: { 'Functional.linear.0.forward': frames, 'Module.net.fc.Linear.forward.0': frames } },
  )

  test.each([
    ['Functional.linear.0.forward', [frames[1]]],
    ['Functional.linear.0.backward', [frames[1]]],
    ['Module.net.fc.Linear.forward.0', [frames[2]]],
    ['Module.net.fc.Linear.backward.0', [frames[2]]],
    ['DefaultModel', []],
  ])('%s', async (name, expected) => {
    const graph = await built(await dump)
    const lines = stackLines(graph, await dump, 'plumbline', false)
    expect(lines(graph.nodeOf(graph.texts.find(name)))).toEqual(expected)
  })

  test('all of them when asked for', async () => {
    const graph = await built(await dump)
    expect(stackLines(graph, await dump, 'plumbline', true)(1)).toEqual(frames)
  })
})
