// Puts elements into another order. Every loop has a length, and steps in bytes in the source and in the
// target. 16 bytes behind what is read must be readable.

/** Runs of bytes that lie together on both sides, in four loops; the last one is the innermost. */
export function copy(
  source: usize, target: usize, run: usize,
  n0: i32, s0: i32, t0: i32,
  n1: i32, s1: i32, t1: i32,
  n2: i32, s2: i32, t2: i32,
  n3: i32, s3: i32, t3: i32,
): void {
  for (let i = 0; i < n0; i++, source += s0, target += t0) {
    let a = source
    let b = target
    for (let j = 0; j < n1; j++, a += s1, b += t1) {
      let c = a
      let d = b
      for (let k = 0; k < n2; k++, c += s2, d += t2) {
        if (run == 32) wide(c, d, n3, s3, t3)
        else if (run == 2) single<u16>(c, d, n3, s3, t3)
        else if (run == 4) single<u32>(c, d, n3, s3, t3)
        else if (run == 1) single<u8>(c, d, n3, s3, t3)
        else if (run == 8) single<u64>(c, d, n3, s3, t3)
        else any(c, d, run, n3, s3, t3)
      }
    }
  }
}

/** The usual block of channels: 16 numbers of two bytes, or 32 of one. */
@inline function wide(from: usize, to: usize, n: i32, s: i32, t: i32): void {
  for (let i = 0; i < n; i++, from += s, to += t) {
    const low = v128.load(from)
    const high = v128.load(from, 16)
    v128.store(to, low)
    v128.store(to, high, 16)
  }
}

@inline function single<T>(from: usize, to: usize, n: i32, s: i32, t: i32): void {
  for (let i = 0; i < n; i++, from += s, to += t) store<T>(to, load<T>(from))
}

@inline function any(from: usize, to: usize, run: usize, n: i32, s: i32, t: i32): void {
  for (let i = 0; i < n; i++, from += s, to += t) {
    let done: usize = 0
    for (; done + 16 <= run; done += 16) v128.store(to + done, v128.load(from + done))
    if (done + 8 <= run) {
      store<u64>(to + done, load<u64>(from + done))
      done += 8
    }
    for (; done < run; done++) store<u8>(to + done, load<u8>(from + done))
  }
}

/**
 * Rows become columns, in three loops: `rows` lie side by side in the target and `s` apart in the source,
 * `columns` side by side in the source and `t` apart in the target.
 */
export function turn(
  source: usize, target: usize, width: i32,
  rows: i32, s: i32,
  columns: i32, t: i32,
  n0: i32, s0: i32, t0: i32,
  n1: i32, s1: i32, t1: i32,
  n2: i32, s2: i32, t2: i32,
): void {
  for (let i = 0; i < n0; i++, source += s0, target += t0) {
    let a = source
    let b = target
    for (let j = 0; j < n1; j++, a += s1, b += t1) {
      let c = a
      let d = b
      for (let k = 0; k < n2; k++, c += s2, d += t2) {
        if (width == 2) plane<u16>(c, d, rows, s, columns, t)
        else if (width == 4) plane<u32>(c, d, rows, s, columns, t)
        else if (width == 1) plane<u8>(c, d, rows, s, columns, t)
        else if (width == 8) plane<u64>(c, d, rows, s, columns, t)
        else pairs(c, d, rows, s, columns, t)
      }
    }
  }
}

/** Rows of a tile. */
@inline function side<T>(): i32 {
  return sizeof<T>() == 4 ? 4 : 8
}

@inline function plane<T>(from: usize, to: usize, rows: i32, s: i32, columns: i32, t: i32): void {
  const width = <i32>sizeof<T>()
  const tile = side<T>()
  if (sizeof<T>() == 8 || rows < tile) return elements<T>(from, to, rows, s, columns, t)
  for (let row = 0; row < rows; row += tile) {
    // What is left over is the end of a tile whose beginning stands there already.
    if (row + tile > rows) row = rows - tile
    const line = from + <usize>(row * s)
    const place = to + <usize>(row * width)
    for (let column = 0; column < columns; column += tile) {
      const left = columns - column
      const a = line + <usize>(column * width)
      const b = place + <usize>(column * t)
      if (sizeof<T>() == 4) words(a, b, s, t, left)
      else if (sizeof<T>() == 2) halves(a, b, s, t, left)
      else bytes(a, b, s, t, left)
    }
  }
}

@inline function elements<T>(from: usize, to: usize, rows: i32, s: i32, columns: i32, t: i32): void {
  for (let row = 0; row < rows; row++, from += s, to += sizeof<T>()) {
    let a = from
    let b = to
    for (let column = 0; column < columns; column++, a += sizeof<T>(), b += t) store<T>(b, load<T>(a))
  }
}

/** Numbers of two doubles. */
function pairs(from: usize, to: usize, rows: i32, s: i32, columns: i32, t: i32): void {
  for (let row = 0; row < rows; row++, from += s, to += 16) {
    let a = from
    let b = to
    for (let column = 0; column < columns; column++, a += 16, b += t) v128.store(b, v128.load(a))
  }
}

