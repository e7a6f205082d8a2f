// The metrics of a chunk in SIMD: one template per way of computing, one export per stored type. `kernels.ts`
// is the meaning.
//
// Every function leaves its sums as doubles at `out`:
//   0 Σa²   1 Σb²   2 Σ(a−b)²   3 largest |a−b| (wide) or its square (narrow)   4 largest relative error
//   5 and 6 relative errors below the two thresholds   7 not zero: a relative error was NaN
//   8 not zero: NaN or Inf stand at different positions

// Stand-ins for types that the language lacks, told apart by size.
@unmanaged
class Half {
  bits: u16
}
@unmanaged
class Brain {
  bits: u16
  more: u16
}
// Ways of the templates, told apart by size. Wide: differences of halves stay f32.
type Plain = i8
type Masked = i16
type PlainWide = i32
type MaskedWide = i64

@inline function isHalf<T>(): bool {
  return isReference<T>() && offsetof<T>() == 2
}
@inline function isBrain<T>(): bool {
  return isReference<T>() && offsetof<T>() == 4
}
@inline function isMasked<W>(): bool {
  return sizeof<W>() == 2 || sizeof<W>() == 8
}
@inline function isWide<W>(): bool {
  return sizeof<W>() >= 4
}
@inline function bytesOf<T>(): usize {
  return isReference<T>() ? 2 : sizeof<T>()
}

// ---------------------------------------- f32, f16, bf16: errors in f32

/** Four elements as f32. NaN and Inf of a half become numbers from 65536 on. */
@inline function four<T>(at: usize): v128 {
  if (isBrain<T>()) return i32x4.shl(v128.load16x4_u(at), 16)
  // The sign spreads into the places above the exponent and is taken out of all but the last again; 2¹¹²
  // mends the exponent.
  if (isHalf<T>())
    return f32x4.mul(
      v128.and(i32x4.shl(v128.load16x4_s(at), 13), i32x4.splat(0x8fffffff)),
      f32x4.splat(reinterpret<f32>(0x77800000)),
    )
  return v128.load(at)
}

@inline function highHalf(x: v128): v128 {
  return i8x16.shuffle(x, x, 8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15)
}

@inline function isNan<T>(x: v128): v128 {
  return isHalf<T>() ? f32x4.gt(f32x4.abs(x), f32x4.splat(65536)) : f32x4.ne(x, x)
}
@inline function isInf<T>(x: v128): v128 {
  return isHalf<T>()
    ? f32x4.eq(f32x4.abs(x), f32x4.splat(65536))
    : f32x4.eq(f32x4.abs(x), f32x4.splat(Infinity))
}

/**
 * Differences of halves rounded to half, ties to even. Those below the normal range are exact already; 65520
 * and more is the caller's.
 */
@inline function toHalf(x: v128): v128 {
  const odd = v128.and(i32x4.shr_u(x, 13), i32x4.splat(1))
  return v128.and(i32x4.add(x, i32x4.add(odd, i32x4.splat(0xfff))), i32x4.splat(~0x1fff))
}

@inline function sum2(x: v128): f64 {
  return f64x2.extract_lane(x, 0) + f64x2.extract_lane(x, 1)
}
@inline function max2(x: v128): f64 {
  return max(f64x2.extract_lane(x, 0), f64x2.extract_lane(x, 1))
}
@inline function max4(x: v128): f64 {
  return max(
    max(f32x4.extract_lane(x, 0), f32x4.extract_lane(x, 1)),
    max(f32x4.extract_lane(x, 2), f32x4.extract_lane(x, 3)),
  )
}
@inline function count4(x: v128): f64 {
  return (
    <f64>i32x4.extract_lane(x, 0) +
    <f64>i32x4.extract_lane(x, 1) +
    <f64>i32x4.extract_lane(x, 2) +
    <f64>i32x4.extract_lane(x, 3)
  )
}

// Work goes in blocks that stay in the first cache: more than one short loop over a block is faster than one
// loop whose values do not fit the registers. What is stored in another form is decoded into a block first.
const blockElements: usize = 512
const debugBlock: usize = 0x12000
const benchBlock: usize = debugBlock + blockElements * 8

