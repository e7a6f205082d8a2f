// A window on a large JSON file in WebAssembly memory, whose objects and lists are gone past without looking
// at each byte.
import wasm from './skip.as.ts?asc'

interface Exports {
  skip(at: number, end: number): number
  hash(at: number, to: number): number
}

let compiled: WebAssembly.Module | undefined
const page = 1 << 16
/** The module itself needs no more than this; the window begins behind it. */
const before = page
/** Readable bytes behind the window. */
const behind = 64

export class SkipWindow {
  bytes: Uint8Array
  readonly #memory: WebAssembly.Memory
  readonly #fast: Exports

  constructor(room: number) {
    this.#memory = new WebAssembly.Memory({ initial: Math.ceil((before + room + behind) / page) })
    this.#fast = new WebAssembly.Instance((compiled ??= new WebAssembly.Module(wasm)), {
      env: { memory: this.#memory },
    }).exports as unknown as Exports
    this.bytes = new Uint8Array(this.#memory.buffer, before, room)
  }

  /** Twice the room; what is in the window stays where it is. */
  grow(): void {
    const room = this.bytes.length * 2
    this.#memory.grow(Math.ceil((before + room + behind) / page) - this.#memory.buffer.byteLength / page)
    this.bytes = new Uint8Array(this.#memory.buffer, before, room)
  }

  /** From an opening bracket to the place behind the closing one; -1 where the bytes end before. */
  skip(at: number, end: number): number {
    return this.#fast.skip(before + at, before + end) - before
  }

  /** A number that equal bytes have in common and others hardly ever. */
  hash(at: number, to: number): number {
    return this.#fast.hash(before + at, before + to)
  }
}
