// Ranks of texts: multikey quicksort, numbers inside texts by their value.
import type { Job } from '../work/index.ts'

/** Texts laid end to end: text i is the bytes offsets[i] … offsets[i+1]-1. */
export interface TextHeap {
  readonly bytes: Uint8Array
  readonly offsets: Float64Array
  readonly size: number
}

/**
 * Rank of every text, numbers inside texts by their value (`layers.2` before `layers.10`). Equal texts keep
 * their order.
 */
export async function rankTexts(heap: TextHeap, job: Job): Promise<Uint32Array> {
  const keys = naturalKeys(heap)
  const order = Uint32Array.from({ length: heap.size }, (_, i) => i)
  await new MultikeySort(keys, order).run(job)
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
    for (let i = offsets[text]; i < end;) {
      if (!isDigit(bytes[i])) {
        keys[at++] = bytes[i++]
        continue
      }
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
/** Texts that are sorted before others get their turn. */
const perBreath = 50_000

/**
 * Sorts texts four bytes at a time: three-way partitions on a cached key, equal ones go four bytes deeper.
 */
class MultikeySort {
  readonly #bytes: Uint8Array
  readonly #offsets: Float64Array
  readonly #order: Uint32Array
  /** Four bytes of each text of the order, as far as its group has come. */
  readonly #keys: Uint32Array
  /** Groups that are left: from, to, depth. */
  readonly #work: number[]

  constructor({ bytes, offsets }: TextHeap, order: Uint32Array) {
    this.#bytes = bytes
    this.#offsets = offsets
    this.#order = order
    this.#keys = new Uint32Array(order.length)
    this.#work = [0, order.length, 0]
  }

  async run(job: Job): Promise<void> {
    this.#load(0, this.#order.length, 0)
    let since = 0
    while (this.#work.length > 0) {
      const depth = this.#work.pop() ?? 0
      const to = this.#work.pop() ?? 0
      const from = this.#work.pop() ?? 0
      since += to - from
      if (since > perBreath) {
        since = 0
        await job.breathe()
      }
      if (to - from <= smallGroup) this.#insertion(from, to, depth)
      else this.#partition(from, to, depth)
    }
  }

  #load(from: number, to: number, depth: number): void {
    const bytes = this.#bytes
    const offsets = this.#offsets
    const order = this.#order
    const keys = this.#keys
    for (let i = from; i < to; i++) {
      const text = order[i]
      const at = offsets[text] + depth
      const left = offsets[text + 1] - at
      keys[i] =
        left >= 4
          ? ((bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3]) >>> 0
          : shortKey(bytes, at, left)
    }
  }

  #partition(from: number, to: number, depth: number): void {
    const order = this.#order
    const keys = this.#keys
    const pivot = median(keys[from], keys[(from + to) >>> 1], keys[to - 1])
    const swap = (a: number, b: number): void => {
      const text = order[a]
      order[a] = order[b]
      order[b] = text
      const key = keys[a]
      keys[a] = keys[b]
      keys[b] = key
    }
    let less = from
    let more = to
    for (let i = from; i < more;) {
      if (keys[i] < pivot) swap(i++, less++)
      else if (keys[i] > pivot) swap(i, --more)
      else i++
    }
    if (less > from) this.#work.push(from, less, depth)
    if (to > more) this.#work.push(more, to, depth)
    if (more - less <= 1) return
    // A key that ends in 0 may be the end of a text: such groups are told apart byte by byte.
    if ((pivot & 0xff) === 0) this.#splitEnded(less, more, depth)
    else this.#deeper(less, more, depth)
  }

  #deeper(from: number, to: number, depth: number): void {
    this.#load(from, to, depth + 4)
    this.#work.push(from, to, depth + 4)
  }

  /** Texts that end within this key come first, in order; the others go on. */
  #splitEnded(from: number, to: number, depth: number): void {
    const offsets = this.#offsets
    const order = this.#order
    const done: number[] = []
    const rest: number[] = []
    for (let i = from; i < to; i++)
      (offsets[order[i] + 1] - offsets[order[i]] <= depth + 4 ? done : rest).push(order[i])
    done.sort((a, b) => this.#compare(a, b, depth))
    order.set(done, from)
    order.set(rest, from + done.length)
    if (rest.length > 1) this.#deeper(from + done.length, to, depth)
  }

  #insertion(from: number, to: number, depth: number): void {
    const order = this.#order
    for (let i = from + 1; i < to; i++) {
      const text = order[i]
      let j = i
      while (j > from && this.#compare(order[j - 1], text, depth) > 0) {
        order[j] = order[j - 1]
        j--
      }
      order[j] = text
    }
  }

  #compare(a: number, b: number, depth: number): number {
    const bytes = this.#bytes
    const offsets = this.#offsets
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
}

/** The key of a text that has fewer than four bytes left. */
function shortKey(bytes: Uint8Array, at: number, left: number): number {
  let key = 0
  if (left > 0) key = bytes[at] << 24
  if (left > 1) key |= bytes[at + 1] << 16
  if (left > 2) key |= bytes[at + 2] << 8
  return key >>> 0
}

/** The middle one of three. */
const median = (a: number, b: number, c: number): number =>
  Math.max(Math.min(a, b), Math.min(Math.max(a, b), c))
