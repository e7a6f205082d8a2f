// A zip file written as a stream: native deflate in a thread of its own while the next bytes are made.
import { Zip, type ZipInputFile } from 'fflate'
import { crc32, createDeflateRaw, type DeflateRaw } from 'node:zlib'
import type { Sink } from './output.ts'

export interface ZipWriter {
  begin(name: string): void
  /** A buffer to fill and hand back with `put`. */
  take(): Promise<Uint8Array>
  /** Adds the first `length` bytes of a taken buffer to the member; the buffer must not be touched any more. */
  put(buffer: Uint8Array, length: number): void
  /** Ends the member; returns its size before compression. */
  end(): Promise<number>
  close(): void
  /** Stops the compressor of a member that will not be finished. */
  destroy(): void
}

interface Member {
  readonly file: ZipInputFile & { size: number; crc: number }
  readonly deflate: DeflateRaw
  failed: Error | null
}

/** What a zip member may measure without the 64-bit extension. */
export const memberLimit = 0xff00_0000
const bufferBytes = 1 << 18
const buffers = 3

export function zipWriter(sink: Sink, level: 1 | 6 = 1): ZipWriter {
  const free: Uint8Array[] = Array.from({ length: buffers }, () => new Uint8Array(bufferBytes))
  let waiting: ((buffer: Uint8Array) => void) | null = null
  let member: Member | null = null
  const zip = new Zip((error, bytes) => {
    if (error) throw error
    sink.write(bytes)
  })
  const give = (buffer: Uint8Array): void => {
    const waiter = waiting
    waiting = null
    if (waiter) waiter(buffer)
    else free.push(buffer)
  }
  const current = (): Member => {
    if (!member) throw new Error('no zip member is open')
    if (member.failed) throw member.failed
    return member
  }
  return {
    begin(name) {
      const deflate = createDeflateRaw({ level, chunkSize: bufferBytes })
      const opened: Member = { file: { filename: name, compression: 8, size: 0, crc: 0 }, deflate, failed: null }
      zip.add(opened.file)
      const fail = (error: Error): void => {
        opened.failed ??= error
        deflate.destroy()
        waiting?.(new Uint8Array(0))
      }
      deflate.on('error', fail)
      deflate.on('data', (bytes: Buffer<ArrayBuffer>) => {
        try {
          opened.file.ondata?.(null, new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength), false)
        } catch (error) {
          fail(error instanceof Error ? error : new Error(String(error)))
        }
      })
      member = opened
    },
    async take() {
      current()
      const buffer = free.pop() ?? (await new Promise<Uint8Array>(resolve => { waiting = resolve }))
      current()
      return buffer
    },
    put(buffer, length) {
      const { file, deflate } = current()
      const bytes = buffer.subarray(0, length)
      file.crc = crc32(bytes, file.crc)
      file.size += length
      deflate.write(bytes, () => give(buffer))
    },
    async end() {
      const { file, deflate } = current()
      await new Promise<void>((resolve, reject) => {
        deflate.once('close', resolve)
        deflate.once('error', reject)
        deflate.end()
      })
      current()
      file.ondata?.(null, new Uint8Array(0), true)
      member = null
      return file.size
    },
    close() {
      zip.end()
    },
    destroy() {
      member?.deflate.destroy()
      member = null
    },
  }
}
