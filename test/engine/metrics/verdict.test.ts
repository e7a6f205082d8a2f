// Verdicts and error levels of rows.
import { describe, expect, test } from 'vitest'
import { job } from '../../../main/engine/job.ts'
import { compareDumps, defaultThresholds } from '../../../main/engine/match/index.ts'
import { Note, Outcome } from '../../../main/engine/metrics/measured.ts'
import { emptyMeasured } from '../../../main/engine/metrics/remembered.ts'
import { accuracy, Answer } from '../../../main/engine/metrics/verdict.ts'
import { Verdict } from '../../../main/engine/model.ts'
import type { Comparison } from '../../../main/engine/result.ts'
import { drawn, scalar, tensor } from '../../support/dump-text.ts'
import { memoryFiles } from '../../support/memory-files.ts'

const { agree, disagree, unknown } = Verdict

async function judged(debug: string, bench: string, task = 'statistics', fill: (m: ReturnType<typeof emptyMeasured>) => void = () => {}): Promise<Comparison> {
  const dump = (leaf: string) => drawn({ 'Functional.f.0.forward': { input_args: `[${leaf}]`, output: '[]' } }, { task })
  const [a, b] = [await dump(debug), await dump(bench)]
  return compareDumps(a, b, { rules: 'plumbline', engine: 'mindspore', fuzzy: false, mapping: {}, stack: false, thresholds: defaultThresholds }, {
    files: memoryFiles({}), job: job(), measure(pairs) { const m = emptyMeasured(pairs.length); fill(m); return Promise.resolve(m) },
  })
}

describe('statistics', () => {
  const f32 = (...values: string[]): string => tensor('Float32', [4], values)
  const f16 = (...values: string[]): string => tensor('Float16', [4], values)

  test.each([
    ['equal', f32('1.0', '-1.0', '0.5', '2.0'), f32('1.0', '-1.0', '0.5', '2.0'), agree, 0],
    ['off by 1 % of the range', f32('1.01', '-1.0', '0.5', '2.0'), f32('1.0', '-1.0', '0.5', '2.0'), agree, 0.01],
    ['off by 10 %', f32('1.1', '-1.0', '0.5', '2.0'), f32('1.0', '-1.0', '0.5', '2.0'), disagree, 0.1],
    ['a mean near zero is measured against the range', f32('1.0', '-1.0', '0.001', '2.0'), f32('1.0', '-1.0', '0.0001', '2.0'), agree, 0.0009],
    ['the norm against itself', f32('1.0', '-1.0', '0.0', '2.0'), f32('1.0', '-1.0', '0.0', '1.0'), disagree, 1],
    ['small values in single precision', f32('0.0000005', '0.0', '0.0', '0.0'), f32('0.0000001', '0.0', '0.0', '0.0'), agree, 0],
    ['small values in half precision', f16('0.0009', '0.0', '0.0', '0.0'), f16('0.0001', '0.0', '0.0', '0.0'), agree, 0],
    ['not so small in single precision', f32('0.0009', '0.0', '0.0', '0.0'), f32('0.0001', '0.0', '0.0', '0.0'), disagree, 1],
    ['NaN on both sides', f32('NaN', 'NaN', 'NaN', 'NaN'), f32('NaN', 'NaN', 'NaN', 'NaN'), agree, 0],
    ['NaN on one side', f32('NaN', '0.0', '0.0', '1.0'), f32('1.0', '0.0', '0.0', '1.0'), disagree, 1],
    ['Inf of both signs', f32('Infinity', '0.0', '0.0', '1.0'), f32('-Infinity', '0.0', '0.0', '1.0'), disagree, 1],
    ['no statistics', f32('null', 'null', 'null', 'null'), f32('null', 'null', 'null', 'null'), unknown, NaN],
    ['other shapes', tensor('Float32', [1], ['1.0']), tensor('Float32', [2], ['1.0']), unknown, NaN],
    ['a scalar argument', scalar('float', '1e-5'), scalar('float', '1e-3'), disagree, 0.99],
    ['a flag', scalar('bool', 'true'), scalar('bool', 'false'), disagree, 1],
    ['a word', scalar('str', '"mean"'), scalar('str', '"sum"'), disagree, 1],
    ['a device', scalar('torch.device', '"npu:0"'), scalar('torch.device', '"cpu"'), agree, 0],
  ])('%s', async (_, debug, bench, verdict, level) => {
    const table = await judged(debug, bench)
    expect([table.verdict[0], table.level[0]]).toEqual([verdict, Number.isNaN(level) ? NaN : expect.closeTo(level, 6)])
  })

  test('other thresholds judge the same rows again', async () => {
    const table = await judged(f32('1.1', '0.0', '0.0', '1.0'), f32('1.0', '0.0', '0.0', '1.0'))
    expect([table.verdict[0], table.judged({ ...defaultThresholds, relative: 0.2 }).verdict[0]]).toEqual([disagree, agree])
  })
})

