// How Python prints the values that JSON carries (`str`, `repr`), and the CRC-32 that msprobe calls md5.
import { isArray, type Json, JsonNumber } from '../json/index.ts'

/** `repr` of a float: shortest digits, exponent below 1e-4 and from 1e16 on. */
export function pyFloat(x: number): string {
  if (Number.isNaN(x)) return 'nan'
  if (!Number.isFinite(x)) return x < 0 ? '-inf' : 'inf'
  if (x === 0) return Object.is(x, -0) ? '-0.0' : '0.0'
  const size = Math.abs(x)
  // In this range JavaScript prints the same digits without an exponent.
  if (size >= 1e-4 && size < 1e16) {
    const text = String(x)
    return text.includes('.') ? text : `${text}.0`
  }
  const [mantissa = '', exponent = '0'] = x.toExponential().split('e')
  const power = Number(exponent)
  return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`
}

function pyNumber({ float, value, text }: JsonNumber): string {
  if (float) return pyFloat(value)
  return text === '-0' ? '0' : text
}

/** Python's `str(value)`; an absent value prints as nothing. */
export function pyStr(value: Json | undefined): string {
  if (value === undefined) return ''
  return typeof value === 'string' ? value : pyRepr(value)
}

function pyRepr(value: Json): string {
  if (value === null) return 'None'
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (typeof value === 'string') return pyQuoted(value)
  if (value instanceof JsonNumber) return pyNumber(value)
  if (isArray(value)) return `[${value.map(pyRepr).join(', ')}]`
  return `{${[...value].map(([key, member]) => `${pyQuoted(key)}: ${pyRepr(member)}`).join(', ')}}`
}

const shortEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\\': '\\\\' }

/**
 * Everything that cannot stand in quotes as it is: quotes, backslashes, and what Python calls unprintable.
 */
const unquotable = /[\\'"]|(?! )[\p{C}\p{Z}]/gu

function pyQuoted(text: string): string {
  if (text.search(unquotable) < 0) return `'${text}'`
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  return quote + text.replace(unquotable, char => escaped(char, quote)) + quote
}

function escaped(char: string, quote: string): string {
  if (char === '"' || char === "'") return char === quote ? `\\${char}` : char
  const short = shortEscapes[char]
  if (short !== undefined) return short
  const code = char.codePointAt(0) ?? 0
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0')}`
  return code < 0x10000
    ? `\\u${code.toString(16).padStart(4, '0')}`
    : `\\U${code.toString(16).padStart(8, '0')}`
}

/** What Python takes for true. */
export function pyTrue(value: Json | undefined): boolean {
  if (value instanceof JsonNumber) return value.value !== 0
  if (isArray(value)) return value.length > 0
  return value instanceof Map ? value.size > 0 : Boolean(value)
}

/** `<class 'int'>` and so on: what Python calls the class of a value. */
export const pyClass = (value: Json | undefined): string => `<class '${className(value)}'>`

function className(value: Json | undefined): string {
  if (value === null || value === undefined) return 'NoneType'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'string') return 'str'
  if (value instanceof JsonNumber) return value.float ? 'float' : 'int'
  return isArray(value) ? 'list' : 'dict'
}

const crcTable = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1
  return c
})
const encoder = new TextEncoder()

export function crcOf(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) crc = crcTable[(crc ^ byte) & 0xff] ^ (crc >>> 8)
  return (crc ^ 0xffffffff) >>> 0
}

/** CRC-32 of the UTF-8 bytes, 8 lower-case hex digits. */
export const crcText = (text: string): string => crcOf(encoder.encode(text)).toString(16).padStart(8, '0')
