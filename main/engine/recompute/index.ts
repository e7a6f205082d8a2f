// Calls of a dump computed again in doubles from their stored inputs.
export { callsOf, type CallOps } from './orders.ts'
export { recomputeCall, recomputeDump, type RecomputeOptions, type RecomputePorts } from './recompute-dump.ts'
export {
  callPairs,
  recomputePair,
  type CallPair,
  type RecomputePairOptions,
  type RecomputeSides,
} from './recompute-pair.ts'
export { recomputeBothTask, type BothOrders } from './both.ts'
export { recomputeTask, type ExactArray, type RecomputeOrder } from './task.ts'
export { npyBytes } from './npy.ts'
export { overflowExplained, overflowVerdicts, type OverflowVerdict } from './overflow.ts'
export { detailsCsv, resultCsv, type DetailRow } from './details.ts'
export { reproOf, type ReproFile } from './repro.ts'
export { Unsupported } from './unsupported.ts'
export { Orders } from './orders.ts'
export { normalCdf, sigmoid, softplus } from './special.ts'
