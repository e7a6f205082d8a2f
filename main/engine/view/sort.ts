// Stable sorts of row numbers: radix over the bits of numbers, counting over ranks.
import type { Job } from '../work/index.ts'

/**
 * Groups up to this size are sorted by insertion, up to the next by passes over the low halves of their bits
 * only.
 */
const insertionGroup = 32

/**
 * Sorts rows by numbers. Rows whose value is NaN go last in either direction. `order` is sorted in place,
 * stably.
 * The upper half of the bits decides nearly everything; the lower half is looked at where the upper ones are
 * equal.
 */
export async function sortByNumber(
  order: Uint32Array,
  values: Float64Array,
  down: boolean,
  job: Job,
): Promise<void> {
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
    if (pass(from, to, high, shift, counts.subarray(shift * 4096, (shift + 16) * 4096)))
      [from, to] = [to, from]
    await job.breathe()
  }
  for (let start = 0; start < n;) {
    const upper = high[from[start]]
    let end = start + 1
    let sorted = true
    for (; end < n && high[from[end]] === upper; end++)
      if (low[from[end]] < low[from[end - 1]]) sorted = false
    if (!sorted) sortByLow(from.subarray(start, end), low)
    start = end
  }
  await job.breathe()
  for (let i = 0; i < n; i++) to[i] = order[from[i]]
  order.set(to)
}

/**
 * One stable pass over 16 bits; false when all keys agree and nothing was moved. `counts` holds how often
 * each value occurs.
 */
function pass(
  from: Uint32Array,
  to: Uint32Array,
  key: Uint32Array,
  shift: number,
  counts: Uint32Array,
): boolean {
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

/** Sorts rows by small whole numbers: ranks of texts, states, fills. In place, stably. */
export function sortByRank(
  order: Uint32Array,
  codes: Pick<Int32Array | Uint8Array, number>,
  rank: Uint32Array,
  down: boolean,
): void {
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