@inline function low16(a: v128, b: v128): v128 {
  return v128.shuffle<u16>(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
}
@inline function high16(a: v128, b: v128): v128 {
  return v128.shuffle<u16>(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
}
@inline function low32(a: v128, b: v128): v128 {
  return v128.shuffle<u32>(a, b, 0, 4, 1, 5)
}
@inline function high32(a: v128, b: v128): v128 {
  return v128.shuffle<u32>(a, b, 2, 6, 3, 7)
}
@inline function low64(a: v128, b: v128): v128 {
  return v128.shuffle<u64>(a, b, 0, 2)
}
@inline function high64(a: v128, b: v128): v128 {
  return v128.shuffle<u64>(a, b, 1, 3)
}

/** Four rows of four; `left`: columns that there are. */
@inline function words(from: usize, to: usize, s: i32, t: i32, left: i32): void {
  const a = v128.load(from)
  const b = v128.load(from + <usize>s)
  const c = v128.load(from + <usize>(2 * s))
  const d = v128.load(from + <usize>(3 * s))
  const ab = low32(a, b)
  const cd = low32(c, d)
  v128.store(to, low64(ab, cd))
  if (left > 1) v128.store(to + <usize>t, high64(ab, cd))
  if (left > 2) {
    const ab2 = high32(a, b)
    const cd2 = high32(c, d)
    v128.store(to + <usize>(2 * t), low64(ab2, cd2))
    if (left > 3) v128.store(to + <usize>(3 * t), high64(ab2, cd2))
  }
}

/** Eight rows of eight numbers of two bytes. */
@inline function halves(from: usize, to: usize, s: i32, t: i32, left: i32): void {
  const a = v128.load(from)
  const b = v128.load(from + <usize>s)
  const c = v128.load(from + <usize>(2 * s))
  const d = v128.load(from + <usize>(3 * s))
  const e = v128.load(from + <usize>(4 * s))
  const f = v128.load(from + <usize>(5 * s))
  const g = v128.load(from + <usize>(6 * s))
  const h = v128.load(from + <usize>(7 * s))
  const ab = low16(a, b)
  const cd = low16(c, d)
  const ef = low16(e, f)
  const gh = low16(g, h)
  const abcd = low32(ab, cd)
  const efgh = low32(ef, gh)
  v128.store(to, low64(abcd, efgh))
  if (left > 1) v128.store(to + <usize>t, high64(abcd, efgh))
  if (left > 2) {
    const abcd1 = high32(ab, cd)
    const efgh1 = high32(ef, gh)
    v128.store(to + <usize>(2 * t), low64(abcd1, efgh1))
    if (left > 3) v128.store(to + <usize>(3 * t), high64(abcd1, efgh1))
  }
  if (left > 4) {
    const ab2 = high16(a, b)
    const cd2 = high16(c, d)
    const ef2 = high16(e, f)
    const gh2 = high16(g, h)
    const abcd2 = low32(ab2, cd2)
    const efgh2 = low32(ef2, gh2)
    v128.store(to + <usize>(4 * t), low64(abcd2, efgh2))
    if (left > 5) v128.store(to + <usize>(5 * t), high64(abcd2, efgh2))
    if (left > 6) {
      const abcd3 = high32(ab2, cd2)
      const efgh3 = high32(ef2, gh2)
      v128.store(to + <usize>(6 * t), low64(abcd3, efgh3))
      if (left > 7) v128.store(to + <usize>(7 * t), high64(abcd3, efgh3))
    }
  }
}

@inline function low8(from: usize, s: i32): v128 {
  const a = v128.load64_zero(from)
  const b = v128.load64_zero(from + <usize>s)
  return v128.shuffle<u8>(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
}

/** Two columns of eight bytes. */
@inline function storeTwo(to: usize, t: i32, two: v128, left: i32): void {
  if (left > 0) store<u64>(to, i64x2.extract_lane(two, 0))
  if (left > 1) store<u64>(to + <usize>t, i64x2.extract_lane(two, 1))
}

/** Eight rows of eight bytes. */
@inline function bytes(from: usize, to: usize, s: i32, t: i32, left: i32): void {
  const ab = low8(from, s)
  const cd = low8(from + <usize>(2 * s), s)
  const ef = low8(from + <usize>(4 * s), s)
  const gh = low8(from + <usize>(6 * s), s)
  const abcd = low16(ab, cd)
  const efgh = low16(ef, gh)
  storeTwo(to, t, low32(abcd, efgh), left)
  storeTwo(to + <usize>(2 * t), t, high32(abcd, efgh), left - 2)
  const abcd2 = high16(ab, cd)
  const efgh2 = high16(ef, gh)
  storeTwo(to + <usize>(4 * t), t, low32(abcd2, efgh2), left - 4)
  storeTwo(to + <usize>(6 * t), t, high32(abcd2, efgh2), left - 6)
}

/** Upper halves of float32 become float32; eight at a time, and the last of them at the very end. */
export function widen(source: usize, target: usize, count: i32): void {
  let i = 0
  for (; i + 8 <= count; i += 8) {
    const eight = v128.load(source + (<usize>i << 1))
    v128.store(target + (<usize>i << 2), i32x4.shl(i32x4.extend_low_i16x8_u(eight), 16))
    v128.store(target + (<usize>i << 2), i32x4.shl(i32x4.extend_high_i16x8_u(eight), 16), 16)
  }
  for (; i < count; i++) {
    const half = <u32>load<u16>(source + (<usize>i << 1))
    store<u32>(target + (<usize>i << 2), half << 16)
  }
}
