// What the advisor says of dumps drawn by hand: kinds of findings, order, honesty.
import { describe, expect, test } from 'vitest'
import { advise, type AdvisorInput } from '../../../main/engine/advisor/advise.ts'
import { job } from '../../../main/engine/work/job.ts'
import { compareDumps } from '../../../main/engine/study/pair/compare.ts'
import { defaultThresholds } from '../../../main/engine/rules/thresholds.ts'
import type { Dump } from '../../../main/engine/model/dump.ts'
import type { Advice } from '../../../preload/contract/engine.ts'
import { findingText } from '../../../preload/contract/words/advice.ts'
import { adviseFiles } from '../../support/advised.ts'
import { drawn, scalar, tensor, type Ops } from '../../support/dump-text.ts'
import { makePair, type CaseOf } from '../../support/faults/index.ts'

const t = (seed: number, shape: readonly number[] = [4, 8]): string =>
  tensor(
    'Float32',
    shape,
    [seed + 0.3137, -seed - 0.5173, seed / 67 + 0.00113, seed * 3 + 0.1259].map(v => String(Math.fround(v))),
  )
const op = (inputs: readonly string[], outputs: readonly string[]): Record<string, string> => ({
  input_args: `[${inputs.join(', ')}]`,
  output: `[${outputs.join(', ')}]`,
})

async function adviceOf(debug: Dump, bench: Dump, more: Partial<AdvisorInput> = {}): Promise<Advice> {
  const comparison = await compareDumps(
    debug,
    bench,
    {
      rules: 'plumbline',
      engine: 'mindspore',
      fuzzy: false,
      mapping: {},
      stack: false,
      thresholds: defaultThresholds,
    },
    {
      job: job(),
      measure: () => {
        throw new Error('no tensors here')
      },
    },
  )
  return (await advise({ comparison, ...more }, job())).advice
}

const both = async (debug: Ops, bench: Ops): Promise<Advice> =>
  adviceOf(await drawn(debug), await drawn(bench))
const heads = (advice: Advice): string[] => advice.findings.map(finding => `${finding.kind} ${finding.node}`)

/** Three products in a row, the last read by a sum. */
const chain = (a: number, b: number, c: number, d: number): Ops => ({
  'Mint.matmul.0.forward': op([t(1), t(11)], [t(a)]),
  'Mint.matmul.1.forward': op([t(a), t(12)], [t(b)]),
  'Mint.matmul.2.forward': op([t(b), t(13)], [t(c)]),
  'Mint.sum.0.forward': op([t(c)], [t(d)]),
})

