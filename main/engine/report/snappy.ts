// Snappy: what pages of Parquet are compressed with.
import wasm from './snappy.as.ts?asc'

interface Exports {
  base(): number
  compress(from: number, length: number, to: number): number
}

const wasmPage = 1 << 16
/** Readable behind the input, writable behind the output. */
const spare = 64

export class Snappy {
  readonly #memory = new WebAssembly.Memory({ initial: 2 })
  readonly #fast: Exports

  constructor() {
    this.#fast = new WebAssembly.Instance(new WebAssembly.Module(wasm), {
      env: { memory: this.#memory, abort() {} },
    }).exports as unknown as Exports
  }

  /** Good until the next call. */
  compress(bytes: Uint8Array): Uint8Array {
    const from = this.#fast.base()
    const to = from + bytes.length + spare
    const need = to + mostBytes(bytes.length) + spare
    const missing = need - this.#memory.buffer.byteLength
    if (missing > 0) this.#memory.grow(Math.ceil(missing / wasmPage))
    new Uint8Array(this.#memory.buffer).set(bytes, from)
    return new Uint8Array(this.#memory.buffer, to, this.#fast.compress(from, bytes.length, to) - to)
  }
}

/** Bytes that nothing can be made of become a sixth longer at most. */
const mostBytes = (bytes: number): number => 32 + bytes + Math.ceil(bytes / 6)
