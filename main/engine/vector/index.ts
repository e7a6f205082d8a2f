// Full-net compare of an NPU run with TensorFlow's tensors or with another run: pairs, metrics, table, first error.
export { closeTask, type CloseAnswer, type CloseElement, type CloseQuery, type CloseSide } from './close.ts'
export { defaultThreshold, type FirstError, type ResultOp, summaryOf } from './first.ts'
export { newestResults, resultsAt } from './results.ts'
