// Sums over a stretch of elements, two doubles at a time. What is no finite number spoils a sum, so that
// it shows; who asked takes the slow way then.

const two: usize = 16

@inline function twoOf(x: f64): v128 {
  return f64x2.splat(x)
}
@inline function both(x: v128): f64 {
  return f64x2.extract_lane(x, 0) + f64x2.extract_lane(x, 1)
}
@inline function larger(x: v128): f64 {
  return max(f64x2.extract_lane(x, 0), f64x2.extract_lane(x, 1))
}
/** The larger ones in one instruction; what is no number is passed over, so a sum has to show it. */
@inline function most(known: v128, x: v128): v128 {
  return f64x2.pmax(known, x)
}
@inline function least(known: v128, x: v128): v128 {
  return f64x2.pmin(known, x)
}
@inline function upper(x: v128): v128 {
  return i8x16.shuffle(x, x, 8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15)
}
/** A mask that is set is minus one. */
@inline function counted(known: v128, mask: v128): v128 {
  return i64x2.sub(known, mask)
}
@inline function count(x: v128): f64 {
  return <f64>(i64x2.extract_lane(x, 0) + i64x2.extract_lane(x, 1))
}
@inline function put(out: usize, place: i32, x: f64): void {
  store<f64>(out + (place << 3), x)
}

// ---------------------------------------- to doubles

/** Four are written at once, over the end too. */
export function widenFloat(from: usize, count: i32, to: usize): void {
  for (let i = 0; i < count; i += 4, from += 16, to += 32) widened(v128.load(from), to)
}

export function widenBrain(from: usize, count: i32, to: usize): void {
  for (let i = 0; i < count; i += 4, from += 8, to += 32) widened(i32x4.shl(v128.load16x4_u(from), 16), to)
}

export function widenHalf(from: usize, count: i32, to: usize): void {
  const scale = f32x4.splat(reinterpret<f32>(0x77800000))
  for (let i = 0; i < count; i += 4, from += 8, to += 32) {
    const bits = v128.load16x4_u(from)
    const size = v128.and(bits, i32x4.splat(0x7fff))
    const sign = i32x4.shl(v128.and(bits, i32x4.splat(0x8000)), 16)
    const number = f32x4.mul(i32x4.shl(size, 13), scale)
    const odd = v128.and(i32x4.gt_s(size, i32x4.splat(0x7bff)), i32x4.splat(0x7f800000))
    widened(v128.or(v128.or(number, odd), sign), to)
  }
}

@inline function widened(four: v128, to: usize): void {
  v128.store(to, f64x2.promote_low_f32x4(four))
  v128.store(to, f64x2.promote_low_f32x4(upper(four)), 16)
}

// ---------------------------------------- one side

/** Largest, smallest, sum, how many are zero, how many are smaller than `tiny`. */
export function first(from: usize, many: i32, tiny: f64, out: usize): void {
  let high = twoOf(-Infinity), low = twoOf(Infinity)
  let a = twoOf(0), b = twoOf(0), zero = i64x2.splat(0), small = i64x2.splat(0)
  const limit = twoOf(tiny)
  const end = from + ((<usize>many >> 2) << 5)
  let at = from
  for (; at < end; at += 32) {
    const x = v128.load(at), y = v128.load(at, 16)
    high = most(most(high, x), y)
    low = least(least(low, x), y)
    a = f64x2.add(a, x)
    b = f64x2.add(b, y)
    zero = counted(counted(zero, f64x2.eq(x, twoOf(0))), f64x2.eq(y, twoOf(0)))
    small = counted(counted(small, f64x2.lt(f64x2.abs(x), limit)), f64x2.lt(f64x2.abs(y), limit))
  }
  let top = larger(high), bottom = min(f64x2.extract_lane(low, 0), f64x2.extract_lane(low, 1))
  let sum = both(f64x2.add(a, b)), zeros = count(zero), smalls = count(small)
  for (const last = from + (<usize>many << 3); at < last; at += 8) {
    const x = load<f64>(at)
    top = max(top, x)
    bottom = min(bottom, x)
    sum += x
    if (x == 0) zeros++
    if (abs(x) < tiny) smalls++
  }
  put(out, 0, top)
  put(out, 1, bottom)
  put(out, 2, sum)
  put(out, 3, zeros)
  put(out, 4, smalls)
}

