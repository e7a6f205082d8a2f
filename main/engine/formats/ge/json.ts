// The same messages as JSON, as GE's own converter writes them: op after op through a window of the file.
import type { Handle } from '../../io/index.ts'
import {
  isArray,
  isObject,
  type Json,
  JsonNumber,
  type JsonObject,
  JsonReader,
  JsonStop,
} from '../../json/index.ts'
import { problem, Refusal } from '../../model/index.ts'
import type { Events, Field, Message } from './schema.ts'

/** Bytes of a window at first; tests make it small. */
export const jsonRoom = { bytes: 1 << 20 }
/** Of one op. */
const largest = 64 << 20
/** Lists within lists that are gone through one by one: graphs, and their ops. */
const streamed = 2
const [comma, brace, bracket] = [0x2c, 0x7b, 0x5b]

export class JsonMessages<T> {
  readonly #handle: Handle
  readonly #file: string
  readonly #events: Events<T>
  #bytes = new Uint8Array(jsonRoom.bytes)
  #at = 0
  #filled = 0
  #base = 0
  #final = false

  constructor(handle: Handle, file: string, events: Events<T>) {
    this.#handle = handle
    this.#file = file
    this.#events = events
  }

  get position(): number {
    return this.#base + this.#at
  }

  /** Reads the message that the file is; every step is an op or less. */
  *steps(message: Message<T>, depth = 0): Generator<void> {
    this.#attempt(reader => reader.expect(brace))
    for (let open = !this.#attempt(reader => reader.closes()); open; open = this.#attempt(r => r.goesOn())) {
      const field = message.fields.get(this.#attempt(reader => reader.key()))
      const lists = this.#attempt(reader => reader.peek()) === bracket
      if (field?.message && lists && depth < streamed) yield* this.#list(field, field.message, depth + 1)
      else this.#whole(field)
      yield
    }
  }

  *#list(field: Field<T>, message: Message<T>, depth: number): Generator<void> {
    this.#attempt(reader => reader.expect(bracket))
    const empty = this.#attempt(reader => {
      const closing = reader.peek() === bracket + 2
      if (closing) reader.at++
      return closing
    })
    for (let open = !empty; open; open = this.#another()) {
      const opens = this.#attempt(reader => reader.peek()) === brace
      if (opens && depth < streamed && this.#events.open(field, this.position)) {
        yield* this.steps(message, depth)
        this.#events.close(field, this.position)
      } else this.#whole(field)
      yield
    }
  }

  /** A value at once. */
  #whole(field: Field<T> | undefined): void {
    const value = this.#attempt(reader => reader.value())
    if (field) this.#walk(field, value, this.position)
  }

  #another(): boolean {
    return this.#attempt(reader => {
      const next = reader.peek()
      if (next !== comma && next !== bracket + 2) throw new JsonStop('broken', reader.at)
      reader.at++
      if (next === comma) reader.space()
      return next === comma
    })
  }

  #walk(field: Field<T>, value: Json, end: number): void {
    if (isArray(value)) for (const one of value) this.#walk(field, one, end)
    else if (field.message) {
      // An empty message of a list is null.
      if (value !== null && !isObject(value)) return
      if (!this.#events.open(field, this.#start)) return
      if (value) walkMembers(field.message, value, (inner, member) => this.#walk(inner, member, end))
      this.#events.close(field, end)
    } else if (value !== null && !isObject(value)) {
      const bytes = scalarBytes(value, field.bytes)
      this.#events.value(field, bytes, 0, bytes.length)
    }
  }

  /** Where the value that was read last begins. */
  #start = 0

  /** Reads something; when the window ends in the midst of it, reads on and tries again. */
  #attempt<R>(read: (reader: JsonReader) => R): R {
    for (;;) {
      const reader = new JsonReader(this.#bytes, this.#at, this.#filled)
      try {
        reader.space()
        this.#start = this.#base + reader.at
        const value = read(reader)
        // A number that ends where the window ends may go on.
        if (reader.at === this.#filled && this.#more()) continue
        this.#at = reader.at
        return value
      } catch (error) {
        if (!(error instanceof JsonStop)) throw error
        if (error.why === 'truncated' && this.#more()) continue
        throw new JsonStop(error.why, this.#base + error.at)
      }
    }
  }

  #more(): boolean {
    if (this.#final) return false
    const left = this.#filled - this.#at
    if (left * 2 > this.#bytes.length) {
      if (this.#bytes.length >= largest)
        throw new Refusal(problem('too-large', this.#file, { size: left, limit: largest }))
      const wide = new Uint8Array(this.#bytes.length * 2)
      wide.set(this.#bytes.subarray(this.#at, this.#filled))
      this.#bytes = wide
    } else this.#bytes.copyWithin(0, this.#at, this.#filled)
    this.#base += this.#at
    this.#at = 0
    const read = this.#handle.read(this.#base + left, this.#bytes.subarray(left))
    this.#filled = left + read
    this.#final = this.#filled < this.#bytes.length
    return read > 0
  }
}

/** Tells the events of one message that was read whole. */
function walkMembers<T>(
  message: Message<T>,
  object: JsonObject,
  take: (field: Field<T>, value: Json) => void,
): void {
  for (const [name, value] of object) {
    const field = message.fields.get(name)
    if (field) take(field, value)
  }
}

const encoder = new TextEncoder()

function scalarBytes(
  value: Exclude<Json, null | JsonObject | readonly Json[]>,
  escaped: boolean,
): Uint8Array {
  if (value instanceof JsonNumber) return encoder.encode(value.text)
  if (typeof value === 'boolean') return encoder.encode(String(value))
  return escaped && value.includes('\\') ? unescaped(value) : encoder.encode(value)
}

const escapes: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, a: 7, b: 8, f: 12, v: 11 }

/** A text with C's escapes, which are bytes of UTF-8. */
function unescaped(text: string): Uint8Array {
  const pieces = text.split(/(\\(?:[0-7]{1,3}|x[0-9a-fA-F]{1,2}|.))/s)
  const bytes: number[] = []
  for (const [i, piece] of pieces.entries())
    if (i % 2 === 0) for (const byte of encoder.encode(piece)) bytes.push(byte)
    else if (/^\\[0-7]/.test(piece)) bytes.push(Number.parseInt(piece.slice(1), 8) & 0xff)
    else if (/^\\x[0-9a-fA-F]/.test(piece)) bytes.push(Number.parseInt(piece.slice(2), 16))
    else bytes.push(escapes[piece[1]] ?? piece.charCodeAt(1))
  return Uint8Array.from(bytes)
}
