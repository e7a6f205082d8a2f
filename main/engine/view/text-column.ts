// A column of texts as codes: every different text once, ready to search, rank and count.
import type { PairRow } from '../model/index.ts'
import { typedPattern } from '../names/index.ts'
import { type Job, job as newJob } from '../work/index.ts'
import { rankTexts, type TextHeap } from './text-rank.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const rowsPerBreath = 8192

type TextTest = 'contains' | 'notContains' | 'equals' | 'startsWith' | 'endsWith' | 'regex'

/** Where a column's texts can be had without making them: codes of a pool. */
export interface PoolCodes {
  /** Code of a row in the pool, -1 where the cell's text is not from the pool. */
  code(row: PairRow): number
  readonly size: number
  bytes(code: number): Uint8Array
}

export class TextColumn {
  /** Per row: which text. */
  readonly codes: Int32Array
  readonly size: number
  readonly #first: Int32Array
  readonly #text: (row: PairRow) => string
  /** Small letters only; case never matters when searching. */
  readonly #heap: TextHeap
  #ranks: Promise<Uint32Array> | null = null

  private constructor(codes: Int32Array, first: Int32Array, heap: TextHeap, text: (row: PairRow) => string) {
    this.codes = codes
    this.#first = first
    this.size = first.length
    this.#heap = heap
    this.#text = text
  }

  /** Reads the texts of `rows` rows; those of a pool without making a string of each. */
  static async of(
    rows: number,
    text: (row: PairRow) => string,
    pool: PoolCodes | null,
    job: Job,
  ): Promise<TextColumn> {
    const codes = new Int32Array(rows)
    const first = new Grown()
    const heap = new HeapBuilder()
    const known = new Map<string, number>()
    const fromPool = pool ? new Int32Array(pool.size).fill(-1) : null
    for (let row = 0; row < rows; row++) {
      if (row % rowsPerBreath === 0) await job.breathe()
      const code = pool ? pool.code(row) : -1
      if (pool && fromPool && code >= 0) {
        if (fromPool[code] < 0) {
          fromPool[code] = first.push(row)
          heap.addBytes(pool.bytes(code))
        }
        codes[row] = fromPool[code]
        continue
      }
      const cell = text(row)
      let at = known.get(cell)
      if (at === undefined) {
        at = first.push(row)
        known.set(cell, at)
        heap.addText(cell)
      }
      codes[row] = at
    }
    return new TextColumn(codes, first.done(), heap.done(), text)
  }

  /** A text as the table shows it. */
  get(code: number): string {
    return this.#text(this.#first[code])
  }

  /** Rank of each text; made once, to its end even when the first who asked gives up. */
  ranks(): Promise<Uint32Array> {
    return (this.#ranks ??= rankTexts(this.#heap, newJob()))
  }

  /** 1 for each text that passes. An unfinished regular expression passes nothing. */
  async passing(test: TextTest, wanted: string, job: Job): Promise<Uint8Array> {
    if (test === 'regex') return this.#matching(wanted, job)
    const needle = encoder.encode(wanted.toLowerCase())
    const found = new Uint8Array(this.size)
    if (needle.length === 0) return found.fill(test === 'equals' ? 0 : 1)
    const { bytes, offsets } = this.#heap
    if (test === 'contains' || test === 'notContains') {
      await this.#search(needle, found, job)
      if (test === 'notContains') for (let i = 0; i < found.length; i++) found[i] ^= 1
      return found
    }
    for (let i = 0; i < this.size; i++) {
      const from = offsets[i]
      const to = offsets[i + 1]
      const length = to - from
      if (length < needle.length || (test === 'equals' && length !== needle.length)) continue
      found[i] = sameAt(bytes, test === 'endsWith' ? to - needle.length : from, needle) ? 1 : 0
    }
    return found
  }

  /** 1 for each of the given texts, exactly as shown. */
  among(values: readonly string[]): Uint8Array {
    const wanted = new Set(values)
    const found = new Uint8Array(this.size)
    for (let i = 0; i < this.size; i++) if (wanted.has(this.get(i))) found[i] = 1
    return found
  }

  /**
   * Marks every text that holds the needle: one search through all texts, hits mapped back through the
   * offsets.
   */
  async #search(needle: Uint8Array, found: Uint8Array, job: Job): Promise<void> {
    const { bytes, offsets } = this.#heap
    const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    let text = 0
    let hits = 0
    for (let at = view.indexOf(needle, 0); at >= 0;) {
      if (++hits % 65_536 === 0) await job.breathe()
      if (offsets[text + 1] <= at) text = textAt(offsets, at, text + 1)
      if (at + needle.length <= offsets[text + 1]) {
        found[text] = 1
        at = view.indexOf(needle, offsets[text + 1])
      } else at = view.indexOf(needle, at + 1)
    }
  }

