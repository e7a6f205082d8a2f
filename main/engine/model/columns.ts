// Columns: the only shape in which bulk data lives between disk and screen.
import type { Column, PairRow, TextCode } from './ids.ts'

/** Texts stored once; columns hold their codes. */
interface Texts {
  readonly size: number
  get(code: TextCode): string
  /** The code of a text that is already in the pool, or -1. */
  find(text: string): TextCode
  /** The code of a text, added when new. */
  add(text: string): TextCode
}

/** Cells of mixed kind; see `Kind` for how `value` is read. */
export interface Cells<By extends number = number> {
  readonly kind: Column<Uint8Array, By>
  readonly value: Column<Float64Array, By>
}

/**
 * A quicker way to the bytes of a column's cells than their texts: texts of a pool, or numbers that are
 * printed as `repr` with `%` behind them.
 */
export type Spelling =
  /** -1: this cell says something else. */
  | { readonly is: 'pool'; readonly texts: TextPool; code(row: PairRow): TextCode }
  /** NaN: this cell says something else. */
  | { readonly is: 'percent'; value(row: PairRow): number }

const decoder = new TextDecoder()
const encoder = new TextEncoder()
/** Bytes that a JSON string in ASCII spells otherwise. */
const odd = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < 0x20 || byte > 0x7e || byte === 0x22 || byte === 0x5c ? 1 : 0,
)

type Numbers = Uint8Array | Int32Array | Uint32Array | Float64Array

/** A column in memory that threads share: sent to another one it is not copied. */
export const sharedColumn = <T extends Numbers>(
  Type: { new (memory: SharedArrayBuffer): T; readonly BYTES_PER_ELEMENT: number },
  length: number,
): T => new Type(new SharedArrayBuffer(Math.ceil(length) * Type.BYTES_PER_ELEMENT))

const joinedFlag = 1
const looseFlag = 2

/** What a pool is made of, to be stored or sent to another thread. */
interface PackedTexts {
  readonly heap: Uint8Array
  /** Where each text begins; one more entry ends the last. */
  readonly offsets: Float64Array
  readonly flags: Uint8Array
}

/**
 * A pool of texts on one UTF-8 heap with an open-addressing index over their bytes.
 * Bulk readers may append texts without looking them up: `plain` texts that they know to be new, `joined`
 * ones that are two texts of the
 * pool put together (8 bytes on the heap), both indexed only when somebody asks. Joined texts may occur
 * twice; `find` gives the first.
 */
export class TextPool implements Texts {
  #heap: Uint8Array = sharedColumn(Uint8Array, 1 << 12)
  #end = 0
  #offsets: Float64Array = sharedColumn(Float64Array, 1 << 8)
  #flags: Uint8Array = sharedColumn(Uint8Array, 1 << 8)
  #size = 0
  #slots = new Int32Array(1 << 9).fill(-1)
  #indexed = 0
  /** Texts below these codes are in the index: all but the loose ones, and the loose ones. */
  #plainTo = 0
  #looseTo = 0
  #looseEnd = 0
  #recent = new Map<TextCode, string>()
  /** The last head hashed, with the state after it; the last heads found equal, and to whose. */
  #hashedHead = -1
  #headState = 0
  #sameHead = -1
  #sameWith: TextPool | null = null

  get size(): number {
    return this.#size
  }
  get heapBytes(): number {
    return this.#end
  }

