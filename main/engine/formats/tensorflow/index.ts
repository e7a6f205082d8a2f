// TensorFlow runs on an NPU, as precision_tool lays them out: what a folder holds, and how its files are named.
export { graphsFor } from './graph-choice.ts'
export {
  decodedNameOf,
  fileNameOf,
  graphFileNameOf,
  tensorFileName,
  tensorFileStart,
  tensorNameOf,
  type DecodedName,
  type TensorName,
} from './names.ts'
export { filesOfOp, type OpFiles } from './op-files.ts'
export { scanTensorFlow } from './scan.ts'
export type {
  ArrayFolder,
  DumpFolder,
  DumpRun,
  GeGraphFile,
  NpuSide,
  ResultRun,
  TensorFlowTree,
  TreeLayout,
} from './tree.ts'
