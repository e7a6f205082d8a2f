// The items of dump.json in WebAssembly: one leaf or null → one row of columns. msprobe-items.ts says what
// the cells mean.
import {
  alloc,
  escaped,
  fail,
  full,
  intern,
  keep,
  Num,
  number,
  numKind,
  numValue,
  pieceBytes,
  pieceLength,
  pieceMeaning,
  recall,
  remember,
  same,
  skip,
  slow,
  space,
  stands,
  stringEnd,
  unusual,
  word,
} from '../../json/stream.as'

/** CRC-32 of what Python prints for a float. */
@external("env", "floatCrc")
declare function floatCrc(from: usize, length: i32): u32

// Output of one call: columns that the host copies and empties.
const itemRoom = 32768
const opRoom = 16384

export let items: i32 = 0
export let ops: i32 = 0
export let joins: i32 = 0
export let md5Seen: bool = false

let item: usize = 0
// Columns of an item by byte offset: width × itemRoom each.
const iName = 0,
  iType = 4,
  iDtype = 8,
  iShape = 12,
  iMd5 = 16,
  iData = 20,
  iOp = 24,
  iValue = 28,
  iKind = 60,
  iState = 64,
  iGrad = 65,
  iTensor = 66
const itemBytes = 67
let op: usize = 0
const oName = 0,
  oFirst = 4,
  oFrom = 8,
  oTo = 16
const opBytes = 24
let join: usize = 0

export const suffixRoom: u32 = 4000
/** The end of an item's name, after the op's key. */
export let suffix: usize = 0
let note: usize = 0

export function itemsAt(): usize {
  return item
}
export function opsAt(): usize {
  return op
}
export function joinsAt(): usize {
  return join
}
export function roomOfItems(): i32 {
  return itemRoom
}
export function roomOfOps(): i32 {
  return opRoom
}

// Texts that every dump needs.
let emptyCrc = 0,
  noneCrc = 0,
  trueCrc = 0,
  falseCrc = 0,
  brackets = 0,
  classInt = 0,
  classFloat = 0,
  classBool = 0,
  classStr = 0,
  classNone = 0
const crcTable: usize = memory.data(1024, 16)

/** Begins with a dump: everything that held for another one is forgotten. */
export function setUpLeaves(): void {
  md5Seen = false
  memory.fill(gaps, 0, 128 * pieceBytes)
  memory.fill(words, 0, 16 * pieceBytes)
  memory.fill(ends, 0, 32 * pieceBytes)
  item = alloc(itemRoom * itemBytes)
  op = alloc(opRoom * opBytes)
  join = alloc(itemRoom * 16)
  suffix = alloc(8192)
  note = alloc(8192)
  for (let n: u32 = 0; n < 256; n++) {
    let c = n
    for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >> 1) : c >> 1
    store<u32>(crcTable + ((<usize>n) << 2), c)
  }
}

/** Codes of texts that the host has added, in the order of the declaration above. */
export function setCommon(i: i32, code: i32): void {
  if (i == 0) emptyCrc = code
  else if (i == 1) noneCrc = code
  else if (i == 2) trueCrc = code
  else if (i == 3) falseCrc = code
  else if (i == 4) brackets = code
  else if (i == 5) classInt = code
  else if (i == 6) classFloat = code
  else if (i == 7) classBool = code
  else if (i == 8) classStr = code
  else if (i == 9) classNone = code
}

function crcOf(p: usize, n: u32): u32 {
  let crc: u32 = 0xffffffff
  for (const to = p + n; p < to; p++)
    crc = load<u32>(crcTable + ((<usize>((crc ^ load<u8>(p)) & 0xff)) << 2)) ^ (crc >> 8)
  return ~crc
}

/** Code of 8 hex digits. */
function crcCode(crc: u32): i32 {
  for (let i: usize = 0; i < 8; i++) {
    const digit = <u8>((crc >> (28 - <u32>i * 4)) & 15)
    store<u8>(note + 4096 + i, digit < 10 ? 0x30 + digit : 0x57 + digit)
  }
  return intern(note + 4096, 8)
}

// ---------------------------------------- one leaf

