// Raw NPU dump files: names, headers, types, layouts and records.
export { readOpDebug, readRawHeader } from './files.ts'
export { formatCode, formatName, npuType } from './codes.ts'
export { arrayAsRaw, type OnDevice } from './arrays.ts'
export { rawNameOf, type RawName, sliceOf, unsliced } from './names.ts'
export { rawTensors, type RawBlock, type RawHeader, type RawSide, type RawTensor } from './raw.ts'
export { opDebugIds, opDebugRecord, overflowStatuses, type OpDebugIds } from './op-debug.ts'
export { inSlice, type Joined, joinSlices, type SliceFile } from './slices.ts'
export { rawReading, type RawReading, type RawStatus, type RawWish } from './reading.ts'
export {
  failuresOf,
  parseRaws,
  parseTask,
  type ParseOrder,
  type RawFiles,
  rawFilesIn,
  writeLists,
} from './parse.ts'
export type { SavedFile, SavedTensor, SaveSettings } from './save.ts'
