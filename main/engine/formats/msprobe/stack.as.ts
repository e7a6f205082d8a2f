// stack.json and construct.json → pairs of numbers, in WebAssembly.
import {
  alloc,
  done,
  escaped,
  fail,
  full,
  intern,
  keep,
  Num,
  number,
  numKind,
  numValue,
  recall,
  setEnd,
  skip,
  slow,
  space,
  Status,
  stop,
  stringEnd,
  unusual,
  word,
} from '../../json/stream.as'

const pairRoom = 32768
let pairs: usize = 0
/** Rows of the output: code of a key; number of its stack, or code of its parent; micro step. */
export let pairCount: i32 = 0
export function pairsAt(): usize {
  return pairs
}
const freshRoom = 8192
let fresh: usize = 0
export function newStacksAt(): usize {
  return fresh
}

export function setUpStacks(): void {
  pairs = alloc(pairRoom * 12)
  fresh = alloc(freshRoom * 8)
  newLayout = false
}

/** Raw texts of stacks seen for the first time: position and length; numbered from `stackBase` on. */
export let newStacks: i32 = 0
let stackBase = 0

@inline function pair(code: i32, a: i32, b: i32): void {
  const at = pairs + <usize>(pairCount++) * 12
  store<i32>(at, code)
  store<i32>(at, a, 4)
  store<i32>(at, b, 8)
}

/** A string without escapes → its code; the position after it, or 0. */
let stringCode = 0
function text(p: usize): usize {
  if (load<u8>(p) != 0x22) return fail(p)
  const e = stringEnd(p + 1)
  if (!e) return 0
  if (escaped) return slow()
  stringCode = intern(p + 1, <u32>(e - p - 1))
  return stringCode < 0 ? 0 : e + 1
}

/** Number of the stack whose list of frames is here. */
let stackNumber = 0
function frames(p: usize): usize {
  if (load<u8>(p) != 0x5b) return unusual(p)
  const e = skip(p, 0)
  if (!e) return 0
  const n = <u32>(e - p)
  stackNumber = recall(p, n, 1)
  if (stackNumber < 0) {
    if (newStacks >= freshRoom) return full()
    stackNumber = stackBase + newStacks
    keep(p, n, 1, stackNumber)
    store<u32>(fresh + ((<usize>newStacks) << 3), <u32>p)
    store<u32>(fresh + ((<usize>(newStacks++)) << 3), n, 4)
  }
  return e
}

/** Some entry had the newer layout. */
export let newLayout = false

function stackValue(p: usize, key: i32): usize {
  if (load<u8>(p) != 0x5b) return unusual(p)
  const inner = space(p + 1)
  if (load<u8>(inner) != 0x5b) {
    p = frames(p)
    if (!p) return 0
    if (pairCount >= pairRoom) return full()
    pair(key, stackNumber, 0)
    return p
  }
  const before = pairCount
  p = space(inner + 1)
  if (load<u8>(p) == 0x5d) return slow()
  while (true) {
    p = text(p)
    if (!p) return 0
    if (pairCount >= pairRoom) return full()
    pair(stringCode, 0, 0)
    p = space(p)
    const c = load<u8>(p)
    p = space(p + 1)
    if (c == 0x5d) break
    if (c != 0x2c) return c ? slow() : fail(p)
  }
  if (load<u8>(p) != 0x2c) return unusual(p)
  p = frames(space(p + 1))
  if (!p) return 0
  p = space(p)
  if (load<u8>(p) != 0x5d) return unusual(p)
  newLayout = true
  for (let i = before; i < pairCount; i++) store<i32>(pairs + <usize>i * 12, stackNumber, 4)
  return p + 1
}

function parentValue(p: usize, key: i32): usize {
  let parent = -1,
    micro = -1
  const listed = load<u8>(p) == 0x5b
  if (listed) p = space(p + 1)
  if (load<u8>(p) == 0x6e) p = word(p)
  else {
    if (load<u8>(p) != 0x22) return unusual(p)
    const from = p
    p = text(p)
    if (p - from > 2) parent = stringCode
  }
  if (!p) return 0
  if (listed) {
    p = space(p)
    if (load<u8>(p) != 0x2c) return unusual(p)
    p = space(p + 1)
    const e = number(p)
    if (!e) return 0
    if (numKind != Num.int || numValue < 0 || numValue > 1000000000) return slow()
    micro = <i32>numValue
    p = space(e)
    if (load<u8>(p) != 0x5d) return unusual(p)
    p++
  }
  if (pairCount >= pairRoom) return full()
  pair(key, parent, micro)
  return p
}

/** Members of stack.json (`stackNumbers` ≥ 0: stacks known so far) or construct.json (-1), like `entries`. */
export function members(p: usize, to: usize, first: bool, stackNumbers: i32): Status {
  setEnd(to)
  pairCount = 0
  newStacks = 0
  stackBase = stackNumbers
  while (true) {
    const start = p
    const before = pairCount
    p = space(p)
    if (first && load<u8>(p) == 0x7d) return done(p + 1)
    let c: u8 = 0
    p = text(p)
    if (p) {
      const key = stringCode
      p = space(p)
      if (load<u8>(p) != 0x3a) p = fail(p)
      else {
        p = space(p + 1)
        p = stackNumbers < 0 ? parentValue(p, key) : stackValue(p, key)
        if (p) {
          p = space(p)
          c = load<u8>(p)
          if (c != 0x2c && c != 0x7d) p = fail(p)
        }
      }
    }
    if (!p) {
      pairCount = before
      return stop(start)
    }
    p++
    if (c == 0x7d) return done(p)
    first = false
  }
}
