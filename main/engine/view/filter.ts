// Which rows pass a filter: one byte per row, every condition clears bytes.
import {
  rowStates,
  type ColumnFilter,
  type Dump,
  type ItemRows,
  type NodeRef,
  type RowFilter,
} from '../model/index.ts'
import { gradientsIn } from './lookup.ts'
import { atOnce } from '../work/index.ts'
import type { NumberColumn } from './number-column.ts'

type Shown = RowFilter['show'][number]

const shown = [...rowStates, 'highlighted'] as const satisfies readonly Shown[]

/** What every row is, one bit each in the order of `shown`. */
export function statesOf({ length, state, fill }: ItemRows): Uint8Array {
  const bits = new Uint8Array(length)
  for (let row = 0; row < length; row++)
    bits[row] = (1 << state[row]) | (fill[row] ? 1 << rowStates.length : 0)
  return bits
}

/** Of these rows, those in any of the states. */
export function onlyShown(rows: Uint32Array, bits: Uint8Array, show: readonly Shown[]): Uint32Array {
  if (show.length === 0) return rows
  const wanted = show.reduce((sum, state) => sum | (1 << shown.indexOf(state)), 0)
  return rows.filter(row => (bits[row] & wanted) !== 0)
}

/** How many of these rows are in each state. */
export function countStates(rows: Uint32Array, bits: Uint8Array): Record<Shown | 'all', number> {
  const found = new Uint32Array(1 << shown.length)
  for (let i = 0; i < rows.length; i++) found[bits[rows[i]]]++
  const having = (bit: number): number =>
    found.reduce((sum, count, value) => sum + (value & bit ? count : 0), 0)
  const each = Object.fromEntries(shown.map((name, bit) => [name, having(1 << bit)]))
  return { ...(each as Record<Shown, number>), all: rows.length }
}

/** Keeps the rows whose text passed. */
export function keepTexts(mask: Uint8Array, codes: Int32Array, passed: Uint8Array): void {
  for (let row = 0; row < mask.length; row++) mask[row] &= passed[codes[row]]
}

type NumberFilter = Extract<ColumnFilter, { is: 'number' }>
const numberTests: Readonly<
  Record<NumberFilter['op'], (wanted: number, to: number) => (value: number) => boolean>
> = {
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
export function keepAmong(
  mask: Uint8Array,
  { values, other, others }: NumberColumn,
  wanted: readonly string[],
): void {
  const texts = new Set(wanted)
  const passed = Uint8Array.from(others, text => (texts.has(text) ? 1 : 0))
  const numbers = new Set(wanted.filter(text => text.trim() !== '').map(Number))
  for (let row = 0; row < mask.length; row++) {
    if (!mask[row]) continue
    mask[row] = other[row] >= 0 ? passed[other[row]] : Number(numbers.has(values[row]))
  }
}

/** Keeps the rows of a node and of everything below it. */
export function keepNode(mask: Uint8Array, comparison: ItemRows, at: NodeRef): void {
  const { bench: there } = comparison
  const debug = at.debug === undefined ? null : opsBelow(comparison.debug, at.debug)
  const bench = at.bench === undefined || !there ? null : opsBelow(there, at.bench)
  const { debugItem, benchItem } = comparison
  const debugOp = comparison.debug.items.op
  const benchOp = there?.items.op
  for (let row = 0; row < mask.length; row++) {
    if (!mask[row]) continue
    const ours = debug !== null && debugItem[row] >= 0 && debug[debugOp[debugItem[row]]] === 1
    const theirs = bench !== null && benchOp && benchItem[row] >= 0 && bench[benchOp[benchItem[row]]] === 1
    mask[row] = ours || theirs ? 1 : 0
  }
}

const deepest = 10_000

/**
 * 1 for each op that is the node or lies below it in the hierarchy; by name where the hierarchy does not know
 * the node.
 */
export function opsBelow(dump: Dump, node: string): Uint8Array {
  const { ops, construct, texts } = dump
  const found = new Uint8Array(ops.length)
  const wanted = texts.findPlain(node)
  let any = false
  /** Per hierarchy entry: 0 not known, 1 below, 2 not. */
  const known = new Uint8Array(construct.length)
  const below = (name: number): boolean => {
    const way: number[] = []
    let answer = false
    for (let at = name; at >= 0 && way.length < deepest;) {
      if (at === wanted) {
        answer = true
        break
      }
      const entry = construct.find(at)
      if (entry < 0) break
      if (known[entry]) {
        answer = known[entry] === 1
        break
      }
      way.push(entry)
      at = construct.parent[entry]
    }
    for (const entry of way) known[entry] = answer ? 1 : 2
    return answer
  }
  if (wanted >= 0) {
    for (let op = 0; op < ops.length; op++)
      if (below(ops.name[op])) {
        found[op] = 1
        any = true
      }
    const isOp = new Set(ops.name)
    for (const [call, op] of atOnce(gradientsIn(dump, name => isOp.has(texts.findPlain(name)))))
      if (below(texts.findPlain(call))) found[op] = 1
  }
  if (!any)
    for (let op = 0; op < ops.length; op++) if (texts.get(ops.name[op]).startsWith(`${node}.`)) found[op] = 1
  return found
}
