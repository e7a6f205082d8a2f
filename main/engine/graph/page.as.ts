// Pieces, numbers and differences of an item as bytes, in WebAssembly: the usual cases of bytes.ts. What is
// not beyond doubt gives 0, and the caller spells it the careful way. Every function gets the place to write
// at and returns the place behind; callers make room.

/** Three digits of every number below 1000, and how many of them remain without zeros at the end. */
const digits: usize = memory.data(4000, 16)
/** The two sides of a difference. */
const mine: usize = memory.data(32, 16)
const theirs: usize = memory.data(32, 16)
const powers: usize = memory.data(23 * 8, 16)

export function setUp(): void {
  for (let n: u32 = 0; n < 1000; n++) {
    const a = n / 100
    const b = (n / 10) % 10
    const c = n % 10
    const kept: u32 = c ? 3 : b ? 2 : a ? 1 : 0
    store<u32>(digits + n * 4, (0x30 + a) | ((0x30 + b) << 8) | ((0x30 + c) << 16) | (kept << 24))
  }
  // Exact up to ten to the 22nd.
  let power: f64 = 1
  for (let i: usize = 0; i < 23; i++, power *= 10) store<f64>(powers + i * 8, power)
}

/** A kept piece; its length stands before it. */
export function put(at: usize, piece: usize): usize {
  return bytes(at, piece, load<u32>(piece - 4))
}

/** Bytes that were put down before, and a piece. */
export function again(at: usize, from: usize, length: u32, piece: usize): usize {
  return put(bytes(at, from, length), piece)
}

/** May write up to 15 bytes more than it says. */
@inline function bytes(at: usize, from: usize, length: u32): usize {
  for (let i: u32 = 0; i < length; i += 16) v128.store(at + i, v128.load(from + i))
  return at + length
}

@inline function three(at: usize, n: u32): usize {
  store<u32>(at, load<u32>(digits + n * 4))
  return at + 3
}

/** A number below 1000 without zeros in front. */
@inline function lead(at: usize, n: u32): usize {
  const skip: u32 = n >= 100 ? 0 : n >= 10 ? 1 : 2
  store<u32>(at, load<u32>(digits + n * 4) >> (skip * 8))
  return at + 3 - skip
}

/** Below a thousand millions. */
function whole(at: usize, n: u32): usize {
  if (n < 1000) return lead(at, n)
  if (n < 1000000) return three(lead(at, n / 1000), n % 1000)
  const rest = n % 1000000
  return three(three(lead(at, n / 1000000), rest / 1000), rest % 1000)
}

/** A number of millionths with a point; `full` keeps zeros at the end. */
function millionths(at: usize, n: u64, full: bool): usize {
  const before = <u32>(n / 1000000)
  const fraction = <u32>(n - <u64>before * 1000000)
  at = whole(at, before)
  store<u8>(at++, 0x2e)
  const high = fraction / 1000
  const low = fraction - high * 1000
  three(at, high)
  if (full || low) {
    three(at + 3, low)
    return at + 3 + (full ? 3 : <usize>(load<u32>(digits + low * 4) >> 24))
  }
  const kept = <usize>(load<u32>(digits + high * 4) >> 24)
  return at + (kept ? kept : 1)
}

/** Rounds a number of millionths; -1 where the product's own error could decide. */
@inline function rounded(scaled: f64): f64 {
  const floor = Math.floor(scaled)
  const rest = scaled - floor
  const doubt = Math.max(0.001, scaled * 4.5e-16)
  return rest < 0.5 - doubt ? floor : rest > 0.5 + doubt ? floor + 1 : -1
}

