// Everything that can be opened: the table of formats, one folder each, and the files that tensors lie in.
import type { Format } from './format.ts'
import { activationLog } from './foreign/activation-log.ts'
import { dataset } from './dataset/format.ts'
import { debugMode } from './foreign/debug-mode.ts'
import { moduleTree } from './foreign/module-tree.ts'
import { forwardPasses, namedFiles } from './foreign/named-files.ts'
import { runResults } from './foreign/run-results.ts'
import { graphFile } from './graph-file/format.ts'
import { kernel } from './kernel/format.ts'
import { megatron } from './megatron/format.ts'
import { msprobe } from './msprobe/format.ts'
import { npu } from './npu/format.ts'
import { toldTable } from './result-table/told-format.ts'
import { series } from './series/format.ts'
import { sheets } from './sheets/format.ts'
import { ranks } from './ranks/format.ts'
import { resultTable } from './result-table/format.ts'
import { tensorflow } from './tensorflow/format.ts'
import { tensors } from './tensors/format.ts'

/** Asked in this order what a path holds; those that look into whole trees come last. */
export const formats: readonly Format[] = [
  activationLog,
  dataset,
  series,
  sheets,
  msprobe,
  graphFile,
  toldTable,
  resultTable,
  moduleTree,
  namedFiles,
  forwardPasses,
  debugMode,
  runResults,
  megatron,
  tensors,
  npu,
  tensorflow,
  kernel,
  ranks,
]

export {
  Candidate,
  placeAt,
  type Contents,
  type Format,
  type FormatOf,
  type Holding,
  type OpenPorts,
  type Part,
  type Parts,
  type Place,
} from './format.ts'
export { wholeOf } from './growing.ts'
export { Shared } from './shared.ts'
export { packDump, unpackDump, type PackedDump } from './dump-pack.ts'
export type { FileSide, GraphFile } from './graph-file/graph-file.ts'
export { loadSide, type FileDump } from './graph-file/stored-items.ts'
export type { KernelDump, KernelEntry } from './kernel/kernel-dumps.ts'
export { placeOfRanks, type RankPlace, ranks } from './ranks/format.ts'
export { msprobe, readCalls } from './msprobe/format.ts'
export { readTask } from './msprobe/read-beside.ts'
export { strayFiles, tensorName } from './msprobe/stray.ts'
export { severalTensors, tensors } from './tensors/format.ts'
export { parts } from './msprobe/items.ts'
export { rawJson, RawReader, rawText } from './raw.ts'
export { openTable, type OpenedTable } from './result-table/result-table.ts'
export {
  cellOf,
  cellTable,
  plainCell,
  titled,
  truthText,
  type PlainCell,
  type SheetTable,
} from './result-table/cell-table.ts'
export { missingVectorColumns, tensorIndexOf, vectorPlaces } from './result-table/vector-columns.ts'
export { callLines, type CallLine } from './call-lines.ts'
export { toldTable } from './result-table/told-format.ts'
export { plainTitle, toldKindOf, type ToldKind } from './result-table/told-columns.ts'
export { readCsv } from './result-table/csv.ts'
export { readRecords } from './result-table/csv-records.ts'
export { readSheet, readSheets } from './result-table/sheet.ts'
export {
  decode,
  dtypeOf,
  dtypes,
  fromHalf,
  halfRound,
  toHalf,
  type Dtype,
  type DtypeName,
} from './tensors/dtype.ts'
export { layoutOf, openTensorFile, rangeOf, tensorLayout, type TensorFile } from './tensors/tensor-file.ts'
export {
  lieAlike,
  plain,
  tensorReader,
  type ByteSource,
  type TensorLayout,
  type TensorReader,
} from './tensors/tensor.ts'
export { openStateDict, type StateDict } from './tensors/state-dict.ts'
export * from './ge/index.ts'
export { datasetPlanName } from './dataset/format.ts'
export { inFolder } from './tensors/folder.ts'
export { openRef, throughText } from './tensors/through.ts'
export { indexOf, OpenTensor, readWhole, type Room, sameShape, stretch, walk } from './tensors/walk.ts'
export { kernelNames, type KernelNames, mapCode, type MappedCode } from './mindspore-ir/index.ts'
export { rankInName, sheetParts, type SheetsPart } from './sheets/format.ts'
export { seriesParts, type SeriesPart } from './series/format.ts'
export * from './bundle/index.ts'
export * from './megatron/index.ts'
export * as seriesNames from './series/names.ts'
export {
  canonical as canonicalOfLogs,
  kindOfLine,
  type LineReader,
  longestLine,
  type LogKind,
  logKinds,
  type LogLine,
  patternReader,
  readerOf,
} from './series/log-lines.ts'
export * from './npu/index.ts'
export * from './tensorflow/index.ts'