/** Squares in a scale, and squares of what is off the mean. */
export function second(from: usize, count: i32, mean: f64, scale: f64, out: usize): void {
  let a = twoOf(0), b = twoOf(0), c = twoOf(0), d = twoOf(0)
  const middle = twoOf(mean), factor = twoOf(scale)
  const end = from + ((<usize>count >> 2) << 5)
  let at = from
  for (; at < end; at += 32) {
    const x = v128.load(at), y = v128.load(at, 16)
    const p = f64x2.mul(x, factor), q = f64x2.mul(y, factor)
    a = f64x2.add(a, f64x2.mul(p, p))
    b = f64x2.add(b, f64x2.mul(q, q))
    const s = f64x2.sub(x, middle), t = f64x2.sub(y, middle)
    c = f64x2.add(c, f64x2.mul(s, s))
    d = f64x2.add(d, f64x2.mul(t, t))
  }
  let squares = both(f64x2.add(a, b)), deviation = both(f64x2.add(c, d))
  for (const last = from + (<usize>count << 3); at < last; at += 8) {
    const x = load<f64>(at)
    squares += x * scale * (x * scale)
    deviation += (x - mean) * (x - mean)
  }
  put(out, 0, squares)
  put(out, 1, deviation)
}

// ---------------------------------------- both sides

/**
 * Errors, and: differing, sum and squares of errors, not close, largest error, relative; product and squares;
 * largest of each side. What is not finite shows in the sum of errors.
 */
export function pair(
  left: usize, right: usize, errors: usize, many: i32, atol: f64, rtol: f64, out: usize,
): void {
  const none = twoOf(0), near = twoOf(atol), part = twoOf(rtol)
  let mismatched = i64x2.splat(0), apart = i64x2.splat(0)
  let sum = none, squares = none, high = none, relative = none
  let product = none, leftSquares = none, rightSquares = none, mostLeft = none, mostRight = none
  const end = left + ((<usize>many + 1 >> 1) << 4)
  // The odd one out stands beside a zero on each side.
  store<f64>(left + (<usize>many << 3), 0)
  store<f64>(right + (<usize>many << 3), 0)
  for (; left < end; left += two, right += two, errors += two) {
    const x = v128.load(left), y = v128.load(right)
    const error = f64x2.abs(f64x2.sub(x, y))
    const size = f64x2.abs(y)
    const differs = f64x2.ne(error, none)
    v128.store(errors, error)
    mismatched = counted(mismatched, differs)
    sum = f64x2.add(sum, error)
    squares = f64x2.add(squares, f64x2.mul(error, error))
    apart = counted(apart, f64x2.gt(error, f64x2.add(near, f64x2.mul(part, size))))
    high = most(high, error)
    // Divided only where the quotient can be a larger one: a record is rare.
    const record = v128.and(f64x2.ge(error, f64x2.mul(relative, size)), differs)
    if (v128.any_true(record)) relative = most(relative, v128.and(f64x2.div(error, size), record))
    product = f64x2.add(product, f64x2.mul(x, y))
    leftSquares = f64x2.add(leftSquares, f64x2.mul(x, x))
    rightSquares = f64x2.add(rightSquares, f64x2.mul(y, y))
    mostLeft = most(mostLeft, f64x2.abs(x))
    mostRight = most(mostRight, size)
  }
  put(out, 0, count(mismatched))
  put(out, 1, both(sum))
  put(out, 2, both(squares))
  put(out, 3, count(apart))
  put(out, 4, larger(high))
  put(out, 5, larger(relative))
  put(out, 6, both(product))
  put(out, 7, both(leftSquares))
  put(out, 8, both(rightSquares))
  put(out, 9, larger(mostLeft))
  put(out, 10, larger(mostRight))
}

// ---------------------------------------- steps between floats

