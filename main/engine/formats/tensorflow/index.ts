// TensorFlow runs on an NPU, as precision_tool lays them out: what a folder holds, and how its files are named.
export { rawDumpNamed, tensorsIn, tensorsNamed, type NamedTensor } from './find.ts'
export { graphsFor } from './graph-choice.ts'
export { dataFolders, dataLayouts, type DataFolders, type DataLayout } from './data-folders.ts'
export { askDebugger, offlineAnalyzer, type DebuggerAnswer, type Talk } from './debugger.ts'
export {
  decodedNameOf,
  fileNameOf,
  graphFileNameOf,
  longNames,
  tensorFileName,
  tensorFileStart,
  tensorNameOf,
  type DecodedName,
  type TensorName,
} from './names.ts'
export { filesOfOp, type OpFiles } from './op-files.ts'
export { scanTensorFlow } from './scan.ts'
export {
  exportLines,
  shellWord,
  snippetFacts,
  snippetKinds,
  snippetsOf,
  type SnippetFacts,
} from './snippets.ts'
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
export { dumpKinds, dumpVariables, foldersBefore, type DumpKind, type Variables } from './variables.ts'
