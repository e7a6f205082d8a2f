// Both sides of the deviations: what the reference does and what our own rules do.
import { type Measured, Outcome, type TensorPair } from '../../../main/engine/model/measured.ts'
import { describe, expect, test } from 'vitest'
import type { Dump } from '../../../main/engine/model/dump.ts'
import { job } from '../../../main/engine/work/job.ts'
import {
  compareDumps,
  judged,
  pairUp,
  type CompareSettings,
} from '../../../main/engine/study/pair/compare.ts'
import { defaultThresholds } from '../../../main/engine/rules/thresholds.ts'
import { emptyMeasured } from '../../../main/engine/measure/metrics.ts'
import type { Rules } from '../../../main/engine/model/names.ts'
import { Refusal } from '../../../main/engine/model/problem.ts'
import type { Comparison } from '../../../main/engine/model/comparison.ts'
import { drawn, scalar, tensor, type Drawn, type Ops } from '../../support/dump-text.ts'

const f32 = (values: readonly string[] = ['1.0', '0.0', '0.5', '1.0'], more = {}): string =>
  tensor('Float32', [2], values, more)
const torch = (dtype = 'torch.float32', more = {}): string =>
  tensor(dtype, [2], ['1.0', '0.0', '0.5', '1.0'], more)
const call = (input: string, output = f32()): Record<string, string> => ({
  input_args: `[${input}]`,
  output: `[${output}]`,
})

interface How extends Partial<Omit<CompareSettings, 'rules'>> {
  outcome?: (pair: TensorPair) => number
}

async function compare(debug: Dump, bench: Dump, rules: Rules, how: How = {}): Promise<Comparison> {
  const { outcome, ...settings } = how
  return compareDumps(
    debug,
    bench,
    {
      rules,
      engine: 'mindspore',
      fuzzy: false,
      mapping: {},
      stack: 'auto',
      thresholds: defaultThresholds,
      ...settings,
    },
    {
      job: job(),
      measure(pairs) {
        const measured: Measured = emptyMeasured(pairs.length)
        pairs.forEach((pair, i) => {
          measured.outcome[i] = outcome?.(pair) ?? Outcome.measured
        })
        return Promise.resolve(measured)
      },
    },
  )
}

const column = (c: Comparison, id: string): number => c.columns.findIndex(one => one.id === id)
const cells = (c: Comparison, id: string): string[] =>
  Array.from({ length: c.length }, (_, row) => c.text(row, column(c, id)))
const pairsOf = (c: Comparison): string[] =>
  Array.from({ length: c.length }, (_, row) => `${c.text(row, 0)} ${c.text(row, 1)}`)

/** The same comparison under both rule sets. */
async function both(
  debug: Ops,
  bench: Ops,
  how: How = {},
  drawing: Drawn = {},
): Promise<{ theirs: Comparison; ours: Comparison }> {
  const [a, b] = [await drawn(debug, drawing), await drawn(bench, drawing)]
  return { theirs: await compare(a, b, 'msprobe-1.2.2', how), ours: await compare(a, b, 'plumbline', how) }
}

const pytorch = { engine: 'pytorch' } as const
const asTorch = { framework: 'pytorch' } as const