let opCode = 0
let opKey: usize = 0
export let opKeyLength: u32 = 0
let state: u8 = 0
let itemsBefore = 0,
  joinsBefore = 0
let row: usize = 0

export function startCall(): void {
  items = 0
  ops = 0
  joins = 0
}

export function startOp(key: usize, length: u32, code: i32): void {
  opKey = key
  opKeyLength = length
  opCode = code
}
export function setState(to: u8): void {
  state = to
}
export function opsFull(): bool {
  return ops >= opRoom
}
/** Remembers how far the output is; `undo` goes back to it. */
export function mark(): void {
  itemsBefore = items
  joinsBefore = joins
}
export function undo(): void {
  items = itemsBefore
  joins = joinsBefore
}

export function endOp(from: f64, to: f64): void {
  store<i32>(op + oName * opRoom + ((<usize>ops) << 2), opCode)
  store<f64>(op + oFrom * opRoom + ((<usize>ops) << 3), from)
  store<f64>(op + oTo * opRoom + ((<usize>ops) << 3), to)
  store<i32>(op + oFirst * opRoom + ((<usize>ops) << 2), items)
  ops++
}

/** Turns numbers of joins into codes and counts ops and items from those that the host has. */
export function settle(joinBase: i32, opBase: i32, itemBase: i32): void {
  const names = item + iName * itemRoom,
    data = item + iData * itemRoom,
    opOf = item + iOp * itemRoom
  for (let at: usize = 0; at < (<usize>items) << 2; at += 4) {
    const name = load<i32>(names + at),
      file = load<i32>(data + at)
    if (name < -1) store<i32>(names + at, (name & 0x7fffffff) + joinBase)
    if (file < -1) store<i32>(data + at, (file & 0x7fffffff) + joinBase)
    store<i32>(opOf + at, load<i32>(opOf + at) + opBase)
  }
  const first = op + oFirst * opRoom
  for (let at: usize = 0; at < (<usize>ops) << 2; at += 4)
    store<i32>(first + at, load<i32>(first + at) + itemBase)
}

@inline function put32(column: usize, value: i32): void {
  store<i32>(item + column * itemRoom + (row << 2), value)
}
@inline function put8(column: usize, value: u8): void {
  store<u8>(item + column * itemRoom + row, value)
}
@inline function putStat(i: usize, kind: u8, value: f64): void {
  store<f64>(item + iValue * itemRoom + ((i * itemRoom) << 3) + (row << 3), value)
  store<u8>(item + iKind * itemRoom + i * itemRoom + row, kind)
}

/**
 * A name that begins with the op's key is kept as the two codes of its halves; others as they are. -1: no
 * room.
 */
function nameCode(p: usize, n: u32): i32 {
  if (n > opKeyLength && same(p, opKey, opKeyLength)) return joined(p + opKeyLength, n - opKeyLength)
  return intern(p, n)
}

/** Ends of names that came last, by their last byte. */
const ends: usize = memory.data(32 * 48, 16)

function joined(p: usize, n: u32): i32 {
  const piece = ends + ((load<u8>(p + n - 1) ^ (n << 2)) & 31) * pieceBytes
  let half = pieceMeaning(piece)
  if (pieceLength(piece) != n || !stands(p, piece)) {
    half = intern(p, n)
    if (half < 0) return -1
    remember(piece, p, p + n, half)
  }
  store<u32>(join + ((<usize>joins) << 3), opCode)
  store<u32>(join + ((<usize>joins) << 3), half, 4)
  return <i32>(0x80000000 | (<u32>(joins++)))
}

/** -1 is no room; joined codes are negative too but never that. */
function noCode(code: i32): bool {
  return code == -1
}

/** A string inside a leaf that a spreadsheet could take for a formula, or that needs a closer look. */
function suspicious(p: usize, to: usize): bool {
  const b = load<u8>(p)
  if (b == 0x2b || b == 0x2d || b == 0x3d || b == 0x25 || b == 0x40) return true
  for (; p < to; p += 16) {
    const c = v128.load(p)
    const hit = i8x16.bitmask(v128.or(i8x16.eq(c, i8x16.splat(0x3b)), i8x16.eq(c, i8x16.splat(-17))))
    if (hit && p + ctz(hit) < to) return true
  }
  return false
}

