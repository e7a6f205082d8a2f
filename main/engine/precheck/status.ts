// Why run_ut gave an output its status: the first of its tests that decided, with number and limit.
import type { VerdictCheck, VerdictState } from '../model/index.ts'
import { statusTitles } from './metrics.ts'
import type { Cells } from './tables.ts'
import { plainCheck, stateOf } from './verdicts.ts'

interface Test {
  readonly metric: keyof typeof statusTitles
  readonly limit: number
  /** How the number has to lie for this test to decide. */
  readonly when: '≤' | '<' | '>'
}

const cosine: Test = { metric: 'cosine', limit: 0.99, when: '≤' }
const small: Test = { metric: 'maxAbsolute', limit: 0.001, when: '<' }
const narrow: readonly Test[] = [
  cosine,
  small,
  { metric: 'hundredth', limit: 0.99, when: '≤' },
  { metric: 'thousandth', limit: 0.999, when: '>' },
  { metric: 'thousandth', limit: 0.999, when: '≤' },
]
const wide: readonly Test[] = [
  cosine,
  small,
  { metric: 'thousandth', limit: 0.999, when: '≤' },
  { metric: 'tenThousandth', limit: 0.9999, when: '≤' },
  { metric: 'tenThousandth', limit: 0.9999, when: '>' },
]
const exact: readonly Test[] = [
  { metric: 'binary', limit: 0, when: '>' },
  { metric: 'binary', limit: 0, when: '≤' },
]

const decides = (value: number, { limit, when }: Test): boolean => {
  if (when === '<') return value < limit
  return when === '>' ? value > limit : value <= limit
}

/** Null where the numbers do not say. */
export function checkOfStatus(cells: Cells): VerdictCheck | null {
  const dtype = cells.text('DEVICE Dtype')
  const tests = /float16/.test(dtype) ? narrow : /float/.test(dtype) ? wide : exact
  const numberOf = ({ metric }: Test): number => cells.number(statusTitles[metric])
  const found = tests.find(test => decides(numberOf(test), test))
  if (!found) {
    // 1.2.2 fails what has no cosine because of a NaN.
    const isNan = cells.text(statusTitles.cosine).trim() !== '' && Number.isNaN(numberOf(cosine))
    const verdict = stateOf(cells.text('Status'))
    return isNan && verdict === 'error'
      ? { ...plainCheck, metric: 'cosine', npu: NaN, counted: true, verdict }
      : null
  }
  const { metric, when: sign, limit } = found
  const verdict: VerdictState = stateOf(cells.text('Status'))
  const npu = numberOf(found)
  return { ...plainCheck, metric, npu, limit: { of: 'npu', sign, value: limit }, counted: true, verdict }
}