describe('calls of PyTorch dumps', () => {
  const named = (...names: string[]): Ops =>
    Object.fromEntries(names.map(name => [`Torch.${name}.0.forward`, call(torch(), torch())]))

  test('join-by-name: the queues stop reading when one side runs dry', async () => {
    const { theirs, ours } = await both(named('a', 'b', 'c', 'd'), named('a'), pytorch, asTorch)
    expect(new Set(cells(theirs, 'debugName').map(name => name.split('.')[1]))).toEqual(new Set(['a', 'b']))
    expect(new Set(cells(ours, 'debugName').map(name => name.split('.')[1]))).toEqual(
      new Set(['a', 'b', 'c', 'd']),
    )
  })

  test('join-by-name: another order of calls loses partners in the queues only', async () => {
    const { theirs, ours } = await both(named('b', 'a', 'c'), named('a', 'b', 'c'), pytorch, asTorch)
    expect(cells(theirs, 'benchName').filter(name => name === 'N/A').length).toBe(2)
    expect(cells(ours, 'benchName')).not.toContain('N/A')
    expect(ours.benchOnly.length).toBe(0)
  })

  test('join-by-name: a call without items at the start ends the queues', async () => {
    const debug: Ops = { 'Torch.e.0.forward': { input_args: '[]', output: '[]' }, ...named('a') }
    await expect(both(debug, named('a'), pytorch, asTorch)).rejects.toThrow(Refusal)
    const [a, b] = [await drawn(debug, asTorch), await drawn(named('a'), asTorch)]
    expect((await compare(a, b, 'plumbline', pytorch)).length).toBe(2)
  })

  test('calls-without-inputs: their dtypes must be equal, not just compatible', async () => {
    const rand = (dtype: string): Ops => ({
      'Torch.rand.0.forward': { input_args: '[]', output: `[${torch(dtype)}]` },
      ...named('a'),
    })
    const { theirs, ours } = await both(rand('torch.float16'), rand('torch.float32'), pytorch, asTorch)
    expect(theirs.text(0, 1)).toBe('N/A')
    expect(ours.text(0, 1)).toBe('Torch.rand.0.forward.output.0')
    expect(cells(theirs, 'why')[0]).toBe('call')
  })

  test('calls-without-inputs: in md5 mode a wrong gradient is different, not unmatched', async () => {
    const grads = (md5: string): Ops => ({
      'Torch.a.0.forward': call(torch('torch.float32', { md5: 'aa' })),
      'Module.fc.Linear.parameters_grad': { weight: `[${torch('torch.float32', { md5 })}]` },
    })
    const { theirs, ours } = await both(grads('11'), grads('22'), pytorch, asTorch)
    expect(cells(theirs, 'result').at(-1)).toBe('N/A')
    expect(cells(ours, 'result').at(-1)).toBe('Different')
    expect(cells(theirs, 'debugMd5').at(-1)).toBe('N/A')
  })

  test('unmatched-md5-shown', async () => {
    const md5 = (name: string): Ops => ({
      'Torch.a.0.forward': call(torch('torch.float32', { md5: 'aa' })),
      [`Torch.${name}.0.forward`]: call(torch('torch.float32', { md5: '11' })),
    })
    const { theirs, ours } = await both(md5('b'), md5('c'), pytorch, asTorch)
    expect([cells(theirs, 'debugMd5')[2], cells(ours, 'debugMd5')[2]]).toEqual(['N/A', '11'])
  })
})

