// Which item met which: what every way of matching hands to the table.
import type { Dump } from '../dump.ts'
import { problem, Refusal } from '../problem.ts'

/** How cells of the result read; the reference has three dialects that differ in details. */
export type Dialect = 'queue' | 'join' | 'listed'

export interface Pairing {
  readonly dialect: Dialect
  /** Item rows; -1 on the bench side is no partner. */
  readonly debugItem: Int32Array
  readonly benchItem: Int32Array
  /** 1 where the row shows the op's stack. */
  readonly stack: Uint8Array
  /** Bench items of calls that no row speaks of, in dump order. */
  readonly benchOnly: Int32Array
}

/** Equal names on both sides multiply; no real pair of dumps comes near this. */
const mostRows = 1 << 24

/** Collects rows in order. */
export class Rows {
  #debug: Int32Array
  #bench: Int32Array
  #stack: Uint8Array
  #length = 0

  constructor(expected: number) {
    this.#debug = new Int32Array(Math.max(16, expected))
    this.#bench = new Int32Array(this.#debug.length)
    this.#stack = new Uint8Array(this.#debug.length)
  }

  get length(): number { return this.#length }

  add(debug: number, bench: number, stack: boolean): void {
    if (this.#length === mostRows) throw new Refusal(problem('too-many-pairs', '', { limit: mostRows }))
    if (this.#length === this.#debug.length) this.#grow()
    this.#debug[this.#length] = debug
    this.#bench[this.#length] = bench
    this.#stack[this.#length++] = stack ? 1 : 0
  }

  finish(dialect: Dialect, bench: Dump): Pairing {
    const benchItem = this.#bench.slice(0, this.#length)
    return { dialect, debugItem: this.#debug.slice(0, this.#length), benchItem, stack: this.#stack.slice(0, this.#length), benchOnly: leftOver(benchItem, bench) }
  }

  #grow(): void {
    const size = this.#debug.length * 2
    this.#debug = filled(new Int32Array(size), this.#debug)
    this.#bench = filled(new Int32Array(size), this.#bench)
    this.#stack = filled(new Uint8Array(size), this.#stack)
  }
}

function filled<T extends Int32Array | Uint8Array>(fresh: T, old: T): T {
  fresh.set(old)
  return fresh
}

function leftOver(benchItem: Int32Array, bench: Dump): Int32Array {
  const seen = new Uint8Array(bench.items.length)
  for (const item of benchItem) if (item >= 0) seen[item] = 1
  const left: number[] = []
  for (let item = 0; item < seen.length; item++) if (seen[item] === 0) left.push(item)
  return Int32Array.from(left)
}
