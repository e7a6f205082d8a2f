// JSON tokens over a window of bytes in WebAssembly memory, and a dictionary of texts. A position of 0 says
// that a token is not there.
// Every reader accepts exactly what the strict grammar allows; whatever it refuses is read again by
// json-stream.ts, which knows why.

import { low, product } from './wide.as'

/** Exact value of a number that the fast ways below leave open. */
@external("env", "slowNumber")
declare function slowNumber(from: usize, length: i32): f64

export const enum Why {
  grammar,
  slow,
  full,
}
export const enum Num {
  int = 2,
  float = 3,
  bigint = 6,
}

/** First byte after the content of the window; at least 64 zero bytes follow it. */
export let end: usize = 0
/** Where and why the last reader gave up. */
export let failedAt: usize = 0
export let why: Why = Why.grammar

export function setEnd(at: usize): void {
  end = at
}
export function fail(at: usize): usize {
  failedAt = at
  why = Why.grammar
  return 0
}
/** The bytes may be right but need the reader that knows every case. */
export function slow(): usize {
  why = Why.slow
  return 0
}
/** Another byte than expected: unusual, unless the window ends there. */
export function unusual(p: usize): usize {
  return load<u8>(p) ? slow() : fail(p)
}
/** There is no room for more output. */
export function full(): usize {
  why = Why.full
  return 0
}

/**
 * Where reading stopped: the start of the first entry that was not taken, or the byte after the closing
 * brace.
 */
export let stoppedAt: usize = 0

export const enum Status {
  more,
  full,
  slow,
  done,
}

/** Ends a run of readers at the start of what was not taken. */
export function stop(at: usize): Status {
  stoppedAt = at
  return why == Why.full
    ? Status.full
    : why == Why.slow
      ? Status.slow
      : failedAt + 64 >= end
        ? Status.more
        : Status.slow
}

export function done(at: usize): Status {
  stoppedAt = at
  return Status.done
}

// ---------------------------------------- memory

let top: usize = __heap_base

/** Gives all memory back, for another dump. */
export function forget(): void {
  top = __heap_base
  slots = 0
  entryCount = 0
  entryRoom = 0
  sideTop = 0
  sideEnd = 0
}

/** Takes memory that is never given back. */
export function alloc(bytes: usize): usize {
  const at = (top + 63) & ~63
  top = at + bytes + 64
  const pages = <i32>((top + 0xffff) >>> 16)
  if (pages > memory.size() && memory.grow(max(pages - memory.size(), 1)) < 0) unreachable()
  return at
}

// ---------------------------------------- tokens

@inline export function space(p: usize): usize {
  return load<u8>(p) > 0x20 ? p : moreSpace(p)
}

function moreSpace(p: usize): usize {
  while (true) {
    const c = v128.load(p)
    const other =
      i8x16.bitmask(v128.or(i8x16.eq(c, i8x16.splat(0x20)), i8x16.eq(c, i8x16.splat(0x0a)))) ^ 0xffff
    if (other == 0) {
      p += 16
      continue
    }
    p += ctz(other)
    const b = load<u8>(p)
    if (b != 0x09 && b != 0x0d) return p
    p++
  }
}

/** About the string read last: it holds escapes; it holds bytes beyond ASCII. */
export let escaped: bool = false
export let wide: bool = false

