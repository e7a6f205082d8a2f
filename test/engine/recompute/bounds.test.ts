// How far a right result may be off, and what a bound must not hide.
import { describe, expect, it } from 'vitest'
import { array, filled, type NdArray } from '../../../main/engine/recompute/array.ts'
import { gradientsOf } from '../../support/gradients.ts'
import { step, summedAsStored } from '../../../main/engine/recompute/operation.ts'
import { lowSum } from '../../../main/engine/recompute/precision.ts'
import { brainRound } from '../../../main/engine/recompute/rounding.ts'
import { gatheredShort, judge } from '../../../main/engine/recompute/verdict.ts'

const rounded = (of: NdArray, by: (x: number) => number): NdArray => ({ ...of, data: of.data.map(by) })

const wave = (shape: readonly number[], size: number, dtype: NdArray['dtype']): NdArray => {
  const data = filled(shape, 0).data.map((_, i) => brainRound(size * Math.sin(i * 1.7 + 0.3)))
  return array(data, shape, dtype)
}

describe('bounds', () => {
  it.each([['float32'], ['bfloat16'], ['float16']] as const)('leave nothing at a zero of %s', dtype => {
    const values = array(Float64Array.of(0, 1), [2], dtype)
    expect(judge(step(values), array(Float64Array.of(2 ** -8, 1), [2], dtype)).verdict).toBe('error')
    expect(judge(step(values), array(Float64Array.of(0, 1), [2], dtype)).verdict).toBe('pass')
  })

  it('of a sum that cancels are as narrow as its terms walk', () => {
    const count = 4096
    const sum = summedAsStored(array(Float64Array.of(0.01), [], 'float32'), count, () => Float64Array.of(100))
    const off = (by: number): string => judge(sum, array(Float64Array.of(0.01 + by), [], 'float32')).verdict
    expect(off(100 * 2 ** -24 * Math.sqrt(count))).toBe('pass')
    expect(off(100 * 2 ** -24 * count)).toBe('error')
  })

  it('of a sum of one sign are as wide as one that always rounds alike', () => {
    const count = 4096
    const sum = summedAsStored(array(Float64Array.of(100), [], 'float32'), count, () => Float64Array.of(100))
    const off = array(Float64Array.of(100 + 100 * 2 ** -24 * count), [], 'float32')
    expect(judge(sum, off).verdict).toBe('pass')
  })

  it('let a gradient be gathered in bfloat16, but one element stand out of it', () => {
    const data = Float64Array.from({ length: 64 }, (_, i) => Math.sin(i))
    const { values, bound } = summedAsStored(array(data, [64], 'bfloat16'), 128, () => data.map(() => 20))
    const sum = { values, bound: { ...bound, stages: true, roughest: 2 ** -8 } as const }
    const short = rounded(values, x => brainRound(x + 20 * 2 ** -9 * Math.cos(x * 999)))
    expect(judge(sum, short).verdict).not.toBe('pass')
    expect(lowSum(sum, short)).toBe('lowAccumulation')
    const gathered = gatheredShort(sum)
    expect(gathered && judge(gathered, short).verdict).toBe('pass')
    const one = rounded(values, brainRound)
    one.data[3] += 0.25
    expect(judge(sum, one).verdict).toBe('error')
    expect(lowSum(sum, one)).toBe('')
  })

  it('know the slopes of the gamma function, also where they cross zero', () => {
    const at = array(Float64Array.of(0.3, 1.4616321, 5, -0.7, 30), [5], 'float32')
    const ones = filled([5], 1, 'float32')
    const [slope] = gradientsOf('digamma', [at], ones)
    const wanted = [
      12.245364544940365, 0.9676722857, 0.22132295575099345, 14.286180872300749, 0.03389506035774027,
    ]
    expect([...slope.values.data]).toEqual(wanted.map(x => expect.closeTo(x, 6)))
    const [gradient] = gradientsOf('lgamma', [at], ones)
    const near = rounded({ ...gradient.values, dtype: 'float32' }, x => Math.fround(x + 2 ** -23))
    expect(judge(gradient, near).verdict).toBe('pass')
  })

  it('find a third of the largest gradient of attention in bfloat16, however small it is', () => {
    const shape = [2, 2, 9, 8]
    const sides = ['query', 'key', 'value'].map((_, i) => wave(shape, 1 + i / 3, 'bfloat16'))
    const grad = wave(shape, 1e-4, 'bfloat16')
    const gradients = gradientsOf('scaled_dot_product_attention', sides, grad)
    expect(gradients).toHaveLength(3)
    for (const gradient of gradients) {
      const right = rounded({ ...gradient.values, dtype: 'bfloat16' }, brainRound)
      expect(judge(gradient, right).verdict).toBe('pass')
      const most = right.data.reduce((at, x, i) => (Math.abs(x) > Math.abs(right.data[at]) ? i : at), 0)
      right.data[most] = brainRound(right.data[most] * 1.3)
      expect(judge(gradient, right).verdict).not.toBe('pass')
    }
  })
})