/** Where a block of f32 stands: where it was stored, or decoded and masked in `space`. */
@inline function floats<T, W>(from: usize, end: usize, space: usize): usize {
  if (isFloat<T>() && !isMasked<W>()) return from
  for (let to = space; from < end; from += 4 * bytesOf<T>(), to += 16) {
    const x = four<T>(from)
    v128.store(to, isMasked<W>() ? v128.andnot(x, v128.or(isNan<T>(x), isInf<T>(x))) : x)
  }
  return space
}

/** Whether NaN and Inf of two blocks stand at the same positions. */
@inline function differ<T, U>(a: usize, end: usize, b: usize): bool {
  let differ = i32x4.splat(0)
  for (; a < end; a += 4 * bytesOf<T>(), b += 4 * bytesOf<U>()) {
    const x = four<T>(a)
    const y = four<U>(b)
    differ = v128.or(differ, v128.or(v128.xor(isNan<T>(x), isNan<U>(y)), v128.xor(isInf<T>(x), isInf<U>(y))))
  }
  return v128.any_true(differ)
}

/**
 * `n` is a multiple of 4. Thresholds: largest values that still count as below. Epsilons: what both sides get
 * where b is zero.
 */
@inline function narrow<T, U, W>(
  a: usize,
  b: usize,
  n: i32,
  out: usize,
  thousandth: f32,
  fiveThousandths: f32,
  epsilonA: f32,
  epsilonB: f32,
): void {
  const zero = f32x4.splat(0)
  const low = f32x4.splat(thousandth)
  const high = f32x4.splat(fiveThousandths)
  let aa = f64x2.splat(0)
  let bb = f64x2.splat(0)
  let dd = f64x2.splat(0)
  let top = f64x2.splat(0)
  let worst = zero
  let below1 = i32x4.splat(0)
  let below5 = i32x4.splat(0)
  let nan = i32x4.splat(0)
  let mismatch = false
  const last = a + <usize>n * bytesOf<T>()
  while (a < last) {
    const next = min(last, a + blockElements * bytesOf<T>())
    const elements = (next - a) / bytesOf<T>()
    if (isMasked<W>()) mismatch = mismatch || differ<T, U>(a, next, b)
    const debug = floats<T, W>(a, next, debugBlock)
    const bench = floats<U, W>(b, b + elements * bytesOf<U>(), benchBlock)
    const end = debug + elements * 4
    a = next
    b += elements * bytesOf<U>()

    // Plain floats are loaded as halves of a vector: that is cheaper than moving halves.
    for (let i = debug, j = bench; i < end; i += 16, j += 16) {
      const x0 = f64x2.promote_low_f32x4(v128.load64_zero(i))
      const y0 = f64x2.promote_low_f32x4(v128.load64_zero(j))
      const x1 = f64x2.promote_low_f32x4(v128.load64_zero(i, 8))
      const y1 = f64x2.promote_low_f32x4(v128.load64_zero(j, 8))
      const d0 = f64x2.sub(x0, y0)
      const d1 = f64x2.sub(x1, y1)
      const q0 = f64x2.mul(d0, d0)
      const q1 = f64x2.mul(d1, d1)
      aa = f64x2.add(aa, f64x2.add(f64x2.mul(x0, x0), f64x2.mul(x1, x1)))
      bb = f64x2.add(bb, f64x2.add(f64x2.mul(y0, y0), f64x2.mul(y1, y1)))
      dd = f64x2.add(dd, f64x2.add(q0, q1))
      top = f64x2.pmax(top, f64x2.pmax(q0, q1))
    }

    if (isHalf<T>() && isHalf<U>() && !isWide<W>()) {
      // Nothing is added to zeros. Differences are rounded only in blocks where a new largest error may come
      // of it: small ones are exact as they are.
      let largest = zero
      for (let i = debug, j = bench; i < end; i += 16, j += 16) {
        const y = v128.load(j)
        const r = f32x4.abs(f32x4.div(f32x4.sub(v128.load(i), y), y))
        largest = f32x4.pmax(largest, r)
        nan = v128.or(nan, f32x4.ne(r, r))
        below1 = i32x4.sub(below1, f32x4.le(r, low))
        below5 = i32x4.sub(below5, f32x4.le(r, high))
      }
      if (v128.any_true(f32x4.gt(largest, f32x4.mul(worst, f32x4.splat(0.998))))) {
        for (let i = debug, j = bench; i < end; i += 16, j += 16) {
          const y = v128.load(j)
          worst = f32x4.pmax(worst, f32x4.abs(f32x4.div(toHalf(f32x4.sub(v128.load(i), y)), y)))
        }
      }
    } else {
      const worstBefore = worst
      const below1Before = below1
      const below5Before = below5
      let zeros = zero
      for (let i = debug, j = bench; i < end; i += 16, j += 16) {
        const y = v128.load(j)
        const r = f32x4.abs(f32x4.div(f32x4.sub(v128.load(i), y), y))
        zeros = v128.or(zeros, f32x4.eq(y, zero))
        worst = f32x4.pmax(worst, r)
        below1 = i32x4.sub(below1, f32x4.le(r, low))
        below5 = i32x4.sub(below5, f32x4.le(r, high))
      }
      if (v128.any_true(zeros)) {
        worst = worstBefore
        below1 = below1Before
        below5 = below5Before
        const addA = f32x4.splat(epsilonA)
        const addB = f32x4.splat(epsilonB)
        for (let i = debug, j = bench; i < end; i += 16, j += 16) {
          const y = v128.load(j)
          const isZero = f32x4.eq(y, zero)
          const ye = f32x4.add(y, v128.and(isZero, addB))
          const r = f32x4.abs(f32x4.div(f32x4.sub(f32x4.add(v128.load(i), v128.and(isZero, addA)), ye), ye))
          worst = f32x4.pmax(worst, r)
          below1 = i32x4.sub(below1, f32x4.le(r, low))
          below5 = i32x4.sub(below5, f32x4.le(r, high))
          if (isHalf<U>()) nan = v128.or(nan, f32x4.ne(r, r))
        }
      }
    }
  }
  f64.store(out, sum2(aa), 0)
  f64.store(out, sum2(bb), 8)
  f64.store(out, sum2(dd), 16)
  f64.store(out, max2(top), 24)
  f64.store(out, max4(worst), 32)
  f64.store(out, count4(below1), 40)
  f64.store(out, count4(below5), 48)
  f64.store(out, v128.any_true(nan) ? 1 : 0, 56)
  f64.store(out, mismatch ? 1 : 0, 64)
}