describe('items of MindSpore dumps', () => {
  const relus = (...calls: number[]): Ops =>
    Object.fromEntries(calls.map(n => [`Functional.relu.${n}.forward`, call(f32())]))

  test('fuzzy-mindspore: calls are aligned without their numbers', async () => {
    const { theirs, ours } = await both(relus(0, 2), relus(0, 1), { fuzzy: true })
    expect(cells(theirs, 'benchName')).toEqual([
      'Functional.relu.0.forward.input.0',
      'Functional.relu.0.forward.output.0',
      'N/A',
      'N/A',
    ])
    expect(cells(ours, 'benchName').slice(2)).toEqual([
      'Functional.relu.1.forward.input.0',
      'Functional.relu.1.forward.output.0',
    ])
  })

  test('warn-on-any and numeric-text: a text that looks like a number is none', async () => {
    const text = (value: string): Ops => ({
      'Functional.f.0.forward': call(`${f32()}, ${scalar('str', `"${value}"`)}`),
    })
    const { theirs, ours } = await both(text('5'), text('5'))
    for (const table of [theirs, ours])
      expect([cells(table, 'maxDiff')[1], cells(table, 'debugMax')[1]]).toEqual(['N/A', '5'])
  })

  test('unmatched-none-md5: nothing was compared', async () => {
    const none = (name: string): Ops => ({
      'Functional.a.0.forward': call(f32(['1.0'], { md5: 'aa' })),
      [`Functional.${name}.0.forward`]: { input_args: '[null]', output: '[]' },
    })
    const { theirs, ours } = await both(none('b'), none('c'))
    expect([cells(theirs, 'result').at(-1), cells(ours, 'result').at(-1)]).toEqual(['pass', 'N/A'])
  })

  test('new-stacks: the newer layout is read', async () => {
    const ops = relus(0)
    const stack = {
      0: [['Functional.relu.0.forward'], ['File a.py, line 1, in f, \n y = x']],
    } as unknown as Record<string, string[]>
    const { theirs, ours } = await both(ops, ops, {}, { stack })
    expect([cells(theirs, 'stack')[0], cells(ours, 'stack')[0]]).toEqual([
      'N/A',
      "['File a.py, line 1, in f, \\n y = x']",
    ])
  })

  test('odd-names and odd-texts: module paths with a direction in them and texts like formulas are harmless', async () => {
    const ops: Ops = { 'Cell.forward.net.Net.forward.0': call(`${f32()}, ${scalar('str', '"=1+1"')}`) }
    const { theirs, ours } = await both(ops, ops)
    for (const table of [theirs, ours]) expect(cells(table, 'debugMax')[1]).toBe('=1+1')
  })

  test('bench-only items stand apart', async () => {
    const { ours } = await both(relus(0), relus(0, 1))
    expect([...ours.benchOnly].map(item => ours.bench.texts.get(ours.bench.items.name[item]!))).toEqual([
      'Functional.relu.1.forward.input.0',
      'Functional.relu.1.forward.output.0',
    ])
  })

  test('why a row has no partner', async () => {
    const one = (dtype: string, shape: readonly number[]): Ops => ({
      'Functional.f.0.forward': { input_args: `[${tensor(dtype, shape, ['1.0'])}]`, output: `[${f32()}]` },
    })
    const why = async (debug: Ops, bench: Ops): Promise<string> =>
      cells((await both(debug, bench)).ours, 'why')[0] ?? ''
    expect(await why(one('Float32', [2]), one('Float32', [3]))).toBe('shape [2] / [3]')
    expect(await why(one('Float32', [2]), one('BFloat16', [2]))).toBe('dtype Float32 / BFloat16')
    expect(
      await why({ 'Functional.g.0.forward': call(f32()), ...one('Float32', [2]) }, one('Float32', [2])),
    ).toBe('name')
  })
})

