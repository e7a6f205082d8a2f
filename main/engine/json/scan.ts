// Goes over JSON bytes without making values of them: ranges of strings, codes of texts, skipped values. For
// files with millions of short texts.
import type { SkipWindow } from './skip-window.ts'
import { JsonReader, JsonStop } from './stream.ts'
import { Kind, type TextPool } from '../model/index.ts'

const quote = 0x22
const backslash = 0x5c
/**
 * Digits and powers of ten that a double holds exactly, so that one division or multiplication rounds once.
 */
const mostDigits = 15
const mostPower = 22
const powers = Array.from({ length: mostPower + 1 }, (_, n) => Number(`1e${n}`))

export class JsonScan {
  readonly bytes: Uint8Array
  at: number
  readonly end: number
  /** Range of the string that was read last, without its quotes. */
  from = 0
  to = 0
  #escaped = false
  readonly #window: SkipWindow | null

  /** `window`: what `bytes` is the content of, where there is one. */
  constructor(bytes: Uint8Array, at = 0, end = bytes.length, window: SkipWindow | null = null) {
    this.bytes = bytes
    this.#window = window
    this.at = at
    this.end = end
  }

  /** The next byte that is no white space, which stays unread. */
  peek(): number {
    const { bytes, end } = this
    let at = this.at
    while (at < end && bytes[at] <= 0x20) at++
    this.at = at
    if (at >= end) throw new JsonStop('truncated', end)
    return bytes[at]
  }

  expect(byte: number): void {
    if (this.peek() !== byte) throw new JsonStop('broken', this.at)
    this.at++
  }

  /** Reads a string; what it says is in `from` and `to`. */
  string(): void {
    this.expect(quote)
    const { bytes, end } = this
    let at = this.at
    this.from = at
    this.#escaped = false
    for (; at < end; at++) {
      const byte = bytes[at]
      if (byte === quote) {
        this.to = at
        this.at = at + 1
        return
      }
      if (byte === backslash) {
        this.#escaped = true
        at++
      }
    }
    throw new JsonStop('truncated', end)
  }

  /** The string that was read last. */
  text(): string {
    if (!this.#escaped) return latin(this.bytes, this.from, this.to)
    return new JsonReader(this.bytes, this.from - 1, this.to + 1).string()
  }

  /** Its code in a pool. */
  code(texts: TextPool): number {
    return this.#escaped
      ? texts.addPlain(this.text())
      : texts.addPlainBytes(this.bytes.subarray(this.from, this.to))
  }

  /**
   * Reads it as a number in digits, with a point and an exponent or without; false where that would not be
   * exact, or is no number.
   */
  decimal(into: { kind: Kind; value: number }): boolean {
    const { bytes, from, to } = this
    let at = from
    const negative = bytes[at] === 0x2d
    if (negative) at++
    let digits = 0
    let count = 0
    let power = 0
    let point = false
    for (; at < to; at++) {
      const byte = bytes[at]
      if (byte === 0x2e && !point && count > 0) point = true
      else if (byte >= 0x30 && byte <= 0x39) {
        digits = digits * 10 + byte - 0x30
        if (++count > mostDigits) return false
        if (point) power--
      } else break
    }
    if (count === 0) return false
    const exponent = at < to
    if (exponent) {
      if ((bytes[at++] | 0x20) !== 0x65 || at >= to) return false
      const minus = bytes[at] === 0x2d
      if (minus || bytes[at] === 0x2b) at++
      if (at >= to || to - at > 3) return false
      let size = 0
      for (; at < to; at++) {
        const byte = bytes[at] - 0x30
        if (byte < 0 || byte > 9) return false
        size = size * 10 + byte
      }
      power += minus ? -size : size
    }
    if (power < -mostPower || power > mostPower) return false
    const value = power < 0 ? digits / powers[-power] : digits * powers[power]
    into.kind = point || exponent ? Kind.float : Kind.int
    into.value = negative ? -value : value
    return true
  }

  /** Whether it is this text (ASCII). */
  is(text: string): boolean {
    const { length } = text
    if (this.to - this.from !== length) return false
    for (let i = 0; i < length; i++) if (this.bytes[this.from + i] !== text.charCodeAt(i)) return false
    return true
  }

  /**
   * Calls `take` for each member of an object: the key was read last, the value comes next and must be read.
   */
  members(take: () => void): void {
    this.expect(0x7b)
    if (this.peek() === 0x7d) {
      this.at++
      return
    }
    for (;;) {
      this.string()
      this.expect(0x3a)
      take()
      const next = this.peek()
      if (next !== 0x2c && next !== 0x7d) throw new JsonStop('broken', this.at)
      this.at++
      if (next === 0x7d) return
    }
  }

  /** Calls `take` after each string of a list of strings. */
  strings(take: () => void): void {
    this.expect(0x5b)
    if (this.peek() === 0x5d) {
      this.at++
      return
    }
    for (;;) {
      if (this.peek() === quote) {
        this.string()
        take()
      } else this.skip()
      const next = this.peek()
      if (next !== 0x2c && next !== 0x5d) throw new JsonStop('broken', this.at)
      this.at++
      if (next === 0x5d) return
    }
  }

  /** Goes past a value. */
  skip(): void {
    const first = this.peek()
    if (first === quote) return this.string()
    const { bytes, end } = this
    let at = this.at
    if (first !== 0x7b && first !== 0x5b) {
      while (at < end && bytes[at] !== 0x2c && bytes[at] !== 0x7d && bytes[at] !== 0x5d && bytes[at] > 0x20)
        at++
      if (at >= end) throw new JsonStop('truncated', end)
      this.at = at
      return
    }
    if (this.#window) {
      const behind = this.#window.skip(at, end)
      if (behind < 0) throw new JsonStop('truncated', end)
      this.at = behind
      return
    }
    let depth = 0
    for (; at < end; at++) {
      const byte = bytes[at]
      if (byte === quote) {
        for (at++; at < end && bytes[at] !== quote; at++) if (bytes[at] === backslash) at++
      } else if (byte === 0x7b || byte === 0x5b) depth++
      else if ((byte === 0x7d || byte === 0x5d) && --depth === 0) {
        this.at = at + 1
        return
      }
    }
    throw new JsonStop('truncated', end)
  }

  /** A number, or a text that is one; NaN for anything else. */
  number(): number {
    if (this.peek() === quote) {
      this.string()
      const text = this.text().trim()
      return text === '' ? NaN : Number(text)
    }
    const from = this.at
    this.skip()
    return Number(latin(this.bytes, from, this.at))
  }
}

const decoder = new TextDecoder()

/** Short ASCII texts are put together by hand: faster than asking the decoder. */
function latin(bytes: Uint8Array, from: number, to: number): string {
  if (to - from > 24) return decoder.decode(bytes.subarray(from, to))
  let text = ''
  for (let i = from; i < to; i++) {
    if (bytes[i] > 0x7e) return decoder.decode(bytes.subarray(from, to))
    text += String.fromCharCode(bytes[i])
  }
  return text
}
