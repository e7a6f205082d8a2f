// Recomputing some calls, as a thread does it.
import { quickFiles, type Root } from '../io/index.ts'
import { job, type TaskContext } from '../work/index.ts'
import type { NdArray } from './array.ts'
import type { DirectionAnswer, ItemAnswer } from '../model/index.ts'
import { type CallOrder, recompute, type Visit } from './call.ts'
import type { DetailRow } from './details.ts'
import { type Generation, numberStatus, statusOf } from './status.ts'

export interface RecomputeOrder {
  readonly roots: readonly Root[]
  readonly calls: readonly CallOrder[]
  /** The exact results are wanted as well. */
  readonly values: boolean
  /** Rows as msprobe's comparator has them are wanted, of this generation; null for none. */
  readonly details: Generation | null
}

/** An exact result, whole. */
export interface ExactArray extends Pick<NdArray, 'dtype' | 'shape' | 'data' | 'imaginary'> {
  readonly item: string
}

export interface RecomputeAnswer {
  readonly directions: readonly DirectionAnswer[]
  readonly arrays: readonly ExactArray[]
  readonly rows: readonly DetailRow[]
}

export async function recomputeTask(
  order: RecomputeOrder,
  { signal }: Pick<TaskContext, 'signal'>,
): Promise<RecomputeAnswer> {
  const breathing = job(signal)
  const files = quickFiles(order.roots)
  const directions: DirectionAnswer[] = []
  const arrays: ExactArray[] = []
  const rows: DetailRow[] = []
  for (const call of order.calls) {
    const visit: Visit = ({ answer, outcome: { values }, stored }) => {
      if (order.details !== null && !isDropout(call))
        rows.push(rowOf(call, answer, values, stored, order.details))
      if (order.values) arrays.push({ ...values, item: answer.item })
    }
    const wanted = order.details !== null || order.values
    const found = recompute(files, call, wanted ? visit : null)
    for (const one of found) directions.push(one)
    await breathing.breathe()
  }
  return { directions, arrays, rows }
}

/** msprobe leaves these out of its details. */
const isDropout = ({ path }: CallOrder): boolean => path.includes('dropout')

function rowOf(
  { path }: CallOrder,
  answer: ItemAnswer,
  exact: NdArray,
  stored: NdArray,
  generation: Generation,
): DetailRow {
  const isNumber = ['bool', 'int', 'float'].includes(answer.dtype)
  const row = isNumber
    ? numberStatus(answer.dtype, answer.mismatches === 0)
    : statusOf(path, exact, stored, generation)
  return { ...row, name: answer.item }
}
