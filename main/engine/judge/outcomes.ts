// Tensor mode: what the reference writes for each way that measuring a pair can end.
import type { MetricColumn } from '../measure/index.ts'
import { type Measured, type MeasuredRow, Note, Outcome } from '../model/index.ts'

/** What metric cells say that have no number. */
export const noNumbers = 'unsupported'

/** What all cells of metrics say instead of numbers; null where numbers are shown. */
const insteadOfNumbers: Readonly<Record<number, string | null>> = {
  [Outcome.pending]: '',
  [Outcome.measured]: null,
  [Outcome.debugMissing]: noNumbers,
  [Outcome.benchMissing]: noNumbers,
  [Outcome.corrupt]: noNumbers,
  [Outcome.empty]: noNumbers,
  [Outcome.scalar]: null,
  [Outcome.shapesDiffer]: 'shape unmatched',
  [Outcome.unreadable]: noNumbers,
  [Outcome.nanPositions]: 'N/A',
}

/** What the cell of a metric says: its number as it is printed, or msprobe's text in place of one. */
export function metricCell(metric: MetricColumn, measured: Measured, pair: MeasuredRow): number | string {
  const outcome = measured.outcome[pair]
  const text = insteadOfNumbers[outcome]
  if (text !== null) return text
  if (outcome === Outcome.scalar ? !metric.scalar : !metric.single && measured.notes[pair] & Note.single)
    return noNumbers
  const value = measured[metric.id][pair]
  return Number.isNaN(value) ? 'Nan' : metric.rounded(value)
}

export const noBenchRow = 'No bench data matched.'
export const noBenchFile = 'Bench does not have data file.'
export const fuzzySentence = ' Fuzzy matching data, the comparison accuracy may be affected.'

const checks: Readonly<Partial<Record<number, string>>> = {
  [Outcome.empty]: 'This is empty data, can not compare.',
  [Outcome.scalar]:
    "This is type of 0-d tensor, can not calculate 'Cosine', 'One Thousandth Err Ratio' and 'Five Thousandths Err Ratio'. ",
  [Outcome.shapesDiffer]: 'Shape of NPU and bench tensor do not match. Skipped.',
  [Outcome.unreadable]: 'Data is unreadable.',
  [Outcome.nanPositions]: 'The position of inf or nan in NPU and bench Tensor do not match.',
}

const noted: readonly (readonly [bit: number, text: string])[] = [
  [Note.dtypesDiffer, 'Dtype of NPU and bench tensor do not match.'],
  [Note.single, 'This is a 1-d tensor of length 1.'],
  [Note.debugAllZero, 'Cannot compare by Cosine Similarity, All the data is Zero in npu dump data.'],
  [Note.benchAllZero, 'Cannot compare by Cosine Similarity, All the data is Zero in Bench dump data.'],
  [Note.cosineNan, 'Cannot compare by Cosine Similarity, the dump data has NaN.'],
  [Note.maxAbsNan, 'Cannot compare by MaxAbsError, the data contains nan/inf/-inf in dump data.'],
  [Note.maxRelNan, 'Cannot compare by MaxRelativeError, the data contains nan/inf/-inf in dump data.'],
]

/** Err_message of a pair; `missing` names a file that was not there. */
export function outcomeMessage(measured: Measured, pair: MeasuredRow, missing: () => string): string {
  const outcome = measured.outcome[pair]
  if (outcome === Outcome.debugMissing || outcome === Outcome.benchMissing || outcome === Outcome.corrupt)
    return `Dump file: ${missing()} not found.`
  const check = checks[outcome] ?? ''
  if (outcome !== Outcome.measured && outcome !== Outcome.scalar) return check
  return check + noteTexts(measured.notes[pair])
}

export function noteTexts(notes: number): string {
  let text = ''
  if (notes !== 0) for (const [bit, sentence] of noted) if (notes & bit) text += sentence
  return text
}