/** A string without escapes and without anything suspicious: its closing quote, or 0. */
export function plainString(p: usize): usize {
  const e = stringEnd(p)
  if (!e) return 0
  return escaped || suspicious(p, e) ? slow() : e
}

let listLength: u32 = 0
let listElements: f64 = 0
let listCount: u32 = 0
let listSizes = true

/** A list of integers and nulls, written at `to` as Python prints it. */
function list(p: usize, to: usize): usize {
  const from = to
  listElements = 1
  listCount = 0
  listSizes = true
  store<u8>(to++, 0x5b)
  if (load<u8>(p) != 0x5b) return unusual(p)
  p = space(p + 1)
  if (load<u8>(p) == 0x5d) p++
  else
    while (true) {
      if (to - from > 3900) return slow()
      if (load<u32>(p) == 0x6c6c756e) {
        store<u32>(to, 0x656e6f4e) // None
        to += 4
        p += 4
        listSizes = false
      } else {
        const c = load<u8>(p)
        if (c == 0x2d) listSizes = false
        else if (c < 0x30 || c > 0x39) return unusual(p)
        const e = number(p)
        if (!e) return 0
        if (numKind != Num.int || (c == 0x2d && numValue == 0)) return slow()
        memory.copy(to, p, e - p)
        to += e - p
        p = e
        if (numValue > 1) listElements *= numValue
      }
      listCount++
      p = space(p)
      const n = load<u8>(p)
      if (n == 0x5d) {
        p++
        break
      }
      if (n != 0x2c) return fail(p)
      store<u16>(to, 0x202c)
      to += 2
      p = space(p + 1)
    }
  store<u8>(to++, 0x5d)
  listLength = <u32>(to - from)
  return p
}

let cellKind: u8 = 0
let cellValue: f64 = 0

/** A JSON scalar as a cell: null, boolean, number, or a string without escapes. */
function cell(p: usize): usize {
  const c = load<u8>(p)
  if (c == 0x22) {
    const e = plainString(p + 1)
    if (!e) return 0
    const code = intern(p + 1, <u32>(e - p - 1))
    if (code < 0) return 0
    cellKind = 5
    cellValue = code
    return e + 1
  }
  if (c == 0x6e || c == 0x74 || c == 0x66) {
    cellKind = c == 0x6e ? 1 : 4
    cellValue = c == 0x74 ? 1 : 0
    return word(p)
  }
  if (c == 0x5b || c == 0x7b) return slow()
  const e = number(p)
  if (!e) return 0
  cellKind = <u8>numKind
  cellValue = numValue
  if (numKind == Num.bigint) {
    const code = intern(p, <u32>(e - p))
    if (code < 0) return 0
    cellValue = code
  }
  return e
}

const enum Key {
  other,
  dtype,
  shape,
  max,
  min,
  mean,
  norm,
  md5,
  dataName,
  requiresGrad,
  value,
  ranks,
  type,
}

function leafKey(p: usize, n: u32): Key {
  if (n > 8) {
    const w = load<u64>(p)
    if (n == 9) return w == 0x6d616e5f61746164 && load<u8>(p + 8) == 0x65 ? Key.dataName : Key.other
    if (n == 13)
      return w == 0x7365726975716572 && load<u64>(p + 5) == 0x646172675f736572 ? Key.requiresGrad : Key.other
    return n == 11 && w == 0x61725f70756f7267 && load<u64>(p + 3) == 0x736b6e61725f7075
      ? Key.ranks
      : Key.other
  }
  const w = n == 8 ? load<u64>(p) : load<u64>(p) & (((<u64>1) << (n << 3)) - 1)
  if (w == 0x78614d) return Key.max
  if (w == 0x6e694d) return Key.min
  if (w == 0x6e61654d) return Key.mean
  if (w == 0x6d726f4e) return Key.norm
  if (w == 0x6570616873) return Key.shape
  if (w == 0x6570797464) return Key.dtype
  if (w == 0x65756c6176) return Key.value
  if (w == 0x35646d) return Key.md5
  return w == 0x65707974 ? Key.type : Key.other
}