/** Of 32-bit floats: the most, the sum, how many are more than one apart. Four are read, over the end too. */
export function stepsFloat(left: usize, right: usize, many: i32, out: usize): void {
  let sum = twoOf(0), high = twoOf(0), beyond = i64x2.splat(0)
  for (let i = 0; i < many; i += 4, left += 16, right += 16) {
    const inside = within(many - i)
    const x = v128.and(place(v128.load(left), 0x7fffffff), inside)
    const y = v128.and(place(v128.load(right), 0x7fffffff), inside)
    const p = between(x, y), q = between(upper(x), upper(y))
    sum = f64x2.add(sum, f64x2.add(p, q))
    high = most(most(high, p), q)
    beyond = counted(counted(beyond, f64x2.gt(p, twoOf(1))), f64x2.gt(q, twoOf(1)))
  }
  put(out, 0, larger(high))
  put(out, 1, both(sum))
  put(out, 2, count(beyond))
}

/** The same of 16-bit ones, whose steps over a stretch are added up as whole numbers. */
export function stepsShort(left: usize, right: usize, many: i32, out: usize): void {
  let sum = i32x4.splat(0), high = i32x4.splat(0), beyond = i32x4.splat(0)
  for (let i = 0; i < many; i += 4, left += 8, right += 8) {
    const x = place(v128.load16x4_s(left), 0x7fff), y = place(v128.load16x4_s(right), 0x7fff)
    const steps = v128.and(i32x4.abs(i32x4.sub(x, y)), within(many - i))
    sum = i32x4.add(sum, steps)
    high = i32x4.max_s(high, steps)
    beyond = i32x4.sub(beyond, i32x4.gt_s(steps, i32x4.splat(1)))
  }
  let top = 0, all: f64 = 0, apart: f64 = 0
  store<v128>(out, high)
  for (let i = 0; i < 4; i++) top = max(top, load<i32>(out + (<usize>i << 2)))
  store<v128>(out, sum)
  for (let i = 0; i < 4; i++) all += load<i32>(out + (<usize>i << 2))
  store<v128>(out, beyond)
  for (let i = 0; i < 4; i++) apart += load<i32>(out + (<usize>i << 2))
  put(out, 0, top)
  put(out, 1, all)
  put(out, 2, apart)
}

/** Four lanes, of which those beyond `left` count for nothing. */
@inline function within(left: i32): v128 {
  return i32x4.gt_s(i32x4.splat(left), i32x4(0, 1, 2, 3))
}

/** Where a float stands on the line of all floats: its size in bits, with its sign. */
@inline function place(bits: v128, size: i32): v128 {
  const negative = i32x4.shr_s(bits, 31)
  return i32x4.sub(v128.xor(v128.and(bits, i32x4.splat(size)), negative), negative)
}

@inline function between(x: v128, y: v128): v128 {
  return f64x2.abs(f64x2.sub(f64x2.convert_low_i32x4_s(x), f64x2.convert_low_i32x4_s(y)))
}

// ---------------------------------------- along the last axis

/** Errors of a run are added to the columns of the axis; the largest and the sum of the run. */
export function row(errors: usize, count: i32, max: usize, sums: usize, counts: usize, out: usize): void {
  let high = twoOf(0), all = twoOf(0)
  let i = 0
  for (; i + 2 <= count; i += 2, errors += two, max += two, sums += two, counts += two) {
    const error = v128.load(errors)
    v128.store(max, most(v128.load(max), error))
    v128.store(sums, f64x2.add(v128.load(sums), error))
    v128.store(counts, f64x2.add(v128.load(counts), twoOf(1)))
    high = most(high, error)
    all = f64x2.add(all, error)
  }
  let top = larger(high), total = both(all)
  if (i < count) {
    const error = load<f64>(errors)
    store<f64>(max, load<f64>(max) > error ? load<f64>(max) : error)
    store<f64>(sums, load<f64>(sums) + error)
    store<f64>(counts, load<f64>(counts) + 1)
    if (error > top) top = error
    total += error
  }
  put(out, 0, top)
  put(out, 1, total)
}

/** Of a run that stands for one place. */
export function total(errors: usize, count: i32, out: usize): void {
  let high = twoOf(0), all = twoOf(0)
  const end = errors + ((<usize>count >> 1) << 4)
  for (; errors < end; errors += two) {
    const error = v128.load(errors)
    high = most(high, error)
    all = f64x2.add(all, error)
  }
  let top = larger(high), sum = both(all)
  if (count & 1) {
    if (load<f64>(errors) > top) top = load<f64>(errors)
    sum += load<f64>(errors)
  }
  put(out, 0, top)
  put(out, 1, sum)
}
