// Goes past an object or a list of JSON, 64 bytes at a time: only brackets outside of strings count. And
// tells texts apart by a hash.

@inline function mask(a: v128, b: v128, c: v128, d: v128, byte: u8): u64 {
  const sought = i8x16.splat(byte)
  return (
    (<u64>i8x16.bitmask(i8x16.eq(a, sought))) |
    ((<u64>i8x16.bitmask(i8x16.eq(b, sought))) << 16) |
    ((<u64>i8x16.bitmask(i8x16.eq(c, sought))) << 32) |
    ((<u64>i8x16.bitmask(i8x16.eq(d, sought))) << 48)
  )
}

/**
 * From the opening bracket to the place behind the closing one; 0 where the bytes end before. 64 bytes behind
 * `end` must be readable.
 */
export function skip(at: usize, end: usize): usize {
  const lower = i8x16.splat(0x20)
  let depth: i32 = 0
  /** All ones where a block begins inside of a string. */
  let within: u64 = 0
  /** One where a backslash ends the block before. */
  let carried: u64 = 0
  for (; at < end; at += 64) {
    const a = v128.load(at)
    const b = v128.load(at, 16)
    const c = v128.load(at, 32)
    const d = v128.load(at, 48)
    let quotes = mask(a, b, c, d, 0x22)
    let slashes = mask(a, b, c, d, 0x5c)
    if (slashes | carried) {
      let escaped = carried
      carried = 0
      for (; slashes; slashes &= slashes - 1) {
        const i = ctz(slashes)
        if ((escaped >> i) & 1) continue
        if (i == 63) carried = 1
        else escaped |= (<u64>2) << i
      }
      quotes &= ~escaped
    }
    let strings = quotes ^ (quotes << 1)
    strings ^= strings << 2
    strings ^= strings << 4
    strings ^= strings << 8
    strings ^= strings << 16
    strings ^= strings << 32
    strings ^= within
    within = <u64>((<i64>strings) >> 63)
    // [ and { differ in one bit, and so do ] and }.
    const e = v128.or(a, lower)
    const f = v128.or(b, lower)
    const g = v128.or(c, lower)
    const h = v128.or(d, lower)
    const closes = mask(e, f, g, h, 0x7d) & ~strings
    const opens = mask(e, f, g, h, 0x7b) & ~strings
    const closing = <i32>popcnt(closes)
    if (closing < depth) {
      depth += <i32>popcnt(opens) - closing
      continue
    }
    for (let brackets = opens | closes; brackets; brackets &= brackets - 1) {
      const i = ctz(brackets)
      if ((opens >> i) & 1) depth++
      else if (--depth == 0) {
        const behind = at + <usize>i + 1
        return behind <= end ? behind : 0
      }
    }
  }
  return 0
}

/** 53 bits that equal bytes have in common. 64 bytes behind `to` must be readable. */
export function hash(at: usize, to: usize): f64 {
  let state: u64 = 0x9e3779b97f4a7c15 ^ (<u64>(to - at))
  for (; at + 8 <= to; at += 8) state = rotl(state ^ load<u64>(at), 29) * 0xbf58476d1ce4e5b9
  const left = <u64>(to - at) * 8
  if (left) state = rotl(state ^ (load<u64>(at) & (((<u64>1) << left) - 1)), 29) * 0xbf58476d1ce4e5b9
  state ^= state >> 32
  state *= 0x94d049bb133111eb
  return <f64>(state >> 11)
}
