// Why run_ut gave an output its status: the first of its tests that decided, with number and limit.
import type { ToldCheck, ToldMetric } from '../model/index.ts'
import { statusTitles } from './metrics.ts'
import type { ToldCells } from './told.ts'

interface Test {
  readonly metric: ToldMetric
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
export function checkOfStatus(cells: ToldCells): ToldCheck | null {
  const dtype = cells.text('DEVICE Dtype')
  const tests = /float16/.test(dtype) ? narrow : /float/.test(dtype) ? wide : exact
  const numberOf = ({ metric }: Test): number => cells.number(statusTitles[metric])
  const found = tests.find(test => decides(numberOf(test), test))
  if (!found) return null
  const { metric, when: sign, limit } = found
  return {
    metric,
    isRatio: false,
    value: String(numberOf(found)),
    limit: { sign, value: limit },
    verdict: '',
  }
}
