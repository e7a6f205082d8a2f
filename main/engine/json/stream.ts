// Strict JSON over bytes, as Python writes it: NaN and Infinity, integers of any size, ints and floats apart,
// keys in order.

/** A number as written; `float` tells 3.0 from 3. */
export class JsonNumber {
  readonly text: string
  readonly float: boolean
  constructor(text: string, float: boolean) {
    this.text = text
    this.float = float
  }
  get value(): number {
    return toNumber(this.text)
  }
  /** Whether an integer is one that a double holds, up to 2^53. */
  get exact(): boolean {
    return (
      this.text.length < 16 ||
      (this.text.length < 20 && -largest <= BigInt(this.text) && BigInt(this.text) <= largest)
    )
  }
}

export type Json = null | boolean | string | JsonNumber | readonly Json[] | JsonObject
export type JsonObject = ReadonlyMap<string, Json>

/** Why reading stopped. `truncated`: the bytes end inside a value. */
export class JsonStop extends Error {
  readonly why: 'broken' | 'truncated' | 'deep'
  /** Offset in the bytes given. */
  readonly at: number
  constructor(why: JsonStop['why'], at: number) {
    super(`json ${why} at ${at}`)
    this.name = 'JsonStop'
    this.why = why
    this.at = at
  }
}

/** Far above what a dump needs, far below what a stack can bear. */
const deepest = 200

const largest = 2n ** 53n
const special: Readonly<Record<string, number>> = { NaN, Infinity, '-Infinity': -Infinity }
const toNumber = (text: string): number => special[text] ?? Number(text)
const strictText = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const lenientText = new TextDecoder('utf-8', { ignoreBOM: true })

/** Reads values from `bytes`, one after the other, from `at` on. */
export class JsonReader {
  readonly bytes: Uint8Array
  at: number
  readonly end: number
  /** Offsets of strings that were no UTF-8 (read with U+FFFD in place of the bad bytes). */
  readonly badText: number[] = []
  /** Keys that an object gave twice, with offsets; the last value counts, as in Python. */
  readonly twice: { readonly key: string; readonly at: number }[] = []

  constructor(bytes: Uint8Array, at = 0, end = bytes.length) {
    this.bytes = bytes
    this.at = at
    this.end = end
  }

  space(): void {
    const { bytes, end } = this
    let at = this.at
    while (at < end && (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09))
      at++
    this.at = at
  }

  /** The next byte after white space, which stays unread. */
  peek(): number {
    this.space()
    if (this.at >= this.end) throw new JsonStop('truncated', this.at)
    return this.bytes[this.at]
  }

  expect(byte: number): void {
    if (this.peek() !== byte) throw new JsonStop('broken', this.at)
    this.at++
  }

  value(depth = 0): Json {
    const byte = this.peek()
    if (byte === 0x22) return this.string()
    if (byte === 0x7b) return this.object(depth + 1)
    if (byte === 0x5b) return this.array(depth + 1)
    if (byte === 0x2d || (byte >= 0x30 && byte <= 0x39)) return this.number()
    for (const [word, meaning] of words) if (byte === word.charCodeAt(0)) return this.word(word, meaning)
    throw new JsonStop('broken', this.at)
  }

  object(depth: number): JsonObject {
    if (depth > deepest) throw new JsonStop('deep', this.at)
    const out = new Map<string, Json>()
    this.members(key => {
      const at = this.at
      const value = this.value(depth)
      if (out.has(key)) this.twice.push({ key, at })
      out.set(key, value)
    })
    return out
  }

  /** Calls `take` at the start of each member's value; it must read that value. */
  members(take: (key: string) => void): void {
    this.expect(0x7b)
    if (this.closes()) return
    do take(this.key())
    while (this.goesOn())
  }

  /** Takes the closing brace if it comes next. */
  closes(): boolean {
    const closing = this.peek() === 0x7d
    if (closing) this.at++
    return closing
  }

  /** A member's key; its value comes next. */
  key(): string {
    if (this.peek() !== 0x22) throw new JsonStop('broken', this.at)
    const key = this.string()
    this.expect(0x3a)
    this.peek()
    return key
  }

