// Pairs that a list names: a data mapping, or what a layer mapping comes to.
import {
  type BenchItem,
  type BenchOp,
  type Comparison,
  type DebugItem,
  type DebugOp,
  type Dump,
  type Ids,
  type ItemRow,
  type OpRow,
  problem,
  type Problem,
  TextPool,
} from '../model/index.ts'
import { overRows, type Steps } from '../work/index.ts'
import type { Keys } from './join.ts'
import { tableOrder } from './order.ts'
import { Rows, type Pairing } from './pairing.ts'
import { PairedBy } from './partners.ts'
import { written } from './plain-yaml.ts'
import { readPairs, textOf } from './yaml.ts'

const nobody = 'N/A'
const noted = 20

/** A data mapping text: item names of both sides, in its order. */
export function listedItems(
  debug: Dump,
  bench: Dump,
  text: string,
  keepUnmatched: boolean,
  problems: Problem[],
): Pairing {
  const mine = itemIndex(debug)
  const theirs = itemIndex(bench)
  const rows = new Rows(debug.items.length, PairedBy.data)
  const unknown: string[] = []
  for (const [debugName, value] of readPairs(text, 'data')) {
    const benchName = textOf(value)
    const item = mine.get(debugName) ?? -1
    const other = theirs.get(benchName) ?? -1
    if (item < 0 || (other < 0 && benchName !== nobody)) unknown.push(item < 0 ? debugName : benchName)
    if (item >= 0 && (other >= 0 || benchName === nobody || keepUnmatched)) rows.add(item, other, true)
  }
  tell(unknown, problems)
  return rows.finish('mapped', debug, bench)
}

function tell(unknown: readonly string[], problems: Problem[]): void {
  for (const name of unknown.slice(0, noted))
    problems.push(problem('mapping-name-unknown', '', { name }, 'warning'))
  if (unknown.length > noted) problems.push(problem('too-many-problems', '', { shown: noted }, 'note'))
}

/** A data mapping text as names on the bench side; an item that it does not list keeps its own. */
export function itemKeys(debug: Dump, bench: Dump, text: string, problems: Problem[]): Keys {
  const [mine, theirs] = [itemIndex(debug), itemIndex(bench)]
  const listed = new Map([...readPairs(text, 'data')].map(([name, value]) => [name, textOf(value)]))
  tell(
    [...listed].flatMap(([name, to]) => {
      if (!mine.has(name)) return [name]
      return theirs.has(to) || to === nobody ? [] : [to]
    }),
    problems,
  )
  return keysOf(debug, PairedBy.data, name => listed.get(name) ?? name)
}

/** The items of each call as those of its partner with the same ending. */
export function callKeys(debug: Dump, bench: Dump, partner: Ids<DebugOp, BenchOp>): Keys {
  const pool = new TextPool()
  const code = new Int32Array(debug.items.length)
  for (let op = 0; op < partner.length; op++) {
    const other = partner[op]
    const endings = new Map<string, string>()
    if (other >= 0)
      for (let item = bench.ops.first[other]; item < bench.ops.first[other + 1]; item++)
        endings.set(ending(bench, other, item), bench.texts.get(bench.items.name[item]))
    for (let item = debug.ops.first[op]; item < debug.ops.first[op + 1]; item++)
      code[item] = pool.add(endings.get(ending(debug, op, item)) ?? nobody)
  }
  return { pool, code, cross: true, way: PairedBy.layer }
}

function keysOf(debug: Dump, way: PairedBy, named: (name: string) => string): Keys {
  const pool = new TextPool()
  const code = new Int32Array(debug.items.length)
  for (let item = 0; item < code.length; item++)
    code[item] = pool.add(named(debug.texts.get(debug.items.name[item])))
  return { pool, code, cross: true, way }
}

/**
 * Every debug item in its order: those that the text names meet as it says, the others meet their own name. What the
 * text gives to one is taken from the other.
 */