describe('mappings', () => {
  const input = 'Functional.f.0.forward.input.0'

  test('unmatched-in-list: an unknown bench name leaves an unmatched row and a note', async () => {
    const ops: Ops = { 'Functional.f.0.forward': call(f32()) }
    const data = `${input}: nowhere.0.forward.input.0\nFunctional.f.0.forward.output.0: Functional.f.0.forward.output.0\nnobody: nothing`
    const { theirs, ours } = await both(ops, ops, { mapping: { data } })
    expect(pairsOf(theirs)).toEqual(['Functional.f.0.forward.output.0 Functional.f.0.forward.output.0'])
    expect(pairsOf(ours)[0]).toBe(`${input} N/A`)
    expect(ours.problems.map(p => 'name' in p.facts && p.facts.name)).toEqual([
      'nowhere.0.forward.input.0',
      'nobody',
    ])
  })

  const foo = {
    'Functional.foo.0.forward': {
      input_args: `[${Array.from({ length: 11 }, () => f32()).join()}]`,
      output: `[${f32()}, ${f32()}]`,
    },
  }
  const bar = {
    'Torch.bar.0.forward': {
      input_args: `[${Array.from({ length: 11 }, () => torch()).join()}]`,
      output: `[${torch()}, ${torch()}]`,
    },
  }

  test.each([
    [
      'as the reference reads it',
      '- ms_api: Functional.foo\n  pt_api: Torch.bar\n  ms_args: [0, 2]\n  pt_args: [0, 1]\n  ms_output: [0, 1]\n  pt_output: [1, 0]',
    ],
    [
      'api-map-forms: as the documents have it',
      'ms_api: Functional.foo\npt_api: Torch.bar\nms_args: [0, 2]\npt_args: [0, 1]\nms_outputs: [0, 1]\npt_outputs: [1, 0]',
    ],
  ])('an api mapping %s', async (_, api) => {
    const { theirs, ours } = await both(foo, bar, { mapping: { api } })
    for (const table of [theirs, ours]) {
      const pairs = new Map(pairsOf(table).map(pair => pair.split(' ') as [string, string]))
      expect(pairs.get('Functional.foo.0.forward.input.2')).toBe('Torch.bar.0.forward.input.1')
      expect(pairs.get('Functional.foo.0.forward.input.1')).toBe('N/A')
      expect(pairs.get('Functional.foo.0.forward.output.1')).toBe('Torch.bar.0.forward.output.0')
    }
  })

  test('api-map-index: 1 does not match 10', async () => {
    const { theirs, ours } = await both(foo, bar, {
      mapping: { api: 'ms_api: Functional.foo\npt_api: Torch.bar\nms_args: [1]\npt_args: [2]' },
    })
    const partner = (table: Comparison): string | undefined =>
      pairsOf(table).find(pair => pair.startsWith('Functional.foo.0.forward.input.10 '))
    expect([partner(theirs), partner(ours)]).toEqual([
      'Functional.foo.0.forward.input.10 N/A',
      'Functional.foo.0.forward.input.10 N/A',
    ])
    const shifted = await both(foo, bar, {
      mapping: { api: 'ms_api: Functional.foo\npt_api: Torch.bar\nms_args: [1]\npt_args: [1]' },
    })
    expect([partner(shifted.theirs), partner(shifted.ours)]).toEqual([
      'Functional.foo.0.forward.input.10 Torch.bar.0.forward.input.10',
      'Functional.foo.0.forward.input.10 N/A',
    ])
  })

  test('uneven lists and unknown APIs are noted and left out', async () => {
    const { ours } = await both(foo, bar, {
      mapping: {
        api: '- {ms_api: Functional.foo, pt_api: Torch.bar, ms_args: [0], pt_args: []}\n- {ms_api: Functional.nope, pt_api: Torch.bar}',
      },
    })
    expect(ours.problems.map(p => p.code)).toEqual(['mapping-entry-uneven', 'mapping-api-unknown'])
  })

  test('layer-map-any and layer-map-keys: PyTorch dumps, and numbers without quotes', async () => {
    const side = (layer: string): Promise<Dump> =>
      drawn(
        { [`Module.net.layers.${layer}.fc.Linear.forward.0`]: call(torch(), torch()) },
        {
          ...asTorch,
          stack: { x: ['File a.py, line 1, in f, \n g()'] },
          construct: { [`Module.net.layers.${layer}.fc.Linear.forward.0`]: null },
        },
      )
    const [debug, bench] = [await side('5'), await side('0')]
    const mapping = { layer: 'layers:\n  5: 0' }
    expect((await compare(debug, bench, 'msprobe-1.2.2', { ...pytorch, mapping })).text(0, 1)).toBe('N/A')
    expect((await compare(debug, bench, 'plumbline', { ...pytorch, mapping })).text(0, 1)).toBe(
      'Module.net.layers.0.fc.Linear.forward.0.input.0',
    )
  })

  test('layer-map-flat: without a hierarchy a layer mapping is passed over, or matches nothing', async () => {
    const name = 'Functional.f.0.forward'
    const stack = { [name]: ['File a.py, line 1, in f, \n g()'] }
    const ops = { [name]: call(f32()) }
    const [flat, deep] = [
      await drawn(ops, { stack, construct: {} }),
      await drawn(ops, { stack, construct: { [name]: null } }),
    ]
    const mapping = { layer: '' }
    expect((await compare(flat, deep, 'msprobe-1.2.2', { mapping })).text(0, 1)).toBe(`${name}.input.0`)
    expect((await compare(deep, flat, 'msprobe-1.2.2', { mapping })).text(0, 1)).toBe('N/A')
    for (const [debug, bench] of [
      [flat, deep],
      [deep, flat],
    ] as const)
      await expect(compare(debug, bench, 'plumbline', { mapping })).rejects.toThrow(/no-hierarchy/)
  })

  test('a broken mapping is refused with its line', async () => {
    const dump = await drawn(foo)
    await expect(compare(dump, dump, 'plumbline', { mapping: { cell: 'a: [b' } })).rejects.toThrow(
      /mapping-invalid/,
    )
    await expect(compare(dump, dump, 'plumbline', { mapping: { data: '- a' } })).rejects.toThrow(/NOT_A_MAP/)
  })
})