/** `'%.6e'` of a number below 1e-4. */
function exponent(at: usize, x: f64, size: f64): usize {
  let power: u32 = 5
  let scaled = size * 1e11
  while (scaled < 1e6) {
    if (++power > 16) return 0
    scaled = size * load<f64>(powers + (power + 6) * 8)
  }
  const floor = Math.floor(scaled)
  const rest = scaled - floor
  if ((rest > 0.4999 && rest < 0.5001) || rest < 1e-4 || rest > 0.9999) return 0
  const all = <u32>(rest > 0.5 ? floor + 1 : floor)
  if (all >= 10000000) return 0
  if (x < 0) store<u8>(at++, 0x2d)
  const first = all / 1000000
  const fraction = all - first * 1000000
  store<u8>(at, 0x30 + <u8>first)
  store<u8>(at + 1, 0x2e)
  three(three(at + 2, fraction / 1000), fraction % 1000)
  store<u16>(at + 8, 0x2d65)
  store<u16>(at + 10, <u16>(load<u32>(digits + power * 4) >> 8))
  return at + 12
}

/** `repr(round(x, 6))`, in e-notation below 1e-4. */
export function float(at: usize, x: f64): usize {
  const size = Math.abs(x)
  if (size >= 1e-4) {
    if (!(size < 1e9)) return 0
    const n = rounded(size * 1e6)
    if (n < 0) return 0
    if (x < 0) store<u8>(at++, 0x2d)
    return millionths(at, <u64>n, false)
  }
  if (size > 1e-14) return exponent(at, x, size)
  if (reinterpret<u64>(x) != 0) return 0
  store<u32>(at, 0x302e30)
  return at + 3
}

/** A relative error in per cent, without the sign behind it. */
export function percent(at: usize, x: f64): usize {
  if (x >= 1e-4) {
    if (!(x < 1e9)) return 0
    const n = rounded(x * 1e6)
    return n < 0 ? 0 : millionths(at, <u64>n, n / 1e6 != x)
  }
  if (x > 1e-14) {
    const end = exponent(at, x, x)
    // A mantissa of few digits would stay as it is.
    return end && load<u8>(end - 5) != 0x30 ? end : 0
  }
  if (x != 0) return 0
  store<u32>(at, 0x302e30)
  return at + 3
}

/** Four statistics behind their heads. */
export function stats(at: usize, heads: usize, a: f64, b: f64, c: f64, d: f64): usize {
  at = float(put(at, load<u32>(heads)), a)
  if (at) at = float(put(at, load<u32>(heads + 4)), b)
  if (at) at = float(put(at, load<u32>(heads + 8)), c)
  if (at) at = float(put(at, load<u32>(heads + 12)), d)
  if (!at) return 0
  store<u8>(at, 0x22)
  return at + 1
}

/**
 * Four differences, then four relative errors; a value within the bound gets its note. `none` is the piece
 * where there is no relative error.
 */
export function differ(
  at: usize,
  heads: usize,
  none: usize,
  bound: f64,
  notes: usize,
  a: f64,
  b: f64,
  c: f64,
  d: f64,
  e: f64,
  f: f64,
  g: f64,
  h: f64,
): usize {
  store<f64>(mine, a)
  store<f64>(mine + 8, b)
  store<f64>(mine + 16, c)
  store<f64>(mine + 24, d)
  store<f64>(theirs, e)
  store<f64>(theirs + 8, f)
  store<f64>(theirs + 16, g)
  store<f64>(theirs + 24, h)
  for (let s: usize = 0; s < 4; s++) {
    at = float(put(at, load<u32>(heads + s * 4)), load<f64>(mine + s * 8) - load<f64>(theirs + s * 8))
    if (!at) return 0
  }
  for (let s: usize = 0; s < 4; s++) {
    at = put(at, load<u32>(heads + 16 + s * 4))
    const n = load<f64>(mine + s * 8)
    const m = load<f64>(theirs + s * 8)
    if (m == 0) at = put(at, none)
    else {
      at = percent(at, Math.abs((n - m) / m) * 100)
      if (!at) return 0
      store<u8>(at++, 0x25)
    }
    if (Math.abs(n) <= bound) at = put(at, load<u32>(notes + s * 4))
  }
  store<u8>(at, 0x22)
  return at + 1
}
