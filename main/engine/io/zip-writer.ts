// Zip files written as streams: with native deflate in a thread of its own while the next bytes are made, and without.
import { Zip, type ZipInputFile } from 'fflate'
import { crc32, createDeflateRaw, type DeflateRaw } from 'node:zlib'
import type { Sink } from './output.ts'

export interface ZipWriter {
  begin(name: string): void
  /** A buffer to fill and hand back with `put`. */
  take(): Promise<Uint8Array>
  /**
   * Adds the first `length` bytes of a taken buffer to the member; the buffer must not be touched any more.
   */
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

export const zipWriter = (sink: Sink, level: 1 | 6 = 1): ZipWriter => new ZipStream(sink, level)

const zipInto = (sink: Pick<Sink, 'write'>): Zip =>
  new Zip((error, bytes) => {
    if (error) throw error
    sink.write(bytes)
  })

class ZipStream implements ZipWriter {
  readonly #zip: Zip
  readonly #level: 1 | 6
  readonly #free = Array.from({ length: buffers }, () => new Uint8Array(bufferBytes))
  #waiting: ((buffer: Uint8Array) => void) | null = null
  #member: Member | null = null

  constructor(sink: Sink, level: 1 | 6) {
    this.#level = level
    this.#zip = zipInto(sink)
  }

  begin(name: string): void {
    const deflate = createDeflateRaw({ level: this.#level, chunkSize: bufferBytes })
    const opened: Member = {
      file: { filename: name, compression: 8, size: 0, crc: 0 },
      deflate,
      failed: null,
    }
    this.#zip.add(opened.file)
    const fail = (error: Error): void => {
      opened.failed ??= error
      deflate.destroy()
      this.#waiting?.(new Uint8Array(0))
    }
    deflate.on('error', fail)
    deflate.on('data', (bytes: Buffer<ArrayBuffer>) => {
      try {
        opened.file.ondata?.(null, new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength), false)
      } catch (error) {
        fail(error instanceof Error ? error : new Error(String(error)))
      }
    })
    this.#member = opened
  }

  async take(): Promise<Uint8Array> {
    this.#current()
    const buffer =
      this.#free.pop() ??
      (await new Promise<Uint8Array>(resolve => {
        this.#waiting = resolve
      }))
    this.#current()
    return buffer
  }

  put(buffer: Uint8Array, length: number): void {
    const { file, deflate } = this.#current()
    const bytes = buffer.subarray(0, length)
    file.crc = crc32(bytes, file.crc)
    file.size += length
    deflate.write(bytes, () => this.#give(buffer))
  }

  async end(): Promise<number> {
    const { file, deflate } = this.#current()
    await new Promise<void>((resolve, reject) => {
      deflate.once('close', resolve)
      deflate.once('error', reject)
      deflate.end()
    })
    this.#current()
    file.ondata?.(null, new Uint8Array(0), true)
    this.#member = null
    return file.size
  }

  close(): void {
    this.#zip.end()
  }

  destroy(): void {
    this.#member?.deflate.destroy()
    this.#member = null
  }

  #give(buffer: Uint8Array): void {
    const waiter = this.#waiting
    this.#waiting = null
    if (waiter) waiter(buffer)
    else this.#free.push(buffer as Uint8Array<ArrayBuffer>)
  }

  #current(): Member {
    if (!this.#member) throw new Error('no zip member is open')
    if (this.#member.failed) throw this.#member.failed
    return this.#member
  }
}

/** Members as they are, one after the other. */
export interface StoredZip {
  begin(name: string): Pick<Sink, 'write' | 'close'>
  close(): void
}

export function storedZip(sink: Pick<Sink, 'write' | 'close'>): StoredZip {
  const zip = zipInto(sink)
  return {
    begin(name) {
      const file: ZipInputFile & { size: number; crc: number } = {
        filename: name,
        size: 0,
        crc: 0,
        compression: 0,
      }
      zip.add(file)
      return {
        write(...parts) {
          for (const part of parts) {
            file.crc = crc32(part, file.crc)
            file.size += part.length
            // The package's types know no shared memory.
            file.ondata?.(null, part as Uint8Array<ArrayBuffer>, false)
          }
        },
        close: () => file.ondata?.(null, new Uint8Array(0), true),
      }
    },
    close() {
      zip.end()
      sink.close()
    },
  }
}