const statBits: u32 =
  (1 << (<u32>Key.max)) | (1 << (<u32>Key.min)) | (1 << (<u32>Key.mean)) | (1 << (<u32>Key.norm))
const torchSize: usize = memory.data<u8>(
  [0x74, 0x6f, 0x72, 0x63, 0x68, 0x2e, 0x53, 0x69, 0x7a, 0x65, 0, 0, 0, 0, 0, 0],
  16,
)
const processGroup: usize = memory.data<u8>(
  [
    0x74, 0x6f, 0x72, 0x63, 0x68, 0x2e, 0x50, 0x72, 0x6f, 0x63, 0x65, 0x73, 0x73, 0x47, 0x72, 0x6f, 0x75,
    0x70, 0, 0, 0, 0, 0, 0,
  ],
  16,
)
const sliceType: usize = memory.data<u8>([0x73, 0x6c, 0x69, 0x63, 0x65, 0, 0, 0], 16)
const ellipsis: usize = memory.data<u8>([0x65, 0x6c, 0x6c, 0x69, 0x70, 0x73, 0x69, 0x73], 16)

@inline function isType(p: usize, n: u32, word: usize, length: u32): bool {
  return n == length && same(p, word, n)
}

// What stood between a value of a leaf and the next key's value (0 … 15, by the key before) or the end of the
// leaf (16 … 31), for four depths.
const gaps: usize = memory.data(128 * 48, 16)
/** Types and dtypes that came last, by a few of their bytes. */
const words: usize = memory.data(16 * 48, 16)

@inline function gapOf(key: i32, ending: i32, depth: i32): usize {
  return gaps + <usize>(((key + ending) << 2) | (depth & 3)) * pieceBytes
}

let wordCode = 0
/**
 * Reads a string that is often the same, from the byte after its opening quote: the byte after its closing
 * quote. `kind` 0: type, 1: dtype.
 */
function often(p: usize, kind: usize): usize {
  const piece = words + ((kind << 3) | ((load<u8>(p) ^ load<u8>(p + 6)) & 7)) * pieceBytes
  if (stands(p, piece)) {
    wordCode = pieceMeaning(piece)
    return p + pieceLength(piece)
  }
  const e = plainString(p)
  if (!e) return 0
  wordCode = intern(p, <u32>(e - p))
  if (wordCode < 0) return 0
  remember(piece, p, e + 1, wordCode)
  return e + 1
}

/** Code of a shape: a list of sizes, by its bytes if they were seen before. */
function shapeCode(p: usize): i32 {
  let e = p
  while (e < p + 256) {
    const hit = i8x16.bitmask(i8x16.eq(v128.load(e), i8x16.splat(0x5d)))
    if (hit) {
      e += ctz(hit) + 1
      const code = recall(p, <u32>(e - p), 3)
      listEnd = e
      if (code >= 0) return code
      break
    }
    e += 16
  }
  listEnd = list(p, note)
  if (!listEnd) return -1
  if (!listSizes || listElements > 9007199254740992.0) {
    slow()
    return -1
  }
  const code = intern(note, listLength)
  if (code >= 0 && listEnd - p < 256 && recall(p, <u32>(listEnd - p), 3) < 0)
    keep(p, <u32>(listEnd - p), 3, code)
  return code
}
let listEnd: usize = 0

