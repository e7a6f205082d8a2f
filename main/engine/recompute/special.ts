// Functions that JavaScript lacks, to the last digits of a double.

const sqrtPi = Math.sqrt(Math.PI)

/** All terms of this series are positive: nothing cancels. */
function erfSeries(x: number): number {
  let term = x
  let sum = x
  for (let n = 1; n < 200; n++) {
    term *= (2 * x * x) / (2 * n + 1)
    sum += term
    if (term < sum * 1e-17) break
  }
  return (2 / sqrtPi) * Math.exp(-x * x) * sum
}

/** A continued fraction, for arguments from 2 on. */
function erfcFraction(x: number): number {
  let value = 0
  for (let k = 120; k > 0; k--) value = k / 2 / (x + value)
  return Math.exp(-x * x) / (sqrtPi * (x + value))
}

export function erf(x: number): number {
  if (Number.isNaN(x)) return NaN
  const size = Math.abs(x)
  if (size >= 6) return Math.sign(x)
  const value = size < 2.5 ? erfSeries(size) : 1 - erfcFraction(size)
  return x < 0 ? -value : value
}

export function erfc(x: number): number {
  if (Number.isNaN(x)) return NaN
  if (x < 0.5) return 1 - erf(x)
  if (x > 27) return 0
  return x < 2 ? 1 - erfSeries(x) : erfcFraction(x)
}

/** The normal distribution's cumulative function. */
export const normalCdf = (x: number): number => 0.5 * erfc(-x / Math.SQRT2)
export const normalPdf = (x: number): number => Math.exp(-0.5 * x * x) / Math.sqrt(2 * Math.PI)

export function erfinv(y: number): number {
  if (y <= -1 || y >= 1) return Math.abs(y) === 1 ? y * Infinity : NaN
  // Giles's first guess, then Newton's steps.
  const w = -Math.log((1 - y) * (1 + y))
  let x =
    Math.sign(y) *
    Math.sqrt(
      Math.max(
        0,
        Math.sqrt((2 / (Math.PI * 0.147) - w / 2) ** 2 + w / 0.147) - (2 / (Math.PI * 0.147) - w / 2),
      ),
    )
  for (let i = 0; i < 6; i++) x -= ((erf(x) - y) * sqrtPi) / 2 / Math.exp(-x * x)
  return x
}

export function sigmoid(x: number): number {
  if (x >= 0) return 1 / (1 + Math.exp(-x))
  const e = Math.exp(x)
  return e / (1 + e)
}

export const softplus = (x: number): number => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)))

export function roundEven(x: number): number {
  if (!Number.isFinite(x) || Math.abs(x) >= 2 ** 52) return x
  const floor = Math.floor(x)
  const rest = x - floor
  const up = rest > 0.5 || (rest === 0.5 && floor % 2 !== 0)
  const value = up ? floor + 1 : floor
  return value === 0 && x < 0 ? -0 : value
}

const lanczos = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
]

export function lgamma(x: number): number {
  if (x <= 0 && Number.isInteger(x)) return Infinity
  if (!Number.isFinite(x)) return Math.abs(x)
  if (x < 0.5) return Math.log(Math.PI / Math.abs(Math.sin(Math.PI * x))) - lgamma(1 - x)
  const z = x - 1
  let sum = lanczos[0]
  for (let i = 1; i < 9; i++) sum += lanczos[i] / (z + i)
  const t = z + 7.5
  return 0.5 * Math.log(2 * Math.PI) + (z + 0.5) * Math.log(t) - t + Math.log(sum)
}

export function digamma(x: number): number {
  if (x === 0) return -Infinity * Math.sign(1 / x)
  if (x < 0 && Number.isInteger(x)) return NaN
  if (!Number.isFinite(x)) return x > 0 ? x : NaN
  if (x < 0) return digamma(1 - x) - Math.PI / Math.tan(Math.PI * x)
  let value = 0
  let at = x
  for (; at < 20; at++) value -= 1 / at
  const inverse = 1 / (at * at)
  const series =
    inverse * (1 / 12 - inverse * (1 / 120 - inverse * (1 / 252 - inverse * (1 / 240 - (inverse * 5) / 660))))
  return value + Math.log(at) - 0.5 / at - series
}

/** The slope of digamma. */
export function trigamma(x: number): number {
  if (x <= 0 && Number.isInteger(x)) return Infinity
  if (!Number.isFinite(x)) return x > 0 ? 0 : NaN
  if (x < 0) return (Math.PI / Math.sin(Math.PI * x)) ** 2 - trigamma(1 - x)
  let value = 0
  let at = x
  for (; at < 20; at++) value += 1 / (at * at)
  const inverse = 1 / (at * at)
  const series = inverse * (1 / 6 - inverse * (1 / 30 - inverse * (1 / 42 - inverse / 30)))
  return value + 1 / at + inverse / 2 + series / at
}
