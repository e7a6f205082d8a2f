// The growing columns of a GE model while its files are read.
import { reserve } from '../dump-columns.ts'

type Column = Uint8Array | Uint32Array | Int32Array | Float64Array

const firstRoom = 64

/** Rows of one table; every column has the same length, and room for one row more. */
export class Rows<C extends Record<string, Column>> {
  readonly columns: C
  length = 0
  #room = firstRoom
  /** Columns are replaced when they grow; their names stay. */
  readonly #names: readonly (keyof C)[]

  constructor(make: (room: number) => C) {
    this.columns = make(firstRoom)
    this.#names = Object.keys(this.columns)
  }

  /** A new row; of which nothing is filled in where no value is given. */
  add(value?: number): number {
    this.#reserve(1)
    if (value !== undefined) for (const name of this.#names) this.columns[name][this.length] = value
    return this.length++
  }

  /** Adds all rows of another table of the same kind. */
  append(other: Rows<C>): void {
    this.#reserve(other.length)
    for (const name of this.#names) {
      const [mine, theirs] = [this.columns[name], other.columns[name]]
      // Mostly there is one: not worth a view.
      for (let row = 0; row < other.length; row++) mine[this.length + row] = theirs[row]
    }
    this.length += other.length
  }

  /** The columns; `more` values behind the last row. */
  cut(more = 0): C {
    return Object.fromEntries(
      Object.entries(this.columns).map(([name, column]) => [name, column.slice(0, this.length + more)]),
    ) as C
  }

  #reserve(more: number): void {
    const needed = this.length + more + 1
    if (needed <= this.#room) return
    this.#room = Math.max(needed, this.#room * 2)
    reserve(this.columns, this.#room)
  }
}

/** Whole numbers one after the other. */
export class Numbers {
  #all = new Int32Array(firstRoom)
  length = 0

  add(value: number): void {
    if (this.length === this.#all.length) {
      const grown = new Int32Array(this.length * 2)
      grown.set(this.#all)
      this.#all = grown
    }
    this.#all[this.length++] = value
  }

  cut(): Int32Array {
    return this.#all.slice(0, this.length)
  }
}

const comma = 0x2c
const open = 0x5b
const close = 0x5d
/** No shape is longer; what is, was made to fill memory. */
const longest = 1 << 16

/** A list of whole numbers, or of such lists, as a JSON text. */
export class ListText {
  bytes = new Uint8Array(256)
  length = 0

  clear(): void {
    this.length = 0
  }

  open(): void {
    this.#between()
    this.#put(open)
  }

  close(): void {
    this.#put(close)
  }

  item(bytes: Uint8Array, from: number, to: number): void {
    if (this.length + to - from > longest) return
    this.#between()
    const whole = wholeBytes(bytes, from, to)
    for (const byte of whole) this.#put(byte)
  }

  #between(): void {
    if (this.length > 0 && this.bytes[this.length - 1] !== open) this.#put(comma)
  }

  #put(byte: number): void {
    if (this.length === this.bytes.length) {
      const grown = new Uint8Array(this.length * 2)
      grown.set(this.bytes)
      this.bytes = grown
    }
    this.bytes[this.length++] = byte
  }
}

const ascii = new TextDecoder('latin1')
const encoder = new TextEncoder()
const plain = /^(?:0|-?[1-9]\d*)$/

/** A whole number in decimal digits, however it was written. */
export function wholeText(text: string): string {
  if (plain.test(text)) return text
  const [, minus = '', digits = ''] = /^([+-]?)(.*)$/.exec(text) ?? []
  const sign = minus === '-' ? '-' : ''
  if (/^0[xX][0-9a-fA-F]+$/.test(digits)) return sign + BigInt(digits).toString()
  if (/^0[0-7]+$/.test(digits)) return sign + BigInt(`0o${digits}`).toString()
  const value = Math.trunc(Number(text))
  return Number.isFinite(value) ? BigInt(value).toString() : '0'
}

function wholeBytes(bytes: Uint8Array, from: number, to: number): Uint8Array {
  // Digits that do not begin with 0 need no second look.
  if (bytes[from] > 0x30 && onlyDigits(bytes, from, to)) return bytes.subarray(from, to)
  return encoder.encode(wholeText(textOf(bytes, from, to)))
}

function onlyDigits(bytes: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (bytes[i] < 0x30 || bytes[i] > 0x39) return false
  return true
}

/** A number or word, which is ASCII. */
export function textOf(bytes: Uint8Array, from: number, to: number): string {
  if (to - from > 12) return ascii.decode(bytes.subarray(from, to))
  let text = ''
  for (let i = from; i < to; i++) text += String.fromCharCode(bytes[i])
  return text
}
