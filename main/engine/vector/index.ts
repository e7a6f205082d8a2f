// Full-net compare of an NPU run with TensorFlow's tensors or with another run: pairs, metrics, table, first error.
export { closeTask, type CloseAnswer, type CloseElement, type CloseQuery, type CloseSide } from './close.ts'
export { compareNets, type MappedRow, type VectorPorts, type VectorResult } from './compare.ts'
export { defaultThreshold, type FirstError, type ResultOp, summaryOf } from './first.ts'
export { FusedOps } from './groups.ts'
export { netsToCompare, type Net, type NetsAsked } from './nets.ts'
export { vectorTask } from './pairs.ts'
export { newestResults, resultsAt } from './results.ts'
export { ArraySideFiles, RawSideFiles } from './sides.ts'
