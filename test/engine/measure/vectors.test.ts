// The reference's own metric vectors, through files and both pools' code path.
import { Note, Outcome } from '../../../main/engine/model/measured.ts'
import { describe, expect, it } from 'vitest'
import { addValues, noSums, relativeRule } from '../../../main/engine/measure/kernels.ts'
import {
  pairNumbers,
  perMetric,
  scalarNumbers,
  withoutNumbers,
  type PairNumbers,
} from '../../../main/engine/measure/metrics.ts'
import { fixed12, roundCosine } from '../../../main/engine/python/numpy.ts'
import { dtypeOf, dtypes } from '../../../main/engine/formats/tensors/dtype.ts'
import vectors from '../../fixtures/spec/metric_vectors.json' with { type: 'json' }

const value = (v: unknown): number => (typeof v === 'string' ? Number(v === 'NaN' ? NaN : v) : Number(v))

function cells(one: (typeof vectors.cases)[number]): PairNumbers {
  const debug = dtypeOf(one.npu.dtype) ?? dtypes.float32
  const bench = dtypeOf(one.bench.dtype) ?? dtypes.float32
  const a = Float64Array.from(one.npu.values as unknown[], value)
  const b = Float64Array.from(one.bench.values as unknown[], value)
  if (a.length === 0) return withoutNumbers(Outcome.empty)
  if (String(one.npu.shape) !== String(one.bench.shape)) return withoutNumbers(Outcome.shapesDiffer)
  const scalar = (type: typeof debug, x: number): number | bigint => (type.low === undefined ? x : BigInt(x))
  if (one.npu.shape.length === 0)
    return scalarNumbers({ debug, x: scalar(debug, a[0]), bench, y: scalar(bench, b[0]) })
  const sums = noSums()
  addValues(a, b, a.length, relativeRule(debug, bench), sums)
  return pairNumbers(sums, a.length, debug, bench)
}

/** Cells as the reference writes them. */
function printed({ outcome, notes, values }: PairNumbers): unknown[] {
  const c = { outcome, notes, ...perMetric(i => values[i]!) }
  const same = (text: unknown): unknown[] => [text, text, text, text, text]
  if (c.outcome === Outcome.empty) return same(0)
  if (c.outcome === Outcome.shapesDiffer) return same('shape unmatched')
  if (c.outcome === Outcome.nanPositions) return same('N/A')
  const number = (x: number): unknown =>
    Number.isNaN(x) ? 'Nan' : Number.isFinite(x) ? fixed12(x) : x > 0 ? 'Infinity' : '-Infinity'
  const scalar = c.outcome === Outcome.scalar
  return [
    scalar || c.notes & Note.single ? 'unsupported' : Number.isNaN(c.cosine) ? 'Nan' : roundCosine(c.cosine),
    number(c.maxAbs),
    number(c.maxRel),
    scalar ? 'unsupported' : number(c.thousandth),
    scalar ? 'unsupported' : number(c.fiveThousandths),
  ]
}

describe('the scalar kernels', () => {
  it.each(vectors.cases.map(one => [one.case, one] as const))('agree with the reference: %s', (_, one) => {
    const got = cells(one)
    const want = [one.cosine, one.max_abs_err, one.max_relative_err, one.one_thousandth, one.five_thousandths]
    printed(got).forEach((cell, i) => {
      const expected = want[i]
      if (i === 0 && typeof cell === 'number' && typeof expected === 'number')
        expect(Math.abs(cell - expected)).toBeLessThanOrEqual(2e-12)
      else expect(cell).toEqual(expected)
    })
    expect(Boolean(got.notes & Note.dtypesDiffer)).toBe(one.err_message.includes('Dtype of NPU'))
    expect(Boolean(got.notes & Note.maxRelNan)).toBe(one.err_message.includes('MaxRelativeError'))
    expect(Boolean(got.notes & Note.maxAbsNan)).toBe(one.err_message.includes('MaxAbsError'))
    expect(Boolean(got.notes & Note.cosineNan)).toBe(one.err_message.includes('dump data has NaN'))
    expect(Boolean(got.notes & Note.debugAllZero)).toBe(one.err_message.includes('in npu dump'))
    expect(Boolean(got.notes & Note.benchAllZero)).toBe(one.err_message.includes('in Bench dump'))
    expect(Boolean(got.notes & Note.single)).toBe(one.err_message.includes('length 1'))
  })
})
