// Snappy, in WebAssembly: blocks of 64 KB, each looked through with one table of places, as the format's
// description has it. 16 bytes behind the input must be readable, as many behind the output writable.

const tableBits: u32 = 14
/** Places in a block, by what stands there. */
const table: usize = memory.data(2 << 14, 16)
const blockBytes: usize = 1 << 16

/** Where the host may put what it has. */
export function base(): usize {
  return __heap_base
}

@inline function slotOf(four: u32): usize {
  return table + ((<usize>((four * 0x1e35a7bd) >> (32 - tableBits))) << 1)
}

/** Up to 15 bytes too many are written; what follows is written over them. */
@inline function literal(to: usize, from: usize, length: usize): usize {
  const last = <u32>(length - 1)
  if (last < 60) store<u8>(to++, last << 2)
  else if (last < 256) {
    store<u16>(to, (60 << 2) | (last << 8))
    to += 2
  } else {
    store<u8>(to, 61 << 2)
    store<u16>(to, last, 1)
    to += 3
  }
  for (let i: usize = 0; i < length; i += 16) v128.store(to + i, v128.load(from + i))
  return to + length
}

@inline function shortCopy(to: usize, offset: u32, length: u32): usize {
  if (length < 12 && offset < 2048) {
    store<u16>(to, 1 | ((length - 4) << 2) | ((offset >> 8) << 5) | ((offset & 0xff) << 8))
    return to + 2
  }
  store<u8>(to, 2 | ((length - 1) << 2))
  store<u16>(to, offset, 1)
  return to + 3
}

function copy(to: usize, offset: u32, length: u32): usize {
  for (; length >= 68; length -= 64) to = shortCopy(to, offset, 64)
  if (length > 64) {
    to = shortCopy(to, offset, 60)
    length -= 60
  }
  return shortCopy(to, offset, length)
}

/** How far what stands at two places is equal. */
@inline function alike(a: usize, b: usize, end: usize): usize {
  const from = b
  while (b + 8 <= end) {
    const differs = load<u64>(a) ^ load<u64>(b)
    if (differs) return b - from + <usize>(ctz(differs) >> 3)
    a += 8
    b += 8
  }
  while (b < end && load<u8>(a) == load<u8>(b)) {
    a++
    b++
  }
  return b - from
}

function block(from: usize, end: usize, to: usize): usize {
  memory.fill(table, 0, 2 << tableBits)
  let unwritten = from
  let at = from + 1
  // The longer nothing is found, the larger the steps.
  let misses: usize = 32
  while (at + 16 <= end) {
    const four = load<u32>(at)
    const slot = slotOf(four)
    const before = from + <usize>load<u16>(slot)
    store<u16>(slot, <u16>(at - from))
    if (load<u32>(before) != four || before >= at) {
      at += misses++ >> 5
      continue
    }
    misses = 32
    if (at > unwritten) to = literal(to, unwritten, at - unwritten)
    const length = 4 + alike(before + 4, at + 4, end)
    to = copy(to, <u32>(at - before), <u32>length)
    at += length
    unwritten = at
    if (at + 16 <= end) store<u16>(slotOf(load<u32>(at - 1)), <u16>(at - 1 - from))
  }
  return end > unwritten ? literal(to, unwritten, end - unwritten) : to
}

/** From so many bytes to the end of what is written. */
export function compress(from: usize, length: usize, to: usize): usize {
  let left = length
  for (; left >= 0x80; left >>= 7) store<u8>(to++, (left & 0x7f) | 0x80)
  store<u8>(to++, left)
  const end = from + length
  for (; from < end; from += blockBytes) to = block(from, min(from + blockBytes, end), to)
  return to
}
