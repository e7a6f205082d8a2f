// A growing piece of ASCII text: constants, names and numbers are put down as bytes, without strings in
// between.
import type { TextCode, TextPool } from '../model/index.ts'
import { jsonText, shortFloat, shortPercent } from './texts.ts'

const quote = 0x22
const encoder = new TextEncoder()

/** Texts that are put down again and again. */
export const encoded = (text: string): Uint8Array => encoder.encode(text)

/** Three digits of every number below 1000, and how many remain when zeros at the end are left out. */
const digits = new Uint8Array(3000)
const kept = new Uint8Array(1000)
for (let n = 0; n < 1000; n++) {
  const text = String(n).padStart(3, '0')
  for (let i = 0; i < 3; i++) digits[n * 3 + i] = text.charCodeAt(i)
  kept[n] = text.replace(/0+$/, '').length
}
const powers = Float64Array.from({ length: 23 }, (_, n) => Number(`1e${n}`))

export class Bytes {
  buffer: Uint8Array
  /** Where the text begins, and where it goes on. */
  start = 0
  at = 0

  constructor(room: number) {
    this.buffer = new Uint8Array(room)
  }

  /** Makes room for so many bytes more. */
  need(more: number): void {
    if (this.at + more <= this.buffer.length) return
    const grown = new Uint8Array(Math.max(this.buffer.length * 2, this.at + more))
    grown.set(this.buffer.subarray(0, this.at))
    this.buffer = grown
  }

  raw(bytes: Uint8Array): void {
    const { length } = bytes
    this.need(length)
    const { buffer, at } = this
    if (length > 48) buffer.set(bytes, at)
    else for (let i = 0; i < length; i++) buffer[at + i] = bytes[i]
    this.at = at + length
  }

  /** A short ASCII text. */
  text(text: string): void {
    const { length } = text
    this.need(length)
    const { buffer, at } = this
    for (let i = 0; i < length; i++) buffer[at + i] = text.charCodeAt(i)
    this.at = at + length
  }

  byte(byte: number): void {
    this.need(1)
    this.buffer[this.at++] = byte
  }

  /** A text of a pool as a JSON string. */
  name(texts: TextPool, code: TextCode): void {
    this.need(texts.bytesOf(code) + 2)
    const { buffer, at } = this
    buffer[at] = quote
    const end = texts.copyPlain(code, buffer, at + 1)
    if (end < 0) return this.text(jsonText(texts.get(code)))
    buffer[end] = quote
    this.at = end + 1
  }

  /** `repr(round(x, 6))`; see shortFloat. */
  float(x: number): void {
    const size = x < 0 ? -x : x
    if (size >= 1e-4 && size < 1e6) {
      const scaled = size * 1e6
      const floor = Math.floor(scaled)
      const rest = scaled - floor
      if (rest < 0.499 || rest > 0.501) {
        if (x < 0) this.byte(0x2d)
        this.#millionths(rest > 0.5 ? floor + 1 : floor, false)
        return
      }
    } else if (size < 1e-4 && size > 1e-14 && this.#exponent(x, size)) return
    this.text(x === 0 && !Object.is(x, -0) ? '0.0' : shortFloat(x))
  }

  /** A relative error in per cent without the sign behind it; see shortPercent. */
  percent(x: number): void {
    if (x >= 1e-4 && x < 1e6) {
      const scaled = x * 1e6
      const floor = Math.floor(scaled)
      const rest = scaled - floor
      if (rest < 0.499 || rest > 0.501) {
        const rounded = rest > 0.5 ? floor + 1 : floor
        this.#millionths(rounded, rounded / 1e6 !== x)
        return
      }
    } else if (x > 1e-14 && x < 1e-4) {
      const before = this.at
      if (this.#exponent(x, x)) {
        // A mantissa of few digits stays as it is.
        if (this.buffer[this.at - 5] !== 0x30) return
        this.at = before
      }
    }
    this.text(x === 0 ? '0.0' : shortPercent(x).slice(0, -1))
  }

  /** A number of millionths with a point; `full` keeps zeros at the end. */
  #millionths(millionths: number, full: boolean): void {
    this.need(16)
    const whole = Math.floor(millionths / 1e6)
    const fraction = millionths - whole * 1e6
    this.#whole(whole)
    const { buffer } = this
    let at = this.at
    buffer[at++] = 0x2e
    const high = Math.floor(fraction / 1000)
    const low = fraction - high * 1000
    const highDigits = full || low > 0 ? 3 : kept[high] || 1
    for (let i = 0; i < highDigits; i++) buffer[at++] = digits[high * 3 + i]
    const lowDigits = full ? 3 : kept[low]
    for (let i = 0; i < lowDigits; i++) buffer[at++] = digits[low * 3 + i]
    this.at = at
  }

  #whole(whole: number): void {
    const { buffer } = this
    let at = this.at
    if (whole >= 1000) {
      const thousands = Math.floor(whole / 1000)
      const rest = whole - thousands * 1000
      if (thousands >= 100) buffer[at++] = digits[thousands * 3]
      if (thousands >= 10) buffer[at++] = digits[thousands * 3 + 1]
      buffer[at++] = digits[thousands * 3 + 2]
      for (let i = 0; i < 3; i++) buffer[at++] = digits[rest * 3 + i]
    } else {
      if (whole >= 100) buffer[at++] = digits[whole * 3]
      if (whole >= 10) buffer[at++] = digits[whole * 3 + 1]
      buffer[at++] = digits[whole * 3 + 2]
    }
    this.at = at
  }

  /** `'%.6e'` of a small number where the rounding is beyond doubt; false otherwise. */
  #exponent(x: number, size: number): boolean {
    let power = -Math.floor(Math.log10(size))
    let scaled = size * powers[power + 6 > 22 ? 22 : power + 6]
    if (power + 6 > 22) return false
    if (scaled < 1e6) scaled = size * powers[++power + 6]
    else if (scaled >= 1e7) scaled = size * powers[--power + 6]
    const floor = Math.floor(scaled)
    const rest = scaled - floor
    if ((rest > 0.4999 && rest < 0.5001) || rest < 1e-4 || rest > 0.9999) return false
    const rounded = rest > 0.5 ? floor + 1 : floor
    if (rounded >= 1e7 || rounded < 1e6) return false
    this.need(16)
    const { buffer } = this
    let at = this.at
    if (x < 0) buffer[at++] = 0x2d
    const first = Math.floor(rounded / 1e6)
    const fraction = rounded - first * 1e6
    const high = Math.floor(fraction / 1000)
    const low = fraction - high * 1000
    buffer[at++] = 0x30 + first
    buffer[at++] = 0x2e
    for (let i = 0; i < 3; i++) buffer[at++] = digits[high * 3 + i]
    for (let i = 0; i < 3; i++) buffer[at++] = digits[low * 3 + i]
    buffer[at++] = 0x65
    buffer[at++] = 0x2d
    buffer[at++] = digits[power * 3 + 1]
    buffer[at++] = digits[power * 3 + 2]
    this.at = at
    return true
  }

  /** What was put down since a place, as a string. */
  since(from: number): string {
    return ascii.decode(this.buffer.subarray(from, this.at))
  }
}

const ascii = new TextDecoder('latin1')
