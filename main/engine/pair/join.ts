// Item by item: a debug item meets every bench item of the same key and shape (the reference's way for
// MindSpore).
import {
  type Column,
  type Dump,
  type Ids,
  type ItemRow,
  type TextCode,
  type TextId,
  TextIds,
  type TextPool,
} from '../model/index.ts'
import { overRows, type Steps } from '../work/index.ts'
import { dtypeTest } from './dtypes.ts'
import { tableOrder } from './order.ts'
import { Rows, type Pairing } from './pairing.ts'
import { PairedBy } from './partners.ts'

/**
 * What debug items are called on the bench side: codes in a pool of their own, or the debug names themselves.
 */
export interface Keys {
  readonly pool: TextPool
  /** Per debug item. */
  readonly code: Column<Int32Array | Uint32Array, ItemRow, TextCode>
  /** Dtypes of the debug side are spelled as PyTorch does before they are compared. */
  readonly cross: boolean
  /** What called them so. */
  readonly way: PairedBy
}

export const sameNames = (debug: Dump): Keys => ({
  pool: debug.texts,
  code: debug.items.name,
  cross: false,
  way: PairedBy.name,
})

export function* joinItems(debug: Dump, bench: Dump, keys: Keys): Steps<Pairing> {
  const ids = new TextIds(debug.items.length + bench.items.length)
  const mine = ids.of(debug.texts)
  const names = keys.pool === debug.texts ? mine : ids.of(keys.pool)
  const theirs = ids.of(bench.texts)
  const debugOrder = tableOrder(debug)
  const debugGroups = yield* grouped(
    debugOrder,
    yield* numbers(keys.code, names),
    yield* numbers(debug.items.shape, mine),
  )
  const benchGroups = yield* grouped(
    tableOrder(bench),
    yield* numbers(bench.items.name, theirs),
    yield* numbers(bench.items.shape, theirs),
  )
  const agree = dtypeTest(debug.texts, bench.texts, keys.cross)
  const rows = new Rows(debugOrder.length, keys.way)

  yield* overRows(debugGroups.count, (from, to) => {
    for (let group = from; group < to; group++) {
      const partners = benchGroups.find(debugGroups.key[group], debugGroups.shape[group])
      for (let item = debugGroups.first[group]; item >= 0; item = debugGroups.next[item]) {
        if (partners < 0) rows.add(item, -1, true)
        else
          for (let other = benchGroups.first[partners]; other >= 0; other = benchGroups.next[other]) {
            rows.add(item, agree(debug.items.dtype[item], bench.items.dtype[other]) ? other : -1, true)
          }
      }
    }
  })
  return rows.finish('mindspore', debug, bench)
}

function* numbers(
  codes: Column<Int32Array | Uint32Array, ItemRow, TextCode>,
  id: (code: TextCode) => TextId,
): Steps<Ids<ItemRow, TextId>> {
  const found = new Int32Array(codes.length)
  yield* overRows(codes.length, (from, to) => {
    for (let i = from; i < to; i++) found[i] = id(codes[i])
  })
  return found
}

function* grouped(
  order: Column<Uint32Array, number, ItemRow>,
  keys: Ids<ItemRow, TextId>,
  shapes: Ids<ItemRow, TextId>,
): Steps<Groups> {
  const groups = new Groups(order.length)
  yield* overRows(order.length, (from, to) => {
    for (let i = from; i < to; i++) groups.add(order[i], keys[order[i]], shapes[order[i]])
  })
  return groups
}

/** Items grouped by (key, shape): groups in the order of their first item, items in order. */
class Groups {
  readonly first: Ids<number, ItemRow>
  /** Next item of the same group, -1 at its end. */
  readonly next: Ids<ItemRow, ItemRow>
  readonly key: Ids<number, TextId>
  readonly shape: Ids<number, TextId>
  count = 0
  readonly #last: Ids<number, ItemRow>
  readonly #slots: Int32Array

  constructor(n: number) {
    this.first = new Int32Array(n)
    this.next = new Int32Array(n).fill(-1)
    this.#last = new Int32Array(n)
    this.key = new Int32Array(n)
    this.shape = new Int32Array(n)
    this.#slots = new Int32Array(1 << Math.max(4, Math.ceil(Math.log2(n * 2 + 1)))).fill(-1)
  }

  add(item: ItemRow, key: TextId, shape: TextId): void {
    const slot = this.#slot(key, shape)
    const group = this.#slots[slot]
    if (group < 0) {
      this.#slots[slot] = this.count
      this.key[this.count] = key
      this.shape[this.count] = shape
      this.first[this.count] = this.#last[this.count] = item
      this.count++
    } else {
      this.next[this.#last[group]] = item
      this.#last[group] = item
    }
  }

  find(key: TextId, shape: TextId): number {
    return this.#slots[this.#slot(key, shape)]
  }

  #slot(key: TextId, shape: TextId): number {
    const mask = this.#slots.length - 1
    let slot = Math.imul(key, 0x9e3779b1) ^ Math.imul(shape, 0x85ebca6b)
    slot = (slot ^ (slot >>> 15)) & mask
    for (;;) {
      const group = this.#slots[slot]
      if (group < 0 || (this.key[group] === key && this.shape[group] === shape)) return slot
      slot = (slot + 1) & mask
    }
  }
}
