// What may run in a thread: name → task. One set of chunk buffers per thread serves all of them.
import type { Kernels } from './metrics/chunks.ts'
import { simdKernels } from './metrics/simd.ts'
import { statisticsTask } from './metrics/file-statistics.ts'
import { measureTask } from './metrics/tensor-pairs.ts'
import { closenessTask, tensorViewTask } from './view/tensor.ts'
import type { Task, Tasks } from './work/task.ts'

let made: Kernels | undefined
const kernels = (): Kernels => (made ??= simdKernels())

type First<T> = T extends (kernels: Kernels, arg: infer A, context: never) => unknown ? A : never

export const tasks: Tasks = {
  measure: ((arg: First<typeof measureTask>, context) => measureTask(kernels(), arg, context)) satisfies Task,
  statistics: statisticsTask satisfies Task,
  tensorView: tensorViewTask satisfies Task,
  closeness: closenessTask satisfies Task,
}

/** Makes the kernels ready before the first task comes. */
export function warmUp(): void { kernels() }