export function float(a: usize, b: usize, n: i32, out: usize, low: f32, high: f32, ea: f32, eb: f32): void {
  narrow<f32, f32, Plain>(a, b, n, out, low, high, ea, eb)
}
export function floatMasked(
  a: usize,
  b: usize,
  n: i32,
  out: usize,
  low: f32,
  high: f32,
  ea: f32,
  eb: f32,
): void {
  narrow<f32, f32, Masked>(a, b, n, out, low, high, ea, eb)
}
export function brain(a: usize, b: usize, n: i32, out: usize, low: f32, high: f32, ea: f32, eb: f32): void {
  narrow<Brain, Brain, Plain>(a, b, n, out, low, high, ea, eb)
}
export function brainMasked(
  a: usize,
  b: usize,
  n: i32,
  out: usize,
  low: f32,
  high: f32,
  ea: f32,
  eb: f32,
): void {
  narrow<Brain, Brain, Masked>(a, b, n, out, low, high, ea, eb)
}
export function half(a: usize, b: usize, n: i32, out: usize, low: f32, high: f32, ea: f32, eb: f32): void {
  narrow<Half, Half, Plain>(a, b, n, out, low, high, ea, eb)
}
export function halfMasked(
  a: usize,
  b: usize,
  n: i32,
  out: usize,
  low: f32,
  high: f32,
  ea: f32,
  eb: f32,
): void {
  narrow<Half, Half, Masked>(a, b, n, out, low, high, ea, eb)
}
export function halfWide(
  a: usize,
  b: usize,
  n: i32,
  out: usize,
  low: f32,
  high: f32,
  ea: f32,
  eb: f32,
): void {
  narrow<Half, Half, PlainWide>(a, b, n, out, low, high, ea, eb)
}
export function halfWideMasked(
  a: usize,
  b: usize,
  n: i32,
  out: usize,
  low: f32,
  high: f32,
  ea: f32,
  eb: f32,
): void {
  narrow<Half, Half, MaskedWide>(a, b, n, out, low, high, ea, eb)
}
export function floatBrain(
  a: usize,
  b: usize,
  n: i32,
  out: usize,
  low: f32,
  high: f32,
  ea: f32,
  eb: f32,
): void {
  narrow<f32, Brain, Plain>(a, b, n, out, low, high, ea, eb)
}
export function floatBrainMasked(
  a: usize,
  b: usize,
  n: i32,
  out: usize,
  low: f32,
  high: f32,
  ea: f32,
  eb: f32,
): void {
  narrow<f32, Brain, Masked>(a, b, n, out, low, high, ea, eb)
}
export function brainFloat(
  a: usize,
  b: usize,
  n: i32,
  out: usize,
  low: f32,
  high: f32,
  ea: f32,
  eb: f32,
): void {
  narrow<Brain, f32, Plain>(a, b, n, out, low, high, ea, eb)
}
export function brainFloatMasked(
  a: usize,
  b: usize,
  n: i32,
  out: usize,
  low: f32,
  high: f32,
  ea: f32,
  eb: f32,
): void {
  narrow<Brain, f32, Masked>(a, b, n, out, low, high, ea, eb)
}
export function floatHalf(
  a: usize,
  b: usize,
  n: i32,
  out: usize,
  low: f32,
  high: f32,
  ea: f32,
  eb: f32,
): void {
  narrow<f32, Half, Plain>(a, b, n, out, low, high, ea, eb)
}
export function floatHalfMasked(
  a: usize,
  b: usize,
  n: i32,
  out: usize,
  low: f32,
  high: f32,
  ea: f32,
  eb: f32,
): void {
  narrow<f32, Half, Masked>(a, b, n, out, low, high, ea, eb)
}
export function halfFloat(
  a: usize,
  b: usize,
  n: i32,
  out: usize,
  low: f32,
  high: f32,
  ea: f32,
  eb: f32,
): void {
  narrow<Half, f32, Plain>(a, b, n, out, low, high, ea, eb)
}
export function halfFloatMasked(
  a: usize,
  b: usize,
  n: i32,
  out: usize,
  low: f32,
  high: f32,
  ea: f32,
  eb: f32,
): void {
  narrow<Half, f32, Masked>(a, b, n, out, low, high, ea, eb)
}

