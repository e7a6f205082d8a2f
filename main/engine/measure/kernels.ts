// What metrics are computed from, summed up in one pass over two tensors, in plain TypeScript: the reference for the
// SIMD kernels and their fallback.
import { type Dtype, halfRound } from '../formats/index.ts'

/**
 * Machine epsilon of float64: what msprobe 1.2.2 adds to both sides where the bench is zero, and the norm
 * below which a side counts as all zero.
 */
export const epsilon = 2.220446049250313e-16

/**
 * What is added where the bench is zero. `tiny`: `epsilon` in each side's own type, which is nothing in
 * float16 (1.2.2).
 * `machine`: the machine epsilon of the type that both sides share, float32 at least, in which the error is
 * then computed (26).
 */
export type ZeroRule = 'tiny' | 'machine'

type Width = 16 | 32 | 64

/**
 * How relative errors are computed for a pair of types: in which precision, and what a zero bench becomes.
 */
export interface RelativeRule {
  readonly width: Width
  readonly debugWidth: Width
  readonly debugEpsilon: number
  readonly benchEpsilon: number
  /** Thresholds as that precision stores them. */
  readonly thousandth: number
  readonly fiveThousandths: number
}

const rounders: Readonly<Record<Width, (x: number) => number>> = {
  16: x => halfRound(Math.fround(x)),
  32: Math.fround,
  64: x => x,
}
const widths = { f16: 16, f32: 32, f64: 64, int: 64, complex: 64 } as const

/**
 * Floating bench: each side keeps its own precision. Any other bench: everything is widened to float64 first.
 */
export function relativeRule(debug: Dtype, bench: Dtype, zeros: ZeroRule = 'tiny'): RelativeRule {
  const widened = bench.arithmetic === 'int' || bench.arithmetic === 'complex'
  const debugWidth: Width = widened ? 64 : widths[debug.arithmetic]
  const benchWidth: Width = widened ? 64 : widths[bench.arithmetic]
  const width: Width = debugWidth > benchWidth ? debugWidth : benchWidth
  if (zeros === 'machine') {
    const common = width === 64 ? 64 : 32
    const added = common === 64 ? epsilon : 2 ** -23
    return {
      width: common,
      debugWidth: common,
      debugEpsilon: added,
      benchEpsilon: added,
      thousandth: rounders[common](0.001),
      fiveThousandths: rounders[common](0.005),
    }
  }
  return {
    width,
    debugWidth,
    debugEpsilon: rounders[debugWidth](epsilon),
    benchEpsilon: rounders[benchWidth](epsilon),
    thousandth: rounders[width](0.001),
    fiveThousandths: rounders[width](0.005),
  }
}

/** Running sums of one pair. Chunk after chunk is added in file order. */
export interface Sums {
  debugSquares: number
  benchSquares: number
  differenceSquares: number
  product: number
  maxAbs: number
  /** Largest relative error, NaN once one was NaN. */
  maxRel: number
  belowThousandth: number
  belowFiveThousandths: number
  /** NaN or infinities stand at different positions. */
  mismatch: boolean
  /**
   * Elements at the beginning that are equal on both sides; their squares are not in the sums as long as
   * nothing differs.
   */
  skipped: number
  /** Something differed, or the type needs every square. */
  eager: boolean
}

export const noSums = (): Sums => ({
  debugSquares: 0,
  benchSquares: 0,
  differenceSquares: 0,
  product: 0,
  maxAbs: 0,
  maxRel: 0,
  belowThousandth: 0,
  belowFiveThousandths: 0,
  mismatch: false,
  skipped: 0,
  eager: false,
})

/** Adds `count` elements to the sums. Values are the elements as doubles; the arrays are left as they are. */
export function addValues(
  debug: Float64Array,
  bench: Float64Array,
  count: number,
  rule: RelativeRule,
  sums: Sums,
): void {
  const round = rounders[rule.width]
  const roundDebug = rounders[rule.debugWidth]
  let { maxAbs, maxRel, belowThousandth, belowFiveThousandths } = sums
  let debugSquares = 0
  let benchSquares = 0
  let differenceSquares = 0
  let product = 0
  for (let i = 0; i < count; i++) {
    let x = debug[i]
    let y = bench[i]
    if (x - x !== 0 || y - y !== 0) {
      if (Number.isNaN(x) !== Number.isNaN(y) || isInfinite(x) !== isInfinite(y)) {
        sums.mismatch = true
        return
      }
      x = y = 0
    }
    const difference = x - y
    debugSquares += x * x
    benchSquares += y * y
    product += x * y
    differenceSquares += difference * difference
    const size = Math.abs(difference)
    if (size > maxAbs) maxAbs = size
    if (y === 0) {
      x = roundDebug(x + rule.debugEpsilon)
      y = rule.benchEpsilon
    }
    const relative = Math.abs(round(round(x - y) / y))
    if (relative < rule.thousandth) belowThousandth++
    if (relative < rule.fiveThousandths) belowFiveThousandths++
    if (!(relative <= maxRel)) maxRel = Number.isNaN(maxRel) ? NaN : relative
  }
  sums.debugSquares += debugSquares
  sums.benchSquares += benchSquares
  sums.differenceSquares += differenceSquares
  sums.product += product
  Object.assign(sums, { maxAbs, maxRel, belowThousandth, belowFiveThousandths })
}

const isInfinite = (x: number): boolean => x === Infinity || x === -Infinity

/** The relative error of one element. */
export function relativeError(x: number, y: number, rule: RelativeRule): number {
  const round = rounders[rule.width]
  const a = y === 0 ? rounders[rule.debugWidth](x + rule.debugEpsilon) : x
  const b = y === 0 ? rule.benchEpsilon : y
  return Math.abs(round(round(a - b) / b))
}

/** The absolute error of two tensors without axes, in the type that numpy computes it in. */
export function absoluteDifference(
  debug: Dtype,
  x: number | bigint,
  bench: Dtype,
  y: number | bigint,
): number {
  const type = commonInteger(debug, bench)
  if (type && typeof x === 'bigint' && typeof y === 'bigint') {
    const difference = type.signed ? BigInt.asIntN(type.bits, x - y) : BigInt.asUintN(type.bits, x - y)
    return Number(difference < 0n ? BigInt.asIntN(type.bits, -difference) : difference)
  }
  return Math.abs(
    rounders[floatWidth(debug) > floatWidth(bench) ? floatWidth(debug) : floatWidth(bench)](
      Number(x) - Number(y),
    ),
  )
}

/**
 * The integer type that numpy computes two integer scalars in; undefined when it takes floats. bool counts as
 * float64.
 */
function commonInteger(a: Dtype, b: Dtype): { bits: number; signed: boolean } | undefined {
  if (a.low === undefined || b.low === undefined || a.name === 'bool' || b.name === 'bool') return undefined
  const signed = [a, b].filter(type => type.low !== 0n)
  const unsigned = [a, b].filter(type => type.low === 0n)
  const bits =
    signed.length && unsigned.length ? Math.max(widest(signed), widest(unsigned) * 2) : widest([a, b])
  return bits > 64 ? undefined : { bits, signed: signed.length > 0 }
}

const widest = (types: readonly Dtype[]): number => Math.max(0, ...types.map(type => type.bytes * 8))

function floatWidth(type: Dtype): Width {
  if (type.low === undefined) return widths[type.arithmetic]
  if (type.name === 'bool' || type.bytes > 2) return 64
  return type.bytes === 2 ? 32 : 16
}
