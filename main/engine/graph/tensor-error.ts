// How far one tensor is off, in the colours of the error level.
import { type ItemRows, type PairRow, RowState } from '../model/index.ts'
import { bucketOf, errorScale, noMeasure, noPartner, notComparable, worst } from './colors.ts'

export interface TensorError {
  readonly bucket: number
  /** NaN where it is not known. */
  readonly level: number
}

export const noError: TensorError = { bucket: noMeasure, level: NaN }

/** Of states that are no difference. */
const plain: Readonly<Record<number, number>> = {
  [RowState.equal]: 0,
  [RowState.noise]: 0,
  [RowState.incomparable]: notComparable,
  [RowState.unpaired]: noPartner,
}

export function tensorError({ state, level }: ItemRows, row: PairRow): TensorError {
  if (row < 0) return noError
  const far = level[row]
  if (state[row] !== RowState.differs) return { bucket: plain[state[row]] ?? noMeasure, level: far }
  return { bucket: Number.isNaN(far) ? worst : Math.max(1, bucketOf(errorScale, far)), level: far }
}

export const worse = (a: TensorError, b: TensorError): TensorError => (b.bucket > a.bucket ? b : a)