/** Whether some half of `n` (a multiple of 8) is NaN or Inf; those look like numbers to the template. */
export function halvesNotFinite(a: usize, n: i32): bool {
  const size = i16x8.splat(0x7fff)
  let top = i16x8.splat(0)
  for (const end = a + <usize>n * 2; a < end; a += 16) top = i16x8.max_s(top, v128.and(v128.load(a), size))
  return v128.any_true(i16x8.gt_s(top, i16x8.splat(0x7bff)))
}

// ---------------------------------------- f64 and integers: errors in f64

/** Two elements as f64. */
@inline function two<T>(at: usize): v128 {
  if (isFloat<T>()) return v128.load(at)
  if (sizeof<T>() == 8) {
    const bits = v128.load(at)
    // Halves of the integer become doubles by giving them an exponent; one rounding at the end.
    const low = v128.or(v128.and(bits, i64x2.splat(0xffffffff)), i64x2.splat(0x4330000000000000))
    const flipped = isSigned<T>() ? v128.xor(bits, i64x2.splat(i64.MIN_VALUE)) : bits
    const high = v128.or(i64x2.shr_u(flipped, 32), i64x2.splat(0x4530000000000000))
    const base: f64 = isSigned<T>()
      ? 19342813113834066795298816.0 + 9223372036854775808.0 + 4503599627370496.0
      : 19342813113834066795298816.0 + 4503599627370496.0
    return f64x2.add(f64x2.sub(high, f64x2.splat(base)), low)
  }
  if (sizeof<T>() == 4)
    return isSigned<T>()
      ? f64x2.convert_low_i32x4_s(v128.load64_zero(at))
      : f64x2.convert_low_i32x4_u(v128.load64_zero(at))
  if (sizeof<T>() == 2) {
    const words = v128.load32_zero(at)
    return f64x2.convert_low_i32x4_s(
      isSigned<T>() ? i32x4.extend_low_i16x8_s(words) : i32x4.extend_low_i16x8_u(words),
    )
  }
  const bytes = v128.load16_splat(at)
  return f64x2.convert_low_i32x4_s(
    isSigned<T>()
      ? i32x4.extend_low_i16x8_s(i16x8.extend_low_i8x16_s(bytes))
      : i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(bytes)),
  )
}

