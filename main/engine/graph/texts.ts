// How graph files spell values: Python's texts, cut to six decimals by the older tools.
import { isArray, isObject, type Json, JsonNumber } from '../json/index.ts'
import { pyFloat, pyStr } from '../python/index.ts'

/** Spelling of a generation. */
export interface Spelling {
  float(x: number): string
  percent(x: number): string
  text(text: string): string
}

const three = Array.from({ length: 1000 }, (_, n) => String(n).padStart(3, '0'))
const trimmed = three.map(text => text.replace(/0+$/, ''))

/** `repr(round(x, 6))`, or six decimals of the mantissa where Python writes an exponent. */
export function shortFloat(x: number): string {
  const size = Math.abs(x)
  if (size < 1e6 && size >= 1e-4) {
    const scaled = size * 1e6
    const floor = Math.floor(scaled)
    const rest = scaled - floor
    if (Math.abs(rest - 0.5) > 1e-3) {
      const rounded = rest > 0.5 ? floor + 1 : floor
      const whole = Math.floor(rounded / 1e6)
      const fraction = rounded - whole * 1e6
      const high = Math.floor(fraction / 1000)
      const low = fraction - high * 1000
      const text = `${whole}.${low > 0 ? three[high] + trimmed[low] : trimmed[high] || '0'}`
      return x < 0 ? `-${text}` : text
    }
  }
  if (x === 0 || !Number.isFinite(x)) return pyFloat(x)
  if (size >= 1e16 || size < 1e-4) return exponent6(x)
  return pyFloat(Number(fixed6(x)))
}

/** `'%.6f' % x`: halves of the exact binary value go to the even digit. */
export function fixed6(x: number): string {
  const shifted = x * 128
  if (Math.abs(x) < 1e9 && Number.isInteger(shifted) && Math.abs(shifted % 2) === 1) {
    const digits = BigInt(Math.abs(shifted)) * 78125n
    const down = digits / 10n
    const even = down % 2n === 0n ? down : down + 1n
    const text = even.toString().padStart(7, '0')
    return `${x < 0 ? '-' : ''}${text.slice(0, -6)}.${text.slice(-6)}`
  }
  return x.toFixed(6)
}

/** `'%.6e' % x`. */
function exponent6(x: number): string {
  const text = x.toExponential(6)
  const at = text.indexOf('e')
  const power = text.slice(at + 2)
  return `${text.slice(0, at)}e${text[at + 1]}${power.length < 2 ? `0${power}` : power}`
}

/** A relative error in per cent; `repr`, with its decimals cut to six where there are more. */
export function shortPercent(x: number): string {
  if (x === 0) return '0.0%'
  return `${cutDecimals(pyFloat(x))}%`
}

/** Numbers with more than six decimals inside a text lose the rest. */
export function cutDecimals(text: string): string {
  const dot = text.indexOf('.')
  if (dot < 0 || text.length - dot < 8) return text
  return text.replace(/\d+\.\d{7,}/g, digits => fixed6(Number(digits)))
}

const common = (text: string): string => text.replaceAll("'", '').replaceAll('None', 'null')

export const shortSpelling: Spelling = {
  float: shortFloat,
  percent: shortPercent,
  text: text => cutDecimals(common(text)),
}

export const fullSpelling: Spelling = {
  float: pyFloat,
  percent: x => ((x > 0 && x < 1e-4) || x >= 1e16 ? `${pyFloat(x)}%` : shortPercent(x)),
  text(text) {
    const plain = common(text)
    return /^\d+\.\d{7,}%?$/.test(plain) ? cutDecimals(plain) : plain
  },
}

/** Any JSON value as the file shows it. */
export function spell(value: Json | undefined, spelling: Spelling): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'string') return spelling.text(value)
  if (value instanceof JsonNumber) return value.float ? spelling.float(value.value) : value.text
  return isArray(value) || isObject(value) ? spelling.text(pyStr(value)) : pyStr(value)
}

const plain = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/

/** A JSON string in ASCII, as Python writes it. */
export function jsonText(text: string): string {
  if (plain.test(text)) return `"${text}"`
  return JSON.stringify(text).replace(
    /[\x7f-\uffff]/g,
    char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
