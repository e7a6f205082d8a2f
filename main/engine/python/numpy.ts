// Numbers as Python, pandas and openpyxl print, round and re-read them.
import { pyFloat } from './values.ts'

/** `%.16g`: how a number stands in the sheet. Exact ties go to the even digit, as in C. */
export function g16(x: number): string {
  if (Number.isInteger(x) && x < 1e15 && x > -1e15) return x === 0 && Object.is(x, -0) ? '-0' : `${x}`
  if (Number.isNaN(x)) return 'nan'
  if (!Number.isFinite(x)) return x < 0 ? '-inf' : 'inf'
  const text = x.toPrecision(16)
  const e = text.indexOf('e')
  if (e < 0) {
    const short = trimmed(evened(x, text, decimalExponent(text)))
    return short.startsWith('0.0000', short.startsWith('-') ? 1 : 0) ? small(short) : short
  }
  const power = Number(text.slice(e + 1))
  const digits = String(Math.abs(power)).padStart(2, '0')
  return `${trimmed(evened(x, text.slice(0, e), power))}e${text[e + 1]}${digits}`
}

const bits = new Float64Array(1)
const words = new Uint32Array(bits.buffer)

/**
 * JavaScript rounds an exact tie at the 17th digit away from zero, C to the even digit. A tie is where the
 * last binary place
 * of the number is also its 17th decimal one: a fraction has as many binary as decimal places.
 */
function evened(x: number, text: string, exponent: number): string {
  const last = text.charCodeAt(text.length - 1)
  if ((last & 1) === 0) return text
  bits[0] = x
  const low = words[0]
  const zeros =
    low !== 0 ? 31 - Math.clz32(low & -low) : 63 - Math.clz32((words[1] | 0x100000) & -(words[1] | 0x100000))
  const lowest = ((words[1] >>> 20) & 0x7ff) - 1075 + zeros
  return -lowest === 16 - exponent ? text.slice(0, -1) + String.fromCharCode(last - 1) : text
}

/** Power of ten of the first digit of a number without exponent. */
function decimalExponent(text: string): number {
  const from = text.charCodeAt(0) === 45 ? 1 : 0
  const point = text.indexOf('.')
  if (text.charCodeAt(from) !== 48) return (point < 0 ? text.length : point) - from - 1
  let at = point + 1
  while (text.charCodeAt(at) === 48) at++
  return point - at
}

/** Without the zeros behind the last digit of a fraction. */
function trimmed(text: string): string {
  if (!text.includes('.')) return text
  let end = text.length
  while (text.charCodeAt(end - 1) === 48) end--
  return text.slice(0, text.charCodeAt(end - 1) === 46 ? end - 1 : end)
}

/** C turns to exponents below 1e-4, JavaScript below 1e-6. */
function small(text: string): string {
  const sign = text.startsWith('-') ? '-' : ''
  const fraction = text.slice(sign.length + 2)
  const zeros = fraction.search(/[1-9]/)
  const digits = fraction.slice(zeros)
  return `${sign}${digits[0]}${digits.length > 1 ? `.${digits.slice(1)}` : ''}e-${String(zeros + 1).padStart(2, '0')}`
}

/** `%.6f` and the like: all digits in front of the point, exact ties to the even digit. */
export function fixed(x: number, digits: number): string {
  if (Number.isNaN(x)) return 'nan'
  if (!Number.isFinite(x)) return x < 0 ? '-inf' : 'inf'
  const sign = x < 0 || Object.is(x, -0) ? '-' : ''
  const size = Math.abs(x)
  if (size >= 1e21) return `${sign}${BigInt(size)}.${'0'.repeat(digits)}`
  const twice = size * 2 ** (digits + 1)
  // A tie has exactly one binary place more than decimals are kept; JavaScript would round it up.
  if (!Number.isInteger(twice) || twice % 2 === 0) return sign + size.toFixed(digits)
  const down = (BigInt(twice) * 5n ** BigInt(digits)) / 2n
  const even = String(down % 2n === 0n ? down : down + 1n).padStart(digits + 1, '0')
  return `${sign}${even.slice(0, -digits)}.${even.slice(-digits)}`
}

