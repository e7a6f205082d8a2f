// Text into a byte stream through a few large buffers; waits only where a buffer is full.
import type { Sink } from '../io/index.ts'

/** Gives buffers and takes them back filled. */
interface Buffers {
  take(): Promise<Uint8Array>
  put(buffer: Uint8Array, length: number): void
}

const encoder = new TextEncoder()

export class Lines {
  /** Bytes added so far. */
  written = 0
  readonly #to: Buffers
  #buffer: Uint8Array = new Uint8Array(0)
  #at = 0

  constructor(to: Buffers) {
    this.#to = to
  }

  /** Adds a text; a promise only when a new buffer is needed. */
  add(text: string): Promise<void> | undefined {
    if (this.#at + text.length * 3 > this.#buffer.length) return this.addBytes(encoder.encode(text))
    const { written } = encoder.encodeInto(text, this.#buffer.subarray(this.#at))
    this.#at += written
    this.written += written
    return undefined
  }

  /** The same with bytes. */
  addBytes(bytes: Uint8Array): Promise<void> | undefined {
    if (this.#at + bytes.length > this.#buffer.length) return this.#pieces(bytes)
    this.#buffer.set(bytes, this.#at)
    this.#at += bytes.length
    this.written += bytes.length
    return undefined
  }

  async #pieces(bytes: Uint8Array): Promise<void> {
    for (let from = 0; from < bytes.length;) {
      if (this.#at === this.#buffer.length) {
        this.flush()
        this.#buffer = await this.#to.take()
      }
      const piece = bytes.subarray(from, from + this.#buffer.length - this.#at)
      this.#buffer.set(piece, this.#at)
      this.#at += piece.length
      this.written += piece.length
      from += piece.length
    }
  }

  /** Hands over what is there. */
  flush(): void {
    if (this.#buffer.length > 0) this.#to.put(this.#buffer, this.#at)
    this.#buffer = this.#buffer.subarray(0, 0)
    this.#at = 0
  }
}

/** One buffer that is written to a file whenever it is full. */
export function toSink(sink: Sink, bytes = 1 << 18): Buffers {
  const buffer = new Uint8Array(bytes)
  return {
    take: () => Promise.resolve(buffer),
    put: (filled, length) => sink.write(filled.subarray(0, length)),
  }
}
