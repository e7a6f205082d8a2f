// Entries of dump.json's `data` → columns, in WebAssembly. Takes the usual entries only and leaves every
// other one, untouched, to
// msprobe-items.ts (Why.slow). The doors of json-stream.as, msprobe-leaf.as and stack.as are passed on,
// because a module has one entry.
import {
  alloc,
  done,
  entriesStart,
  entryCount,
  escaped,
  expectEntries,
  fail,
  fivesAt,
  forget,
  full,
  intern,
  nextCode,
  pieceBytes,
  pieceLength,
  remember,
  same,
  setEnd,
  setNextCode,
  skip,
  slow,
  space,
  stands,
  Status,
  stop,
  stoppedAt,
  stringEnd,
  textChunk,
  textTop,
  unusual,
} from '../../json/stream.as'
import {
  endOp,
  items,
  itemsAt,
  joins,
  joinsAt,
  leaf,
  mark,
  md5Seen,
  none,
  opKeyLength,
  ops,
  opsAt,
  opsFull,
  plainString,
  roomOfItems,
  roomOfOps,
  setCommon,
  setState,
  settle,
  setUpLeaves,
  startCall,
  startOp,
  suffix,
  suffixRoom,
  undo,
} from './leaf.as'
import { members, newLayout, newStacks, newStacksAt, pairCount, pairsAt, setUpStacks } from './stack.as'

export {
  alloc,
  entriesStart,
  entryCount,
  expectEntries,
  fivesAt,
  intern,
  nextCode,
  setNextCode,
  stoppedAt,
  textChunk,
  textTop,
}
export { items, itemsAt, joins, joinsAt, md5Seen, ops, opsAt, roomOfItems, roomOfOps, setCommon, settle }
export { members, newLayout, newStacks, newStacksAt, pairCount, pairsAt }

/** Begins with a dump. */
export function setUp(): void {
  forget()
  setUpLeaves()
  setUpStacks()
}

const keyRoom: u32 = 256
const keys: usize = memory.data(2048, 16)
let keyCount: u32 = 0
let indices = true
/** The bytes from a brace to the opening quote of `type`'s value, for four depths. */
const openings: usize = memory.data(4 * 48, 16)

function putIndex(at: usize, i: u32): u32 {
  store<u8>(at, 0x2e)
  let n: u32 = 1
  for (let rest = i; ; n++) {
    rest /= 10
    if (rest == 0) break
  }
  for (let k = n; k > 0; k--) {
    store<u8>(at + k, 0x30 + <u8>(i % 10))
    i /= 10
  }
  return n + 1
}

/**
 * A value and all items in it. `level` counts from the entry (0); `inList`: the value is an element of a
 * list.
 */
function walk(p: usize, length: u32, depth: i32, level: i32, inList: bool): usize {
  if (depth > 10 || opKeyLength + length > suffixRoom) return slow()
  const c = load<u8>(p)
  if (c == 0x7b) return object(p, length, depth, level, inList)
  if (c == 0x5b) {
    p = space(p + 1)
    if (load<u8>(p) == 0x5d) return p + 1
    for (let i: u32 = 0; ; i++) {
      let longer = length
      if (indices) {
        if (length + 16 > suffixRoom) return slow()
        longer += putIndex(suffix + length, i)
      }
      p = walk(p, longer, depth + 1, level + 1, true)
      if (!p) return 0
      p = space(p)
      const n = load<u8>(p)
      if (n == 0x5d) return p + 1
      if (n != 0x2c) return fail(p)
      p = space(p + 1)
    }
  }
  return c == 0x6e ? none(p, length) : skip(p, 0)
}

function object(p: usize, length: u32, depth: i32, level: i32, inList: bool): usize {
  const opening = openings + <usize>(depth & 3) * pieceBytes
  if (stands(p, opening))
    return leaf(p + pieceLength(opening) - 1, length, depth, level == 1 || (level == 2 && inList))
  const from = p
  p = space(p + 1)
  if (load<u8>(p) == 0x7d) return p + 1
  const base = keyCount
  let first = true
  while (true) {
    if (load<u8>(p) != 0x22) return fail(p)
    const k = p + 1
    const e = stringEnd(k)
    if (!e) return 0
    if (escaped) return slow()
    const n = <u32>(e - k)
    p = space(e + 1)
    if (load<u8>(p) != 0x3a) return fail(p)
    p = space(p + 1)
    if (n == 4 && load<u32>(k) == 0x65707974 && load<u8>(p) == 0x22) {
      if (!first) return slow()
      remember(opening, from, p + 1, 0)
      return leaf(p, length, depth, level == 1 || (level == 2 && inList))
    }
    if (n == 3 && (load<u32>(k) & 0xffffff) == 0x35646d && !md5Seen) return slow()
    if (keyCount >= keyRoom || length + n + 16 > suffixRoom) return slow()
    for (let j = base; j < keyCount; j++) {
      if (load<u32>(keys + ((<usize>j) << 3), 4) == n && same(load<u32>(keys + ((<usize>j) << 3)), k, n))
        return slow()
    }
    store<u32>(keys + ((<usize>keyCount) << 3), <u32>k)
    store<u32>(keys + ((<usize>(keyCount++)) << 3), n, 4)
    store<u8>(suffix + length, 0x2e)
    memory.copy(suffix + length + 1, k, n)
    first = false
    p = walk(p, length + 1 + n, depth + 1, level + 1, false)
    if (!p) return 0
    p = space(p)
    const c = load<u8>(p)
    if (c == 0x7d) {
      keyCount = base
      return p + 1
    }
    if (c != 0x2c) return fail(p)
    p = space(p + 1)
  }
}

