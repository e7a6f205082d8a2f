// What is read from raw dump files themselves: headers, and records of overflow.
import type { OpDebugRecord } from '../../model/index.ts'
import type { ByteSource } from '../tensors/tensor.ts'
import { opDebugRecord } from './op-debug.ts'
import type { RawHeader } from './raw.ts'
import { readAt } from './read-at.ts'

/**
 * The header of a raw dump file, from its first bytes. What is no raw dump is refused; one that ends early
 * keeps what is whole.
 */
export async function readRawHeader(source: ByteSource, file: string): Promise<RawHeader> {
  // Who never meets a raw file does not wait for the library that reads their headers; asking again takes longer than a header.
  headers ??= await import('./header.ts')
  return headers.readHeader(source, file)
}
let headers: { readHeader(source: ByteSource, file: string): RawHeader } | undefined

/** An overflow record from its file. */
export async function readOpDebug(source: ByteSource, file: string): Promise<OpDebugRecord> {
  const [output] = (await readRawHeader(source, file)).outputs
  const size = output && !output.truncated ? Math.min(output.size, mostRecordBytes) : 0
  return opDebugRecord(readAt(source, output?.from ?? 0, size), file)
}
/** A record has 2048. */
const mostRecordBytes = 1 << 16
