// The metrics against their definitions, written down plainly, and what they say where there is nothing to divide by.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { spellMetrics } from '../../../main/engine/vector/metrics.ts'
import { numberNames, PairSums, type NumberName } from '../../../main/engine/vector/sums.ts'

const sumsOf = (x: readonly number[], y: readonly number[], step = 7): Float64Array => {
  const sums = new PairSums()
  const stretches = Array.from({ length: Math.ceil(x.length / step) }, (_, i) => i * step)
  const part = (values: readonly number[], from: number): Float64Array =>
    Float64Array.from(values.slice(from, from + step))
  for (const from of stretches) sums.add(part(x, from), part(y, from), Math.min(step, x.length - from))
  sums.settle()
  for (const from of stretches) sums.addAgain(part(x, from), part(y, from), Math.min(step, x.length - from))
  return sums.numbers()
}
const numbersOf = (x: readonly number[], y: readonly number[]): Record<NumberName, number> => {
  const numbers = sumsOf(x, y)
  return Object.fromEntries(numberNames.map((name, i) => [name, numbers[i]])) as Record<NumberName, number>
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)
const mean = (values: readonly number[]): number => sum(values) / values.length
const norm = (values: readonly number[]): number => Math.sqrt(sum(values.map(value => value * value)))

/** One after the other, as the definitions stand. */
function plain(x: readonly number[], y: readonly number[]): Partial<Record<NumberName, number>> {
  const off = x.map((value, i) => value - y[i])
  const relative = x.map((value, i) => (Math.abs(y[i]) > Number.EPSILON ? Math.abs(value / y[i] - 1) : 0))
  const shares = (values: readonly number[]): number[] => {
    const [low, high] = [Math.min(...values), Math.max(...values)]
    const raised = values.map(v => Math.max(high === low ? v : (v - low) / (high - low), 2 ** -23))
    return raised.map(v => v / sum(raised))
  }
  const [p, q] = [shares(x), shares(y)]
  return {
    cosine: Math.min(1, sum(x.map((value, i) => (value / norm(x)) * (y[i] / norm(y))))),
    maxAbs: Math.max(...off.map(Math.abs)),
    accumulated: sum(relative),
    euclid: norm(y) <= Number.EPSILON ? 0 : norm(off) / norm(y),
    divergence: sum(p.map((value, i) => value * Math.log(value / q[i]))),
    leftMean: mean(x),
    leftDeviation: Math.sqrt(mean(x.map(value => (value - mean(x)) ** 2))),
    meanAbs: mean(off.map(Math.abs)),
    rootMeanSquare: Math.sqrt(mean(off.map(value => value * value))),
    maxRel: Math.max(...relative),
    meanRel: mean(relative),
  }
}

const value = fc.float({ min: -1000, max: 1000, noNaN: true, noDefaultInfinity: true })

test('agrees with the definitions, whatever the stretches', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(value, value), { minLength: 2, maxLength: 60 }), pairs => {
      const [x, y] = [pairs.map(([x]) => x), pairs.map(([, y]) => y)]
      fc.pre(norm(x) > 1e-3 && norm(y) > 1e-3)
      const found = numbersOf(x, y)
      for (const [name, wanted] of Object.entries(plain(x, y)))
        expect(Math.abs(found[name as NumberName] - wanted)).toBeLessThanOrEqual(
          1e-7 + 1e-9 * Math.abs(wanted),
        )
    }),
  )
})

test('values are taken as float32, truth values as they are', () => {
  expect(numbersOf([16777217], [16777216]).maxAbs).toBe(0)
  const bools = new PairSums(false)
  bools.add(Float64Array.of(1, 0), Float64Array.of(1, 1), 2)
  bools.settle()
  expect(bools.numbers()[0]).toBeCloseTo(Math.SQRT1_2, 12)
})

describe('the texts of a row', () => {
  const cells = (x: number[], y: number[], more = {}): readonly string[] =>
    spellMetrics(sumsOf(x, y), { bool: false, count: x.length, scalar: false, ...more }).cells
  const reasons = (x: number[], y: number[], more = {}): readonly string[] =>
    spellMetrics(sumsOf(x, y), { bool: false, count: x.length, scalar: false, ...more }).reasons

  test('six decimals, and three of means and deviations', () => {
    expect(cells([1, 2, 3], [1, 2, 3.5])).toEqual([
      '0.997409',
      '0.500000',
      '0.142857',
      '0.120386',
      '0.005388',
      '(2.000;0.816),(2.167;1.027)',
      '0.166667',
      '0.288675',
      '0.142857',
      '0.047619',
    ])
  })

  test('small means are shown as 0, and nothing below an epsilon as a divergence', () => {
    expect(cells([0.0004, -0.0003], [0.0004, -0.0003])[5]).toBe('(0.000;0.000),(0.000;0.000)')
    expect(cells([0.1, 0.2], [0.1, 0.2])[4]).toBe('0.000000')
  })

  test.each([
    ['both sides zero', [0, 0], [0, 0], {}, '1.0', 0],
    ['one side zero', [0, 0], [1, 2], {}, 'NaN', 1],
    ['NaN', [NaN, 1], [1, 2], {}, 'nan', 0],
    ['one element', [3], [4], { scalar: true }, '1.000000', 1],
    ['no element', [], [], {}, '1.0', 1],
  ])('the cosine of %s', (_, x, y, more, text, why) => {
    expect(cells(x, y, more)[0]).toBe(text)
    expect(reasons(x, y, more)).toHaveLength(why)
  })

  test('truth values have a cosine only', () => {
    expect(cells([1, 0], [1, 1], { bool: true })).toEqual([
      '0.707107',
      ...Array.from({ length: 9 }, () => 'NaN'),
    ])
    expect(cells([1, 0], [0, 0], { bool: true })[3]).toBe('0.000000')
  })

  test('no element has no extremes', () => {
    expect(cells([], []).slice(1)).toEqual([
      'NaN',
      '0.000000',
      '0.000000',
      'NaN',
      '(nan;nan),(nan;nan)',
      'NaN',
      'NaN',
      'NaN',
      'NaN',
    ])
  })
})