describe('what is found', () => {
  test('equal sides: nothing', async () => {
    expect((await both(chain(2, 3, 4, 5), chain(2, 3, 4, 5))).findings).toEqual([])
  })

  test('the first operation with equal inputs and another output', async () => {
    const advice = await both(chain(2, 3.1, 4.2, 5.5), chain(2, 3, 4, 5))
    expect(heads(advice)).toEqual(['origin Mint.matmul.1.forward'])
    expect(advice.findings[0].explains.by).toBe('edges')
    expect(advice.findings[0].explains.rows).toBe(advice.findings[0].explains.of)
  })

  test('a parameter that differs while the others agree', async () => {
    const debug = { ...chain(2, 3.1, 4.2, 5.5), 'Mint.matmul.1.forward': op([t(2), t(12.5)], [t(3.1)]) }
    expect(heads(await both(debug, chain(2, 3, 4, 5)))[0]).toBe('different-weights Mint.matmul.1.forward')
  })

  test('NaN that a collective gives to finite input comes from another rank', async () => {
    const none = tensor('Float32', [4, 8], ['NaN', 'NaN', 'NaN', 'NaN'])
    const run = (reduced: string, d: string): Ops => ({
      'Mint.matmul.0.forward': op([t(1), t(11)], [t(2)]),
      'Distributed.all_reduce.0.forward': op([t(2)], [reduced]),
      'Mint.sum.0.forward': op([reduced], [d]),
    })
    const [head] = (await both(run(none, none), run(t(3), t(5)))).findings
    expect([head.kind, head.variant, head.node]).toEqual([
      'communication',
      'nan',
      'Distributed.all_reduce.0.forward',
    ])
  })

  test('another shape and another precision are said as such, with both sides', async () => {
    const [wide, half] = [t(12, [8, 8]), t(2).replace('Float32', 'BFloat16')]
    const shaped = await both(
      { ...chain(2, 3.1, 4.2, 5.5), 'Mint.matmul.1.forward': op([t(2), wide], [t(3.1)]) },
      chain(2, 3, 4, 5),
    )
    expect(shaped.findings[0]).toMatchObject({
      kind: 'shape',
      node: 'Mint.matmul.1.forward',
      facts: { item: 'input.1', debug: '[8, 8]', bench: '[4, 8]' },
    })
    const cast = await both(
      { ...chain(2, 3.1, 4.2, 5.5), 'Mint.matmul.1.forward': op([half, t(12)], [t(3.1)]) },
      chain(2, 3, 4, 5),
    )
    expect(cast.findings[0]).toMatchObject({
      kind: 'precision',
      facts: { debug: 'BFloat16', bench: 'Float32' },
    })
    expect(cast.findings[0].evidence[0]).toMatchObject({
      metric: 'dtype',
      debug: 'BFloat16',
      bench: 'Float32',
    })
  })

  test('a tensor that was overwritten is shown as it was written and as it is read', async () => {
    const debug = { ...chain(2, 3, 4.2, 5.5), 'Mint.matmul.2.forward': op([t(3.3), t(13)], [t(4.2)]) }
    const [{ kind, evidence }] = (await both(debug, chain(2, 3, 4, 5))).findings
    expect(kind).toBe('hidden-producer')
    expect(evidence.map(({ label, state }) => [label, state])).toEqual([
      ['Mint.matmul.2.forward.input.0', 'differs'],
      ['Mint.matmul.1.forward.output.0', 'equal'],
    ])
  })

  test('an infinite argument is not the same as any other', async () => {
    const run = (fill: string, out: string): Ops => ({
      'Mint.matmul.0.forward': op([t(1), t(11)], [t(2)]),
      'Mint.masked_fill.0.forward': op([t(2), scalar('float', fill)], [out]),
      'Mint.sum.0.forward': op([out], [t(5)]),
    })
    expect(heads(await both(run('-Infinity', t(3.1)), run('-10000.0', t(3))))[0]).toBe(
      'argument Mint.masked_fill.0.forward',
    )
  })

  test('an input that nothing wrote', async () => {
    const debug = { ...chain(2.2, 3.1, 4.2, 5.5), 'Mint.matmul.0.forward': op([t(1.5), t(11)], [t(2.2)]) }
    expect(heads(await both(debug, chain(2, 3, 4, 5)))[0]).toBe('different-input Mint.matmul.0.forward')
  })

  test('an argument that takes effect, and none that does not', async () => {
    const withEps = (eps: string, out: number): Ops => ({
      ...chain(2, 3, 4, 5),
      'Mint.scale.0.forward': op([t(5), scalar('float', eps)], [t(out)]),
      'Mint.sum.1.forward': op([t(out)], [t(out + 1)]),
    })
    expect(heads(await both(withEps('1e-05', 7), withEps('0.1', 6)))[0]).toBe('argument Mint.scale.0.forward')
    expect((await both(withEps('1e-05', 6), withEps('0.1', 6))).findings).toEqual([])
  })

  test('a tensor that was changed between the one who wrote it and the one who reads it', async () => {
    const debug = { ...chain(2, 3.3, 4.2, 5.5), 'Mint.matmul.1.forward': op([t(2.5), t(12)], [t(3.3)]) }
    const [head] = (await both(debug, chain(2, 3, 4, 5))).findings
    expect(head.kind).toBe('hidden-producer')
    expect(head.node).toBe('Mint.matmul.1.forward')
    expect(head.facts).toMatchObject({ from: 'Mint.matmul.0.forward' })
  })

  test('a call that only one side makes shifts the numbers behind it and is named itself', async () => {
    const bench: Ops = {
      'Mint.exp.0.forward': op([t(1)], [t(2)]),
      'Mint.exp.1.forward': op([t(2)], [t(3)]),
      'Mint.matmul.0.forward': op([t(3), t(12)], [t(4)]),
    }
    const debug: Ops = {
      'Mint.exp.0.forward': op([t(1)], [t(2)]),
      'Mint.neg.0.forward': op([t(2)], [t(2.5)]),
      'Mint.exp.1.forward': op([t(2.5)], [t(3.5)]),
      'Mint.matmul.0.forward': op([t(3.5), t(12)], [t(4.5)]),
    }
    expect(heads(await both(debug, bench))[0]).toBe('unmatched-call Mint.neg.0.forward')
  })

  test('NaN made from finite input', async () => {
    const nan = tensor('Float32', [4, 8], ['NaN', 'NaN', 'NaN', 'NaN'])
    const debug: Ops = {
      ...chain(2, 3, 4, 5),
      'Mint.matmul.2.forward': op([t(3), t(13)], [nan]),
      'Mint.sum.0.forward': op([nan], [nan]),
    }
    expect(heads(await both(debug, chain(2, 3, 4, 5)))[0]).toBe('nan Mint.matmul.2.forward')
  })

  test('an output that nobody reads is no origin while the others agree', async () => {
    const noisy = (scratch: number): Ops => ({
      'Mint.batch.0.forward': op([t(1)], [t(2), t(scratch)]),
      'Mint.matmul.0.forward': op([t(2), t(12)], [t(3)]),
      'Mint.sum.0.forward': op([t(3)], [t(4)]),
    })
    expect((await both(noisy(77), noisy(88))).findings).toEqual([])
  })
})