export function itemsByNames(debug: Dump, bench: Dump, text: string, problems: Problem[]): Pairing {
  const theirs = itemIndex(bench)
  const met = new Int32Array(debug.items.length).fill(-1)
  const listed = new Uint8Array(debug.items.length)
  const taken = new Set<number>()
  const named = listedItems(debug, bench, text, true, problems)
  for (let row = 0; row < named.debugItem.length; row++) {
    const item = named.debugItem[row]
    met[item] = named.benchItem[row]
    listed[item] = 1
    taken.add(named.benchItem[row])
  }
  const rows = new Rows(debug.items.length, PairedBy.data)
  for (let item = 0; item < debug.items.length; item++) {
    const same = theirs.get(debug.texts.get(debug.items.name[item])) ?? -1
    if (listed[item]) rows.add(item, met[item], true)
    else
      rows.add(
        item,
        taken.has(same) ? -1 : same,
        true,
        same < 0 || taken.has(same) ? PairedBy.none : PairedBy.told,
      )
  }
  return rows.finish('mindspore', debug, bench)
}

/** The text of a data mapping of all that meets under names that differ. */
export function renamedText({ debugItem, benchItem }: Pairing, debug: Dump, bench: Dump): string {
  let out = ''
  for (let row = 0; row < debugItem.length; row++) {
    if (debugItem[row] < 0 || benchItem[row] < 0) continue
    const mine = debug.texts.get(debug.items.name[debugItem[row]])
    const other = bench.texts.get(bench.items.name[benchItem[row]])
    if (mine !== other) out += `${written(mine)}: ${written(other)}\n`
  }
  return out
}

/** Every debug item in its order, with the bench item that it is said to have met. */
export function givenItems(
  debug: Dump,
  bench: Dump,
  given: Ids<DebugItem, BenchItem>,
  by: PairedBy,
): Pairing {
  const rows = new Rows(debug.items.length, by)
  for (let item = 0; item < debug.items.length; item++) rows.add(item, given[item], true)
  return rows.finish('mindspore', debug, bench)
}

/** Every debug item, with the item of the same ending in its call's partner. */
export function* listedCalls(debug: Dump, bench: Dump, partner: Ids<DebugOp, BenchOp>): Steps<Pairing> {
  const order = tableOrder(debug)
  const rows = new Rows(order.length, PairedBy.layer)
  yield* overRows(partner.length, (from, to) => {
    for (let op = from; op < to; op++) {
      const other = partner[op]
      const endings = new Map<string, BenchItem>()
      if (other >= 0)
        for (let item = bench.ops.first[other]; item < bench.ops.first[other + 1]; item++)
          endings.set(ending(bench, other, item), item)
      for (let at = debug.ops.first[op]; at < debug.ops.first[op + 1]; at++)
        rows.add(order[at], endings.get(ending(debug, op, order[at])) ?? -1, true)
    }
  })
  return rows.finish('mapped', debug, bench)
}

function ending(dump: Dump, op: OpRow, item: ItemRow): string {
  const key = dump.texts.get(dump.ops.name[op])
  const name = dump.texts.get(dump.items.name[item])
  return name.startsWith(key) ? name.slice(key.length) : name
}

const indexes = new WeakMap<Dump, ReadonlyMap<string, ItemRow>>()

/** Item row by name, made once per dump. */
export function itemIndex(dump: Dump): ReadonlyMap<string, ItemRow> {
  let index = indexes.get(dump)
  if (!index) {
    const made = new Map<string, ItemRow>()
    for (let item = 0; item < dump.items.length; item++) made.set(dump.texts.get(dump.items.name[item]), item)
    indexes.set(dump, (index = made))
  }
  return index
}

/**
 * The text of a data mapping that gives the same rows: what a layer mapping came to, nothing without a
 * hierarchy.
 */
export function dataMappingText(comparison: Comparison): string {
  if (comparison.debug.construct.length === 0) return '{}\n'
  let out = ''
  for (let row = 0; row < comparison.length; row++)
    out += `${written(comparison.text(row, 0))}: ${written(comparison.text(row, 1))}\n`
  return out
}
