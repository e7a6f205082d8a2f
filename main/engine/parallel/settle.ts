// What no rule says and values leave open, the other side's sizes tell: along which axis pieces follow each other, and
// which numbers count them. Before anybody has seen the dumps.
import {
  type Dump,
  type ItemRow,
  Kind,
  type OpRow,
  problem,
  type Problem,
  type ShardWay,
} from '../model/index.ts'
import { countedAs } from './counted.ts'
import { cellNames, shapeOf, shapeText } from './columns.ts'
import { isMerged, type MergedDump } from './merge.ts'
import { piecesAt, shapesOf, type Sided } from './shapes.ts'
import { joinedCell, joinedShape } from './values.ts'

/** Both sides with what is still a guess told. */
export function settle(debug: Dump, bench: Dump | null): { debug: Dump; bench: Dump | null } {
  if (!bench || (!isMerged(debug) && !isMerged(bench)))
    return { debug: told(debug), bench: bench && told(bench) }
  const named = isMerged(debug)
    ? { debug: countedAs(debug, bench), bench }
    : { debug, bench: isMerged(bench) ? countedAs(bench, debug) : bench }
  settlePair(named.debug, named.bench)
  return { debug: told(named.debug), bench: told(named.bench) }
}

function settlePair(debug: Dump, bench: Dump): void {
  const rows = new Map<string, OpRow>()
  for (let op = 0; op < bench.ops.length; op++) rows.set(bench.texts.get(bench.ops.name[op]), op)
  for (let op = 0; op < debug.ops.length; op++) {
    const other = rows.get(debug.texts.get(debug.ops.name[op]))
    if (other === undefined) continue
    const pairs = itemPairs(debug, bench, op, other)
    for (const [mine, theirs] of pairs)
      if (debug.items.tensor[mine] === 1) settleShape(side(debug, mine), side(bench, theirs))
    doubtTruths(debug, op)
    doubtTruths(bench, other)
    const pieces = piecesOf(debug, op) * piecesOf(bench, other)
    if (pieces > 1) for (const [mine, theirs] of pairs) settleNumber(side(debug, mine), side(bench, theirs))
  }
}

function* pairNames({ items, ops, texts }: Dump, op: OpRow): Iterable<readonly [string, ItemRow]> {
  for (let item = ops.first[op]; item < ops.first[op + 1]; item++) yield [texts.get(items.name[item]), item]
}

function itemPairs(
  debug: Dump,
  bench: Dump,
  op: OpRow,
  other: OpRow,
): readonly (readonly [ItemRow, ItemRow])[] {
  const theirs = new Map(pairNames(bench, other))
  return [...pairNames(debug, op)].flatMap(([name, item]) => {
    const row = theirs.get(name)
    return row === undefined ? [] : [[item, row] as const]
  })
}

const side = (dump: Dump, item: ItemRow): Sided => ({ dump, item })

function settleShape(mine: Sided, theirs: Sided): void {
  const others = [...shapesOf(theirs)]
  for (const shape of shapesOf(mine)) {
    const met = others.find(({ text }) => text === shape.text)
    if (!met) continue
    take(mine, shape.axis)
    take(theirs, met.axis)
    return
  }
}

/** Null: it is as it was taken for. */
function take(at: Sided, axis: number | null): void {
  const { dump, item } = at
  if (!isMerged(dump) || dump.origins.guessed[item] === 0) return
  dump.origins.guessed[item] = 0
  const pieces = axis === null ? null : piecesAt(at)
  if (axis === null || !pieces) return
  if (axis < 0) {
    // Of the same size as the whole and yet not the same: summands, of which no rank knows the sum.
    if (dump.origins.wayOf(item) !== 'split') return
    putShape(at, shapeOf(pieces[0].dump, pieces[0].item) ?? [])
    leaveOut(dump, item)
    return
  }
  dump.origins.setWay(item, 'split', axis)
  putShape(at, joinedShape(pieces, axis))
  for (const name of cellNames) {
    const { kind, value } = joinedCell(name, pieces)
    dump.items[name].kind[item] = kind
    dump.items[name].value[item] = value
  }
  dump.items.md5[item] = -1
}

/** Beside a summand a mask is a rank's own too: true and false occur in most. */
function doubtTruths(dump: Dump, op: OpRow): void {
  if (!isMerged(dump)) return
  const { origins, ops, items, texts } = dump
  const rows = Array.from({ length: ops.first[op + 1] - ops.first[op] }, (_, i) => ops.first[op] + i)
  if (!rows.some(item => origins.wayOf(item) === 'partial')) return
  for (const item of rows)
    if (
      origins.wayOf(item) === 'same' &&
      items.dtype[item] >= 0 &&
      /bool$/i.test(texts.get(items.dtype[item]))
    )
      leaveOut(dump, item)
}

/** What is not known of the whole is not compared. */
function leaveOut(dump: MergedDump, item: ItemRow): void {
  dump.origins.setWay(item, 'partial')
  for (const name of cellNames) dump.items[name].kind[item] = Kind.absent
  dump.items.dataName[item] = -1
  dump.items.md5[item] = -1
}

function putShape({ dump, item }: Sided, sizes: readonly number[]): void {
  const { items, texts } = dump
  items.shape[item] = texts.addPlain(shapeText(texts.get(items.shape[item]), sizes))
}

const hold = (way: ShardWay): boolean => way === 'split' || way === 'partial'

/** Ranks that hold pieces of what an op works on; 1 where it works on whole values. */
function piecesOf(dump: Dump, op: OpRow): number {
  if (!isMerged(dump)) return 1
  const { origins, stages, ops } = dump
  for (let item = ops.first[op]; item < ops.first[op + 1]; item++)
    if (hold(origins.wayOf(item))) return stages[origins.stage[item]].dumps.length
  return 1
}

/** A whole number that is as many times smaller as there are pieces counts what one of them holds. */
function settleNumber(mine: Sided, theirs: Sided): void {
  const [a, b] = [mine, theirs].map(({ dump, item }) => {
    const { items } = dump
    const isCount = items.tensor[item] === 0 && items.max.kind[item] === Kind.int
    return { value: isCount ? items.max.value[item] : NaN, pieces: piecesOf(dump, items.op[item]) }
  })
  if (!(a.value > 0 && b.value > 0) || a.value === b.value) return
  if (a.value * a.pieces !== b.value * b.pieces) return
  for (const [{ dump, item }, { value, pieces }] of [[mine, a] as const, [theirs, b] as const]) {
    if (!isMerged(dump) || pieces === 1) continue
    for (const name of cellNames)
      if (dump.items[name].kind[item] === Kind.int) dump.items[name].value[item] = value * pieces
    dump.origins.setWay(item, 'counted')
  }
}

function told(dump: Dump): Dump {
  if (!isMerged(dump)) return dump
  const { origins, items, texts } = dump
  let count = 0
  let first = ''
  for (let item = 0; item < items.length; item++) {
    if (origins.guessed[item] === 0 || origins.wayOf(item) !== 'split') continue
    if (count++ === 0) first = texts.get(items.name[item])
  }
  if (count === 0) return dump
  const problems: readonly Problem[] = [
    ...dump.problems,
    problem('ranks-guessed', dump.dir, { count, item: first }, 'note'),
  ]
  return { ...dump, problems }
}
