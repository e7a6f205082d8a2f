// msprobe's answers per row: Yes, Warning, Different …
import { type Measured, reachedLimits } from '../model/index.ts'
import { fixed12, roundCosine } from '../python/index.ts'

/** What the last answer column of msprobe says. */
export const Answer = {
  blank: 0,
  yes: 1,
  no: 2,
  none: 3,
  unmatched: 4,
  warning: 5,
  notThere: 6,
  pass: 7,
  different: 8,
  error: 9,
} as const
export type Answer = (typeof Answer)[keyof typeof Answer]
export const answerTexts = [
  '',
  'Yes',
  'No',
  'None',
  'Unmatched',
  'Warning',
  'N/A',
  'pass',
  'Different',
  'error',
] as const

/** Answers that the first-failing rule looks for. */
export const isFailing = (answer: number): boolean =>
  answer === Answer.no || answer === Answer.warning || answer === Answer.different || answer === Answer.error

/** "Accuracy Reached or Not" of measured errors; both rounded as shown, NaN where the cell says Nan. */
export function accuracy(cosine: number, maxAbs: number): Answer {
  const [leastCosine, leastBoth] = reachedLimits.cosine
  const [mostAbs, mostBoth] = reachedLimits.maxAbs
  if (cosine < leastBoth && maxAbs > mostBoth) return Answer.no
  return cosine < leastCosine || maxAbs > mostAbs ? Answer.no : Answer.yes
}

/** The same of a measured pair. */
export const accuracyOf = (measured: Measured, pair: number): Answer =>
  accuracy(roundCosine(measured.cosine[pair]), fixed12(measured.maxAbs[pair]))
