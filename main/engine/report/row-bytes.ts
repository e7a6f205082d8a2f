// A row of markup as bytes in WebAssembly memory: what repeats is put down again as it was, plain texts are
// looked through once while
// they are copied, numbers never become strings.
import { fives } from '../json/index.ts'
import type { TextPool } from '../model/index.ts'
import wasm from './decimal.as.ts?asc'
import { g16, pyFloat } from '../python/index.ts'

interface Exports {
  fivesAt(): number
  g16(at: number, x: number): number
  repr(at: number, x: number): number
  open(at: number, column: number, row: number): number
  numberCell(at: number, column: number, row: number, style: number, x: number): number
}

/**
 * The module's own tables end below this address; then come a row's digits, the styles and what opens the
 * cells of each column.
 */
const kept = 1 << 15
const keptBytes = 20
const wasmPage = 1 << 16
/** Room that a cell with a number may take. */
const cellBytes = 100

/** Bytes that cannot stand in XML as they are: controls, markup, everything beyond ASCII. */
const odd = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < 0x20 || byte > 0x7e || byte === 0x26 || byte === 0x3c || byte === 0x3e ? 1 : 0,
)
/** What a text may not begin with to be plain: a space, and what a spreadsheet takes for a formula. */
const oddFirst = Uint8Array.from({ length: 256 }, (_, byte) =>
  odd[byte] || ' =+-@'.includes(String.fromCharCode(byte)) ? 1 : 0,
)
const [space, underscore, x] = [0x20, 0x5f, 0x78]

const encoder = new TextEncoder()
let compiled: WebAssembly.Module | undefined

/** Bytes that are put down again and again. */
export class Piece {
  bytes: Uint8Array
  #room: Uint8Array
  constructor(text = '') {
    this.bytes = this.#room = encoder.encode(text)
  }

  hold(bytes: Uint8Array): void {
    if (this.#room.length < bytes.length) this.#room = new Uint8Array(bytes.length * 2)
    if (this.bytes.length !== bytes.length) this.bytes = this.#room.subarray(0, bytes.length)
    this.bytes.set(bytes)
  }
}

export class RowBytes {
  readonly #memory: WebAssembly.Memory
  readonly #fast: Exports
  readonly #start: number
  readonly #styles: number
  readonly #opens: number
  #bytes: Uint8Array
  #at: number

  /** What stands in a cell before its row: by column up to 16 bytes; and behind it, by style. */
  constructor(opens: readonly string[] = [], styles: readonly string[] = []) {
    this.#start = this.#at = kept + keptBytes * (1 + styles.length + opens.length)
    this.#styles = kept + keptBytes
    this.#opens = this.#styles + keptBytes * styles.length
    this.#memory = new WebAssembly.Memory({ initial: Math.ceil(this.#start / wasmPage) + 1 })
    this.#fast = new WebAssembly.Instance((compiled ??= new WebAssembly.Module(wasm)), {
      env: { memory: this.#memory, abort() {} },
    }).exports as unknown as Exports
    new BigUint64Array(this.#memory.buffer, this.#fast.fivesAt(), fives().length).set(fives())
    this.#bytes = new Uint8Array(this.#memory.buffer)
    ;[...styles, ...opens].forEach((text, i) => this.#hold(this.#styles + keptBytes * i, text))
  }

  #hold(at: number, text: string): void {
    new DataView(this.#memory.buffer).setUint32(at, text.length, true)
    for (let i = 0; i < text.length; i++) this.#bytes[at + 4 + i] = text.charCodeAt(i)
  }

  /** Begins anew with the cells of a row. */
  row(line: number): void {
    this.cut(0)
    this.#hold(kept, `${line}"`)
  }

  /** `<c r="B7"` of a column. */
  open(column: number): void {
    this.#need(cellBytes)
    this.#at = this.#fast.open(this.#at, this.#opens + keptBytes * column, kept)
  }

  style(style: number): void {
    const at = this.#styles + keptBytes * style
    const length = this.#bytes[at]
    this.#need(length)
    this.#bytes.copyWithin(this.#at, at + 4, at + 4 + length)
    this.#at += length
  }

  /** A whole cell with a number. */
  number(column: number, style: number, value: number): void {
    this.#need(cellBytes)
    const end = this.#fast.numberCell(
      this.#at,
      this.#opens + keptBytes * column,
      kept,
      this.#styles + keptBytes * style,
      value,
    )
    if (end !== 0) this.#at = end
    else {
      this.open(column)
      this.style(style)
      this.ascii(`><v>${g16(value)}</v></c>`)
    }
  }

  /** Bytes so far. */
  get length(): number {
    return this.#at - this.#start
  }
  /** What was put down; good until more is. */
  get written(): Uint8Array {
    return this.#bytes.subarray(this.#start, this.#at)
  }
  /** Takes off all but the first bytes. */
  cut(length: number): void {
    this.#at = this.#start + length
  }

  /** Keeps what was put down from a place on. */
  keep(from: number, piece: Piece): void {
    piece.hold(this.#bytes.subarray(this.#start + from, this.#at))
  }

  put({ bytes }: Piece): void {
    this.#need(bytes.length)
    this.#bytes.set(bytes, this.#at)
    this.#at += bytes.length
  }

  /** A text that is known to be ASCII. */
  ascii(text: string): void {
    const { length } = text
    this.#need(length)
    const bytes = this.#bytes
    let at = this.#at
    for (let i = 0; i < length; i++) bytes[at++] = text.charCodeAt(i)
    this.#at = at
  }

  text(text: string): void {
    this.#need(text.length * 3)
    this.#at += encoder.encodeInto(text, this.#bytes.subarray(this.#at)).written
  }

  /** `%.16g`. */
  g16(value: number): void {
    this.#need(cellBytes)
    const end = this.#fast.g16(this.#at, value)
    if (end === 0) this.ascii(g16(value))
    else this.#at = end
  }

  /** Python's `repr`. */
  repr(value: number): void {
    this.#need(cellBytes)
    const end = this.#fast.repr(this.#at, value)
    if (end === 0) this.ascii(pyFloat(value))
    else this.#at = end
  }

  /** A text, if it can stand in XML as it is. */
  plain(text: string): boolean {
    const { length } = text
    this.#need(length)
    const bytes = this.#bytes
    let at = this.#at
    let before = space
    for (let i = 0; i < length; i++) {
      const code = text.charCodeAt(i)
      if (code > 0x7e || odd[code] === 1 || (code === x && before === underscore)) return false
      before = bytes[at++] = code
    }
    return this.#kept(at)
  }

  /** The same with a text of a pool. */
  plainCode(texts: TextPool, code: number): boolean {
    this.#need(texts.bytesOf(code))
    const bytes = this.#bytes
    const end = texts.copy(code, bytes, this.#at)
    let before = space
    for (let at = this.#at; at < end; at++) {
      const byte = bytes[at]
      if (odd[byte] === 1 || (byte === x && before === underscore)) return false
      before = byte
    }
    return this.#kept(end)
  }

  #kept(end: number): boolean {
    if (end > this.#at && (oddFirst[this.#bytes[this.#at]] === 1 || this.#bytes[end - 1] === space))
      return false
    this.#at = end
    return true
  }

  #need(more: number): void {
    const missing = this.#at + more - this.#bytes.length
    if (missing <= 0) return
    this.#memory.grow(Math.ceil(Math.max(missing, this.#bytes.length) / wasmPage))
    this.#bytes = new Uint8Array(this.#memory.buffer)
  }
}