describe('bad input', () => {
  const cases: readonly (readonly [string, Ops, Ops])[] = [
    ['all disagree', chain(2.5, 3.5, 4.5, 5.5), chain(2, 3, 4, 5)],
    [
      'only forward on one side',
      chain(2, 3, 4, 5),
      { ...chain(2, 3, 4, 5), 'Mint.sum.0.backward': { input: `[${t(6)}]`, output: `[${t(7)}]` } },
    ],
    [
      'extra nodes on one side',
      { ...chain(2, 3, 4, 5), 'Mint.cos.0.forward': op([t(8)], [t(9)]) },
      chain(2, 3, 4, 5),
    ],
    [
      'no outputs',
      { 'Mint.a.0.forward': { input_args: `[${t(1)}]` } },
      { 'Mint.a.0.forward': { input_args: `[${t(2)}]` } },
    ],
    [
      'names of no known form',
      { odd: op([t(1)], [t(2)]), 'a.b.forward.c': op([t(2)], [t(3)]) },
      { odd: op([t(1)], [t(2.5)]), 'a.b.forward.c': op([t(2.5)], [t(3)]) },
    ],
    [
      'other shapes everywhere',
      { 'Mint.a.0.forward': op([t(1, [3])], [t(2, [3])]) },
      { 'Mint.a.0.forward': op([t(1, [4])], [t(2, [4])]) },
    ],
  ]
  test.each(cases)('%s: an answer, no failure', async (_name, debug, bench) => {
    const advice = await both(debug, bench)
    for (const finding of advice.findings) expect(finding.node.length).toBeGreaterThan(0)
  })

  test('no statistics at all: not decidable, and says so', async () => {
    const blank = tensor('Float32', [2], [])
    const ops: Ops = { 'Mint.a.0.forward': op([blank], [blank]) }
    expect((await both(ops, ops)).findings.map(finding => [finding.kind, finding.variant])).toEqual([
      ['not-decidable', 'unknown'],
    ])
  })

  test('what to dump next is a config that msprobe reads', async () => {
    const advice = await both(chain(2, 3.1, 4.2, 5.5), chain(2, 3, 4, 5))
    expect(advice.dumpNext).toMatchObject({ task: 'tensor', level: 'mix', tensor: { data_mode: ['all'] } })
  })
})

describe('over models, levels and modes', () => {
  const base: CaseOf = {
    kind: 'wrong result',
    model: 'encoder',
    task: 'statistics',
    level: 'mix',
    debug: 'ms',
    bench: 'ms',
    noise: 'none',
    seed: 3,
  }
  test.each([
    ['L0', 'statistics'],
    ['L1', 'md5'],
    ['mix', 'tensor'],
    ['L1', 'statistics'],
    ['L0', 'md5'],
  ] as const)('%s in %s mode', async (level, task) => {
    const pair = makePair({ ...base, level, task })
    if (!pair) throw new Error('no place for the fault')
    const { advice, right } = await adviseFiles(pair)
    expect(right).toBe(true)
    expect(advice.curve.origin).toBeGreaterThanOrEqual(0)
  })

  test('thresholds are taken from outside', async () => {
    const pair = makePair({ ...base, noise: 'both sides' })
    if (!pair) throw new Error('no place for the fault')
    expect((await adviseFiles(pair, { floor32: 0.5 })).advice.findings).toEqual([])
    expect((await adviseFiles(pair)).right).toBe(true)
  })

  test('elements in another order are told from elements that are a little off', async () => {
    const [debug, bench] = [await drawn(chain(2, 3.1, 4.2, 5.5)), await drawn(chain(2, 3, 4, 5))]
    const values = Float64Array.from({ length: 512 }, (_, i) => Math.sin(i) * 2 ** (i % 9))
    const keys = async (other: Float64Array): Promise<string[]> =>
      (
        await adviceOf(debug, bench, {
          readTensor: side => Promise.resolve(side === 'debug' ? values : other),
        })
      ).findings[0].hints.map(hint => hint.key)
    expect(await keys(values.toReversed())).toContain('hint.permuted')
    expect(await keys(values.map(x => x * (1 + 1e-6)))).not.toContain('hint.permuted')
    expect(await keys(values.map(x => x * 1.5).reverse())).not.toContain('hint.permuted')
    // Powers of two stand at the edges of the classes that are counted.
    const edges = Float64Array.from({ length: 512 }, (_, i) => 2 ** (i % 16) * (1 + 1e-5))
    expect(
      (
        await adviceOf(debug, bench, {
          readTensor: side =>
            Promise.resolve(side === 'debug' ? edges : edges.map(x => x * (1 - 2e-5)).reverse()),
        })
      ).findings[0].hints.map(hint => hint.key),
    ).toContain('hint.permuted')
  })

  test('every finding and hint has a sentence in both languages', async () => {
    for (const kind of [
      'weight scaled',
      'visible cast',
      'call twice',
      'overwritten unseen',
      'other input',
      'branch detached',
      'NaN made',
      'all weights',
      'layer more',
      'other scale',
    ]) {
      const pair = makePair({ ...base, kind, debug: 'pt', bench: 'pt' })
      if (!pair) throw new Error(`no place for ${kind}`)
      const { advice } = await adviseFiles(pair)
      for (const finding of advice.findings) {
        for (const language of ['en', 'zh'] as const)
          expect(findingText(language, finding)).not.toMatch(/\{\w+\}/)
      }
    }
  })
})
