// One side is the other, times or plus something, or only its leading digits.
import { restOf, type Rest, type Sides, type Values } from './sides.ts'

export interface Fit {
  readonly facts: Readonly<Record<string, number | string>>
  readonly rest: Rest
}

/** Fewer elements fit anything. */
const fewest = 8

export const sign = ({ left, right }: Sides): Fit => ({
  facts: {},
  rest: restOf(left.values, right.values, x => -x),
})

export function scale({ left, right }: Sides): Fit | null {
  const [l, r] = [left.values, right.values]
  if (l.length < fewest) return null
  let [both, squares] = [0, 0]
  for (let i = 0; i < l.length; i++) {
    both += l[i] * r[i]
    squares += l[i] * l[i]
  }
  const fitted = both / squares
  if (!(squares > 0) || !Number.isFinite(fitted) || Math.abs(fitted) < 1e-12 || spread(l) === 0) return null
  return best([tidy(fitted), fitted], factor => ({ facts: { factor }, rest: restOf(l, r, x => x * factor) }))
}

export function offset({ left, right }: Sides): Fit | null {
  const [l, r] = [left.values, right.values]
  if (l.length < fewest || spread(l) === 0) return null
  const shift = meanOf(r) - meanOf(l)
  if (shift === 0) return null
  return best([tidy(shift), shift], by => ({ facts: { by }, rest: restOf(l, r, x => x + by) }))
}

/** Both at once; only where neither alone does. */
export function affine({ left, right }: Sides): Fit | null {
  const [l, r] = [left.values, right.values]
  if (l.length < 2 * fewest) return null
  const [ml, mr] = [meanOf(l), meanOf(r)]
  let [both, squares] = [0, 0]
  for (let i = 0; i < l.length; i++) {
    both += (l[i] - ml) * (r[i] - mr)
    squares += (l[i] - ml) ** 2
  }
  const factor = both / squares
  if (!(squares > 0) || Math.abs(factor) < 1e-12) return null
  const by = mr - factor * ml
  return { facts: { factor, by }, rest: restOf(l, r, x => x * factor + by) }
}

/** One side is a single value throughout. */
export function constant({ left, right }: Sides): Fit | null {
  for (const [side, { values }, other] of [
    ['left', left, right],
    ['right', right, left],
  ] as const) {
    const value = values[0] ?? 0
    if (values.length < fewest || spread(values) > 0 || spread(other.values) === 0) continue
    return { facts: { side, value }, rest: restOf(left.values, right.values) }
  }
  return null
}

function best(candidates: readonly number[], of: (candidate: number) => Fit): Fit {
  const [round, fitted] = candidates.map(of)
  return round.rest.relative <= fitted.rest.relative * 1.5 ? round : fitted
}

/** The number that somebody may have meant: of a few digits, or a power of two, or the inverse or root of a whole one. */
function tidy(x: number): number {
  const size = Math.abs(x)
  const near = [
    Number(size.toPrecision(3)),
    2 ** Math.round(Math.log2(size)),
    1 / Math.round(1 / size),
    Math.sqrt(Math.round(size * size)),
    1 / Math.sqrt(Math.round(1 / (size * size))),
  ].find(one => Number.isFinite(one) && one > 0 && Math.abs(one - size) < 1e-5 * size)
  return near === undefined ? x : Math.sign(x) * near
}

const meanOf = (values: Values): number => {
  let sum = 0
  for (const x of values) sum += x
  return sum / values.length
}

function spread(values: Values): number {
  let [least, most] = [Infinity, -Infinity]
  for (const x of values) {
    if (x < least) least = x
    if (x > most) most = x
  }
  return most - least
}

// ---------------------------------------- digits

const shorter = [
  { name: 'bfloat16', bits: 7, least: -126 },
  { name: 'float16', bits: 10, least: -14 },
  { name: 'tf32', bits: 10, least: -126 },
] as const

/** One side has the digits of a shorter type, and the other one comes to it when it is rounded or cut. */
export function truncated({ left, right }: Sides): Fit | null {
  for (const [side, long, short] of [
    ['right', left, right],
    ['left', right, left],
  ] as const) {
    if (long.dtype !== short.dtype || !/^float(?:32|64)$/.test(long.dtype) || long.values.length < fewest)
      continue
    for (const type of shorter)
      for (const how of ['rounded', 'cut'] as const) {
        const to = (x: number): number => shortened(x, type.bits, type.least, how === 'rounded')
        if (!agree(long.values, short.values, to)) continue
        const rest = restOf(long.values, short.values, to)
        return { facts: { side, type: type.name, how }, rest }
      }
  }
  return null
}

/** All of them, and some have digits to lose. */
function agree(long: Values, short: Values, to: (x: number) => number): boolean {
  let lost = 0
  for (let i = 0; i < long.length; i++) {
    const x = to(long[i])
    if (x !== short[i]) return false
    if (x !== long[i]) lost++
  }
  return lost > 0
}

function shortened(x: number, bits: number, least: number, rounds: boolean): number {
  if (x === 0) return x
  const exponent = Math.max(Math.floor(Math.log2(Math.abs(x))), least)
  const grid = 2 ** (exponent - bits)
  const steps = x / grid
  return (rounds ? roundEven(steps) : Math.trunc(steps)) * grid
}

function roundEven(x: number): number {
  const floor = Math.floor(x)
  const rest = x - floor
  return rest > 0.5 || (rest === 0.5 && floor % 2 !== 0) ? floor + 1 : floor
}
