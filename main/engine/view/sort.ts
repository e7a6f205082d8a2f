// Stable sorts of row numbers: radix over the bits of numbers, counting over ranks, multikey quicksort for texts.
import type { Job } from '../job.ts'

/** Groups up to this size are sorted by insertion, up to the next by passes over the low halves of their bits only. */
const insertionGroup = 32

/**
 * Sorts rows by numbers. Rows whose value is NaN go last in either direction. `order` is sorted in place, stably.
 * The upper half of the bits decides nearly everything; the lower half is looked at where the upper ones are equal.
 */
export async function sortByNumber(order: Uint32Array, values: Float64Array, down: boolean, job: Job): Promise<void> {
  const n = order.length
  const low = new Uint32Array(n)
  const high = new Uint32Array(n)
  const bits = new Float64Array(1)
  const halves = new Uint32Array(bits.buffer)
  const counts = new Uint32Array(2 * 65536)
  const flip = down ? 0xffffffff : 0
  for (let i = 0; i < n; i++) {
    const value = values[order[i]]
    let lo = 0xffffffff
    let hi = 0xffffffff
    if (value === value) {
      bits[0] = value + 0 // -0 and 0 are the same number
      const negative = halves[1] >>> 31 ? 0xffffffff : 0
      lo = (halves[0] ^ negative ^ flip) >>> 0
      hi = (halves[1] ^ (negative | 0x80000000) ^ flip) >>> 0
    }
    low[i] = lo
    high[i] = hi
    counts[hi & 0xffff]++
    counts[65536 + (hi >>> 16)]++
  }
  await job.breathe()
  let from = new Uint32Array(n)
  for (let i = 0; i < n; i++) from[i] = i
  let to = new Uint32Array(n)
  for (const shift of [0, 16]) {
    if (pass(from, to, high, shift, counts.subarray(shift * 4096, (shift + 16) * 4096))) [from, to] = [to, from]
    await job.breathe()
  }
  for (let start = 0; start < n; ) {
    const upper = high[from[start]]
    let end = start + 1
    let sorted = true
    for (; end < n && high[from[end]] === upper; end++) if (low[from[end]] < low[from[end - 1]]) sorted = false
    if (!sorted) sortByLow(from.subarray(start, end), low)
    start = end
  }
  await job.breathe()
  for (let i = 0; i < n; i++) to[i] = order[from[i]]
  order.set(to)
}

/** One stable pass over 16 bits; false when all keys agree and nothing was moved. `counts` holds how often each value occurs. */
function pass(from: Uint32Array, to: Uint32Array, key: Uint32Array, shift: number, counts: Uint32Array): boolean {
  if (from.length === 0 || counts[(key[from[0]] >>> shift) & 0xffff] === from.length) return false
  startsOf(counts)
  for (let i = 0; i < from.length; i++) {
    const at = from[i]
    to[counts[(key[at] >>> shift) & 0xffff]++] = at
  }
  return true
}

function sortByLow(group: Uint32Array, low: Uint32Array): void {
  if (group.length <= insertionGroup) {
    for (let i = 1; i < group.length; i++) {
      const at = group[i]
      let j = i
      for (; j > 0 && low[group[j - 1]] > low[at]; j--) group[j] = group[j - 1]
      group[j] = at
    }
    return
  }
  if (group.length < 4096) {
    // Positions are in order already, so comparing them keeps the sort stable.
    const place = new Map(Array.from(group, (at, i) => [at, i] as const))
    group.sort((a, b) => low[a] - low[b] || (place.get(a) ?? 0) - (place.get(b) ?? 0))
    return
  }
  const from = group.slice()
  const to = new Uint32Array(group.length)
  const counts = new Uint32Array(2 * 65536)
  for (const at of from) {
    counts[low[at] & 0xffff]++
    counts[65536 + (low[at] >>> 16)]++
  }
  const moved = pass(from, to, low, 0, counts.subarray(0, 65536))
  const [a, b] = moved ? [to, from] : [from, to]
  group.set(pass(a, b, low, 16, counts.subarray(65536)) ? b : a)
}

/** Sorts rows by small whole numbers: ranks of texts, verdicts, fills. In place, stably. */
export function sortByRank(order: Uint32Array, codes: Int32Array | Uint8Array, rank: Uint32Array, down: boolean): void {
  const n = order.length
  const last = rank.length - 1
  const counts = new Uint32Array(rank.length + 1)
  const keys = new Uint32Array(n)
  for (let i = 0; i < n; i++) {
    const r = rank[codes[order[i]]]
    keys[i] = down ? last - r : r
    counts[keys[i]]++
  }
  startsOf(counts)
  const sorted = new Uint32Array(n)
  for (let i = 0; i < n; i++) sorted[counts[keys[i]]++] = order[i]
  order.set(sorted)
}

/** Turns counts into where each group begins. */
function startsOf(counts: Uint32Array): void {
  let sum = 0
  for (let i = 0; i < counts.length; i++) {
    const count = counts[i]
    counts[i] = sum
    sum += count
  }
}

/** Texts laid end to end: text i is the bytes offsets[i] … offsets[i+1]-1. */
export interface TextHeap {
  readonly bytes: Uint8Array
  readonly offsets: Float64Array
  readonly size: number
}