  /** Takes the comma (true) or closing brace (false) after a member. */
  goesOn(): boolean {
    const next = this.peek()
    if (next !== 0x2c && next !== 0x7d) throw new JsonStop('broken', this.at)
    this.at++
    return next === 0x2c
  }

  array(depth: number): readonly Json[] {
    if (depth > deepest) throw new JsonStop('deep', this.at)
    const out: Json[] = []
    this.expect(0x5b)
    if (this.peek() === 0x5d) {
      this.at++
      return out
    }
    for (;;) {
      out.push(this.value(depth))
      const next = this.peek()
      if (next !== 0x2c && next !== 0x5d) throw new JsonStop('broken', this.at)
      this.at++
      if (next === 0x5d) return out
    }
  }

  string(): string {
    const { bytes, end } = this
    const from = ++this.at
    let at = from
    let escaped = false
    for (; ; at++) {
      if (at >= end) throw new JsonStop('truncated', end)
      const byte = bytes[at]
      if (byte === 0x22) break
      if (byte < 0x20) throw new JsonStop('broken', at)
      if (byte === 0x5c) {
        escaped = true
        at = this.#escape(at)
      }
    }
    this.at = at + 1
    const raw = bytes.subarray(from, at)
    let text: string
    try {
      text = strictText.decode(raw)
    } catch {
      this.badText.push(from)
      text = lenientText.decode(raw)
    }
    return escaped ? unescape(text) : text
  }

  /** Checks the escape at a backslash; returns its last byte. */
  #escape(at: number): number {
    const byte = this.#within(at + 1)
    if (byte !== 0x75) {
      if (!simple.has(byte)) throw new JsonStop('broken', at)
      return at + 1
    }
    for (let i = 2; i < 6; i++) if (!hex(this.#within(at + i))) throw new JsonStop('broken', at)
    return at + 5
  }

  #within(at: number): number {
    if (at >= this.end) throw new JsonStop('truncated', this.end)
    return this.bytes[at]
  }

  number(): JsonNumber {
    const { bytes, end } = this
    const from = this.at
    let at = from
    let float = false
    const digits = (): void => {
      if (at >= end) throw new JsonStop('truncated', end)
      if (!digit(bytes[at])) throw new JsonStop('broken', at)
      while (at < end && digit(bytes[at])) at++
    }
    if (bytes[at] === 0x2d) at++
    if (at < end && bytes[at] === 0x49 && at > from) {
      this.at = at
      this.word('Infinity', null)
      return new JsonNumber('-Infinity', true)
    }
    if (at < end && bytes[at] === 0x30) at++
    else digits()
    if (at < end && bytes[at] === 0x2e) {
      float = true
      at++
      digits()
    }
    if (at < end && (bytes[at] | 0x20) === 0x65) {
      float = true
      at++
      if (at < end && (bytes[at] === 0x2b || bytes[at] === 0x2d)) at++
      digits()
    }
    this.at = at
    let text = ''
    for (let i = from; i < at; i += 4096)
      text += String.fromCharCode(...bytes.subarray(i, Math.min(at, i + 4096)))
    return new JsonNumber(text, float)
  }

  word(word: string, meaning: Json): Json {
    for (let i = 0; i < word.length; i++) {
      if (this.at + i >= this.end) throw new JsonStop('truncated', this.end)
      if (this.bytes[this.at + i] !== word.charCodeAt(i)) throw new JsonStop('broken', this.at)
    }
    this.at += word.length
    return meaning
  }
}

const words: readonly (readonly [string, Json])[] = [
  ['null', null],
  ['true', true],
  ['false', false],
  ['NaN', new JsonNumber('NaN', true)],
  ['Infinity', new JsonNumber('Infinity', true)],
]
const simple = new Set([...'"\\/bfnrt'].map(c => c.charCodeAt(0)))
const digit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39
const hex = (byte: number): boolean => digit(byte) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66)
const plain: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

const unescape = (text: string): string =>
  text.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/g, (_, code: string | undefined, char: string) =>
    code === undefined ? (plain[char] ?? char) : String.fromCharCode(Number.parseInt(code, 16)),
  )

export const isObject = (value: Json | undefined): value is JsonObject => value instanceof Map
export const isArray = (value: Json | undefined): value is readonly Json[] => Array.isArray(value)
