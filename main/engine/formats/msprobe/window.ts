// A window on a JSON file in WebAssembly memory, where the fast readers (msprobe.as.ts) and the careful one
// (json-stream.ts) see the same bytes.
import { fives, JsonReader, JsonStop } from '../../json/index.ts'
import { problem, Refusal, TextPool } from '../../model/index.ts'
import type { Handle } from '../../io/index.ts'
import { crcOf, pyFloat } from '../../python/index.ts'
import wasm from './entries.as.ts?asc'

/**
 * How a run of a fast reader ended: needs more bytes, its output is full, the next entry is for the careful
 * reader, the object is closed.
 */
export const Status = { more: 0, full: 1, slow: 2, done: 3 } as const
export type Status = (typeof Status)[keyof typeof Status]

interface Exports {
  alloc(bytes: number): number
  setUp(): void
  setCommon(i: number, code: number): void
  fivesAt(): number
  textChunk(bytes: number): void
  intern(at: number, length: number): number
  setNextCode(code: number): void
  entriesStart(): number
  entries(at: number, end: number, first: number, debug: number, base: number): Status
  members(at: number, end: number, first: number, stacks: number): Status
  itemsAt(): number
  opsAt(): number
  joinsAt(): number
  pairsAt(): number
  newStacksAt(): number
  roomOfItems(): number
  roomOfOps(): number
  settle(joins: number, ops: number, items: number): void
  expectEntries(count: number): void
  readonly [counter: string]: unknown
}

type Counter =
  | 'items'
  | 'ops'
  | 'joins'
  | 'pairCount'
  | 'newStacks'
  | 'newLayout'
  | 'md5Seen'
  | 'stoppedAt'
  | 'entryCount'
  | 'textTop'
  | 'nextCode'

/**
 * Bytes of a window. An entry larger than the largest is refused: no dump has one, and everything below must
 * fit into memory.
 * Tests make windows small, so that every entry meets a border.
 */
export const room = { first: 4 << 20, largest: 512 << 20 }
/** Zero bytes behind the content, which stop every reader. */
const padding = 64
/** Of a usual dump.json; only a guess for the first size of a table. */
const bytesPerText = 800
const chunk = 1 << 20

let compiled: WebAssembly.Module | undefined
const encoder = new TextEncoder()
const ascii = new TextDecoder('latin1')

/** A window that waits for the next dump: its memory is there already. */
let idle: JsonWindow | undefined
const largestIdle = 48 << 20

export class JsonWindow {
  readonly fast: Exports
  texts = new TextPool()
  /** Addresses of the first unread byte and of the end of the content. */
  at = 0
  end = 0
  /** File position of address 0. */
  base = 0
  readonly #memory = new WebAssembly.Memory({ initial: 16 })
  readonly #counters: Readonly<Record<Counter, { readonly value: number }>>
  #bytes = new Uint8Array(0)
  #handle: Handle | undefined
  #path = ''
  #from = 0
  #room = room.first
  #finished = false
  #drainedEntries = 0
  #drainedTo = 0
  #freshChunk = false
  #scratch = 0
  #scratchRoom = 0
  /**
   * Bytes of names that may still be spelled out: an honest dump repeats little, a hostile one could ask for
   * a thousand times its size.
   */
  #nameBytes = 0

