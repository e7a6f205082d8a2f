// What may run in a thread: name → task. One set of chunk buffers per thread serves all of them.
import type { AdviceDumps, AdviceOrder } from '../advisor/index.ts'
import { dtypes, readTask } from '../formats/index.ts'
import {
  binTask,
  cutTask,
  elementsTask,
  heatTask,
  kindTask,
  numbersTask,
  pairTask,
  sameTask,
  specsTask,
  spreadTask,
  sumTask,
} from '../inspect/index.ts'
import { type Kernels, measureTask, noSums, simdKernels, statisticsTask } from '../measure/index.ts'
import { batchTask, closeTask, peakTask, vectorTask } from '../vector/index.ts'
import type { BothOrders, RecomputeOrder } from '../recompute/index.ts'
import { overflowTask } from '../overflow/index.ts'
import { replicasTask } from '../replicas/index.ts'
import { closenessTask } from '../view/index.ts'
import type { Task, TaskContext, Tasks } from '../work/index.ts'
import { fileTasks } from './files.ts'

let made: Kernels | undefined
const kernels = (): Kernels => (made ??= simdKernels())

type First<T> = T extends (kernels: Kernels, arg: infer A, context: never) => unknown ? A : never

export const tasks: Tasks = {
  measure: ((arg: First<typeof measureTask>, context) => measureTask(kernels(), arg, context)) satisfies Task,
  statistics: statisticsTask satisfies Task,
  closeness: closenessTask satisfies Task,
  tensorSpecs: specsTask satisfies Task,
  tensorElements: elementsTask satisfies Task,
  tensorCut: cutTask satisfies Task,
  sameElements: sameTask satisfies Task,
  sumTensors: sumTask satisfies Task,
  sumPair: pairTask satisfies Task,
  binTensor: binTask satisfies Task,
  heatOfTensors: heatTask satisfies Task,
  numbersOfTensors: numbersTask satisfies Task,
  spreadTensors: spreadTask satisfies Task,
  differenceKind: kindTask satisfies Task,
  closeElements: closeTask satisfies Task,
  batchPairs: batchTask satisfies Task,
  vectorPairs: vectorTask satisfies Task,
  vectorPeaks: peakTask satisfies Task,
  readDump: readTask satisfies Task,
  ...fileTasks,
  recompute: (async (arg: RecomputeOrder, context: TaskContext) =>
    (await import('../recompute/index.ts')).recomputeTask(arg, context)) satisfies Task,
  recomputeBoth: (async (arg: BothOrders, context: TaskContext) =>
    (await import('../recompute/index.ts')).recomputeBothTask(arg, context)) satisfies Task,
  overflow: overflowTask satisfies Task,
  replicas: replicasTask satisfies Task,
  // Loaded when it is asked for: threads that measure start sooner without it.
  prepareAdvice: (async (arg: AdviceDumps, context: TaskContext) =>
    (await import('../advisor/index.ts')).prepareTask(arg, context)) satisfies Task,
  advise: (async (arg: AdviceOrder, context: TaskContext) =>
    (await import('../advisor/index.ts')).adviceTask(arg, context)) satisfies Task,
}

/**
 * New WebAssembly runs in a slow tier until it has been called a while: the usual types are called on a few
 * KB before the first task comes.
 */
export function warmUp(): void {
  const ready = kernels()
  for (let round = 0; round < 8; round++) {
    for (const name of ['float32', 'bfloat16', 'float16', 'float64', 'int32', 'int64', 'bool'] as const) {
      ready.begin()
      // Sides that differ, and equal ones.
      ready.debug[0] = round % 2
      ready.add(ready.types(dtypes[name], dtypes[name]), 0, 0, 1024, noSums())
    }
  }
}