/** From the byte after the opening quote to the closing quote. */
export function stringEnd(p: usize): usize {
  let at = p
  let high = 0
  escaped = false
  while (true) {
    const c = v128.load(at)
    const stop = i8x16.bitmask(
      v128.or(
        v128.or(i8x16.eq(c, i8x16.splat(0x22)), i8x16.eq(c, i8x16.splat(0x5c))),
        i8x16.lt_u(c, i8x16.splat(0x20)),
      ),
    )
    if (stop == 0) {
      high |= i8x16.bitmask(c)
      at += 16
      continue
    }
    const k = ctz(stop)
    high |= i8x16.bitmask(c) & ((1 << k) - 1)
    at += k
    const b = load<u8>(at)
    if (b == 0x22) break
    if (b != 0x5c) return fail(at)
    escaped = true
    const e = load<u8>(at + 1)
    if (e == 0x75) {
      for (let i: usize = 2; i < 6; i++) if (!isHex(load<u8>(at + i))) return fail(at + i)
      at += 6
    } else {
      if (
        e != 0x22 &&
        e != 0x5c &&
        e != 0x2f &&
        e != 0x62 &&
        e != 0x66 &&
        e != 0x6e &&
        e != 0x72 &&
        e != 0x74
      )
        return fail(at + 1)
      at += 2
    }
  }
  wide = high != 0
  return wide && !isUtf8(p, at) ? slow() : at
}

function isHex(b: u8): bool {
  return isDigit(b) || ((b | 0x20) >= 0x61 && (b | 0x20) <= 0x66)
}
@inline function isDigit(b: u8): bool {
  return <u8>(b - 0x30) < 10
}

/** Well-formed UTF-8: shortest form, no surrogates, nothing above U+10FFFF. */
function isUtf8(p: usize, to: usize): bool {
  while (p < to) {
    const b = load<u8>(p++)
    if (b < 0x80) continue
    const more: usize = b < 0xc2 || b > 0xf4 ? 0 : b < 0xe0 ? 1 : b < 0xf0 ? 2 : 3
    if (more == 0 || p + more > to) return false
    const c = load<u8>(p)
    const low: u8 = b == 0xe0 ? 0xa0 : b == 0xf0 ? 0x90 : 0x80
    const high: u8 = b == 0xed ? 0x9f : b == 0xf4 ? 0x8f : 0xbf
    if (c < low || c > high) return false
    for (let i: usize = 1; i < more; i++) if ((load<u8>(p + i) & 0xc0) != 0x80) return false
    p += more
  }
  return true
}

export function word(p: usize): usize {
  const w = load<u32>(p)
  if (w == 0x6c6c756e || w == 0x65757274) return p + 4 // null, true
  if (w == 0x736c6166 && load<u8>(p + 4) == 0x65) return p + 5 // false
  return fail(p)
}

/** Checks a value of any kind without reading it. */
export function skip(p: usize, depth: i32): usize {
  const c = load<u8>(p)
  if (c == 0x22) {
    const e = stringEnd(p + 1)
    return e ? e + 1 : 0
  }
  if (c == 0x5b || c == 0x7b) {
    if (depth > 100) return slow()
    const close: u8 = c + 2
    p = space(p + 1)
    if (load<u8>(p) == close) return p + 1
    while (true) {
      if (c == 0x7b) {
        if (load<u8>(p) != 0x22) return fail(p)
        const e = stringEnd(p + 1)
        if (!e) return 0
        p = space(e + 1)
        if (load<u8>(p) != 0x3a) return fail(p)
        p = space(p + 1)
      }
      p = skip(p, depth + 1)
      if (!p) return 0
      p = space(p)
      const n = load<u8>(p)
      if (n == close) return p + 1
      if (n != 0x2c) return fail(p)
      p = space(p + 1)
    }
  }
  return c == 0x74 || c == 0x66 || c == 0x6e ? word(p) : number(p)
}

// ---------------------------------------- numbers

/** About the number read last. */
export let numKind: Num = Num.int
export let numValue: f64 = 0

@inline function eightValue(v: u64): u64 {
  v -= 0x3030303030303030
  v = v * 10 + (v >> 8)
  return (
    ((v & 0x000000ff000000ff) * 0x000f424000000064 + ((v >> 16) & 0x000000ff000000ff) * 0x0000271000000001) >>
    32
  )
}

/** How many digits stand here, up to 16. */
@inline function digitsAt(p: usize): u32 {
  return ctz(~i8x16.bitmask(i8x16.lt_u(i8x16.sub(v128.load(p), i8x16.splat(0x30)), i8x16.splat(10))))
}

