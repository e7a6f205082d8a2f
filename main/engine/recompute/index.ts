// Calls of a dump computed again in doubles from their stored inputs.
export type { DirectionAnswer, DirectionName, ItemAnswer } from './call.ts'
export { callsOf, type CallOps } from './orders.ts'
export {
  recomputeCall,
  recomputeDump,
  usualLimit,
  type RecomputeOptions,
  type RecomputePorts,
} from './recompute-dump.ts'
export { recomputeTask, type ExactArray, type RecomputeOrder } from './task.ts'
export type { SkipReason } from './unsupported.ts'
export type { Note, Verdict } from './verdict.ts'
export { npyBytes } from './npy.ts'
export { overflowVerdicts, type OverflowVerdict } from './overflow.ts'
export { detailsCsv, resultCsv, type DetailRow } from './details.ts'
export { reproOf, type ReproFile } from './repro.ts'
export { Unsupported } from './unsupported.ts'
export { Orders } from './orders.ts'