describe('tensors', () => {
  const ops = (name: string, dataName: string): Ops => ({
    [`Functional.${name}.0.forward`]: {
      input_args: `[${f32(['1.0'], { data_name: dataName })}]`,
      output: '[]',
    },
  })
  const task = { task: 'tensor' }
  const outcome = (value: number): How => ({ outcome: () => value })

  test('empty-tensor', async () => {
    const { theirs, ours } = await both(
      ops('f', 'Functional.f.0.forward.input.0.npy'),
      ops('f', 'Functional.f.0.forward.input.0.npy'),
      outcome(Outcome.empty),
      task,
    )
    expect([cells(theirs, 'cosine'), cells(theirs, 'accuracy')]).toEqual([['0'], ['No']])
    expect([cells(ours, 'cosine'), cells(ours, 'accuracy')]).toEqual([['unsupported'], ['None']])
    expect(cells(ours, 'message')).toEqual(['This is empty data, can not compare.'])
  })

  test('missing-file-name and debug-file-name', async () => {
    const debug = await drawn(ops('f', 'Functional.f.0.forward.input.0.pt'), task)
    const bench = await drawn(ops('f', 'Functional.f.0.forward.input.0.npy'), task)
    const asked: string[] = []
    const how: How = {
      outcome: pair => {
        asked.push(pair.debug?.file ?? '')
        return Outcome.benchMissing
      },
    }
    const theirs = await compare(debug, bench, 'msprobe-1.2.2', how)
    const ours = await compare(debug, bench, 'plumbline', how)
    expect(asked.map(path => path.split('.').at(-1))).toEqual(['npy', 'pt'])
    expect([cells(theirs, 'message')[0], cells(ours, 'message')[0]]).toEqual([
      'Dump file: Functional.f.0.forward.input.0.pt not found.',
      'Dump file: Functional.f.0.forward.input.0.npy not found.',
    ])
  })

  test('bench-file-name: an argument called input, a module called output', async () => {
    const nested = 'Functional.f.0.forward.input.0.input.0'
    const module = 'Cell.layer.output.dense.Dense.forward.0.input.0'
    const dump: Ops = {
      'Functional.f.0.forward': {
        input_args: `[{"input": [${f32(['1.0'], { data_name: `${nested}.npy` })}]}]`,
        output: '[]',
      },
      'Cell.layer.output.dense.Dense.forward.0': {
        input_args: `[${f32(['1.0'], { data_name: `${module}.npy` })}]`,
        output: '[]',
      },
      'Functional.g.0.forward': {
        input_kwargs: `{"input": ${f32(['1.0'], { data_name: 'Functional.g.0.forward.kwargs.input.npy' })}}`,
        output: '[]',
      },
    }
    const { theirs, ours } = await both(dump, dump, outcome(Outcome.nanPositions), task)
    expect(cells(theirs, 'cosine')).toEqual(['unsupported', 'unsupported', 'N/A'])
    expect(cells(theirs, 'message').slice(0, 2)).toEqual(Array(2).fill('Bench does not have data file.'))
    expect(cells(ours, 'cosine')).toEqual(['N/A', 'N/A', 'N/A'])
  })

  test('file-letters', async () => {
    const dump = ops('café', 'Functional.café.0.forward.input.0.npy')
    const asked: string[] = []
    await both(
      dump,
      dump,
      {
        outcome: pair => {
          asked.push(pair.debug?.file ?? '', pair.bench?.file ?? '')
          return Outcome.measured
        },
      },
      task,
    )
    expect(asked.map(path => path !== '')).toEqual([false, false, true, true])
  })

  test('a data name never leads out of its folder', async () => {
    const dump = await drawn(
      {
        'Functional.f.0.forward': {
          input_args: `[${f32(['1.0'], { data_name: '../../secret.npy' })}]`,
          output: '[]',
        },
      },
      task,
    )
    const asked: string[] = []
    await compare(dump, dump, 'plumbline', {
      outcome: pair => {
        asked.push(pair.debug?.file ?? '', pair.bench?.file ?? '')
        return Outcome.debugMissing
      },
    })
    expect(asked).toEqual(['', ''])
  })

  test('rows stand before tensors are measured, and judging again reads nothing', async () => {
    const dump = await drawn(ops('f', 'Functional.f.0.forward.input.0.npy'), task)
    const settings = {
      rules: 'plumbline',
      engine: 'mindspore',
      fuzzy: false,
      mapping: {},
      stack: false,
      thresholds: defaultThresholds,
    } as const
    const paired = await pairUp(dump, dump, settings, job())
    const length = paired.tensors?.pairs.length ?? 0
    const before = await judged(paired, emptyMeasured(length), settings, job())
    const measured = emptyMeasured(length)
    measured.outcome[0] = Outcome.measured
    for (const of of ['cosine', 'thousandth', 'fiveThousandths'] as const) measured[of][0] = 1
    measured.maxAbs[0] = measured.maxRel[0] = 0
    const done = await judged(paired, measured, settings, job())
    expect([before.pending, done.pending]).toEqual([1, 0])
    expect([done.text(0, column(done, 'accuracy')), done.state[0], done.level[0]]).toEqual(['Yes', 1, 0])
    expect(done.judged({ ...defaultThresholds, tolerance: 0.5 }, null).state[0]).toBe(1)
  })
})