  private constructor() {
    compiled ??= new WebAssembly.Module(wasm)
    const instance = new WebAssembly.Instance(compiled, {
      env: {
        memory: this.#memory,
        slowNumber: (at: number, length: number) => Number(this.#ascii(at, length)),
        floatCrc: (at: number, length: number) =>
          crcOf(encoder.encode(pyFloat(Number(this.#ascii(at, length))))),
      },
    })
    this.fast = instance.exports as unknown as Exports
    this.#counters = instance.exports as unknown as Record<Counter, { readonly value: number }>
    new BigUint64Array(this.#memory.buffer, this.fast.fivesAt(), fives().length).set(fives())
  }

  /** A window for one dump. `bytes`: size of its dump.json, from which the room for texts is guessed. */
  static take(texts: TextPool, bytes: number): JsonWindow {
    const window = idle ?? new JsonWindow()
    idle = undefined
    window.#begin(texts, bytes)
    return window
  }

  /** Gives a window back. */
  static release(window: JsonWindow): void {
    window.#handle = undefined
    window.texts = new TextPool()
    if (window.#memory.buffer.byteLength <= largestIdle) idle = window
  }

  #begin(texts: TextPool, bytes: number): void {
    this.texts = texts
    this.fast.setUp()
    this.fast.expectEntries(Math.min(bytes / bytesPerText, 1 << 22))
    this.#room = room.first
    this.#from = this.fast.alloc(room.first + padding)
    this.#nameBytes = 64 << 20
    this.#scratchRoom = 0
    this.#drainedEntries = 0
    this.#chunk(chunk)
  }

  count(counter: Counter): number {
    return this.#counters[counter].value >>> 0
  }

  get bytes(): Uint8Array<ArrayBuffer> {
    if (this.#bytes.buffer !== this.#memory.buffer) this.#bytes = new Uint8Array(this.#memory.buffer)
    return this.#bytes as Uint8Array<ArrayBuffer>
  }

  ints(at: number, length: number): Int32Array<ArrayBuffer> {
    return new Int32Array(this.bytes.buffer, at, length)
  }
  doubles(at: number, length: number): Float64Array<ArrayBuffer> {
    return new Float64Array(this.bytes.buffer, at, length)
  }

  /** Position in the file of the first unread byte. */
  get position(): number {
    return this.base + this.at
  }

  /** Share of the file that was read. */
  get share(): number {
    return this.position / Math.max(1, this.#handle?.size ?? 0)
  }

  /** Begins a file. */
  open(handle: Handle, path: string): void {
    this.#handle = handle
    this.#path = path
    this.#finished = false
    this.at = this.end = this.#from
    this.base = -this.#from
    this.#nameBytes += handle.size * 16
    this.more()
    const b = this.bytes
    if (b[this.at] === 0xef && b[this.at + 1] === 0xbb && b[this.at + 2] === 0xbf) this.at += 3
  }

  /**
   * Reads on, keeping what is unread; false at the end of the file. An unread piece that fills the window
   * widens it.
   */
  more(): boolean {
    if (this.#finished || !this.#handle) return false
    const left = this.end - this.at
    let to = this.#from
    if (left === this.#room) {
      if (this.#room >= room.largest)
        throw new Refusal(problem('too-large', this.#path, { size: left, limit: room.largest }))
      this.#room *= 2
      to = this.fast.alloc(this.#room + padding)
    }
    this.bytes.copyWithin(to, this.at, this.end)
    this.base += this.at - to
    this.#from = this.at = to
    this.end = to + left
    const space = this.bytes.subarray(this.end, to + this.#room)
    const n = this.#handle.read(this.base + this.end, space)
    this.#finished = n < space.length
    this.end += n
    this.bytes.fill(0, this.end, this.end + padding)
    return n > 0
  }

  /**
   * Lets the careful reader read something; reads on and tries again when the window ends in the midst of it.
   */
  attempt<T>(read: (reader: JsonReader) => T, note?: (reader: JsonReader) => void): T {
    for (;;) {
      const reader = new JsonReader(this.bytes, this.at, this.end)
      try {
        const value = read(reader)
        // A number that ends where the window ends may go on.
        if (reader.at === this.end && this.more()) continue
        this.at = reader.at
        note?.(reader)
        return value
      } catch (error) {
        if (error instanceof JsonStop && error.why === 'truncated' && this.more()) continue
        throw error
      }
    }
  }

  /** Calls a fast reader from where the window stands and takes over the texts that it found. */
  run(call: (fast: Exports, at: number, end: number) => Status): Status {
    this.fast.setNextCode(this.texts.size)
    const status = call(this.fast, this.at, this.end)
    this.at = this.count('stoppedAt')
    this.#drain()
    return status
  }

  /**
   * After `Status.full`: makes room for texts; false when there was room already, so that it must be
   * something else.
   */
  freshChunk(): boolean {
    if (this.#freshChunk) return false
    this.#chunk(chunk)
    return true
  }

  /** Code of a text that is or may be repeated. */
  add(text: string): number {
    const encoded = encoder.encode(text)
    if (encoded.length + 16 > this.#scratchRoom) {
      this.#scratchRoom = encoded.length * 2 + 4096
      this.#scratch = this.fast.alloc(this.#scratchRoom)
    }
    this.bytes.set(encoded, this.#scratch)
    this.fast.setNextCode(this.texts.size)
    let code = this.fast.intern(this.#scratch, encoded.length)
    if (code < 0) {
      this.#chunk(Math.max(chunk, encoded.length + padding))
      code = this.fast.intern(this.#scratch, encoded.length)
    }
    this.#drain()
    return code
  }

  /** Code of a text that is hardly ever repeated. */
  name(text: string): number {
    const encoded = encoder.encode(text)
    this.#nameBytes -= encoded.length
    if (this.#nameBytes < 0)
      throw new Refusal(
        problem('too-large', this.#path, { size: this.#handle?.size ?? 0, limit: this.#handle?.size ?? 0 }),
      )
    return this.texts.appendLoose(encoded)
  }

  #chunk(bytes: number): void {
    this.fast.textChunk(bytes)
    this.#drainedTo = this.count('textTop')
    this.#freshChunk = true
  }

  /** Copies new texts into the pool; their codes are the pool's next ones already. */
  #drain(): void {
    const total = this.count('entryCount')
    if (total === this.#drainedEntries) return
    const top = this.count('textTop')
    const entries = this.ints(this.fast.entriesStart(), total * 4)
    const lengths = new Uint32Array(total - this.#drainedEntries)
    let count = 0
    for (let i = this.#drainedEntries; i < total; i++) {
      const length = entries[i * 4 + 1] >>> 0
      if (length < 0x40000000) lengths[count++] = length
    }
    this.texts.appendPlain(this.bytes.subarray(this.#drainedTo, top), lengths.subarray(0, count))
    this.#freshChunk &&= top === this.#drainedTo
    this.#drainedEntries = total
    this.#drainedTo = top
  }

  #ascii(at: number, length: number): string {
    return ascii.decode(this.bytes.subarray(at, at + length))
  }
}