/** Where a block of f64 stands: where it was stored, or decoded in `space`. */
@inline function doubles<T>(from: usize, end: usize, space: usize): usize {
  if (isFloat<T>()) return from
  for (let to = space; from < end; from += 2 * sizeof<T>(), to += 16) v128.store(to, two<T>(from))
  return space
}

/** `n` is a multiple of 2. */
@inline function wide<T>(a: usize, b: usize, n: i32, out: usize): void {
  const zero = f64x2.splat(0)
  const low = f64x2.splat(0.001)
  const high = f64x2.splat(0.005)
  let aa = zero
  let bb = zero
  let dd = zero
  let top = zero
  let worst = zero
  let below1 = i64x2.splat(0)
  let below5 = i64x2.splat(0)
  const last = a + <usize>n * sizeof<T>()
  while (a < last) {
    const next = min(last, a + blockElements * sizeof<T>())
    const elements = (next - a) / sizeof<T>()
    const debug = doubles<T>(a, next, debugBlock)
    const bench = doubles<T>(b, b + elements * sizeof<T>(), benchBlock)
    const end = debug + elements * 8
    a = next
    b += elements * sizeof<T>()

    for (let i = debug, j = bench; i < end; i += 16, j += 16) {
      const x = v128.load(i)
      const y = v128.load(j)
      const d = f64x2.sub(x, y)
      aa = f64x2.add(aa, f64x2.mul(x, x))
      bb = f64x2.add(bb, f64x2.mul(y, y))
      dd = f64x2.add(dd, f64x2.mul(d, d))
      top = f64x2.pmax(top, f64x2.abs(d))
    }

    const worstBefore = worst
    const below1Before = below1
    const below5Before = below5
    let zeros = zero
    for (let i = debug, j = bench; i < end; i += 16, j += 16) {
      const y = v128.load(j)
      const r = f64x2.abs(f64x2.div(f64x2.sub(v128.load(i), y), y))
      zeros = v128.or(zeros, f64x2.eq(y, zero))
      worst = f64x2.pmax(worst, r)
      below1 = i64x2.sub(below1, f64x2.lt(r, low))
      below5 = i64x2.sub(below5, f64x2.lt(r, high))
    }
    if (v128.any_true(zeros)) {
      worst = worstBefore
      below1 = below1Before
      below5 = below5Before
      const epsilon = f64x2.splat(2.220446049250313e-16)
      for (let i = debug, j = bench; i < end; i += 16, j += 16) {
        const y = v128.load(j)
        const add = v128.and(f64x2.eq(y, zero), epsilon)
        const ye = f64x2.add(y, add)
        const r = f64x2.abs(f64x2.div(f64x2.sub(f64x2.add(v128.load(i), add), ye), ye))
        worst = f64x2.pmax(worst, r)
        below1 = i64x2.sub(below1, f64x2.lt(r, low))
        below5 = i64x2.sub(below5, f64x2.lt(r, high))
      }
    }
  }
  f64.store(out, sum2(aa), 0)
  f64.store(out, sum2(bb), 8)
  f64.store(out, sum2(dd), 16)
  f64.store(out, max2(top), 24)
  f64.store(out, max2(worst), 32)
  f64.store(out, <f64>(i64x2.extract_lane(below1, 0) + i64x2.extract_lane(below1, 1)), 40)
  f64.store(out, <f64>(i64x2.extract_lane(below5, 0) + i64x2.extract_lane(below5, 1)), 48)
  f64.store(out, 0, 56)
  f64.store(out, 0, 64)
}