  async #matching(source: string, job: Job): Promise<Uint8Array> {
    const found = new Uint8Array(this.size)
    const pattern = await typedPattern(source)
    if (!pattern) return found
    for (let i = 0; i < this.size; i++) {
      if (i % rowsPerBreath === 0) await job.breathe()
      if (
        pattern.test(
          decoder.decode(this.#heap.bytes.subarray(this.#heap.offsets[i], this.#heap.offsets[i + 1])),
        )
      )
        found[i] = 1
    }
    return found
  }
}

/** Index of the text that a byte position belongs to; `from` is a text at or before it. */
function textAt(offsets: Float64Array, at: number, from: number): number {
  let low = from
  let step = 1
  while (low + step < offsets.length - 1 && offsets[low + step] <= at) {
    low += step
    step *= 2
  }
  let high = Math.min(low + step, offsets.length - 1)
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if (offsets[middle] <= at) low = middle
    else high = middle
  }
  return low
}

function sameAt(bytes: Uint8Array, from: number, needle: Uint8Array): boolean {
  for (let i = 0; i < needle.length; i++) if (bytes[from + i] !== needle[i]) return false
  return true
}

class HeapBuilder {
  #bytes = new Uint8Array(1 << 14)
  #offsets = new Float64Array(1 << 10)
  #end = 0
  #size = 0

  addText(text: string): void {
    this.addBytes(encoder.encode(text))
  }

  addBytes(bytes: Uint8Array): void {
    let plain = true
    this.#reserve(bytes.length)
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes[i]
      if (byte > 127) {
        plain = false
        break
      }
      this.#bytes[this.#end + i] = byte >= 65 && byte <= 90 ? byte + 32 : byte
    }
    const small = plain ? bytes : encoder.encode(decoder.decode(bytes).toLowerCase())
    if (!plain) {
      this.#reserve(small.length)
      this.#bytes.set(small, this.#end)
    }
    this.#end += small.length
    this.#offsets[++this.#size] = this.#end
  }

  done(): TextHeap {
    return {
      bytes: this.#bytes.subarray(0, this.#end),
      offsets: this.#offsets.slice(0, this.#size + 1),
      size: this.#size,
    }
  }

  #reserve(more: number): void {
    if (this.#end + more > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#end + more))
      grown.set(this.#bytes.subarray(0, this.#end))
      this.#bytes = grown
    }
    if (this.#size + 2 > this.#offsets.length) {
      const grown = new Float64Array(this.#offsets.length * 2)
      grown.set(this.#offsets)
      this.#offsets = grown
    }
  }
}

class Grown {
  #values = new Int32Array(1 << 10)
  #length = 0

  /** Adds a value; returns its index. */
  push(value: number): number {
    if (this.#length === this.#values.length) {
      const grown = new Int32Array(this.#values.length * 2)
      grown.set(this.#values)
      this.#values = grown
    }
    this.#values[this.#length] = value
    return this.#length++
  }

  done(): Int32Array {
    return this.#values.slice(0, this.#length)
  }
}