const wholeTens: usize = memory.data<u64>([1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000])

/** `w` with up to 16 more digits. */
@inline function append(w: u64, p: usize, n: u32): u64 {
  if (n > 8) {
    w = w * 100000000 + eightValue(load<u64>(p))
    p += 8
    n -= 8
  }
  if (n == 0) return w
  const eight =
    (load<u64>(p) << (<u64>(64 - (n << 3)))) | (((<u64>0x3030303030303030) >> (<u64>((n << 3) - 1))) >> 1)
  return w * load<u64>(wholeTens + ((<usize>n) << 3)) + eightValue(eight)
}

export function number(p: usize): usize {
  const from = p
  let c = load<u8>(p)
  const negative = c == 0x2d
  if (negative) c = load<u8>(++p)
  let w: u64 = 0
  let digits = 0
  let power = 0
  let float = false
  if (c == 0x30) c = load<u8>(++p)
  else if (isDigit(c)) {
    do {
      w = w * 10 + (c - 0x30)
      digits++
      c = load<u8>(++p)
    } while (isDigit(c))
  } else return special(p, negative)
  if (c == 0x2e) {
    float = true
    const first = ++p
    if (w == 0) while (load<u8>(p) == 0x30) p++
    const significant = p
    let run: u32
    do {
      run = digitsAt(p)
      w = append(w, p, run)
      p += run
    } while (run == 16)
    c = load<u8>(p)
    if (p == first) return fail(p)
    digits += <i32>(p - significant)
    power = -(<i32>(p - first))
  }
  if ((c | 0x20) == 0x65) {
    float = true
    c = load<u8>(++p)
    const down = c == 0x2d
    if (down || c == 0x2b) c = load<u8>(++p)
    if (!isDigit(c)) return fail(p)
    let e = 0
    do {
      if (e < 100000) e = e * 10 + (c - 0x30)
      c = load<u8>(++p)
    } while (isDigit(c))
    power += down ? -e : e
  }
  if (!float) {
    const exact = digits < 20 && w <= 0x20000000000000
    numKind = exact ? Num.int : Num.bigint
    numValue = exact ? <f64>(negative ? -(<i64>w) : <i64>w) : 0
    return p
  }
  numKind = Num.float
  if (digits > 19) numValue = slowNumber(from, <i32>(p - from))
  else {
    const value = decimal(w, power)
    numValue = isNaN(value) ? slowNumber(from, <i32>(p - from)) : negative ? -value : value
  }
  return p
}

function special(p: usize, negative: bool): usize {
  numKind = Num.float
  if (load<u64>(p) == 0x7974696e69666e49) {
    // Infinity
    numValue = negative ? -Infinity : Infinity
    return p + 8
  }
  if (negative || (load<u32>(p) & 0xffffff) != 0x4e614e) return fail(p) // NaN
  numValue = NaN
  return p + 3
}

/**
 * Powers of five from 5^-80 to 5^80, normalised to 128 bits, high half first; written by the host
 * (`fivePowers`).
 */
const fives: usize = memory.data(161 * 16, 16)
export function fivesAt(): usize {
  return fives
}
const tens: usize = memory.data<f64>([
  1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
  1e20, 1e21, 1e22,
])

