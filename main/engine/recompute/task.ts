// Recomputing some calls, as a thread does it.
import { quickFiles, type Root } from '../io/index.ts'
import { job, type TaskContext } from '../work/index.ts'
import type { NdArray } from './array.ts'
import { type CallOrder, type DirectionAnswer, recompute } from './call.ts'

export interface RecomputeOrder {
  readonly roots: readonly Root[]
  readonly calls: readonly CallOrder[]
  /** The exact results are wanted as well. */
  readonly values: boolean
}

/** An exact result, whole. */
export interface ExactArray extends Pick<NdArray, 'dtype' | 'shape' | 'data' | 'imaginary'> {
  readonly item: string
}

export interface RecomputeAnswer {
  readonly directions: readonly DirectionAnswer[]
  readonly arrays: readonly ExactArray[]
}

export async function recomputeTask(
  order: RecomputeOrder,
  { signal }: Pick<TaskContext, 'signal'>,
): Promise<RecomputeAnswer> {
  const breathing = job(signal)
  const files = quickFiles(order.roots)
  const directions: DirectionAnswer[] = []
  const arrays: ExactArray[] = []
  for (const call of order.calls) {
    const found = recompute(files, call, ({ answer, exact }) => {
      if (order.values) arrays.push({ ...exact, item: answer.item })
    })
    for (const one of found) directions.push(one)
    await breathing.breathe()
  }
  return { directions, arrays }
}
