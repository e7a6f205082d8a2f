// `%g` of C and Python: six digits that count, exact ties to the even digit.
import { fixed } from './numpy.ts'

/** Digits that count. */
const digits = 6
/** All digits of a double that could still decide a tie. */
const decisive = 60

export function general(x: number): string {
  if (!Number.isFinite(x) || x === 0) return fixed(x, 0)
  const [mantissa, power] = rounded(x)
  const exponent = Number(power)
  if (exponent >= -4 && exponent < digits) return trimmed(plain(mantissa, exponent))
  return `${trimmed(mantissa)}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
}

/** Mantissa and exponent, six digits long. */
function rounded(x: number): readonly [string, string] {
  const near = x.toExponential(digits - 1).split('e') as [string, string]
  const exact = x.toExponential(decisive)
  const rest = exact.slice(exact.indexOf('.') + digits, exact.indexOf('e'))
  // JavaScript rounds a tie away from zero.
  if (!/^50*$/.test(rest)) return near
  const [down, power] = [exact.slice(0, exact.indexOf('.') + digits), exact.slice(exact.indexOf('e') + 1)]
  return Number(down.at(-1)) % 2 === 0 ? [down, power] : near
}

/** The point moved; the mantissa has one digit before it. */
function plain(mantissa: string, exponent: number): string {
  const sign = mantissa.startsWith('-') ? '-' : ''
  const all = mantissa.replace('-', '').replace('.', '')
  return exponent < 0
    ? `${sign}0.${'0'.repeat(-exponent - 1)}${all}`
    : `${sign}${all.slice(0, exponent + 1)}.${all.slice(exponent + 1)}`
}

const trimmed = (text: string): string => (text.includes('.') ? text.replace(/\.?0*$/, '') : text)
