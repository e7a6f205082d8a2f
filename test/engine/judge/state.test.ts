// Our states and error levels of rows, as far as the rows alone tell.
import { Note, Outcome } from '../../../main/engine/model/measured.ts'
import { describe, expect, test } from 'vitest'
import { job } from '../../../main/engine/work/job.ts'
import { compareDumps } from '../../../main/engine/study/pair/compare.ts'
import { defaultThresholds } from '../../../main/engine/rules/thresholds.ts'
import { emptyMeasured } from '../../../main/engine/measure/metrics.ts'
import { reasonOf } from '../../../main/engine/judge/reason.ts'
import { bitwise, evident } from '../../../main/engine/judge/state.ts'
import { reasonText } from '../../../preload/contract/words/reason.ts'
import { accuracy, Answer } from '../../../main/engine/judge/answer.ts'
import { RowState } from '../../../main/engine/model/names.ts'
import type { Comparison } from '../../../main/engine/model/comparison.ts'
import { drawn, scalar, tensor } from '../../support/dump-text.ts'

const { equal, noise, differs, incomparable, unpaired } = RowState

async function judged(
  debug: string,
  bench: string,
  task = 'statistics',
  fill: (m: ReturnType<typeof emptyMeasured>) => void = () => {},
): Promise<Comparison> {
  const dump = (leaf: string) =>
    drawn({ 'Functional.f.0.forward': { input_args: `[${leaf}]`, output: '[]' } }, { task })
  const [a, b] = [await dump(debug), await dump(bench)]
  return compareDumps(
    a,
    b,
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
      measure(pairs) {
        const m = emptyMeasured(pairs.length)
        fill(m)
        return Promise.resolve(m)
      },
    },
  )
}

describe('statistics', () => {
  const f32 = (...values: string[]): string => tensor('Float32', [4], values)
  const f16 = (...values: string[]): string => tensor('Float16', [4], values)

  test.each([
    ['equal', f32('1.0', '-1.0', '0.5', '2.0'), f32('1.0', '-1.0', '0.5', '2.0'), equal, 0],
    [
      'off by what one operation rounds',
      f32('1.000001', '-1.0', '0.5', '2.0'),
      f32('1.0', '-1.0', '0.5', '2.0'),
      noise,
      1e-6,
    ],
    [
      'off by 1 % of the range',
      f32('1.01', '-1.0', '0.5', '2.0'),
      f32('1.0', '-1.0', '0.5', '2.0'),
      differs,
      0.01,
    ],
    [
      'off by 1 % in half precision',
      f16('1.002', '-1.0', '0.5', '2.0'),
      f16('1.0', '-1.0', '0.5', '2.0'),
      noise,
      0.002,
    ],
    [
      'a mean near zero is measured against the range',
      f32('1.0', '-1.0', '0.000001', '2.0'),
      f32('1.0', '-1.0', '0.0000001', '2.0'),
      noise,
      0.0000009,
    ],
    [
      'the norm against itself',
      f32('1.0', '-1.0', '0.0', '2.0'),
      f32('1.0', '-1.0', '0.0', '1.0'),
      differs,
      1,
    ],
    [
      'small values against their own range, however small it is',
      f32('0.0000005', '0.0', '0.0', '0.0'),
      f32('0.0000001', '0.0', '0.0', '0.0'),
      differs,
      1,
    ],
    ['NaN on both sides', f32('NaN', 'NaN', 'NaN', 'NaN'), f32('NaN', 'NaN', 'NaN', 'NaN'), equal, 0],
    ['NaN on one side', f32('NaN', '0.0', '0.0', '1.0'), f32('1.0', '0.0', '0.0', '1.0'), differs, 1],
    [
      'Inf of both signs',
      f32('Infinity', '0.0', '0.0', '1.0'),
      f32('-Infinity', '0.0', '0.0', '1.0'),
      differs,
      1,
    ],
    [
      'no statistics',
      f32('null', 'null', 'null', 'null'),
      f32('null', 'null', 'null', 'null'),
      incomparable,
      NaN,
    ],
    ['other shapes', tensor('Float32', [1], ['1.0']), tensor('Float32', [2], ['1.0']), unpaired, NaN],
    ['a scalar argument', scalar('float', '1e-5'), scalar('float', '1e-3'), differs, 0.99],
    ['the same argument', scalar('float', '1e-5'), scalar('float', '1e-5'), equal, 0],
    ['a flag', scalar('bool', 'true'), scalar('bool', 'false'), differs, 1],
    ['a word', scalar('str', '"mean"'), scalar('str', '"sum"'), differs, 1],
    ['a device', scalar('torch.device', '"npu:0"'), scalar('torch.device', '"cpu"'), equal, 0],
  ])('%s', async (_, debug, bench, state, level) => {
    const table = await judged(debug, bench)
    expect([table.state[0], table.level[0]]).toEqual([
      state,
      Number.isNaN(level) ? NaN : expect.closeTo(level, 6),
    ])
  })

  test('a tolerance and what noise explains judge the same rows again', async () => {
    const table = await judged(f32('1.1', '0.0', '0.0', '1.0'), f32('1.0', '0.0', '0.0', '1.0'))
    const under = (tolerance: number, explained: Float64Array | null): number =>
      table.judged({ ...defaultThresholds, tolerance }, explained).state[0]
    expect([table.state[0], under(0.2, null), under(0, Float64Array.of(0.2))]).toEqual([
      differs,
      noise,
      noise,
    ])
  })

  test('where a pair has no noise, not even the last digit may differ', async () => {
    const table = await judged(f32('1.0000001', '0.0', '0.0', '1.0'), f32('1.0', '0.0', '0.0', '1.0'))
    const exact = table.judged(defaultThresholds, Float64Array.of(bitwise))
    expect([table.state[0], exact.state[0]]).toEqual([noise, differs])
  })
})

