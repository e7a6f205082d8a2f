// The page on which graph files are spelled: bytes in WebAssembly memory, where kept pieces and usual numbers
// are put down without JavaScript.
import type { Cells } from '../model/index.ts'
import { Bytes, encoded } from './bytes.ts'
import wasm from './page.as.ts?asc'

interface Exports {
  setUp(): void
  put(at: number, piece: number): number
  again(at: number, from: number, length: number, piece: number): number
  stats(at: number, heads: number, a: number, b: number, c: number, d: number): number
  differ(
    at: number,
    heads: number,
    none: number,
    bound: number,
    notes: number,
    a: number,
    b: number,
    c: number,
    d: number,
    e: number,
    f: number,
    g: number,
    h: number,
  ): number
}

/** A kept text: its address. */
export type Piece = number
/** Addresses of pieces side by side. */
export type PieceList = number

/** How differences are spelled: what stands before each, and where there is no relative error. */
export interface DifferenceForm {
  readonly heads: PieceList
  readonly none: Piece
  /** Values up to it get their note; negative: none does. */
  readonly bound: number
  readonly notes: PieceList
}

/** Four statistics per item. */
export type Four = readonly [Cells, Cells, Cells, Cells]

let compiled: WebAssembly.Module | undefined
/** The module's own tables end below this address. */
const firstFree = 1 << 16
const wasmPage = 1 << 16
/**
 * What the fast functions may write or read beyond the end of a text, and numbers besides the pieces around
 * them.
 */
const slack = 64
const numbers = 512

export class Page extends Bytes {
  readonly #memory: WebAssembly.Memory
  readonly #fast: Exports
  #top = firstFree
  #end = 0
  /** Enough for what one call puts down: no call takes more than sixteen pieces. */
  #usual = numbers

  constructor(room: number) {
    super(0)
    this.#memory = new WebAssembly.Memory({ initial: 2 })
    this.#fast = new WebAssembly.Instance((compiled ??= new WebAssembly.Module(wasm)), {
      env: { memory: this.#memory, abort() {} },
    }).exports as unknown as Exports
    this.#fast.setUp()
    this.start = this.at = this.#alloc(room + slack)
    this.#end = this.start + room
  }

  override need(more: number): void {
    if (this.at + more <= this.#end) return
    const used = this.at - this.start
    const room = Math.max((this.#end - this.start) * 2, used + more)
    const start = this.#alloc(room + slack)
    this.buffer.copyWithin(start, this.start, this.at)
    this.start = start
    this.at = start + used
    this.#end = start + room
  }

  /** What was put down, until something else is. */
  get written(): Uint8Array {
    return this.buffer.subarray(this.start, this.at)
  }

  /** Bytes put down so far. */
  get length(): number {
    return this.at - this.start
  }

  clear(): void {
    this.at = this.start
  }

  /** Keeps a text for `put`. */
  keep(text: string | Uint8Array): Piece {
    const bytes = typeof text === 'string' ? encoded(text) : text
    const piece = this.#alloc(bytes.length + 16) + 16
    this.#usual = Math.max(this.#usual, bytes.length * 16 + numbers)
    this.buffer.set(bytes, piece)
    new DataView(this.#memory.buffer).setUint32(piece - 4, bytes.length, true)
    return piece
  }

  /** Keeps what was put down from here on. */
  keepSince(from: number): Piece {
    return this.keep(this.buffer.slice(this.start + from, this.at))
  }

  /** The same, and takes it off the page. */
  takeBack(from: number): Piece {
    const piece = this.keepSince(from)
    this.at = this.start + from
    return piece
  }

  list(pieces: readonly Piece[]): PieceList {
    const list = this.#alloc(pieces.length * 4)
    new Uint32Array(this.#memory.buffer, list, pieces.length).set(pieces)
    return list
  }

  put(piece: Piece): void {
    this.need(this.#usual)
    this.at = this.#fast.put(this.at, piece)
  }

  /** Puts down again what stands so far behind the start, and a piece. */
  again(from: number, length: number, piece: Piece): void {
    this.need(length + this.#usual)
    this.at = this.#fast.again(this.at, this.start + from, length, piece)
  }

  /** Four numbers behind their heads, and a quote; whether all of them are beyond doubt. */
  stats(heads: PieceList, a: number, b: number, c: number, d: number): boolean {
    this.need(this.#usual)
    const end = this.#fast.stats(this.at, heads, a, b, c, d)
    if (end === 0) return false
    this.at = end
    return true
  }

  /** Four differences and four relative errors behind their heads. */
  differ(
    { heads, none, bound, notes }: DifferenceForm,
    [a, b, c, d]: Four,
    item: number,
    [e, f, g, h]: Four,
    there: number,
  ): boolean {
    this.need(this.#usual)
    const end = this.#fast.differ(
      this.at,
      heads,
      none,
      bound,
      notes,
      a.value[item],
      b.value[item],
      c.value[item],
      d.value[item],
      e.value[there],
      f.value[there],
      g.value[there],
      h.value[there],
    )
    if (end === 0) return false
    this.at = end
    return true
  }

  /** Zeroed memory, sixteen bytes aligned. */
  #alloc(bytes: number): number {
    const at = this.#top
    this.#top = at + ((bytes + 15) & ~15)
    const missing = Math.ceil((this.#top + slack - this.#memory.buffer.byteLength) / wasmPage)
    if (missing > 0) this.#memory.grow(missing)
    if (this.buffer.buffer !== this.#memory.buffer) this.buffer = new Uint8Array(this.#memory.buffer)
    return at
  }
}
