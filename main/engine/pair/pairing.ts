// Who met whom: what every way of pairing hands to table, graphs and advisor.
import {
  type BenchItem,
  type Column,
  type DebugItem,
  type Dump,
  type Ids,
  type ItemRow,
  type OpRow,
  type PairRow,
  problem,
  Refusal,
} from '../model/index.ts'
import { itemPartners, opPartners, PairedBy, type PairedRows, type Partners } from './partners.ts'

/**
 * How None, NaN and rows without partner read: as msprobe 1.2.2 writes them for PyTorch, for MindSpore, or for
 * layer and data mappings.
 */
export type Wording = 'pytorch' | 'mindspore' | 'mapped'

/** The rows of the table, and the same by op and by item. */
export interface Pairing extends PairedRows {
  readonly wording: Wording
  /** 1 where the row shows the op's stack. */
  readonly stack: Column<Uint8Array, PairRow>
  /** Bench items of calls that no row speaks of, in dump order. */
  readonly benchOnly: Ids<number, BenchItem>
  readonly ops: Partners<OpRow>
  readonly items: Partners<ItemRow>
}

/** Where nothing pairs. */
export const nothingPaired = (debug: Dump, bench: Dump): Pairing =>
  new Rows(0, PairedBy.none).finish('mapped', debug, bench)

/** Equal names on both sides multiply; no real pair of dumps comes near this. */
const mostRows = 1 << 24

/** Collects rows in order. */
export class Rows {
  #debug: Int32Array
  #bench: Int32Array
  #stack: Uint8Array
  #by: Uint8Array
  #length = 0
  readonly #way: PairedBy

  /** `way` of the pairs that do not say how they were found. */
  constructor(expected: number, way: PairedBy) {
    this.#way = way
    this.#debug = new Int32Array(Math.max(16, expected))
    this.#bench = new Int32Array(this.#debug.length)
    this.#stack = new Uint8Array(this.#debug.length)
    this.#by = new Uint8Array(this.#debug.length)
  }

  get length(): number {
    return this.#length
  }

  add(
    debug: DebugItem,
    bench: BenchItem,
    stack: boolean,
    by: number = bench < 0 ? PairedBy.none : this.#way,
  ): void {
    if (this.#length === mostRows) throw new Refusal(problem('too-many-pairs', '', { limit: mostRows }))
    if (this.#length === this.#debug.length) this.#grow()
    this.#debug[this.#length] = debug
    this.#bench[this.#length] = bench
    this.#by[this.#length] = by
    this.#stack[this.#length++] = stack ? 1 : 0
  }

  finish(wording: Wording, debug: Dump, bench: Dump): Pairing {
    const rows: PairedRows = {
      debugItem: this.#debug.slice(0, this.#length),
      benchItem: this.#bench.slice(0, this.#length),
      by: this.#by.slice(0, this.#length),
    }
    return {
      ...rows,
      wording,
      stack: this.#stack.slice(0, this.#length),
      benchOnly: leftOver(rows.benchItem, bench),
      ops: opPartners(rows, debug, bench),
      items: itemPartners(rows, debug, bench),
    }
  }

  #grow(): void {
    const size = this.#debug.length * 2
    this.#debug = filled(new Int32Array(size), this.#debug)
    this.#bench = filled(new Int32Array(size), this.#bench)
    this.#stack = filled(new Uint8Array(size), this.#stack)
    this.#by = filled(new Uint8Array(size), this.#by)
  }
}

function filled<T extends Int32Array | Uint8Array>(fresh: T, old: T): T {
  fresh.set(old)
  return fresh
}

function leftOver(benchItem: Ids<PairRow, BenchItem>, bench: Dump): Ids<number, BenchItem> {
  const seen = new Uint8Array(bench.items.length)
  for (const item of benchItem) if (item >= 0) seen[item] = 1
  const left: number[] = []
  for (let item = 0; item < seen.length; item++) if (seen[item] === 0) left.push(item)
  return Int32Array.from(left)
}
