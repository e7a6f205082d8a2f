// Doubles as decimal digits, in WebAssembly: `%.16g` and the shortest text that reads back; and the cells of
// a sheet that hold them.
// What 128 bits do not decide gives 0, and the caller spells it the careful way (`g16`, `pyFloat`). Functions
// get the place to write at
// and return the place behind; 100 bytes must be free there.

import { low, product } from '../json/wide.as'

/**
 * Powers of five from 5^-80 to 5^80, normalised to 128 bits, high half first; written by the host (`fives`).
 */
const fives: usize = memory.data(161 * 16, 16)
export function fivesAt(): usize {
  return fives
}

/** Digits of the number at hand, and room to read beyond them. */
const digits: usize = memory.data(48, 16)

/**
 * The number times 10^(16−exponent): a whole part of 17 digits, a fraction of 64 bits, and half its last
 * place with 32 bits of fraction.
 */
let whole: u64 = 0
let fraction: u64 = 0
let half: i64 = 0
/** Nothing stands behind the whole part and the fraction, and both are exact. */
let ends = false
/** Both are exact up to there. */
let certain = false
let exponent: i32 = 0

/** Bits of error that `fraction` and `half` may carry. */
const doubt: u64 = 8

const top: u64 = 100000000000000000

/** Takes a positive normal number apart; false where the table does not reach. */
function scale(bits: u64): bool {
  const m = ((bits & 0xfffffffffffff) | 0x10000000000000) << 11
  const e = <i32>(bits >> 52) - 1075
  // log10(2) from below: the exponent or one less.
  exponent = ((e + 52) * 78913) >> 18
  for (; ; exponent++) {
    const q = 16 - exponent
    if (q < -80 || q > 80) return false
    const row = fives + ((<usize>(q + 80)) << 4)
    const high = load<u64>(row)
    let above = product(m, high)
    let below = low
    const more = product(m, load<u64>(row + 8))
    const rest = low
    below += more
    if (below < more) above++
    const shift = 10 - e - ((217706 * q) >> 16)
    // Between 6 and 11 for 17 digits; more where the exponent was too small.
    if (shift < 1 || shift > 60) return false
    whole = above >> shift
    if (whole >= top) continue
    if (whole < top / 10) return false
    fraction = (above << (64 - shift)) | (below >> shift)
    half = <i64>(high >> (shift + 22))
    // Powers of five up to the 55th fit into 128 bits.
    certain = q >= 0 && q <= 55
    ends = certain && fraction == 0 && below << (64 - shift) == 0 && rest == 0
    return true
  }
}

/** Writes 17 digits; returns how many remain without zeros at the end. */
function spread(n: u64): i32 {
  if (n == top) {
    n = top / 10
    exponent++
  }
  let left = n / 100000000
  let right = <u32>(n - left * 100000000)
  for (let at: usize = 16; at >= 9; at--) {
    store<u8>(digits + at, 0x30 + <u8>(right % 10))
    right /= 10
  }
  let most = <u32>(left / 100000000)
  let rest = <u32>(left - <u64>most * 100000000)
  for (let at: usize = 8; at >= 1; at--) {
    store<u8>(digits + at, 0x30 + <u8>(rest % 10))
    rest /= 10
  }
  store<u8>(digits, 0x30 + <u8>most)
  let kept = 17
  while (kept > 1 && load<u8>(digits + kept - 1) == 0x30) kept--
  return kept
}

@inline function copy(to: usize, from: usize): void {
  v128.store(to, v128.load(from))
  store<u8>(to + 16, load<u8>(from + 16))
}