describe('highlight', () => {
  test('highlight-denominator: 0.01 instead of 2.2e-16', async () => {
    const side = (out: string): Ops => ({
      'Functional.f.0.forward': call(f32(), f32([out, '-1.0', '-0.5', '1.0'])),
    })
    const { theirs, ours } = await both(side('0.0001'), side('0.0'))
    expect([theirs.fill[1], ours.fill[1]]).toEqual([2, 0])
  })

  test('highlight-both: an input below 1 does not count as order 0', async () => {
    const side = (input: string, out: string): Ops => ({
      'Functional.f.0.forward': call(f32([input, '0.0', '0.5', '1.0']), f32([out, '0.0', '0.5', '1.0'])),
    })
    const { theirs, ours } = await both(side('100.5', '1020.0'), side('100.0', '1000.0'))
    expect([theirs.fill[1], ours.fill[1]]).toEqual([1, 0])
  })
})

describe('what both refuse', () => {
  const dump = (task: string, md5 = {}): Promise<Dump> =>
    drawn({ 'Functional.f.0.forward': call(f32(['1.0'], md5)) }, { task })
  test.each([
    ['tasks-differ', dump('tensor'), dump('statistics')],
    ['task-not-comparable', dump('structure'), dump('structure')],
    ['modes-differ', dump('statistics', { md5: 'aa' }), dump('statistics')],
  ] as const)('%s', async (code, debug, bench) => {
    const [a, b] = [await debug, await bench]
    await expect(compare(a, b, 'plumbline')).rejects.toThrow(code)
  })

  test('an api mapping for PyTorch', async () => {
    const one = await dump('statistics')
    await expect(compare(one, one, 'plumbline', { ...pytorch, mapping: { api: '' } })).rejects.toThrow(
      'option-framework',
    )
  })
})

describe('hostile input', () => {
  test('names that repeat on both sides are refused before they fill the memory', async () => {
    const items = Array.from(
      { length: 4200 },
      () => '{"type": "int", "value": 1, "data_name": "same.npy"}',
    ).join()
    const dump = await drawn({ 'Functional.f.0.forward': { input_args: `[${items}]`, output: '[]' } })
    await expect(compare(dump, dump, 'plumbline')).rejects.toThrow('too-many-pairs')
  })

  test.each([
    [
      'an alias bomb',
      `a: &a [x,x,x,x,x,x,x,x,x]\n${Array.from('bcdefgh', (name, i) => `${name}: &${name} [${Array.from({ length: 9 }, () => `*${'abcdefg'[i]}`).join()}]`).join('\n')}`,
    ],
    ['deep nesting', `${'['.repeat(20000)}${']'.repeat(20000)}`],
  ])('a mapping that is %s is refused', async (_, cell) => {
    const dump = await drawn({ 'Functional.f.0.forward': call(f32()) })
    await expect(compare(dump, dump, 'plumbline', { mapping: { cell } })).rejects.toThrow('mapping-invalid')
  })
})
