// Columns: the only shape in which bulk data lives between disk and screen.

/** Texts stored once; columns hold their codes. */
export interface Texts {
  readonly size: number
  get(code: number): string
  /** The code of a text that is already in the pool, or -1. */
  find(text: string): number
  /** The code of a text, added when new. */
  add(text: string): number
}

/** Cells of mixed kind; see `Kind` for how `value` is read. */
export interface Cells {
  readonly kind: Uint8Array
  readonly value: Float64Array
}

const decoder = new TextDecoder()
const encoder = new TextEncoder()

/** A pool of texts on one UTF-8 heap with an open-addressing index over their bytes. */
export class TextPool implements Texts {
  #heap = new Uint8Array(1 << 16)
  #end = 0
  #offsets = new Float64Array(1 << 10)
  #size = 0
  #slots = new Int32Array(1 << 11).fill(-1)
  #recent = new Map<number, string>()

  get size(): number { return this.#size }
  get heapBytes(): number { return this.#end }

  get(code: number): string {
    const known = this.#recent.get(code)
    if (known !== undefined) return known
    const text = decoder.decode(this.bytes(code))
    if (this.#recent.size > 4096) this.#recent.clear()
    this.#recent.set(code, text)
    return text
  }

  bytes(code: number): Uint8Array {
    if (code < 0 || code >= this.#size) throw new RangeError(`no text ${code} in a pool of ${this.#size}`)
    return this.#heap.subarray(this.#offsets[code], this.#offsets[code + 1])
  }

  find(text: string): number { return this.findBytes(encoder.encode(text)) }

  add(text: string): number { return this.addBytes(encoder.encode(text)) }

  findBytes(bytes: Uint8Array): number { return this.#slots[this.#slot(bytes)] }

  addBytes(bytes: Uint8Array): number {
    let slot = this.#slot(bytes)
    const known = this.#slots[slot]
    if (known >= 0) return known
    if ((this.#size + 1) * 2 > this.#slots.length) { this.#rehash(); slot = this.#slot(bytes) }
    this.#reserve(bytes.length)
    this.#heap.set(bytes, this.#end)
    this.#end += bytes.length
    const code = this.#size++
    this.#offsets[code + 1] = this.#end
    this.#slots[slot] = code
    return code
  }

  #slot(bytes: Uint8Array): number {
    const mask = this.#slots.length - 1
    let slot = hashBytes(bytes) & mask
    for (;;) {
      const code = this.#slots[slot]
      if (code < 0 || sameBytes(this.#heap, this.#offsets[code], this.#offsets[code + 1], bytes)) return slot
      slot = (slot + 1) & mask
    }
  }

  #reserve(bytes: number): void {
    if (this.#end + bytes > this.#heap.length) {
      const grown = new Uint8Array(Math.max(this.#heap.length * 2, this.#end + bytes))
      grown.set(this.#heap.subarray(0, this.#end))
      this.#heap = grown
    }
    if (this.#size + 2 > this.#offsets.length) {
      const grown = new Float64Array(this.#offsets.length * 2)
      grown.set(this.#offsets)
      this.#offsets = grown
    }
  }

  #rehash(): void {
    this.#slots = new Int32Array(this.#slots.length * 2).fill(-1)
    const mask = this.#slots.length - 1
    for (let code = 0; code < this.#size; code++) {
      let slot = hashBytes(this.bytes(code)) & mask
      while (this.#slots[slot] >= 0) slot = (slot + 1) & mask
      this.#slots[slot] = code
    }
  }
}

/** FNV-1a over the bytes with a final mix. */
export function hashBytes(bytes: Uint8Array): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < bytes.length; i++) hash = Math.imul(hash ^ bytes[i], 0x01000193)
  hash ^= hash >>> 15
  hash = Math.imul(hash, 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}

function sameBytes(heap: Uint8Array, from: number, to: number, bytes: Uint8Array): boolean {
  if (to - from !== bytes.length) return false
  for (let i = 0; i < bytes.length; i++) if (heap[from + i] !== bytes[i]) return false
  return true
}