/** Rank of a part in the order of visits and its state; -1 is no part. */
function partOf(p: usize, n: u32): i32 {
  const w = n >= 8 ? load<u64>(p) : load<u64>(p) & (((<u64>1) << (n << 3)) - 1)
  if (n == 10)
    return w == 0x72615f7475706e69 && load<u16>(p + 8) == 0x7367
      ? 0
      : w == 0x6574656d61726170 && load<u16>(p + 8) == 0x7372
        ? 4
        : -1
  if (n == 12) return w == 0x776b5f7475706e69 && load<u32>(p + 8) == 0x73677261 ? 1 : -1
  if (n == 5) return w == 0x7475706e69 ? 2 : -1
  return n == 6 && w == 0x74757074756f ? 3 : -1
}

function putWord(rank: i32): u32 {
  if (rank < 3) {
    store<u64>(suffix, 0x7475706e692e)
    return 6
  }
  if (rank == 3) {
    store<u64>(suffix, 0x74757074756f2e)
    return 7
  }
  store<u64>(suffix, 0x74656d617261702e)
  store<u32>(suffix, 0x737265, 8)
  return 11
}

function ordinary(p: usize): usize {
  if (load<u8>(p) != 0x7b) return unusual(p)
  p = space(p + 1)
  if (load<u8>(p) == 0x7d) return p + 1
  let last = -1
  while (true) {
    if (load<u8>(p) != 0x22) return fail(p)
    const k = p + 1
    const e = stringEnd(k)
    if (!e) return 0
    if (escaped) return slow()
    p = space(e + 1)
    if (load<u8>(p) != 0x3a) return fail(p)
    p = space(p + 1)
    const rank = partOf(k, <u32>(e - k))
    if (rank < 0) {
      const c = load<u8>(p)
      if (!md5Seen && (c == 0x5b || c == 0x7b)) return slow()
      p = skip(p, 0)
    } else {
      if (rank <= last) return slow()
      last = rank
      setState(rank < 3 ? 0 : rank == 3 ? 1 : 2)
      p = walk(p, putWord(rank), 0, 1, false)
    }
    if (!p) return 0
    p = space(p)
    const c = load<u8>(p)
    if (c == 0x7d) return p + 1
    if (c != 0x2c) return fail(p)
    p = space(p + 1)
  }
}

/** Whether a segment of the key is `parameters_grad`. */
function isGradKey(p: usize, n: u32): bool {
  if (n < 15) return false
  const last = p + n - 15
  let start = true
  for (let at = p; at <= last; at++) {
    if (start && load<u64>(at) == 0x6574656d61726170 && load<u64>(at + 7) == 0x646172675f737265) {
      if (at == last || load<u8>(at + 15) == 0x2e) return true
    }
    start = load<u8>(at) == 0x2e
  }
  return false
}

/** Key, value and the separator after them, which is returned; 0 when something stops it. */
function entry(p: usize, debug: bool, base: f64): usize {
  if (opsFull()) return full()
  if (load<u8>(p) != 0x22) return fail(p)
  const key = p + 1
  const e = plainString(key)
  if (!e) return 0
  const length = <u32>(e - key)
  if (length > suffixRoom) return slow()
  const code = intern(key, length)
  if (code < 0) return 0
  p = space(e + 1)
  if (load<u8>(p) != 0x3a) return fail(p)
  const from = space(p + 1)
  const grad = isGradKey(key, length)
  startOp(key, length, code)
  setState(grad ? 3 : 1)
  keyCount = 0
  indices = !grad
  const valueTo = grad || debug ? walk(from, 0, 0, 0, false) : ordinary(from)
  if (!valueTo) return 0
  p = space(valueTo)
  if (load<u8>(p) != 0x2c && load<u8>(p) != 0x7d) return fail(p)
  endOp(base + <f64>from, base + <f64>valueTo)
  return p
}

/**
 * Takes entries from `p` on, where a key must stand (or the closing brace, if `first`), until something stops
 * it. `base`: file position of address 0.
 */
export function entries(p: usize, to: usize, first: bool, debug: bool, base: f64): Status {
  setEnd(to)
  startCall()
  while (true) {
    const start = p
    mark()
    p = space(p)
    if (first && load<u8>(p) == 0x7d) return done(p + 1)
    p = entry(p, debug, base)
    if (!p) {
      undo()
      return stop(start)
    }
    if (load<u8>(p) == 0x7d) return done(p + 1)
    p++
    first = false
  }
}
