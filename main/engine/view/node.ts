// Everything about one node for the inspector: items of both sides, metrics, stack, place in the hierarchy.
import {
  type BenchItem,
  type Cells,
  type DebugItem,
  Direction,
  type Dump,
  dumpOn,
  type ItemDetail,
  itemName,
  opName,
  type ItemRow,
  type ItemRows,
  type ItemSide,
  Kind,
  type NodeDetail,
  type NodeRef,
  type OpFact,
  type OpRow,
  type PairRow,
  type Reason,
  RowState,
  type Side,
  type StackFrame,
  stateNames,
  type TextCode,
  type TextPool,
  type WaitList,
  type Waits,
} from '../model/index.ts'
import { pyFloat } from '../python/index.ts'
import { comparedDirectly } from './direct.ts'
import type { Lookup } from './lookup.ts'

/** What other parts of the engine add to a node. */
export interface NodeContext {
  path(side: Side, name: string): readonly string[]
  links(side: Side, item: ItemRow): ItemDetail['links']
  whyUnmatched(at: NodeRef): NodeDetail['whyUnmatched']
  tensorFile(side: Side, item: ItemRow): string
  /** Why a row is in its state. */
  reason(row: PairRow): Reason | null
}

/** Columns that say what stands in `ItemSide` already. */
const sideColumns = /^(?:debug|bench)[A-Z]|^(?:stack|dataName)$/

export function nodeDetail(
  comparison: ItemRows,
  lookup: Lookup,
  at: NodeRef,
  context: NodeContext,
): NodeDetail {
  const full = withPartner(comparison, lookup, at)
  const items: ItemDetail[] = []
  const seenBench = new Set<BenchItem>()
  eachItem(comparison.debug, opsOf(lookup, 'debug', full.debug), item => {
    const row = lookup.row('debug', item)
    const partner = row < 0 ? -1 : comparison.benchItem[row]
    if (partner >= 0) seenBench.add(partner)
    items.push(detail(comparison, row, item, partner, context))
  })
  eachItem(comparison.bench, opsOf(lookup, 'bench', full.bench), item => {
    const row = lookup.row('bench', item)
    // What met an item of another node is shown there.
    const isElsewhere = row >= 0 && comparison.debugItem[row] >= 0
    if (!seenBench.has(item) && !isElsewhere) items.push(detail(comparison, row, -1, item, context))
  })
  const name = full.debug ?? full.bench ?? ''
  return {
    at: full,
    title: name,
    path: {
      debug: full.debug === undefined ? [] : context.path('debug', full.debug),
      bench: full.bench === undefined ? [] : context.path('bench', full.bench),
    },
    items,
    facts: {
      debug: factsOf(comparison.debug, lookup, 'debug', full.debug),
      bench: factsOf(comparison.bench, lookup, 'bench', full.bench),
    },
    waits: {
      debug: waitsOf(comparison.debug, lookup.op('debug', full.debug ?? '')),
      bench: waitsOf(comparison.bench, lookup.op('bench', full.bench ?? '')),
    },
    stack: { debug: stackOf(comparison.debug, full.debug), bench: stackOf(comparison.bench, full.bench) },
    whyUnmatched: full.debug === undefined || full.bench === undefined ? context.whyUnmatched(full) : [],
  }
}

function factsOf(dump: Dump | null, lookup: Lookup, side: Side, name: string | undefined): readonly OpFact[] {
  const op = name === undefined ? -1 : lookup.op(side, name)
  if (!dump || op < 0) return []
  if (op >= (dump.provisionalFrom ?? Infinity)) return [{ key: 'provisional', text: '' }]
  return dump.about?.op(op) ?? []
}

/** Names of a list that a message holds. */
const mostWaits = 200
const noWaits: WaitList = { names: [], total: 0 }

function waitsOf(dump: Dump | null, op: OpRow): Waits {
  const [after, before]: [OpRow[], OpRow[]] = [[], []]
  const controls = dump?.edges?.controls
  if (!dump || !controls || op < 0) return { after: noWaits, before: noWaits }
  const { from, to } = controls
  for (let i = 0; i < from.length; i++) {
    if (to[i] === op) after.push(from[i])
    if (from[i] === op) before.push(to[i])
  }
  const listed = (rows: readonly OpRow[]): WaitList => ({
    names: rows
      .toSorted((a, b) => a - b)
      .slice(0, mostWaits)
      .map(row => opName(dump, row)),
    total: rows.length,
  })
  return { after: listed(after), before: listed(before) }
}

