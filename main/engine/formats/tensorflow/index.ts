// TensorFlow runs on an NPU, as precision_tool lays them out: what a folder holds, and how its files are named.
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
