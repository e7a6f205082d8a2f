// Numbers as Python, pandas and openpyxl print, round and re-read them.
import { pyFloat } from '../formats/python.ts'

/** `%.16g`: how a number stands in the sheet. Exact ties go to the even digit, as in C. */
export function g16(x: number): string {
  if (Number.isInteger(x) && x < 1e15 && x > -1e15) return x === 0 && Object.is(x, -0) ? '-0' : String(x)
  if (!Number.isFinite(x)) return Number.isNaN(x) ? 'nan' : x < 0 ? '-inf' : 'inf'
  const [mantissa = '', exponent = '0'] = sixteen(x).split('e')
  const power = Number(exponent)
  const trimmed = mantissa.includes('.') ? mantissa.replace(/\.?0+$/, '') : mantissa
  if (power < -4 || power >= 16) return `${trimmed}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`
  const sign = trimmed.startsWith('-') ? '-' : ''
  const digits = trimmed.replace('-', '').replace('.', '')
  if (power < 0) return `${sign}0.${'0'.repeat(-power - 1)}${digits}`
  const whole = digits.slice(0, power + 1).padEnd(power + 1, '0')
  const rest = digits.slice(power + 1)
  return rest ? `${sign}${whole}.${rest}` : sign + whole
}

function sixteen(x: number): string {
  const rounded = x.toExponential(15)
  const [more = '', exponent = '0'] = x.toExponential(16).split('e')
  if (!more.endsWith('5')) return rounded
  // An exact tie at the 17th digit has as many binary as decimal places.
  const places = 16 - Number(exponent)
  const scaled = Math.abs(x) * 2 ** places
  const digits = more.replace(/[-.]/g, '')
  if (places < 1 || scaled % 2 !== 1 || BigInt(scaled) * 5n ** BigInt(places) !== BigInt(digits)) return rounded
  return Number(digits[15]) % 2 === 1 ? rounded : `${more.slice(0, -1)}e${exponent}`
}

/** Rounded to 12 decimals through the decimal text, halves of the exact binary value to even. */
export function fixed12(x: number): number {
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
  const rounded = fixed12(x)
  return rounded > 0.9999 ? Number(rounded.toFixed(6)) : rounded
}

/** `str(x)%` of a relative error. */
export const percent = (x: number): string => `${pyFloat(x)}%`

const powers = Float64Array.from({ length: 309 }, (_, n) => Number(`1e${n}`))

/** pandas' fast decimal reader: 17 digits, leading zeros counted, one multiplication or division. Not correctly rounded. */
export function lossyParse(text: string): number {
  let at = 0
  let negative = false
  if (text[0] === '-' || text[0] === '+') { negative = text[0] === '-'; at = 1 }
  const word = text.slice(at).toLowerCase()
  if (word === 'inf' || word === 'infinity') return negative ? -Infinity : Infinity
  if (word === 'nan') return NaN
  let x = 0
  let digits = 0
  let exponent = 0
  let fraction = false
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 46) { fraction = true; continue }
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