/** A leaf from the opening quote of its `type` on; `mark`: whether an md5 here counts for the dump's mode. */
export function leaf(p: usize, suffixLength: u32, depth: i32, mark: bool): usize {
  if (items >= itemRoom) return full()
  row = items
  const typeFrom = p + 1
  p = often(typeFrom, 0)
  if (!p) return 0
  const type = wordCode
  const typeLength = <u32>(p - 1 - typeFrom)
  let before: Key = Key.type
  let seen: u32 = 0
  let dtype = -1,
    shape = -1,
    md5 = emptyCrc,
    data = -1,
    grad: u8 = 2
  let kind: u8 = 0,
    value: f64 = 0,
    valueFrom: usize = 0,
    valueTo: usize = 0
  let noteLength: u32 = 0,
    noteCount: u32 = 0
  let dataFrom: usize = 0,
    dataTo: usize = 0
  putStat(0, 1, 0)
  putStat(1, 1, 0)
  putStat(2, 1, 0)
  putStat(3, 1, 0)
  while (true) {
    const gap = gapOf(before, 0, depth)
    let key: Key
    if (stands(p, gap)) {
      // The window may have ended behind the colon when this was remembered.
      p = space(p + pieceLength(gap))
      key = pieceMeaning(gap)
    } else {
      const ending = gapOf(before, 16, depth)
      if (stands(p, ending)) {
        p += pieceLength(ending)
        break
      }
      const from = p
      p = space(p)
      const c = load<u8>(p)
      if (c == 0x7d) {
        remember(ending, from, ++p, 0)
        break
      }
      if (c != 0x2c) return fail(p)
      p = space(p + 1)
      if (load<u8>(p) != 0x22) return fail(p)
      const k = p + 1
      const e = stringEnd(k)
      if (!e) return 0
      if (escaped) return slow()
      p = space(e + 1)
      if (load<u8>(p) != 0x3a) return fail(p)
      p = space(p + 1)
      key = leafKey(k, <u32>(e - k))
      remember(gap, from, p, key)
    }
    before = key
    const c = load<u8>(p)
    const bit = (<u32>1) << (<u32>key)
    if (key != Key.other && seen & bit) return slow()
    seen |= bit
    switch (key) {
      case Key.max:
      case Key.min:
      case Key.mean:
      case Key.norm: {
        p = cell(p)
        if (!p) return 0
        putStat(<usize>key - <usize>Key.max, cellKind, cellValue)
        break
      }
      case Key.dtype: {
        if (c != 0x22 || load<u8>(p + 1) == 0x22) return unusual(p)
        p = often(p + 1, 1)
        if (!p) return 0
        dtype = wordCode
        break
      }
      case Key.shape: {
        shape = shapeCode(p)
        if (shape < 0) return 0
        p = listEnd
        break
      }
      case Key.md5: {
        if (mark) md5Seen = true
        if (c != 0x22 || load<u8>(p + 1) == 0x22) return unusual(p)
        const s = plainString(p + 1)
        if (!s) return 0
        md5 = intern(p + 1, <u32>(s - p - 1))
        if (md5 < 0) return 0
        p = s + 1
        break
      }
      case Key.dataName: {
        if (c != 0x22) return unusual(p)
        dataFrom = p + 1
        dataTo = plainString(p + 1)
        if (!dataTo) return 0
        p = dataTo + 1
        break
      }
      case Key.requiresGrad: {
        if (c != 0x74 && c != 0x66) return unusual(p)
        grad = c == 0x74 ? 1 : 0
        p = word(p)
        if (!p) return 0
        break
      }
      case Key.value:
      case Key.ranks: {
        valueFrom = p
        if (c == 0x5b) {
          p = list(p, note)
          noteLength = listLength
          noteCount = listCount
        } else p = cell(p)
        if (!p) return 0
        kind = c == 0x5b ? 7 : cellKind
        value = cellValue
        valueTo = p
        break
      }
      case Key.type:
        return slow()
      default: {
        if (c == 0x22) {
          const s = plainString(p + 1)
          if (!s) return 0
          p = s + 1
        } else {
          p = skip(p, 0)
          if (!p) return 0
        }
      }
    }
  }
  const given = (seen & (1 << (<u32>Key.md5))) != 0
  const hasValue = (seen & (1 << (<u32>Key.value))) != 0
  const hasRanks = (seen & (1 << (<u32>Key.ranks))) != 0
  const tensor = dtype >= 0
  if (tensor) {
    if (shape < 0 || hasValue || hasRanks) return slow()
  } else if (hasRanks) {
    if (hasValue || kind != 7 || seen & statBits || !isType(typeFrom, typeLength, processGroup, 18))
      return slow()
    dtype = type
    shape = brackets
    const shown = intern(note, noteLength)
    if (shown < 0) return 0
    for (let i: usize = 0; i < 4; i++) putStat(i, 5, shown)
  } else {
    if (seen & statBits) return slow()
    shape = brackets
    // A list (7) is printed by its type; the other kinds are their own cells.
    if (kind == 7) {
      if (isType(typeFrom, typeLength, torchSize, 10)) {
        dtype = type
        shape = intern(note, noteLength)
      } else if (isType(typeFrom, typeLength, sliceType, 5) && noteCount == 3) {
        dtype = type
        store<u32>(note + 4200, 0x292c3328) // (3,)
        shape = intern(note + 4200, 4)
      } else return slow()
      if (shape < 0) return 0
      if (!given) md5 = crcCode(crcOf(note, noteLength))
    } else {
      // These look different from other scalars whatever they hold.
      if (
        isType(typeFrom, typeLength, torchSize, 10) ||
        isType(typeFrom, typeLength, sliceType, 5) ||
        isType(typeFrom, typeLength, processGroup, 18)
      )
        return slow()
      if (kind != 5 && isType(typeFrom, typeLength, ellipsis, 8)) return slow()
      if (kind == 0) dtype = classNone
      else if (kind == 1) {
        dtype = classNone
        if (!given) md5 = noneCrc
      } else if (kind == 4) {
        dtype = classBool
        if (!given) md5 = value == 1 ? trueCrc : falseCrc
      } else if (kind == 5) {
        dtype = classStr
        if (isType(typeFrom, typeLength, ellipsis, 8)) {
          if (valueTo - valueFrom != 5 || load<u32>(valueFrom) != 0x2e2e2e22) return slow()
          dtype = type
        }
        if (!given) md5 = crcCode(crcOf(valueFrom + 1, <u32>(valueTo - valueFrom - 2)))
      } else if (kind == 3) {
        dtype = classFloat
        if (!given) {
          const n = <u32>(valueTo - valueFrom)
          md5 = recall(valueFrom, n, 2)
          if (md5 < 0) {
            md5 = crcCode(floatCrc(valueFrom, n))
            if (md5 >= 0 && recall(valueFrom, n, 2) < 0) keep(valueFrom, n, 2, md5)
          }
        }
      } else {
        dtype = classInt
        if (value == 0 && kind == 2 && load<u8>(valueFrom) == 0x2d) return slow()
        if (!given) md5 = crcCode(crcOf(valueFrom, <u32>(valueTo - valueFrom)))
      }
      for (let i: usize = 0; i < 4; i++) putStat(i, kind < 2 ? 1 : kind, kind < 2 ? 0 : value)
    }
    if (md5 < 0 && !given) return full()
  }
  put8(iTensor, tensor ? 1 : 0)
  let name: i32
  if (dataTo > dataFrom) {
    data = nameCode(dataFrom, <u32>(dataTo - dataFrom))
    if (noCode(data)) return 0
    let dot = dataTo - 1
    while (dot > dataFrom && load<u8>(dot) != 0x2e) dot--
    const nameTo = load<u8>(dot) == 0x2e ? dot : dataTo
    if (nameTo - dataFrom > suffixRoom) return slow()
    name = nameCode(dataFrom, <u32>(nameTo - dataFrom))
  } else name = suffixLength == 0 ? opCode : joined(suffix, suffixLength)
  if (noCode(name)) return 0
  put32(iName, name)
  put32(iType, type)
  put32(iDtype, dtype)
  put32(iShape, shape)
  put32(iMd5, md5)
  put32(iData, data)
  put32(iOp, ops)
  put8(iState, state)
  put8(iGrad, grad)
  items++
  return p
}

export function none(p: usize, suffixLength: u32): usize {
  p = word(p)
  if (!p) return 0
  if (items >= itemRoom) return full()
  row = items
  const name = suffixLength == 0 ? opCode : joined(suffix, suffixLength)
  if (noCode(name)) return 0
  put32(iName, name)
  put32(iType, -1)
  put32(iDtype, -1)
  put32(iShape, -1)
  put32(iMd5, -1)
  put32(iData, -1)
  put32(iOp, ops)
  put8(iState, state)
  put8(iGrad, 2)
  put8(iTensor, 0)
  for (let i: usize = 0; i < 4; i++) putStat(i, 1, 0)
  items++
  return p
}