/** w · 10^q rounded to the nearest double, ties to even; NaN when this way cannot tell (Eisel–Lemire). */
function decimal(w: u64, q: i32): f64 {
  if (w == 0) return 0
  if (w <= 0x20000000000000 && q >= -22 && q <= 22) {
    const ten = load<f64>(tens + ((<usize>abs(q)) << 3))
    return q < 0 ? <f64>w / ten : <f64>w * ten
  }
  if (q < -80 || q > 80) return NaN
  const shift = <i32>clz(w)
  const m = w << shift
  const row = fives + ((<usize>(q + 80)) << 4)
  let high = product(m, load<u64>(row))
  let rest = low
  if ((high & 0x1ff) == 0x1ff) {
    const more = product(m, load<u64>(row + 8))
    rest += more
    if (rest < more) high++
    if (rest == 0xffffffffffffffff) return NaN
  }
  const upper = <i32>(high >> 63)
  let mantissa = high >> (upper + 9)
  let exponent = (((152170 + 65536) * q) >> 16) + 63 + upper - shift + 1023
  if (exponent <= 0) return NaN
  if (rest <= 1 && q >= -4 && q <= 23 && (mantissa & 3) == 1 && mantissa << (upper + 9) == high)
    mantissa &= ~1
  mantissa = (mantissa + (mantissa & 1)) >> 1
  if (mantissa >= 0x20000000000000) {
    mantissa = 0x10000000000000
    exponent++
  }
  if (exponent >= 0x7ff) return NaN
  return reinterpret<f64>((mantissa & 0xfffffffffffff) | ((<u64>exponent) << 52))
}

// ---------------------------------------- memory of what came last
// Dumps repeat themselves byte for byte. Bytes that were read strictly once need not be read again: equal
// bytes mean the same.

/** Bytes of one remembered piece: up to 32 of text, then the bits that must agree, and a meaning. */
export const pieceBytes: usize = 48

/** Whether the piece stands at `p`. */
@inline export function stands(p: usize, piece: usize): bool {
  const bits = load<u32>(piece, 32)
  const equal =
    (<u32>i8x16.bitmask(i8x16.eq(v128.load(p), v128.load(piece)))) |
    ((<u32>i8x16.bitmask(i8x16.eq(v128.load(p, 16), v128.load(piece, 16)))) << 16)
  return bits != 0 && (equal & bits) == bits
}
@inline export function pieceLength(piece: usize): usize {
  return load<u32>(piece, 36)
}
@inline export function pieceMeaning(piece: usize): i32 {
  return load<i32>(piece, 40)
}

/** Remembers the bytes from `p` to `to`, if they are not too many. */
export function remember(piece: usize, p: usize, to: usize, meaning: i32): void {
  const n = <u32>(to - p)
  if (n == 0 || n > 32) return
  memory.copy(piece, p, n)
  store<u32>(piece, n == 32 ? 0xffffffff : (1 << n) - 1, 32)
  store<u32>(piece, n, 36)
  store<i32>(piece, meaning, 40)
}

// ---------------------------------------- dictionary
// Entry: hash u32, kind and length u32, bytes usize, code i32. Texts of kind 0 of one chunk lie side by side,
// for the host to copy at once.

let slots: usize = 0
let slotMask: u32 = 0
let entriesAt: usize = 0
let entryRoom: u32 = 0
/** Entries so far; the host reads those that are new. */
export let entryCount: u32 = 0
/** The next code of a text; the host sets it when it has added texts of its own. */
export let nextCode: i32 = 0
/** Where the next text's bytes go, and the end of their chunk. */
export let textTop: usize = 0
let textEnd: usize = 0
let sideTop: usize = 0
let sideEnd: usize = 0

export function setNextCode(code: i32): void {
  nextCode = code
}
export function entriesStart(): usize {
  return entriesAt
}

/** Starts a fresh chunk for texts. */
export function textChunk(bytes: usize): void {
  textTop = alloc(bytes)
  textEnd = textTop + bytes
}

function emptySlots(): usize {
  const bytes = (<usize>slotMask + 1) << 2
  const at = alloc(bytes)
  memory.fill(at, 0, bytes)
  return at
}

/** Makes room for about this many entries before the first one. */
export function expectEntries(count: u32): void {
  entryRoom = 0x1000
  while (entryRoom < count) entryRoom <<= 1
  slotMask = (entryRoom << 1) - 1
  slots = emptySlots()
  entriesAt = alloc((<usize>entryRoom) << 4)
}