describe('why', () => {
  const f32 = (...values: string[]): string => tensor('Float32', [4], values)
  const said = async (debug: string, bench: string, explained = NaN, tolerance = 0): Promise<string> => {
    const table = await judged(debug, bench)
    const told = Number.isNaN(explained) ? null : Float64Array.of(explained)
    return reasonText('en', reasonOf(table.judged({ ...defaultThresholds, tolerance }, told), 0, tolerance))
  }

  test('a row says by how much it is off, of what, and up to where that is noise', async () => {
    const [debug, bench] = [f32('1.0014', '-1.0', '1e-10', '2.0'), f32('1.0', '-1.0', '0.0', '2.0')]
    expect(await said(debug, bench, 0.005)).toBe(
      'Largest error: max, 0.14 % of the range. Noise explains up to 0.5 % here → within noise\n' +
        'Not more than that: mean, 1e-10 of the range.',
    )
    expect(await said(debug, bench, 0.001)).toContain('Noise explains up to 0.1 % here → differs')
    expect(await said(debug, bench, bitwise)).toContain('The runs are equal to the bit elsewhere')
    expect(await said(debug, bench, evident)).toContain('A finding rests on this row')
    expect(await said(debug, bench, 0.001, 0.02)).toContain('The tolerance is 2 % → within noise')
  })

  test.each([
    [
      'the same',
      f32('1.0', '-1.0', '0.0', '2.0'),
      f32('1.0', '-1.0', '0.0', '2.0'),
      'All statistics are equal',
    ],
    ['NaN', f32('NaN', '0.0', '0.0', '1.0'), f32('1.0', '0.0', '0.0', '1.0'), 'NaN or infinity on one side'],
    ['nothing', f32('null', 'null', 'null', 'null'), f32('null', 'null', 'null', 'null'), 'nothing tells'],
    ['a scalar', scalar('float', '0.1'), scalar('float', '0.00001'), 'Compared directly: 0.1 ≠ 1e-05.'],
    ['a shape', tensor('Float32', [1], ['1.0']), tensor('Float32', [2], ['1.0']), 'another shape, [1] / [2]'],
  ])('%s', async (_, debug, bench, sentence) => {
    expect(await said(debug, bench)).toContain(sentence)
  })

  test('rule and state never contradict each other', async () => {
    const table = await judged(f32('1.1', '0.0', '0.0', '1.0'), f32('1.0', '0.0', '0.0', '1.0'))
    for (const explained of [evident, bitwise, 0, 0.01, 0.1, 0.2, 1]) {
      const under = table.judged(defaultThresholds, Float64Array.of(explained))
      const isWithin = reasonOf(under, 0, 0).code === 'noise'
      expect(under.state[0] === noise).toBe(isWithin)
    }
  })
})