export function double(a: usize, b: usize, n: i32, out: usize): void {
  wide<f64>(a, b, n, out)
}
export function int8(a: usize, b: usize, n: i32, out: usize): void {
  wide<i8>(a, b, n, out)
}
export function uint8(a: usize, b: usize, n: i32, out: usize): void {
  wide<u8>(a, b, n, out)
}
export function int16(a: usize, b: usize, n: i32, out: usize): void {
  wide<i16>(a, b, n, out)
}
export function uint16(a: usize, b: usize, n: i32, out: usize): void {
  wide<u16>(a, b, n, out)
}
export function int32(a: usize, b: usize, n: i32, out: usize): void {
  wide<i32>(a, b, n, out)
}
export function uint32(a: usize, b: usize, n: i32, out: usize): void {
  wide<u32>(a, b, n, out)
}
export function int64(a: usize, b: usize, n: i32, out: usize): void {
  wide<i64>(a, b, n, out)
}
export function uint64(a: usize, b: usize, n: i32, out: usize): void {
  wide<u64>(a, b, n, out)
}

// ---------------------------------------- bool: three counts say everything

@inline function countBytes(x: v128): i32 {
  const sums = i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(x))
  return (
    i32x4.extract_lane(sums, 0) +
    i32x4.extract_lane(sums, 1) +
    i32x4.extract_lane(sums, 2) +
    i32x4.extract_lane(sums, 3)
  )
}

/** `n` is a multiple of 16. Leaves how many are true on the one side, the other, and both. */
export function booleans(a: usize, b: usize, n: i32, out: usize): void {
  const zero = i8x16.splat(0)
  let inA = 0
  let inB = 0
  let inBoth = 0
  const end = a + n
  while (a < end) {
    let countA = zero
    let countB = zero
    let countBoth = zero
    // Byte counters overflow after 255 rounds.
    for (const stop = min(end, a + 255 * 16); a < stop; a += 16, b += 16) {
      const x = i8x16.ne(v128.load(a), zero)
      const y = i8x16.ne(v128.load(b), zero)
      countA = i8x16.sub(countA, x)
      countB = i8x16.sub(countB, y)
      countBoth = i8x16.sub(countBoth, v128.and(x, y))
    }
    inA += countBytes(countA)
    inB += countBytes(countB)
    inBoth += countBytes(countBoth)
  }
  f64.store(out, <f64>inA, 0)
  f64.store(out, <f64>inB, 8)
  f64.store(out, <f64>inBoth, 16)
}

// ---------------------------------------- equal chunks, true products

/** Position of the first 64-byte block that differs, or `bytes`, a multiple of 64. */
export function firstDifference(a: usize, b: usize, bytes: usize): usize {
  for (let at: usize = 0; at < bytes; at += 64) {
    const d0 = v128.xor(v128.load(a + at), v128.load(b + at))
    const d1 = v128.xor(v128.load(a + at, 16), v128.load(b + at, 16))
    const d2 = v128.xor(v128.load(a + at, 32), v128.load(b + at, 32))
    const d3 = v128.xor(v128.load(a + at, 48), v128.load(b + at, 48))
    if (v128.any_true(v128.or(v128.or(d0, d1), v128.or(d2, d3)))) return at
  }
  return bytes
}

/**
 * Σx² and, for halves, how many are zero, NaN or Inf (their relative error is NaN). Masked: NaN and Inf count
 * as zero.
 */