function grow(): void {
  if (slots == 0) expectEntries(0)
  if (entryCount == entryRoom) {
    const wider = alloc((<usize>entryRoom) << 5)
    memory.copy(wider, entriesAt, (<usize>entryRoom) << 4)
    entriesAt = wider
    entryRoom <<= 1
    slotMask = (slotMask << 1) | 1
    slots = emptySlots()
    for (let i: u32 = 0; i < entryCount; i++) {
      let s = load<u32>(entriesAt + ((<usize>i) << 4)) & slotMask
      while (load<u32>(slots + ((<usize>s) << 2))) s = (s + 1) & slotMask
      store<u32>(slots + ((<usize>s) << 2), i + 1)
    }
  }
}

@inline function tail(p: usize, n: u32): u64 {
  return load<u64>(p) & (((<u64>1) << (n << 3)) - 1)
}

/** Reads up to 7 bytes beyond the text, which every buffer here has. */
export function hashOf(p: usize, n: u32): u32 {
  let h: u64 = (<u64>n + 1) * 0x9e3779b97f4a7c15
  while (n >= 8) {
    h = (h ^ load<u64>(p)) * 0xbf58476d1ce4e5b9
    h ^= h >> 32
    p += 8
    n -= 8
  }
  if (n) h = (h ^ tail(p, n)) * 0xbf58476d1ce4e5b9
  h ^= h >> 29
  h *= 0x94d049bb133111eb
  return <u32>(h >> 32)
}

export function same(a: usize, b: usize, n: u32): bool {
  while (n >= 8) {
    if (load<u64>(a) != load<u64>(b)) return false
    a += 8
    b += 8
    n -= 8
  }
  return n == 0 || tail(a, n) == tail(b, n)
}

let freeSlot: usize = 0

/** The entry of a text of a kind, or 0; then `freeSlot` is where it belongs. */
function lookup(p: usize, n: u32, kind: u32, hash: u32): usize {
  let s = hash & slotMask
  const key = n | (kind << 30)
  while (true) {
    freeSlot = slots + ((<usize>s) << 2)
    const index = load<u32>(freeSlot)
    if (index == 0) return 0
    const entry = entriesAt + ((<usize>(index - 1)) << 4)
    if (load<u32>(entry) == hash && load<u32>(entry, 4) == key && same(load<u32>(entry, 8), p, n))
      return entry
    s = (s + 1) & slotMask
  }
}

function add(p: usize, n: u32, kind: u32, hash: u32, code: i32): void {
  const entry = entriesAt + ((<usize>(entryCount++)) << 4)
  store<u32>(freeSlot, entryCount)
  let to: usize
  if (kind == 0) {
    to = textTop
    textTop += n
  } else {
    if (sideTop + n + 16 > sideEnd) {
      const bytes = max<usize>(n + 16, 0x10000)
      sideTop = alloc(bytes)
      sideEnd = sideTop + bytes
    }
    to = sideTop
    sideTop += n
  }
  memory.copy(to, p, n)
  store<u32>(entry, hash)
  store<u32>(entry, n | (kind << 30), 4)
  store<u32>(entry, <u32>to, 8)
  store<i32>(entry, code, 12)
}

/** The code of a text, added when new; -1 when its chunk has no room (then the reader stops as full). */
export function intern(p: usize, n: u32): i32 {
  if (entryCount == entryRoom) grow()
  const hash = hashOf(p, n)
  const entry = lookup(p, n, 0, hash)
  if (entry) return load<i32>(entry, 12)
  if (textTop + n + 16 > textEnd) {
    full()
    return -1
  }
  add(p, n, 0, hash, nextCode)
  return nextCode++
}

/** What was kept for bytes of a kind other than 0, or -1. */
export function recall(p: usize, n: u32, kind: u32): i32 {
  if (entryCount == entryRoom) grow()
  const entry = lookup(p, n, kind, hashOf(p, n))
  return entry ? load<i32>(entry, 12) : -1
}

/** Keeps a value for bytes of a kind other than 0; follows a `recall` that found nothing. */
export function keep(p: usize, n: u32, kind: u32, value: i32): void {
  add(p, n, kind, hashOf(p, n), value)
}