  get(code: TextCode): string {
    const known = this.#recent.get(code)
    if (known !== undefined) return known
    const text = decoder.decode(this.bytes(code))
    if (this.#recent.size > 4096) this.#recent.clear()
    this.#recent.set(code, text)
    return text
  }

  /** Number of UTF-8 bytes of a text. */
  bytesOf(code: TextCode): number {
    const from = this.#offsets[code]
    return this.#flags[code] & joinedFlag
      ? this.bytesOf(this.#code(from)) + this.bytesOf(this.#code(from + 4))
      : this.#offsets[code + 1] - from
  }

  /** What follows the first half of a text that is made of this one and another; -1 for any other text. */
  tailAfter(code: TextCode, head: TextCode): TextCode {
    const from = this.#offsets[code]
    return this.#flags[code] & joinedFlag && this.#code(from) === head ? this.#code(from + 4) : -1
  }

  /** First byte of a text, 0 of an empty one. */
  firstByte(code: TextCode): number {
    const from = this.#offsets[code]
    if (this.#flags[code] & joinedFlag) return this.bytes(code)[0] ?? 0
    return this.#offsets[code + 1] > from ? this.#heap[from] : 0
  }

  /** Whether a text begins with these bytes. */
  startsWith(code: TextCode, bytes: Uint8Array): boolean {
    if (this.#flags[code] & joinedFlag) {
      const own = this.bytes(code)
      return own.length >= bytes.length && bytes.every((byte, i) => byte === own[i])
    }
    const heap = this.#heap
    const from = this.#offsets[code]
    const { length } = bytes
    if (this.#offsets[code + 1] - from < length) return false
    for (let i = 0; i < length; i++) if (heap[from + i] !== bytes[i]) return false
    return true
  }

  /**
   * Copies a text of printable ASCII without quotes and backslashes, as `copy` does; -1 for any other text.
   */
  copyPlain(code: TextCode, into: Uint8Array, at: number): number {
    const from = this.#offsets[code]
    if (this.#flags[code] & joinedFlag) {
      const middle = this.copyPlain(this.#code(from), into, at)
      return middle < 0 ? -1 : this.copyPlain(this.#code(from + 4), into, middle)
    }
    const heap = this.#heap
    const end = this.#offsets[code + 1]
    let place = at
    for (let i = from; i < end; i++) {
      const byte = heap[i]
      if (odd[byte] === 1) return -1
      into[place++] = byte
    }
    return place
  }

  /** Copies the bytes of a text; returns the place behind them. There must be room. */
  copy(code: TextCode, into: Uint8Array, at: number): number {
    const from = this.#offsets[code]
    if (this.#flags[code] & joinedFlag)
      return this.copy(this.#code(from + 4), into, this.copy(this.#code(from), into, at))
    const heap = this.#heap
    const end = this.#offsets[code + 1]
    let place = at
    for (let i = from; i < end; i++) into[place++] = heap[i]
    return place
  }

  bytes(code: TextCode): Uint8Array {
    if (!(code >= 0 && code < this.#size)) throw new RangeError(`no text ${code} in a pool of ${this.#size}`)
    const from = this.#offsets[code]
    if (!(this.#flags[code] & joinedFlag)) return this.#heap.subarray(from, this.#offsets[code + 1])
    const head = this.bytes(this.#code(from))
    const tail = this.bytes(this.#code(from + 4))
    const both = new Uint8Array(head.length + tail.length)
    both.set(head)
    both.set(tail, head.length)
    return both
  }

  /** `hashBytes` of a text's bytes. */
  hash(code: TextCode): number {
    const from = this.#offsets[code]
    if (!(this.#flags[code] & joinedFlag)) return finish(this.#hashInto(start, code))
    // Neighbours are mostly joined to the same head.
    const head = this.#code(from)
    if (head !== this.#hashedHead) {
      this.#hashedHead = head
      this.#headState = this.#hashInto(start, head)
    }
    return finish(this.#hashInto(this.#headState, this.#code(from + 4)))
  }

  /** Whether a text equals one of another pool. */
  equals(code: TextCode, other: TextPool, theirs: TextCode): boolean {
    const from = this.#offsets[code]
    const at = other.#offsets[theirs]
    if (this.#flags[code] & other.#flags[theirs] & joinedFlag) {
      const head = this.#code(from)
      const head2 = other.#code(at)
      const known = this.#sameHead === head && other.#sameHead === head2 && this.#sameWith === other
      if (known || this.equals(head, other, head2)) {
        this.#sameHead = head
        other.#sameHead = head2
        this.#sameWith = other
        return this.equals(this.#code(from + 4), other, other.#code(at + 4))
      }
    }
    if ((this.#flags[code] | other.#flags[theirs]) & joinedFlag) return this.#same(code, other.bytes(theirs))
    const length = this.#offsets[code + 1] - from
    if (other.#offsets[theirs + 1] - at !== length) return false
    for (let i = 0; i < length; i++) if (this.#heap[from + i] !== other.#heap[at + i]) return false
    return true
  }

  find(text: string): TextCode {
    return this.findBytes(encoder.encode(text))
  }

  add(text: string): TextCode {
    return this.addBytes(encoder.encode(text))
  }

  findBytes(bytes: Uint8Array): TextCode {
    // Looking up may build a larger index: the slot comes first.
    const slot = this.#slotOf(bytes, hashBytes(bytes))
    return this.#slots[slot]
  }

  addBytes(bytes: Uint8Array): TextCode {
    const hash = hashBytes(bytes)
    let slot = this.#slotOf(bytes, hash)
    const known = this.#slots[slot]
    if (known >= 0) return known
    if ((this.#indexed + 1) * 2 > this.#slots.length) {
      this.#rehash()
      slot = this.#slot(bytes, hash)
    }
    const code = this.appendPlain(bytes, [bytes.length])
    this.#plainTo = this.#size
    this.#slots[slot] = code
    this.#indexed++
    return code
  }

  /** The code of a text that is or may be repeated, or -1; loose texts need not be looked through. */
  findPlain(text: string): TextCode {
    return this.findPlainBytes(encoder.encode(text))
  }

  findPlainBytes(bytes: Uint8Array): TextCode {
    this.#indexPlain()
    return this.#slots[this.#slot(bytes, hashBytes(bytes))]
  }

  /** The same, added when new. */
  addPlain(text: string): TextCode {
    return this.addPlainBytes(encoder.encode(text))
  }

  addPlainBytes(bytes: Uint8Array): TextCode {
    const known = this.findPlainBytes(bytes)
    return known >= 0 ? known : this.appendPlain(bytes, [bytes.length])
  }

  /**
   * Appends texts that are not in the pool yet: their bytes side by side, and the length of each. Returns the
   * code of the first.
   */
  appendPlain(bytes: Uint8Array, lengths: ArrayLike<number>): TextCode {
    const first = this.#reserve(bytes.length, lengths.length)
    this.#heap.set(bytes, this.#end)
    const offsets = this.#offsets
    let end = this.#end
    for (let i = 0; i < lengths.length; i++) offsets[first + i + 1] = end += lengths[i]
    this.#end = end
    this.#size = first + lengths.length
    return first
  }

  /** Appends a text that may be in the pool already. */
  appendLoose(bytes: Uint8Array): TextCode {
    const code = this.appendPlain(bytes, [bytes.length])
    this.#flags[code] = looseFlag
    this.#looseEnd = this.#size
    return code
  }

  /**
   * Appends texts made of two texts each; `pairs` holds the codes of both halves, one pair after the other.
   * Returns the code of the first.
   */
  appendJoined(pairs: Uint32Array): TextCode {
    const bytes = new Uint8Array(pairs.buffer, pairs.byteOffset, pairs.byteLength)
    const count = pairs.length / 2
    const first = this.#reserve(bytes.length, count)
    this.#heap.set(bytes, this.#end)
    const offsets = this.#offsets
    let end = this.#end
    for (let i = 0; i < count; i++) offsets[first + i + 1] = end += 8
    this.#end = end
    this.#size = first + count
    this.#flags.fill(joinedFlag | looseFlag, first, this.#size)
    this.#looseEnd = this.#size
    return first
  }

  /** Makes room ahead; room that is not used costs no memory. */
  reserve(bytes: number, texts: number): void {
    this.#reserve(bytes, texts)
  }

  /** The pool's own memory: not to be changed. */
  pack(): PackedTexts {
    return {
      heap: this.#heap.subarray(0, this.#end),
      offsets: this.#offsets.subarray(0, this.#size + 1),
      flags: this.#flags.subarray(0, this.#size),
    }
  }

  /** A pool over what `pack` gave; takes the arrays over. */
  static of(packed: PackedTexts): TextPool {
    const pool = new TextPool()
    pool.#heap = packed.heap
    pool.#offsets = packed.offsets
    pool.#flags = packed.flags
    pool.#size = packed.flags.length
    pool.#end = packed.offsets[pool.#size]
    pool.#looseEnd = pool.#flags.findLastIndex(flag => flag & looseFlag) + 1
    return pool
  }

  #code(at: number): number {
    const heap = this.#heap
    return (heap[at] | (heap[at + 1] << 8) | (heap[at + 2] << 16) | (heap[at + 3] << 24)) >>> 0
  }

  #hashInto(hash: number, code: TextCode): number {
    const from = this.#offsets[code]
    if (this.#flags[code] & joinedFlag)
      return this.#hashInto(this.#hashInto(hash, this.#code(from)), this.#code(from + 4))
    return hashRange(hash, this.#heap, from, this.#offsets[code + 1])
  }

  #same(code: TextCode, bytes: Uint8Array): boolean {
    const from = this.#offsets[code]
    const to = this.#offsets[code + 1]
    if (!(this.#flags[code] & joinedFlag)) return sameBytes(this.#heap, from, to, bytes)
    const head = this.bytes(this.#code(from))
    return (
      head.length <= bytes.length &&
      sameBytes(head, 0, head.length, bytes.subarray(0, head.length)) &&
      this.#same(this.#code(from + 4), bytes.subarray(head.length))
    )
  }

  /** Where a text stands in the index, or would; takes texts into the index as far as it must. */
  #slotOf(bytes: Uint8Array, hash: number): number {
    this.#indexPlain()
    const slot = this.#slot(bytes, hash)
    if (this.#slots[slot] >= 0 || this.#looseTo >= this.#looseEnd) return slot
    this.#indexLoose()
    return this.#slot(bytes, hash)
  }

  #slot(bytes: Uint8Array, hash: number): number {
    const mask = this.#slots.length - 1
    let slot = hash & mask
    for (;;) {
      const code = this.#slots[slot]
      if (code < 0 || this.#same(code, bytes)) return slot
      slot = (slot + 1) & mask
    }
  }

  #indexPlain(): void {
    for (; this.#plainTo < this.#size; this.#plainTo++)
      if (!(this.#flags[this.#plainTo] & looseFlag)) this.#enter(this.#plainTo)
  }

  #indexLoose(): void {
    for (; this.#looseTo < this.#looseEnd; this.#looseTo++) {
      const code = this.#looseTo
      if (this.#flags[code] & looseFlag) this.#enter(code)
    }
  }

  /** Puts a text into the index unless an equal one is there. */
  #enter(code: TextCode): void {
    if ((this.#indexed + 1) * 2 > this.#slots.length) this.#rehash()
    const mask = this.#slots.length - 1
    let slot = this.hash(code) & mask
    let bytes: Uint8Array | undefined
    while (this.#slots[slot] >= 0) {
      bytes ??= this.bytes(code)
      if (this.#same(this.#slots[slot], bytes)) return
      slot = (slot + 1) & mask
    }
    this.#slots[slot] = code
    this.#indexed++
  }

  #rehash(): void {
    const old = this.#slots
    const waiting = Math.max(this.#size - this.#plainTo, this.#indexed)
    let room = old.length * 2
    while (room < waiting * 2) room *= 2
    this.#slots = new Int32Array(room).fill(-1)
    for (const code of old) {
      if (code < 0) continue
      let slot = this.hash(code) & (room - 1)
      while (this.#slots[slot] >= 0) slot = (slot + 1) & (room - 1)
      this.#slots[slot] = code
    }
  }

  /** Makes room; returns the code that the next text gets. */
  #reserve(bytes: number, texts: number): number {
    if (this.#end + bytes > this.#heap.length) {
      const grown = sharedColumn(Uint8Array, Math.max(this.#heap.length * 2, this.#end + bytes))
      grown.set(this.#heap.subarray(0, this.#end))
      this.#heap = grown
    }
    if (this.#size + texts + 1 > this.#offsets.length) {
      const room = Math.max(this.#offsets.length * 2, this.#size + texts + 1)
      const offsets = sharedColumn(Float64Array, room)
      offsets.set(this.#offsets)
      this.#offsets = offsets
      const flags = sharedColumn(Uint8Array, room)
      flags.set(this.#flags.subarray(0, this.#size))
      this.#flags = flags
    }
    return this.#size
  }
}

const start = 0x811c9dc5

function hashRange(hash: number, bytes: Uint8Array, from: number, to: number): number {
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ bytes[i], 0x01000193)
  return hash
}

function finish(hash: number): number {
  hash ^= hash >>> 15
  hash = Math.imul(hash, 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}

/** FNV-1a over the bytes with a final mix. */
export const hashBytes = (bytes: Uint8Array): number => finish(hashRange(start, bytes, 0, bytes.length))

function sameBytes(heap: Uint8Array, from: number, to: number, bytes: Uint8Array): boolean {
  if (to - from !== bytes.length) return false
  for (let i = 0; i < bytes.length; i++) if (heap[from + i] !== bytes[i]) return false
  return true
}