@inline function narrowAlone<T, W>(a: usize, n: i32, out: usize): void {
  let sum0 = f64x2.splat(0)
  let sum1 = f64x2.splat(0)
  let zeros = i32x4.splat(0)
  const end = a + <usize>n * bytesOf<T>()
  while (a < end) {
    let x = four<T>(a)
    if (isMasked<W>()) x = v128.andnot(x, v128.or(isNan<T>(x), isInf<T>(x)))
    const asStored = isFloat<T>() && !isMasked<W>()
    const x0 = f64x2.promote_low_f32x4(asStored ? v128.load64_zero(a) : x)
    const x1 = f64x2.promote_low_f32x4(asStored ? v128.load64_zero(a, 8) : highHalf(x))
    a += 4 * bytesOf<T>()
    sum0 = f64x2.add(sum0, f64x2.mul(x0, x0))
    sum1 = f64x2.add(sum1, f64x2.mul(x1, x1))
    if (isHalf<T>()) zeros = i32x4.sub(zeros, f32x4.eq(x, f32x4.splat(0)))
  }
  f64.store(out, sum2(f64x2.add(sum0, sum1)), 0)
  f64.store(out, count4(zeros), 8)
}

@inline function wideAlone<T>(a: usize, n: i32, out: usize): void {
  let sum = f64x2.splat(0)
  for (const end = a + <usize>n * sizeof<T>(); a < end; a += 2 * sizeof<T>()) {
    const x = two<T>(a)
    sum = f64x2.add(sum, f64x2.mul(x, x))
  }
  f64.store(out, sum2(sum), 0)
  f64.store(out, 0, 8)
}

export function floatAlone(a: usize, n: i32, out: usize): void {
  narrowAlone<f32, Plain>(a, n, out)
}
export function floatAloneMasked(a: usize, n: i32, out: usize): void {
  narrowAlone<f32, Masked>(a, n, out)
}
export function brainAlone(a: usize, n: i32, out: usize): void {
  narrowAlone<Brain, Plain>(a, n, out)
}
export function brainAloneMasked(a: usize, n: i32, out: usize): void {
  narrowAlone<Brain, Masked>(a, n, out)
}
// A half that is NaN or Inf does not spoil a sum: always masked.
export function halfAlone(a: usize, n: i32, out: usize): void {
  narrowAlone<Half, Masked>(a, n, out)
}
export function doubleAlone(a: usize, n: i32, out: usize): void {
  wideAlone<f64>(a, n, out)
}
export function int8Alone(a: usize, n: i32, out: usize): void {
  wideAlone<i8>(a, n, out)
}
export function uint8Alone(a: usize, n: i32, out: usize): void {
  wideAlone<u8>(a, n, out)
}
export function int16Alone(a: usize, n: i32, out: usize): void {
  wideAlone<i16>(a, n, out)
}
export function uint16Alone(a: usize, n: i32, out: usize): void {
  wideAlone<u16>(a, n, out)
}
export function int32Alone(a: usize, n: i32, out: usize): void {
  wideAlone<i32>(a, n, out)
}
export function uint32Alone(a: usize, n: i32, out: usize): void {
  wideAlone<u32>(a, n, out)
}
export function int64Alone(a: usize, n: i32, out: usize): void {
  wideAlone<i64>(a, n, out)
}
export function uint64Alone(a: usize, n: i32, out: usize): void {
  wideAlone<u64>(a, n, out)
}

