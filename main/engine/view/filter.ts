// Which rows pass a filter: one byte per row, every condition clears bytes.
import type { Dump } from '../dump.ts'
import type { Comparison } from '../result.ts'
import type { ColumnFilter, NodeRef, RowFilter } from '../../../preload/contract/engine.ts'
import type { NumberColumn } from './number-column.ts'

export type Shown = RowFilter['show'][number]

export const states = ['disagree', 'agree', 'unknown', 'unmatched', 'highlighted'] as const satisfies readonly Shown[]
const verdictBit: readonly number[] = [4, 2, 1]

/** The states of every row, one bit each in the order of `states`. */
export function statesOf({ length, verdict, fill, debugItem, benchItem }: Comparison): Uint8Array {
  const bits = new Uint8Array(length)
  for (let row = 0; row < length; row++) bits[row] = verdictBit[verdict[row]] | (debugItem[row] < 0 || benchItem[row] < 0 ? 8 : 0) | (fill[row] ? 16 : 0)
  return bits
}

/** Of these rows, those in any of the states. */
export function onlyShown(rows: Uint32Array, bits: Uint8Array, show: readonly Shown[]): Uint32Array {
  if (show.length === 0) return rows
  const wanted = show.reduce((sum, state) => sum | (1 << states.indexOf(state)), 0)
  return rows.filter(row => (bits[row] & wanted) !== 0)
}

/** How many of these rows are in each state. */
export function countStates(rows: Uint32Array, bits: Uint8Array): Record<Shown | 'all', number> {
  const found = new Uint32Array(32)
  for (let i = 0; i < rows.length; i++) found[bits[rows[i]]]++
  const having = (bit: number): number => found.reduce((sum, count, value) => sum + (value & bit ? count : 0), 0)
  return { all: rows.length, disagree: having(1), agree: having(2), unknown: having(4), unmatched: having(8), highlighted: having(16) }
}

/** Keeps the rows whose text passed. */
export function keepTexts(mask: Uint8Array, codes: Int32Array, passed: Uint8Array): void {
  for (let row = 0; row < mask.length; row++) mask[row] &= passed[codes[row]]
}

type NumberFilter = Extract<ColumnFilter, { is: 'number' }>
const numberTests: Readonly<Record<NumberFilter['op'], (wanted: number, to: number) => (value: number) => boolean>> = {
  '=': wanted => value => value === wanted,
  '!=': wanted => value => value !== wanted,
  '<': wanted => value => value < wanted,
  '<=': wanted => value => value <= wanted,
  '>': wanted => value => value > wanted,
  '>=': wanted => value => value >= wanted,
  between: (wanted, to) => value => value >= wanted && value <= to,
}

/** Keeps the rows whose cell is a number that passes; other cells never pass. */
export function keepNumbers(mask: Uint8Array, { values }: NumberColumn, filter: NumberFilter): void {
  const passes = numberTests[filter.op](filter.value, filter.to ?? Infinity)
  for (let row = 0; row < mask.length; row++) {
    const value = values[row]
    if (mask[row] && !(value === value && passes(value))) mask[row] = 0
  }
}

/** Keeps the rows whose cell is one of the texts; numbers are compared as numbers. */
export function keepAmong(mask: Uint8Array, { values, other, others }: NumberColumn, wanted: readonly string[]): void {
  const texts = new Set(wanted)
  const passed = Uint8Array.from(others, text => (texts.has(text) ? 1 : 0))
  const numbers = new Set(wanted.filter(text => text.trim() !== '').map(Number))
  for (let row = 0; row < mask.length; row++) if (mask[row]) mask[row] = other[row] >= 0 ? passed[other[row]] : numbers.has(values[row]) ? 1 : 0
}

/** Keeps the rows of a node and of everything below it. */
export function keepNode(mask: Uint8Array, comparison: Comparison, at: NodeRef): void {
  const debug = at.debug === undefined ? null : opsBelow(comparison.debug, at.debug)
  const bench = at.bench === undefined ? null : opsBelow(comparison.bench, at.bench)
  const { debugItem, benchItem } = comparison
  const debugOp = comparison.debug.items.op
  const benchOp = comparison.bench.items.op
  for (let row = 0; row < mask.length; row++) {
    if (!mask[row]) continue
    const ours = debug !== null && debugItem[row] >= 0 && debug[debugOp[debugItem[row]]] === 1
    const theirs = bench !== null && benchItem[row] >= 0 && bench[benchOp[benchItem[row]]] === 1
    mask[row] = ours || theirs ? 1 : 0
  }
}

const deepest = 10_000

/** 1 for each op that is the node or lies below it in the hierarchy; by name where the hierarchy does not know the node. */
export function opsBelow(dump: Dump, node: string): Uint8Array {
  const { ops, construct, texts } = dump
  const found = new Uint8Array(ops.length)
  const wanted = texts.find(node)
  let any = false
  /** Per hierarchy entry: 0 not known, 1 below, 2 not. */
  const known = new Uint8Array(construct.length)
  const below = (name: number): boolean => {
    const way: number[] = []
    let answer = false
    for (let at = name; at >= 0 && way.length < deepest; ) {
      if (at === wanted) { answer = true; break }
      const entry = construct.find(at)
      if (entry < 0) break
      if (known[entry]) { answer = known[entry] === 1; break }
      way.push(entry)
      at = construct.parent[entry]
    }
    for (const entry of way) known[entry] = answer ? 1 : 2
    return answer
  }
  if (wanted >= 0)
    for (let op = 0; op < ops.length; op++) if (below(ops.name[op])) { found[op] = 1; any = true }
  if (!any)
    for (let op = 0; op < ops.length; op++) if (texts.get(ops.name[op]).startsWith(`${node}.`)) found[op] = 1
  return found
}
