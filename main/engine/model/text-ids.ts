// Numbers for texts of several pools: equal texts have equal numbers, whatever codes they have in their
// pools.
import type { TextPool } from './columns.ts'
import type { TextCode, TextId } from './ids.ts'

const unseen = -2

export class TextIds {
  #slots: Int32Array
  #hashes = new Uint32Array(1 << 10)
  #codes = new Uint32Array(1 << 10)
  #pools: TextPool[] = []
  #size = 0

  /** `expected`: about how many different texts will come. */
  constructor(expected = 0) {
    this.#slots = new Int32Array(2 ** Math.max(12, Math.ceil(Math.log2(expected * 2 + 1)))).fill(-1)
  }

  /** The numbers of one pool's codes; -1 (none) stays -1. */
  of(pool: TextPool): (code: TextCode) => TextId {
    let known = new Int32Array(pool.size).fill(unseen)
    return code => {
      if (code < 0) return -1
      if (code >= known.length) known = grown(known, pool.size)
      let id = known[code]
      if (id === unseen) known[code] = id = this.#id(pool, code)
      return id
    }
  }

  #id(pool: TextPool, code: TextCode): TextId {
    const hash = pool.hash(code)
    const mask = this.#slots.length - 1
    let slot = hash & mask
    for (let id = this.#slots[slot]; id >= 0; id = this.#slots[slot]) {
      if (this.#hashes[id] === hash && pool.equals(code, this.#pools[id], this.#codes[id])) return id
      slot = (slot + 1) & mask
    }
    return this.#add(pool, code, hash, slot)
  }

  #add(pool: TextPool, code: TextCode, hash: number, slot: number): TextId {
    const id = this.#size++
    if (id === this.#hashes.length) {
      this.#hashes = doubled(this.#hashes)
      this.#codes = doubled(this.#codes)
    }
    this.#hashes[id] = hash
    this.#codes[id] = code
    this.#pools[id] = pool
    this.#slots[slot] = id
    if (this.#size * 2 > this.#slots.length) this.#rehash()
    return id
  }

  #rehash(): void {
    const slots = new Int32Array(this.#slots.length * 4).fill(-1)
    const mask = slots.length - 1
    for (let id = 0; id < this.#size; id++) {
      let slot = this.#hashes[id] & mask
      while (slots[slot] >= 0) slot = (slot + 1) & mask
      slots[slot] = id
    }
    this.#slots = slots
  }
}

function grown(old: Int32Array<ArrayBuffer>, size: number): Int32Array<ArrayBuffer> {
  const fresh = new Int32Array(Math.max(size, old.length * 2)).fill(unseen)
  fresh.set(old)
  return fresh
}

function doubled(old: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const fresh = new Uint32Array(old.length * 2)
  fresh.set(old)
  return fresh
}