/**
 * Rank of every text, numbers inside texts by their value (`layers.2` before `layers.10`). Equal texts keep their order.
 */
export async function rankTexts(heap: TextHeap, job: Job): Promise<Uint32Array> {
  const keys = naturalKeys(heap)
  const order = Uint32Array.from({ length: heap.size }, (_, i) => i)
  await multikeySort(keys, order, job)
  const rank = new Uint32Array(heap.size)
  for (let i = 0; i < order.length; i++) rank[order[i]] = i
  return rank
}

const isDigit = (byte: number): boolean => byte >= 48 && byte <= 57

/** Puts the length of every run of digits before it, so that comparing bytes compares the numbers. */
function naturalKeys({ bytes, offsets, size }: TextHeap): TextHeap {
  const ends = offsets[size]
  let runs = 0
  for (let i = 0; i < ends; i++) if (isDigit(bytes[i]) && !(i > 0 && isDigit(bytes[i - 1]))) runs++
  // A run that crosses the border of two texts counts once too few: one spare byte per text.
  const keys = new Uint8Array(ends + runs + size + 8)
  const starts = new Float64Array(size + 1)
  let at = 0
  for (let text = 0; text < size; text++) {
    starts[text] = at
    const end = offsets[text + 1]
    for (let i = offsets[text]; i < end; ) {
      if (!isDigit(bytes[i])) { keys[at++] = bytes[i++]; continue }
      let stop = i
      while (stop < end && isDigit(bytes[stop])) stop++
      keys[at++] = 48 + Math.min(stop - i, 9)
      while (i < stop) keys[at++] = bytes[i++]
    }
  }
  starts[size] = at
  return { bytes: keys, offsets: starts, size }
}

const smallGroup = 24

/** Sorts texts four bytes at a time: three-way partitions on a cached key, equal ones go four bytes deeper. */
async function multikeySort({ bytes, offsets }: TextHeap, order: Uint32Array, job: Job): Promise<void> {
  const keys = new Uint32Array(order.length)
  const load = (from: number, to: number, depth: number): void => {
    for (let i = from; i < to; i++) {
      const text = order[i]
      const at = offsets[text] + depth
      const left = offsets[text + 1] - at
      keys[i] = left >= 4 ? ((bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3]) >>> 0
        : left <= 0 ? 0 : ((bytes[at] << 24) | (left > 1 ? bytes[at + 1] << 16 : 0) | (left > 2 ? bytes[at + 2] << 8 : 0)) >>> 0
    }
  }
  const swap = (a: number, b: number): void => {
    const text = order[a]
    order[a] = order[b]
    order[b] = text
    const key = keys[a]
    keys[a] = keys[b]
    keys[b] = key
  }
  const compare = (a: number, b: number, depth: number): number => {
    let i = offsets[a] + depth
    let j = offsets[b] + depth
    const endA = offsets[a + 1]
    const endB = offsets[b + 1]
    while (i < endA && j < endB) {
      const d = bytes[i++] - bytes[j++]
      if (d !== 0) return d
    }
    return endA - i - (endB - j) || a - b
  }
  const insertion = (from: number, to: number, depth: number): void => {
    for (let i = from + 1; i < to; i++) {
      const text = order[i]
      let j = i
      while (j > from && compare(order[j - 1], text, depth) > 0) { order[j] = order[j - 1]; j-- }
      order[j] = text
    }
  }
  const work: number[] = [0, order.length, 0]
  load(0, order.length, 0)
  let since = 0
  while (work.length > 0) {
    const depth = work.pop() ?? 0
    const to = work.pop() ?? 0
    const from = work.pop() ?? 0
    since += to - from
    if (since > 50_000) {
      since = 0
      await job.breathe()
    }
    if (to - from <= smallGroup) { insertion(from, to, depth); continue }
    const middle = (from + to) >>> 1
    const pivot = median(keys[from], keys[middle], keys[to - 1])
    let less = from
    let more = to
    for (let i = from; i < more; ) {
      if (keys[i] < pivot) swap(i++, less++)
      else if (keys[i] > pivot) swap(i, --more)
      else i++
    }
    if (less > from) work.push(from, less, depth)
    if (to > more) work.push(more, to, depth)
    if (more - less > 1) {
      // A key that ends in 0 may be the end of a text: such groups are told apart byte by byte.
      if ((pivot & 0xff) === 0) insertionOrSplit(less, more, depth)
      else {
        load(less, more, depth + 4)
        work.push(less, more, depth + 4)
      }
    }
  }

  /** Texts that end within this key come first, in order; the others go on. */
  function insertionOrSplit(from: number, to: number, depth: number): void {
    const done: number[] = []
    const rest: number[] = []
    for (let i = from; i < to; i++) (offsets[order[i] + 1] - offsets[order[i]] <= depth + 4 ? done : rest).push(order[i])
    done.sort((a, b) => compare(a, b, depth))
    order.set(done, from)
    order.set(rest, from + done.length)
    if (rest.length > 1) {
      load(from + done.length, to, depth + 4)
      work.push(from + done.length, to, depth + 4)
    }
  }
}

const median = (a: number, b: number, c: number): number => (a < b ? (b < c ? b : a < c ? c : a) : a < c ? a : b < c ? c : b)