/** Rounded to 12 decimals through the decimal text, halves of the exact binary value to even. */
export function fixed12(x: number): number {
  const fast = rounded(x, 1e12)
  if (!Number.isNaN(fast)) return fast
  if (!Number.isFinite(x) || Math.abs(x) >= 1e15) return x
  const eighths = x * 8192
  if (Number.isInteger(eighths) && eighths % 2 !== 0) {
    const twice = BigInt(eighths) * 244140625n
    const down = (twice - 1n) / 2n
    return Number(`${down % 2n === 0n ? down : (twice + 1n) / 2n}e-12`)
  }
  return Number(x.toFixed(12))
}

/** A cosine: 12 decimals, and 6 when that lies above 0.9999. */
export function roundCosine(x: number): number {
  const cosine = fixed12(x)
  if (!(cosine > 0.9999)) return cosine
  const fast = rounded(cosine, 1e6)
  return Number.isNaN(fast) ? Number(cosine.toFixed(6)) : fast
}

/** Products up to here are whole to a fiftieth at least. */
const sure = 2 ** 47

/**
 * x in whole parts of 1/scale, which both are exact: their quotient is the number that the decimal text
 * stands for. NaN where the product is too large or near a half.
 */
function rounded(x: number, scale: number): number {
  const product = Math.abs(x) * scale
  if (!(product < sure)) return NaN
  const whole = Math.floor(product)
  const rest = product - whole
  if (Math.abs(rest - 0.5) < 0.05) return NaN
  const parts = (rest > 0.5 ? whole + 1 : whole) / scale
  return x < 0 || Object.is(x, -0) ? -parts : parts
}

/** `str(x)%` of a relative error. */
export const percent = (x: number): string => `${pyFloat(x)}%`

const powers = Float64Array.from({ length: 309 }, (_, n) => Number(`1e${n}`))

/**
 * pandas' fast decimal reader: 17 digits, leading zeros counted, one multiplication or division. Not
 * correctly rounded.
 */
export function lossyParse(text: string): number {
  let at = 0
  let negative = false
  if (text[0] === '-' || text[0] === '+') {
    negative = text[0] === '-'
    at = 1
  }
  const word = text.slice(at).toLowerCase()
  if (word === 'inf' || word === 'infinity') return negative ? -Infinity : Infinity
  if (word === 'nan') return NaN
  let x = 0
  let digits = 0
  let exponent = 0
  let fraction = false
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 46) {
      fraction = true
      continue
    }
    if (code < 48 || code > 57) break
    if (digits < 17) {
      x = x * 10 + (code - 48)
      digits++
      if (fraction) exponent--
    } else if (!fraction) exponent++
  }
  if (text[at] === 'e' || text[at] === 'E') exponent += Number(text.slice(at + 1))
  const value = scaled(x, exponent)
  return negative ? -value : value
}

function scaled(x: number, exponent: number): number {
  if (exponent > 308) return x === 0 ? 0 : Infinity
  if (exponent > 0) return x * powers[exponent]
  if (exponent >= -308) return x / powers[-exponent]
  const beyond = -308 - exponent
  return beyond > 308 ? 0 : x / powers[beyond] / powers[308]
}

/** What is left of a double after Python printed it and pandas read it again. */
export function reparsed(x: number): number {
  if (!Number.isFinite(x) || x === 0) return x
  const size = Math.abs(x)
  if (size >= 1e16 || size < 1e-4) return lossyParse(pyFloat(x))
  if (size < 9007199254740992 && Number.isInteger(x)) return size < 1e14 ? x : lossyParse(`${x}.0`)
  return lossyParse(String(x))
}
