// The one measure of error.
import { expect, test } from 'vitest'
import { Equal, ErrorMeter, Part, relativeError } from '../../../main/engine/measure/error.ts'
import { emptyMeasured } from '../../../main/engine/measure/metrics.ts'
import { Outcome } from '../../../main/engine/model/measured.ts'
import { dumpOf, paired } from '../../support/graphs.ts'
import { tensor } from '../../support/dump-text.ts'

const name = 'Functional.relu.0.forward'
const of = (stats: readonly string[]): ReturnType<typeof dumpOf> => {
  const leaf = tensor('torch.float16', [4], stats)
  return dumpOf({ [name]: null }, { [name]: { input_args: `[${leaf}]`, output: `[${leaf}]` } })
}

test.each([
  ['a mean against the range', ['2.0', '-4.0', '0.2', '5.0'], ['2.0', '-4.0', '0.0', '5.0'], [0.05, 0, 0]],
  ['a norm against itself', ['2.0', '-4.0', '0.0', '6.0'], ['2.0', '-4.0', '0.0', '5.0'], [0, 0.2, 0]],
  ['a norm that overflowed', ['2.0', '-4.0', '0.0', 'Infinity'], ['2.0', '-4.0', '0.0', '5.0'], [0, 0, 0]],
  ['an infinite element', ['Infinity', '-4.0', '0.0', '5.0'], ['2.0', '-4.0', '0.0', '5.0'], [1, 0, 0]],
])('%s', async (_, debug, bench, parts) => {
  const meter = new ErrorMeter(await of(debug), await of(bench), null)
  expect(meter.measure(0, 0, -1)).toBeCloseTo(Math.max(...parts), 12)
  parts.forEach((part, i) => expect(meter.parts[i]).toBeCloseTo(part, 12))
  expect(meter.equal).toBe(Equal.no)
})

test('elements against the norm, and equal bytes', async () => {
  const dump = await of(['2.0', '-4.0', '0.0', '5.0'])
  const measured = emptyMeasured(1)
  measured.outcome[0] = Outcome.measured
  measured.euclid[0] = 0.5
  const meter = new ErrorMeter(dump, dump, measured)
  expect(meter.measure(0, 0, 0)).toBeCloseTo(0.1, 12)
  expect(meter.parts[Part.elements]).toBeCloseTo(0.1, 12)
})

test('elements against the norm that was read, where the dump has no statistics', async () => {
  const dump = await of(['null', 'null', 'null', 'null'])
  const measured = { ...emptyMeasured(3), debugHash: Uint32Array.of(1, 0, 1, 0, 1, 0) }
  measured.benchHash.set([2, 0, 2, 0, 2, 0])
  measured.outcome.fill(Outcome.measured)
  measured.euclid.set([0.5, 0, 3])
  measured.benchNorm.set([5, NaN, 0])
  const meter = new ErrorMeter(dump, dump, measured)
  expect([0, 1, 2].map(entry => meter.measure(0, 0, entry))).toEqual([0.1, 0, 1])
})

test('NaN and infinity on one side only are the whole range; no scale is none', () => {
  expect([
    relativeError(NaN, NaN, 1),
    relativeError(NaN, 1, 1),
    relativeError(1, 1, 0),
    relativeError(1, 0, 0),
    relativeError(1, 0, 4),
  ]).toEqual([0, 1, 0, 1, 0.25])
})

test('a row shows this measure', async () => {
  const { comparison } = await paired(
    await of(['2.0', '-4.0', '0.2', '5.0']),
    await of(['2.0', '-4.0', '0.0', '5.0']),
  )
  expect(comparison.level[0]).toBeCloseTo(0.05, 12)
})