/** Σab of two chunks of the same type, for sides of very different size; NaN and Inf spoil it. */
@inline function narrowProduct<T>(a: usize, b: usize, n: i32): f64 {
  let sum = f64x2.splat(0)
  for (const end = a + <usize>n * bytesOf<T>(); a < end; a += 4 * bytesOf<T>(), b += 4 * bytesOf<T>()) {
    const x = four<T>(a)
    const y = four<T>(b)
    sum = f64x2.add(sum, f64x2.mul(f64x2.promote_low_f32x4(x), f64x2.promote_low_f32x4(y)))
    sum = f64x2.add(
      sum,
      f64x2.mul(f64x2.promote_low_f32x4(highHalf(x)), f64x2.promote_low_f32x4(highHalf(y))),
    )
  }
  return sum2(sum)
}
@inline function wideProduct<T>(a: usize, b: usize, n: i32): f64 {
  let sum = f64x2.splat(0)
  for (const end = a + <usize>n * sizeof<T>(); a < end; a += 2 * sizeof<T>(), b += 2 * sizeof<T>())
    sum = f64x2.add(sum, f64x2.mul(two<T>(a), two<T>(b)))
  return sum2(sum)
}
export function floatProduct(a: usize, b: usize, n: i32): f64 {
  return narrowProduct<f32>(a, b, n)
}
export function brainProduct(a: usize, b: usize, n: i32): f64 {
  return narrowProduct<Brain>(a, b, n)
}
export function halfProduct(a: usize, b: usize, n: i32): f64 {
  return narrowProduct<Half>(a, b, n)
}
export function doubleProduct(a: usize, b: usize, n: i32): f64 {
  return wideProduct<f64>(a, b, n)
}

// ---------------------------------------- hash of bytes

// Sums of products of 16-bit words with keys that depend on the position: equal bytes give equal sums however
// they are cut. State at `state`: two accumulators of four u32, the sums of their states after each block,
// then at 64 the number of blocks so far.

const stretch: usize = 4096

export function hashKeys(keys: usize): void {
  let seed: u64 = 0
  for (let i: usize = 0; i < stretch; i += 8) {
    seed += 0x9e3779b97f4a7c15
    store<u64>(keys + i, mix(seed))
  }
}

/** Folds in whole blocks of 64 bytes. */
export function hashBlocks(at: usize, bytes: usize, state: usize, keys: usize): void {
  let s0 = v128.load(state)
  let s1 = v128.load(state, 16)
  let t0 = v128.load(state, 32)
  let t1 = v128.load(state, 48)
  let blocks = load<u64>(state, 64)
  const end = at + bytes
  while (at < end) {
    let key = keys + <usize>(blocks % (stretch / 64)) * 64
    const last = keys + stretch
    const stop = min(end, at + (last - key))
    blocks += <u64>((stop - at) >> 6)
    for (; at < stop; at += 64, key += 64) {
      const a = i16x8.add(v128.load(at), v128.load(key))
      const b = i16x8.add(v128.load(at, 16), v128.load(key, 16))
      const c = i16x8.add(v128.load(at, 32), v128.load(key, 32))
      const d = i16x8.add(v128.load(at, 48), v128.load(key, 48))
      s0 = i32x4.add(s0, i32x4.dot_i16x8_s(a, b))
      s1 = i32x4.add(s1, i32x4.dot_i16x8_s(c, d))
      t0 = i32x4.add(t0, s0)
      t1 = i32x4.add(t1, s1)
    }
    if (key == last) {
      // The keys begin again: stir, so that the order of stretches matters.
      s0 = stir(s0)
      s1 = stir(s1)
      t0 = stir(t0)
      t1 = stir(t1)
    }
  }
  v128.store(state, s0)
  v128.store(state, s1, 16)
  v128.store(state, t0, 32)
  v128.store(state, t1, 48)
  store<u64>(state, blocks, 64)
}

@inline function stir(x: v128): v128 {
  return i32x4.mul(v128.xor(x, i32x4.shr_u(x, 15)), i32x4.splat(0x2c1b3c6d))
}

/** Leaves the hash of everything folded in at `state` + 72; `bytes` tells padding from data. */
export function hashEnd(state: usize, bytes: f64): void {
  let hash = <u64>bytes * 0x9e3779b185ebca87
  for (let i: usize = 0; i < 64; i += 8) {
    hash ^= mix(load<u64>(state + i) + i)
    hash = rotl(hash, 27) * 0x9e3779b185ebca87 + 0x85ebca77c2b2ae63
  }
  store<u64>(state, mix(hash), 72)
}

@inline function mix(x: u64): u64 {
  x = (x ^ (x >> 33)) * 0xff51afd7ed558ccd
  x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53
  return x ^ (x >> 33)
}
