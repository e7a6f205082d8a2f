// A quoted text of protobuf's text format, which may come in several pieces and go over borders of the window.
// Escapes are bytes: what they make together is UTF-8.

const backslash = 0x5c
const newline = 0x0a
/** Most unwanted texts end within so many bytes: a plain loop is quicker than looking further. */
const near = 48
/** Bytes that the longest escape takes: `\U0001F600`. */
const longestEscape = 10

const simple = new Map(
  Object.entries({ a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 }).map(([name, byte]) => [
    name.charCodeAt(0),
    byte,
  ]),
)
/** `\\x`, `\\X`, `\\u`, `\\U`: so many digits at most. */
const hexDigits = new Map([
  [0x78, 2],
  [0x58, 2],
  [0x75, 4],
  [0x55, 8],
])
const encoder = new TextEncoder()

export class TextString {
  /** The text, as soon as it has ended: in the window or in memory of its own. */
  bytes: Uint8Array = new Uint8Array(256)
  from = 0
  to = 0
  ended = false
  broken = false
  /** Texts that were wanted and longer than is kept. */
  dropped = 0
  readonly #keep: number
  #own = this.bytes
  #quote = 0
  #dropping = false
  /** A backslash was the last byte of the window before. */
  #escaped = false

  constructor(keep: number) {
    this.#keep = keep
  }

  /** Whether there is a text to be handed on. */
  get kept(): boolean {
    return !this.#dropping
  }

  begin(quote: number, wanted: boolean): void {
    this.#quote = quote
    this.#dropping = !wanted
    this.bytes = this.#own
    this.from = this.to = 0
    this.ended = this.broken = false
  }

  /** Another piece follows the one that has ended. */
  goOn(quote: number): void {
    this.settle()
    this.#quote = quote
    this.ended = false
  }

  /** Keeps what was found in a window that is about to change. */
  settle(): void {
    if (this.bytes === this.#own) return
    const { bytes, from, to } = this
    this.bytes = this.#own
    this.from = this.to = 0
    this.#append(bytes, from, to)
  }

  /** Reads from a window; returns the place behind what was taken. */
  read(bytes: Uint8Array, at: number, end: number): number {
    if (this.#dropping) return this.#drop(bytes, at, end)
    if (this.to > 0) return this.#copy(bytes, at, end)
    const quote = this.#quote
    let to = at
    while (to < end && bytes[to] !== quote && bytes[to] !== backslash && bytes[to] !== newline) to++
    if (to >= end || bytes[to] !== quote || to - at > this.#keep) return this.#copy(bytes, at, end)
    this.bytes = bytes
    this.from = at
    this.to = to
    this.ended = true
    return to + 1
  }

  #copy(bytes: Uint8Array, from: number, end: number): number {
    const quote = this.#quote
    for (let at = from; ;) {
      let to = at
      while (to < end && bytes[to] !== quote && bytes[to] !== backslash && bytes[to] !== newline) to++
      this.#append(bytes, at, to)
      if (this.#dropping) return this.#drop(bytes, to, end)
      if (to >= end) return end
      if (bytes[to] === newline) {
        this.broken = true
        return to
      }
      if (bytes[to] === quote) {
        this.ended = true
        return to + 1
      }
      const used = this.#escape(bytes, to, end)
      if (used === 0) return to
      at = to + used
    }
  }

  /** Goes past a text that nobody wants. */
  #drop(bytes: Uint8Array, at: number, end: number): number {
    const quote = this.#quote
    let from = at
    if (this.#escaped && from < end) {
      this.#escaped = false
      from++
    }
    for (const close = Math.min(end, from + near); from < close && bytes[from] !== backslash; from++)
      if (bytes[from] === quote) {
        this.ended = true
        return from + 1
      }
    const window = bytes.subarray(0, end)
    for (;;) {
      const found = window.indexOf(quote, from)
      const stop = found < 0 ? end : found
      let slashes = 0
      while (stop - slashes > from && bytes[stop - slashes - 1] === backslash) slashes++
      const escaped = (slashes & 1) === 1
      if (found < 0) {
        this.#escaped = escaped
        return end
      }
      from = found + 1
      if (escaped) continue
      this.ended = true
      return from
    }
  }

  /** One escape; how many bytes it took, 0 where the window may cut it. */
  #escape(bytes: Uint8Array, at: number, end: number): number {
    if (end - at < longestEscape && !closed(bytes, at, end)) return 0
    const kind = bytes[at + 1]
    if (isOctal(kind)) {
      let value = 0
      let i = at + 1
      for (; i < at + 4 && i < end && isOctal(bytes[i]); i++) value = value * 8 + bytes[i] - 0x30
      this.#put(value & 0xff)
      return i - at
    }
    const digits = hexDigits.get(kind)
    if (digits !== undefined) return this.#hex(bytes, at, digits)
    this.#put(simple.get(kind) ?? kind)
    return 2
  }

  #hex(bytes: Uint8Array, at: number, most: number): number {
    let value = 0
    let i = at + 2
    for (; i < at + 2 + most; i++) {
      const digit = Number.parseInt(String.fromCharCode(bytes[i]), 16)
      if (Number.isNaN(digit)) break
      value = value * 16 + digit
    }
    if (most === 2) this.#put(value)
    else {
      const text = encoder.encode(String.fromCodePoint(Math.min(value, 0x10ffff)))
      this.#append(text, 0, text.length)
    }
    return i - at
  }

  #put(byte: number): void {
    this.#room(1)
    if (!this.#dropping) this.#own[this.to++] = byte
  }

  #append(bytes: Uint8Array, from: number, to: number): void {
    this.#room(to - from)
    if (this.#dropping) return
    this.#own.set(bytes.subarray(from, to), this.to)
    this.to += to - from
  }

  #room(more: number): void {
    const needed = this.to + more
    if (needed > this.#keep && !this.#dropping) {
      this.#dropping = true
      this.dropped++
    }
    if (this.#dropping || needed <= this.#own.length) return
    const grown = new Uint8Array(Math.max(needed, this.#own.length * 2))
    grown.set(this.#own.subarray(0, this.to))
    this.#own = this.bytes = grown
  }
}

/** Whether the escape surely ends here: the text's own end follows within the window. */
function closed(bytes: Uint8Array, at: number, end: number): boolean {
  for (let i = at + 2; i < end; i++)
    if (bytes[i] === 0x22 || bytes[i] === 0x27 || bytes[i] === newline) return true
  return false
}

const isOctal = (byte: number): boolean => byte >= 0x30 && byte <= 0x37