describe('md5', () => {
  const md5 = (value?: string): string => tensor('Float32', [4], ['1.0'], value ? { md5: value } : {})
  test('equal and different', async () => {
    const exact = async (debug: string, bench: string): Promise<number> =>
      (await judged(debug, bench)).judged(defaultThresholds, Float64Array.of(bitwise)).state[0]
    expect(await exact(md5('aa'), md5('aa'))).toBe(equal)
    expect(await exact(md5('aa'), md5('bb'))).toBe(differs)
  })

  test('a checksum alone has no size of error: it differs, by nobody knows how much', async () => {
    const alone = (value: string): string => tensor('Float32', [4], [], { md5: value })
    const other = await judged(alone('aa'), alone('bb'))
    expect([other.state[0], other.level[0]]).toEqual([differs, NaN])
    expect(reasonText('en', reasonOf(other, 0, 0))).toBe('The checksums differ; nothing tells by how much.')
    const same = await judged(alone('aa'), alone('aa'))
    expect([same.state[0], same.level[0]]).toEqual([equal, 0])
  })
})

describe('tensors', () => {
  const leaf = tensor('Float32', [4], ['1.0', '-1.0', '0.0', '2.0'], {
    data_name: 'Functional.f.0.forward.input.0.npy',
  })
  const measured = (
    values: Partial<Record<'cosine' | 'euclid' | 'maxAbs' | 'maxRel' | 'thousandth', number>>,
    outcome: number = Outcome.measured,
    notes = 0,
  ) =>
    judged(leaf, leaf, 'tensor', m => {
      m.outcome[0] = outcome
      m.notes[0] = notes
      for (const [key, value] of Object.entries(values)) m[key as 'cosine'][0] = value
    })

  test.each([
    ['reached', { cosine: 1, euclid: 0.2, maxAbs: 0.0001 }, Outcome.measured, 0, differs, 0.1],
    ['not reached', { cosine: 0.5, euclid: 1.6, maxAbs: 2 }, Outcome.measured, 0, differs, 0.8],
    ['positions of NaN differ', {}, Outcome.nanPositions, 0, differs, 1],
    ['a file is no tensor', {}, Outcome.corrupt, 0, incomparable, NaN],
    ['a missing file', {}, Outcome.benchMissing, 0, incomparable, NaN],
    [
      'equal bytes, whatever the ratio says',
      { cosine: 1, maxAbs: 0, thousandth: 0.3 },
      Outcome.measured,
      Note.equalBytes,
      equal,
      0,
    ],
    [
      'all zero on one side passes for the reference, not for us',
      { euclid: 2, maxAbs: 0.5 },
      Outcome.measured,
      Note.debugAllZero,
      differs,
      1,
    ],
    [
      'a 0-d tensor by its relative error',
      { euclid: 0.5, maxAbs: 0.5, maxRel: 0.25 },
      Outcome.scalar,
      0,
      differs,
      0.25,
    ],
    [
      'one element that is nearly the same',
      { euclid: 1e-7, maxAbs: 1e-7, maxRel: 3 },
      Outcome.measured,
      Note.single,
      noise,
      0.00000005,
    ],
  ])('%s', async (_, values, outcome, notes, state, level) => {
    const table = await measured(values, outcome, notes)
    expect([table.state[0], table.level[0]]).toEqual([
      state,
      Number.isNaN(level) ? NaN : expect.closeTo(level, 6),
    ])
  })

  test('the reference’s own answer at its limits', () => {
    expect([
      accuracy(0.99, 0.5),
      accuracy(0.9899, 0.0011),
      accuracy(0.9899, 0.001),
      accuracy(1, 1),
      accuracy(1, 1.5),
      accuracy(NaN, 1),
      accuracy(0, 0),
    ]).toEqual([Answer.yes, Answer.no, Answer.yes, Answer.yes, Answer.no, Answer.yes, Answer.no])
  })
})
