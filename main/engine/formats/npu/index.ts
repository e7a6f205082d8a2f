// Raw NPU dump files: names, headers, types, layouts and records.
import type { ByteSource } from '../tensors/tensor.ts'
import type { RawHeader } from './raw.ts'

/**
 * The header of a raw dump file, from its first bytes. What is no raw dump is refused; one that ends early
 * keeps what is whole.
 */
export const readRawHeader = async (source: ByteSource, file: string): Promise<RawHeader> =>
  // Who never meets a raw file does not wait for the library that reads their headers.
  (await import('./header.ts')).readHeader(source, file)

export { formatCode, formatName, npuType } from './codes.ts'
export { rawNameOf, type RawName } from './names.ts'
export { rawTensors, type RawBlock, type RawHeader, type RawSide, type RawTensor } from './raw.ts'
export { rawReading, type RawReading, type RawStatus, type RawWish } from './reading.ts'