/** Puts the digits down as C and Python do: an exponent below 1e-4 and from 1e16 on. */
function spell(at: usize, kept: i32, point: bool): usize {
  if (exponent >= 0 && exponent < 16) {
    const before = exponent + 1
    copy(at, digits)
    at += before
    if (kept <= before) {
      if (!point) return at
      store<u16>(at, 0x302e)
      return at + 2
    }
    store<u8>(at, 0x2e)
    copy(at + 1, digits + before)
    return at + 1 + kept - before
  }
  if (exponent < 0 && exponent >= -4) {
    store<u32>(at, 0x30302e30)
    store<u8>(at + 4, 0x30)
    at += 1 - exponent
    copy(at, digits)
    return at + kept
  }
  store<u8>(at++, load<u8>(digits))
  if (kept > 1) {
    store<u8>(at, 0x2e)
    copy(at + 1, digits + 1)
    at += kept
  }
  store<u16>(at, exponent < 0 ? 0x2d65 : 0x2b65)
  // The table ends below three digits.
  const size = <u32>abs(exponent)
  store<u8>(at + 2, 0x30 + <u8>(size / 10))
  store<u8>(at + 3, 0x30 + <u8>(size % 10))
  return at + 4
}

@inline function usual(bits: u64): bool {
  const power = bits >> 52
  return power > 0 && power < 0x7ff
}

/** `%.16g`. */
export function g16(at: usize, x: f64): usize {
  let bits = reinterpret<u64>(x)
  if (bits == 0) {
    store<u8>(at, 0x30)
    return at + 1
  }
  if (bits >> 63) {
    store<u8>(at++, 0x2d)
    bits &= 0x7fffffffffffffff
  }
  if (!usual(bits) || !scale(bits)) return 0
  const last = whole % 10
  let up = last >= 5
  if (last == 5) {
    if (ends) up = (whole / 10) % 2 == 1
    // A tie, or so near to one that the bits do not tell.
    else if (!certain && (fraction < doubt || fraction > <u64>-1 - doubt)) return 0
  } else if (last == 4 && !certain && fraction > <u64>-1 - doubt) return 0
  return spell(at, spread(whole - last + (up ? 10 : 0)), false)
}

/** The shortest digits that read back as the same number, as Python's `repr`. */
export function repr(at: usize, x: f64): usize {
  let bits = reinterpret<u64>(x)
  if (bits == 0) {
    store<u32>(at, 0x302e30)
    return at + 3
  }
  if (bits >> 63) {
    store<u8>(at++, 0x2d)
    bits &= 0x7fffffffffffffff
  }
  // Below a power of two neighbours are half as far away.
  if (!usual(bits) || (bits & 0xfffffffffffff) == 0 || !scale(bits)) return 0
  if (fraction < doubt || fraction > <u64>-1 - doubt) return exact(at)
  const down = fraction < 0x8000000000000000
  if (down ? fraction > 0x8000000000000000 - doubt : fraction < 0x8000000000000000 + doubt) return 0
  let best = down ? whole : whole + 1
  for (let step: u64 = 10; step <= top; step *= 10) {
    const rest = whole % step
    const candidate = rest < step / 2 ? whole - rest : whole - rest + step
    const far = <i64>(candidate - whole)
    if (far > 1024 || far < -1024) break
    const away = abs((far << 32) - <i64>(fraction >> 32))
    if (away > half + 4) break
    if (away >= half - 4) return 0
    best = candidate
  }
  return spell(at, spread(best), true)
}

/**
 * Nothing worth counting stands behind the 17 digits. Up to 15 of them no other decimal that is as short
 * means the same number.
 */
function exact(at: usize): usize {
  const kept = spread(fraction < doubt ? whole : whole + 1)
  return kept > 15 ? 0 : spell(at, kept, true)
}

// ---------------------------------------- cells of a sheet

/**
 * Pieces of up to 16 bytes, in memory as their length and their bytes: the digits of the row with a quote,
 * then what each host puts there.
 */
@inline function put(at: usize, piece: usize): usize {
  v128.store(at, v128.load(piece, 4))
  return at + load<u32>(piece)
}

/** `<c r="B7"` */
export function open(at: usize, column: usize, row: usize): usize {
  return put(put(at, column), row)
}

/** A whole cell with a number. */
export function numberCell(at: usize, column: usize, row: usize, style: usize, x: f64): usize {
  at = put(put(put(at, column), row), style)
  store<u32>(at, 0x3e763c3e)
  at = g16(at + 4, x)
  if (!at) return 0
  store<u64>(at, 0x3e632f3c3e762f3c)
  return at + 8
}