describe('md5', () => {
  const md5 = (value?: string): string => tensor('Float32', [4], ['1.0'], value ? { md5: value } : {})
  test('equal, different, and a tensor that carries none', async () => {
    expect((await judged(md5('aa'), md5('aa'))).verdict[0]).toBe(agree)
    expect((await judged(md5('aa'), md5('bb'))).verdict[0]).toBe(disagree)
    expect((await judged(`${md5('aa')}, ${md5()}`, `${md5('aa')}, ${md5()}`)).verdict[1]).toBe(unknown)
  })
})

describe('tensors', () => {
  const leaf = tensor('Float32', [4], ['1.0'], { data_name: 'Functional.f.0.forward.input.0.npy' })
  const measured = (values: Partial<Record<'cosine' | 'maxAbs' | 'maxRel' | 'thousandth', number>>, outcome: number = Outcome.measured, notes = 0) =>
    judged(leaf, leaf, 'tensor', m => { m.outcome[0] = outcome; m.notes[0] = notes; for (const [key, value] of Object.entries(values)) m[key as 'cosine'][0] = value })

  test.each([
    ['reached', { cosine: 1, maxAbs: 0.0001, thousandth: 0.9 }, Outcome.measured, 0, agree, 0.1],
    ['not reached', { cosine: 0.5, maxAbs: 2, thousandth: 0.2 }, Outcome.measured, 0, disagree, 0.8],
    ['positions of NaN differ', {}, Outcome.nanPositions, 0, disagree, 1],
    ['shapes differ', {}, Outcome.shapesDiffer, 0, unknown, NaN],
    ['a missing file', {}, Outcome.benchMissing, 0, unknown, NaN],
    ['equal bytes, whatever the ratio says', { cosine: 1, maxAbs: 0, thousandth: 0.3 }, Outcome.measured, Note.equalBytes, agree, 0],
    ['all zero on one side passes for the reference, not for us', { maxAbs: 0.5, thousandth: 0 }, Outcome.measured, Note.debugAllZero, disagree, 1],
    ['a 0-d tensor by its relative error', { maxAbs: 0.5, maxRel: 0.25 }, Outcome.scalar, 0, disagree, 0.25],
    ['one element that is nearly the same', { maxAbs: 1e-7, maxRel: 3 }, Outcome.measured, Note.single, agree, 0],
  ])('%s', async (_, values, outcome, notes, verdict, level) => {
    const table = await measured(values, outcome, notes)
    expect([table.verdict[0], table.level[0]]).toEqual([verdict, Number.isNaN(level) ? NaN : expect.closeTo(level, 6)])
  })

  test('the reference’s own answer at its limits', () => {
    expect([accuracy(0.99, 0.5), accuracy(0.9899, 0.0011), accuracy(0.9899, 0.001), accuracy(1, 1), accuracy(1, 1.5), accuracy(NaN, 1), accuracy(0, 0)])
      .toEqual([Answer.yes, Answer.no, Answer.yes, Answer.yes, Answer.no, Answer.yes, Answer.no])
  })
})
