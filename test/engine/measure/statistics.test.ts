// Statistics cells in the three dialects, against the reference's own vectors.
import { describe, expect, test } from 'vitest'
import { compareDumps, type CompareSettings } from '../../../main/engine/study/pair/compare.ts'
import { defaultThresholds } from '../../../main/engine/rules/thresholds.ts'
import { job } from '../../../main/engine/work/job.ts'
import type { Comparison } from '../../../main/engine/model/comparison.ts'
import type { Rules } from '../../../main/engine/model/names.ts'
import { drawn, tensor, type Ops } from '../../support/dump-text.ts'
import vectors from '../../fixtures/spec/statistics_vectors.json' with { type: 'json' }

type Value = number | string | null
interface Vector {
  npu: Value[]
  bench: Value[]
  engine_A: Value[]
  engine_B: Value[]
  engine_C: Value[]
}

/** JSON text of a float as Python writes it; whole numbers of the vectors are floats too. */
const json = (value: Value): string =>
  value === null
    ? 'null'
    : typeof value === 'string'
      ? value
      : Number.isInteger(value) && Math.abs(value) < 1e21
        ? `${Object.is(value, -0) ? '-0' : value}.0`
        : String(value)
const ops = (dtype: string, values: Value[]): Ops => ({
  'Functional.f.0.forward': { input_args: `[${tensor(dtype, [2], values.map(json))}]` },
})

async function compared(
  dtype: string,
  one: Vector,
  engine: CompareSettings['engine'],
  mapping: CompareSettings['mapping'],
  rules: Rules,
): Promise<Comparison> {
  const [debug, bench] = [await drawn(ops(dtype, one.npu)), await drawn(ops(dtype, one.bench))]
  return compareDumps(
    debug,
    bench,
    { rules, engine, fuzzy: false, mapping, stack: false, thresholds: defaultThresholds },
    { job: job(), measure: () => Promise.reject(new Error('no tensors')) },
  )
}

const name = 'Functional.f.0.forward.input.0'
const dialects = [
  ['engine_A', 'pytorch', {}, 'torch.float32'],
  ['engine_B', 'mindspore', {}, 'Float32'],
  ['engine_C', 'mindspore', { data: `${name}: ${name}` }, 'Float32'],
] as const

describe.each(dialects)('%s', (key, engine, mapping, dtype) => {
  test.each((vectors.cases as Vector[]).map((one, i) => [i, one] as const))('vector %d', async (_, one) => {
    const table = await compared(dtype, one, engine, mapping, 'msprobe-1.2.2')
    const cells = vectors.columns.map(title =>
      table.text(
        0,
        table.columns.findIndex(column => column.title === title),
      ),
    )
    cells.forEach((cell, i) => {
      const want = one[key][i] ?? ''
      if (typeof want === 'number')
        expect([vectors.columns[i], Number(cell) + 0]).toEqual([vectors.columns[i], want])
      else expect([vectors.columns[i], cell]).toEqual([vectors.columns[i], want])
    })
  })
})

test('our own rules subtract the numbers as dumped and warn on one statistic', async () => {
  const one: Vector = {
    npu: [116940825833592.97, -1, 1, 5],
    bench: [0.1, 0, 1, 5],
    engine_A: [],
    engine_B: [],
    engine_C: [],
  }
  const theirs = await compared('Float32', one, 'mindspore', {}, 'msprobe-1.2.2')
  const ours = await compared('Float32', one, 'mindspore', {}, 'plumbline')
  const result = ours.columns.findIndex(column => column.id === 'result')
  expect(theirs.number(0, 6)).toBe(116940825833592.95 - 0.1)
  expect(ours.number(0, 6)).toBe(116940825833592.97 - 0.1)
  expect([theirs.text(0, result), ours.text(0, result)]).toEqual(['', 'Warning'])
})
