// Everything about one node for the inspector: items of both sides, metrics, stack, place in the hierarchy.
import { itemName, type Dump } from '../dump.ts'
import { Kind, stateNames } from '../model.ts'
import type { Comparison } from '../result.ts'
import type { ItemDetail, ItemSide, NodeDetail, NodeRef, Side, StackFrame } from '../../../preload/contract/engine.ts'
import { pyFloat } from '../formats/python.ts'
import type { Cells, TextPool } from '../columns.ts'
import type { Lookup } from './lookup.ts'

/** What other parts of the engine add to a node. */
export interface NodeContext {
  path(side: Side, name: string): readonly string[]
  links(side: Side, item: number): ItemDetail['links']
  whyUnmatched(at: NodeRef): NodeDetail['whyUnmatched']
  tensorFile(side: Side, item: number): string
}

/** Columns that say what stands in `ItemSide` already. */
const sideColumns = /^(?:debug|bench)[A-Z]|^(?:stack|dataName)$/

export function nodeDetail(comparison: Comparison, lookup: Lookup, at: NodeRef, context: NodeContext): NodeDetail {
  const full = withPartner(comparison, lookup, at)
  const items: ItemDetail[] = []
  const ops = { debug: full.debug === undefined ? -1 : lookup.op('debug', full.debug), bench: full.bench === undefined ? -1 : lookup.op('bench', full.bench) }
  const seenBench = new Set<number>()
  eachItem(comparison.debug, ops.debug, item => {
    const row = lookup.row('debug', item)
    const partner = row < 0 ? -1 : comparison.benchItem[row]
    if (partner >= 0) seenBench.add(partner)
    items.push(detail(comparison, row, item, partner, context))
  })
  eachItem(comparison.bench, ops.bench, item => {
    if (!seenBench.has(item)) items.push(detail(comparison, lookup.row('bench', item), -1, item, context))
  })
  const name = full.debug ?? full.bench ?? ''
  return {
    at: full,
    title: name,
    path: { debug: full.debug === undefined ? [] : context.path('debug', full.debug), bench: full.bench === undefined ? [] : context.path('bench', full.bench) },
    items,
    stack: { debug: stackOf(comparison.debug, full.debug), bench: stackOf(comparison.bench, full.bench) },
    whyUnmatched: full.debug === undefined || full.bench === undefined ? context.whyUnmatched(full) : [],
    matchedBy: '',
  }
}

/** Completes a reference with the node on the other side that most of its rows met. */
export function withPartner(comparison: Comparison, lookup: Lookup, at: NodeRef): NodeRef {
  if (at.debug !== undefined && at.bench !== undefined) return at
  const from: Side = at.debug !== undefined ? 'debug' : 'bench'
  const [ours, theirs, other] = from === 'debug'
    ? [comparison.debugItem, comparison.benchItem, comparison.bench]
    : [comparison.benchItem, comparison.debugItem, comparison.debug]
  const votes = new Map<number, number>()
  for (const row of lookup.rowsOf(at)) {
    if (ours[row] < 0 || theirs[row] < 0) continue
    const op = other.items.op[theirs[row]]
    votes.set(op, (votes.get(op) ?? 0) + 1)
  }
  let best = -1
  for (const [op, count] of votes) if (best < 0 || count > (votes.get(best) ?? 0)) best = op
  if (best < 0) return at
  const name = other.texts.get(other.ops.name[best])
  return from === 'debug' ? { ...at, bench: name } : { ...at, debug: name }
}

function eachItem(dump: Dump, op: number, visit: (item: number) => void): void {
  if (op < 0) return
  for (let item = dump.ops.first[op]; item < dump.ops.first[op + 1]; item++) visit(item)
}

function detail(comparison: Comparison, row: number, debugItem: number, benchItem: number, context: NodeContext): ItemDetail {
  const [side, item, dump]: [Side, number, Dump] = debugItem >= 0 ? ['debug', debugItem, comparison.debug] : ['bench', benchItem, comparison.bench]
  return {
    row,
    part: stateNames[dump.items.state[item]],
    debug: debugItem < 0 ? null : itemSide(comparison.debug, debugItem, context.tensorFile('debug', debugItem)),
    bench: benchItem < 0 ? null : itemSide(comparison.bench, benchItem, context.tensorFile('bench', benchItem)),
    verdict: row < 0 ? 0 : comparison.verdict[row],
    fill: row < 0 ? 0 : comparison.fill[row],
    cells: row < 0 ? [] : comparison.columns.flatMap((column, i) => (sideColumns.test(column.id) ? [] : [{ id: column.id, title: column.title, text: comparison.text(row, i) }])),
    links: context.links(side, item),
  }
}

function itemSide(dump: Dump, item: number, file: string): ItemSide {
  const text = (code: number): string => (code < 0 ? '' : dump.texts.get(code))
  const { items, texts } = dump
  return {
    name: itemName(dump, item),
    dtype: text(items.dtype[item]),
    shape: text(items.shape[item]),
    max: statText(items.max, item, texts),
    min: statText(items.min, item, texts),
    mean: statText(items.mean, item, texts),
    norm: statText(items.norm, item, texts),
    md5: dump.header.hasMd5 ? text(items.md5[item]) : '',
    file,
  }
}

const frameForm = /^File (.*?), line (\d+), in (.*?),\s*\\?n?\s*([\s\S]*)$/
const frameworkFile = /(?:site|dist)-packages|(?:^|\/)(?:torch|mindspore|msprobe|mindspeed|megatron\/core|tensorflow)\//i

/** Frames of a node's stack; a backward node shows its forward's. */
export function stackOf(dump: Dump, name: string | undefined): StackFrame[] {
  if (name === undefined) return []
  const found = [name, name.replace(/\bbackward\b/, 'forward')].map(n => dump.texts.find(n)).map(code => (code < 0 ? -1 : dump.stacks.of(code))).find(stack => stack >= 0)
  if (found === undefined) return []
  return dump.stacks.frames(found).map(frameOf)
}

export function frameOf(line: string): StackFrame {
  const parts = frameForm.exec(line.trim())
  if (!parts) return { file: '', line: 0, func: '', code: line.trim(), framework: false }
  const [, file, number, func, code] = parts
  return { file, line: Number(number), func, code: code.trim(), framework: frameworkFile.test(file) }
}

/** A statistic as the dump has it, as Python would print it; '' where there is none. */
export function statText(cells: Cells, item: number, texts: TextPool): string {
  const value = cells.value[item]
  switch (cells.kind[item]) {
    case Kind.none: return 'None'
    case Kind.int: return String(value)
    case Kind.float: return pyFloat(value)
    case Kind.bool: return value === 1 ? 'True' : 'False'
    case Kind.text: case Kind.bigint: return texts.get(value)
    default: return ''
  }
}