/** Completes a reference with the node on the other side that most of its rows met. */
function withPartner(comparison: ItemRows, lookup: Lookup, at: NodeRef): NodeRef {
  if (at.debug !== undefined && at.bench !== undefined) return at
  const from: Side = at.debug !== undefined ? 'debug' : 'bench'
  const [ours, theirs, other] =
    from === 'debug'
      ? [comparison.debugItem, comparison.benchItem, comparison.bench]
      : [comparison.benchItem, comparison.debugItem, comparison.debug]
  if (!other) return at
  const votes = new Map<OpRow, number>()
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

/** What a node is made of: its own op, and the gradients of its parameters. */
const opsOf = (lookup: Lookup, side: Side, name: string | undefined): readonly OpRow[] =>
  name === undefined ? [] : [lookup.op(side, name), lookup.gradientsOf(side, name)].filter(op => op >= 0)

function eachItem(dump: Dump | null, ops: readonly OpRow[], visit: (item: ItemRow) => void): void {
  if (!dump) return
  for (const op of ops) for (let item = dump.ops.first[op]; item < dump.ops.first[op + 1]; item++) visit(item)
}

function detail(
  comparison: ItemRows,
  row: PairRow,
  debugItem: DebugItem,
  benchItem: BenchItem,
  context: NodeContext,
): ItemDetail {
  const [side, item]: [Side, number] = debugItem >= 0 ? ['debug', debugItem] : ['bench', benchItem]
  const dump = dumpOn(comparison, side)
  return {
    row,
    part: stateNames[dump.items.state[item]],
    debug:
      debugItem < 0 ? null : itemSide(comparison.debug, debugItem, context.tensorFile('debug', debugItem)),
    bench:
      benchItem < 0
        ? null
        : itemSide(dumpOn(comparison, 'bench'), benchItem, context.tensorFile('bench', benchItem)),
    state: row < 0 ? RowState.incomparable : comparison.state[row],
    level: row < 0 ? NaN : comparison.level[row],
    reason: row < 0 ? null : context.reason(row),
    fill: row < 0 ? 0 : comparison.fill[row],
    cells:
      row < 0 || comparedDirectly(comparison, row)
        ? []
        : comparison.columns.flatMap((column, i) =>
            sideColumns.test(column.id)
              ? []
              : [{ id: column.id, title: column.title, text: comparison.text(row, i) }],
          ),
    links: context.links(side, item),
  }
}

function itemSide(dump: Dump, item: ItemRow, file: string): ItemSide {
  const text = (code: TextCode): string => (code < 0 ? '' : dump.texts.get(code))
  const { items, texts } = dump
  return {
    name: itemName(dump, item),
    dtype: text(items.dtype[item]),
    shape: text(items.shape[item]),
    max: statText(items.max, item, texts),
    min: statText(items.min, item, texts),
    mean: statText(items.mean, item, texts),
    norm: statText(items.norm, item, texts),
    value: items.tensor[item] === 1 ? '' : statText(items.max, item, texts),
    md5: dump.header.hasMd5 ? text(items.md5[item]) : '',
    file,
    layout: dump.about?.layout(item) ?? '',
  }
}

const frameForm = /^File (.*?), line (\d+), in (.*?),\s*\\?n?\s*([\s\S]*)$/
const frameworkFile =
  /(?:site|dist)-packages|(?:^|\/)(?:torch|mindspore|msprobe|mindspeed|megatron\/core|tensorflow)\//i

/** Frames of a node's stack; a backward node shows its forward's. */
function stackOf(dump: Dump | null, name: string | undefined): StackFrame[] {
  if (name === undefined || !dump) return []
  const found = [name, dump.names.turned(name, Direction.forward)]
    .map(n => dump.texts.findPlain(n))
    .map(code => (code < 0 ? -1 : dump.stacks.of(code)))
    .find(stack => stack >= 0)
  if (found === undefined) return []
  return dump.stacks.frames(found).map(frameOf)
}

function frameOf(line: string): StackFrame {
  const parts = frameForm.exec(line.trim())
  if (!parts) return { file: '', line: 0, func: '', code: line.trim(), framework: false }
  const [, file, number, func, code] = parts
  return { file, line: Number(number), func, code: code.trim(), framework: frameworkFile.test(file) }
}

/** A statistic as the dump has it, as Python would print it; '' where there is none. */
function statText(cells: Cells<ItemRow>, item: ItemRow, texts: TextPool): string {
  const value = cells.value[item]
  switch (cells.kind[item]) {
    case Kind.none:
      return 'None'
    case Kind.int:
      return String(value)
    case Kind.float:
      return pyFloat(value)
    case Kind.bool:
      return value === 1 ? 'True' : 'False'
    case Kind.text:
    case Kind.bigint:
      return texts.get(value)
    default:
      return ''
  }
}
