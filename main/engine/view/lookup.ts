// Finds rows of a comparison and ops of its dumps by name: dense indexes, made once per comparison.
import type { Dump } from '../dump.ts'
import type { Comparison } from '../result.ts'
import type { NodeRef, Side } from '../../../preload/contract/engine.ts'

export interface Lookup {
  /** Op of a key on one side, or -1. */
  op(side: Side, name: string): number
  /** First row of an item, or -1. */
  row(side: Side, item: number): number
  /** Rows of a node, in the table's order; debug side first, then rows that only its bench side is part of. */
  rowsOf(at: NodeRef): number[]
}

export function lookupIn(comparison: Comparison): Lookup {
  const ops = { debug: opIndex(comparison.debug), bench: opIndex(comparison.bench) }
  const rows = { debug: rowIndex(comparison.debugItem, comparison.debug), bench: rowIndex(comparison.benchItem, comparison.bench) }
  const dump = { debug: comparison.debug, bench: comparison.bench }

  const op = (side: Side, name: string): number => {
    const code = dump[side].texts.find(name)
    return code < 0 || code >= ops[side].length ? -1 : ops[side][code]
  }
  const rowsOnSide = (side: Side, name: string | undefined): number[] => {
    const at = name === undefined ? -1 : op(side, name)
    if (at < 0) return []
    const found: number[] = []
    const { first } = dump[side].ops
    for (let item = first[at]; item < first[at + 1]; item++) if (rows[side][item] >= 0) found.push(rows[side][item])
    return found
  }
  return {
    op,
    row: (side, item) => rows[side][item] ?? -1,
    rowsOf: at => [...new Set([...rowsOnSide('debug', at.debug), ...rowsOnSide('bench', at.bench)])].sort((a, b) => a - b),
  }
}

function opIndex(dump: Dump): Int32Array {
  const index = new Int32Array(dump.texts.size).fill(-1)
  for (let op = dump.ops.length - 1; op >= 0; op--) index[dump.ops.name[op]] = op
  return index
}

function rowIndex(items: Int32Array, dump: Dump): Int32Array {
  const index = new Int32Array(dump.items.length).fill(-1)
  for (let row = items.length - 1; row >= 0; row--) if (items[row] >= 0) index[items[row]] = row
  return index
}
