// Call by call with two queues (the reference's way for PyTorch), and the same without its order.
import {
  type BenchItem,
  type BenchOp,
  type Column,
  type DebugItem,
  type DebugOp,
  type Dump,
  type Ids,
  type ItemRow,
  type OpRow,
  State,
  type TextCode,
  type TextId,
  TextIds,
} from '../model/index.ts'
import { overRows, type Steps } from '../work/index.ts'
import { dtypeTest } from './dtypes.ts'
import { alike, reducedNames, type Reduced } from './fuzzy.ts'
import { joinItems, sameNames } from './join.ts'
import { tableOrder } from './order.ts'
import { Rows, type Pairing } from './pairing.ts'
import { PairedBy } from './partners.ts'
import type { Deviations } from '../rules/index.ts'

interface CallOptions {
  readonly fuzzy: boolean
  /** md5s belong to what must be the same. */
  readonly md5: boolean
  readonly deviates: Deviations
}

export function* matchCalls(debug: Dump, bench: Dump, options: CallOptions): Steps<Pairing> {
  const calls = yield* callsOf(debug, bench, options)
  const partner: Ids<DebugOp, BenchOp> = new Int32Array(debug.ops.length).fill(unread)
  const atAll = options.deviates['join-by-name'] && !options.fuzzy
  if (atAll) yield* byName(calls, partner)
  else yield* byQueue(calls, partner, options.deviates['join-by-name'])
  const exactly = atAll ? PairedBy.name : PairedBy.queue
  return yield* rowsOf(calls, partner, options.fuzzy ? PairedBy.fuzzy : exactly)
}

/**
 * Fuzzy matching for MindSpore: calls are aligned first; items of calls that stay alone meet by their exact
 * names.
 */
export function* matchAligned(debug: Dump, bench: Dump, options: CallOptions): Steps<Pairing> {
  const calls = yield* callsOf(debug, bench, options)
  const partner: Ids<DebugOp, BenchOp> = new Int32Array(debug.ops.length).fill(unmatched)
  yield* byQueue(calls, partner, true)
  const taken = new Uint8Array(bench.ops.length)
  for (const other of partner) if (other >= 0) taken[other] = 1
  const exact = yield* joinItems(debug, bench, sameNames(debug))
  const exactly: Ids<DebugItem, BenchItem> = new Int32Array(debug.items.length).fill(-1)
  exact.debugItem.forEach((item, row) => {
    const other = exact.benchItem[row]
    if (other >= 0 && taken[bench.items.op[other]] === 0) exactly[item] = other
  })
  const rows = new Rows(debug.items.length, PairedBy.fuzzy)
  for (let op = 0; op < partner.length; op++) {
    const other = partner[op]
    for (let at = debug.ops.first[op]; at < debug.ops.first[op + 1]; at++) {
      const item = calls.debugOrder[at]
      if (other >= 0)
        rows.add(item, calls.benchOrder[bench.ops.first[other] + at - debug.ops.first[op]], true)
      else rows.add(item, exactly[item], true, exactly[item] < 0 ? PairedBy.none : PairedBy.name)
    }
  }
  return rows.finish('mindspore', debug, bench)
}

const unmatched = -1
/** A call that the reference never came to read. */
const unread = -2

function* byName(calls: Calls, partner: Ids<DebugOp, BenchOp>): Steps<void> {
  yield* overRows(partner.length, (from, to) => {
    for (let op = from; op < to; op++)
      if (calls.debugItems(op) > 0) partner[op] = calls.first(op, 0, calls.benchOps)
  })
}

/** Turns of the queues between two breaths. */
const turns = 1024

function* byQueue(calls: Calls, partner: Ids<DebugOp, BenchOp>, readOn: boolean): Steps<void> {
  const debugQueue = new Queue(calls.debugOps)
  const benchQueue = new Queue(calls.benchOps)
  for (let turn = 1; debugQueue.more || benchQueue.more; turn++) {
    if (turn % turns === 0) yield
    const grewDebug = debugQueue.read(op => calls.debugItems(op) > 0)
    const grewBench = benchQueue.read(op => calls.benchItems(op) > 0)
    if (!grewDebug && !grewBench) continue
    if (debugQueue.empty !== benchQueue.empty) {
      if (readOn) continue
      break
    }
    let mine = debugQueue.last
    let theirs = calls.first(mine, benchQueue.from, benchQueue.to)
    if (theirs < 0) {
      theirs = benchQueue.last
      mine = calls.firstDebug(theirs, debugQueue.from, mine)
      if (mine < 0) continue
    }
    for (let op = debugQueue.from; op < mine; op++) if (calls.debugItems(op) > 0) partner[op] = unmatched
    partner[mine] = theirs
    debugQueue.dropThrough(mine)
    benchQueue.dropThrough(theirs)
  }
  for (let op = debugQueue.from; op < debugQueue.to; op++)
    if (calls.debugItems(op) > 0) partner[op] = unmatched
}

/** A window over the calls of one side; calls without items count as not there. */
class Queue {
  from = 0
  to = 0
  last = -1
  readonly #end: number

  constructor(end: number) {
    this.#end = end
  }

  get more(): boolean {
    return this.to < this.#end
  }
  get empty(): boolean {
    return this.last < this.from
  }

  read(counts: (op: OpRow) => boolean): boolean {
    if (!this.more) return false
    const op = this.to++
    if (counts(op)) this.last = op
    return counts(op)
  }

  dropThrough(op: OpRow): void {
    this.from = op + 1
  }
}

type Names = Readonly<Record<'debug' | 'bench', Reduced>>

function* callsOf(debug: Dump, bench: Dump, options: CallOptions): Steps<Calls> {
  const ids = new TextIds()
  const names = options.fuzzy ? yield* reducedNames(debug, bench) : null
  const exact = { debug: ids.of(debug.texts), bench: ids.of(bench.texts) }
  const byName: { debug: Chains; bench: Chains }[] = []
  for (const kind of names ? (['forward', 'backward', 'exact'] as const) : (['exact'] as const)) {
    const chains = (dump: Dump, side: 'debug' | 'bench'): Steps<Chains> =>
      chained(dump, item => (names ? names[side][kind][item] : exact[side](dump.items.name[item])))
    byName.push({ debug: yield* chains(debug, 'debug'), bench: yield* chains(bench, 'bench') })
  }
  return new Calls(debug, bench, options, { ids, names, byName })
}

/** How the calls of both sides are named. */
interface NamedCalls {
  readonly ids: TextIds
  /** Null where exact names count. */
  readonly names: Names | null
  readonly byName: Calls['byName']
}

class Calls {
  readonly debug: Dump
  readonly bench: Dump
  readonly debugOrder: Column<Uint32Array, number, DebugItem>
  readonly benchOrder: Column<Uint32Array, number, BenchItem>
  readonly #options: CallOptions
  readonly #mine: (code: TextCode) => TextId
  readonly #theirs: (code: TextCode) => TextId
  readonly #agree: (a: TextCode, b: TextCode) => boolean
  readonly #sameName: (debugItem: DebugItem, benchItem: BenchItem) => boolean
  /** Per kind of name: the calls of each side by the code of their first item. */
  readonly byName: readonly { readonly debug: Chains; readonly bench: Chains }[]

  constructor(debug: Dump, bench: Dump, options: CallOptions, { ids, names, byName }: NamedCalls) {
    this.debug = debug
    this.bench = bench
    this.debugOrder = tableOrder(debug)
    this.benchOrder = tableOrder(bench)
    this.#options = options
    this.#mine = ids.of(debug.texts)
    this.#theirs = ids.of(bench.texts)
    this.#agree = dtypeTest(debug.texts, bench.texts, false)
    this.#sameName = names
      ? (a, b) => alike(names.debug, a, names.bench, b)
      : // Mostly equal: held side by side none of them needs a number of its own.
        (a, b) => debug.texts.equals(debug.items.name[a], bench.texts, bench.items.name[b])
    this.byName = byName
  }

  get debugOps(): number {
    return this.debug.ops.length
  }
  get benchOps(): number {
    return this.bench.ops.length
  }
  debugItems(op: DebugOp): number {
    return this.debug.ops.first[op + 1] - this.debug.ops.first[op]
  }
  benchItems(op: BenchOp): number {
    return this.bench.ops.first[op + 1] - this.bench.ops.first[op]
  }

  /** The first bench call within a range that matches a debug call, or -1. */
  first(op: DebugOp, from: BenchOp, to: BenchOp): BenchOp {
    let best = -1
    for (const { debug, bench } of this.byName) {
      for (
        let other = bench.atOrAfter(debug.key[op], from);
        other >= 0 && other < to && (best < 0 || other < best);
        other = bench.next[other]
      ) {
        if (this.#match(op, other)) {
          best = other
          break
        }
      }
    }
    return best
  }

  /** The first debug call within a range that matches a bench call, or -1. */
  firstDebug(other: BenchOp, from: DebugOp, to: DebugOp): DebugOp {
    let best = -1
    for (const { debug, bench } of this.byName) {
      for (
        let op = debug.atOrAfter(bench.key[other], from);
        op >= 0 && op < to && (best < 0 || op < best);
        op = debug.next[op]
      ) {
        if (this.#match(op, other)) {
          best = op
          break
        }
      }
    }
    return best
  }

  #match(op: DebugOp, other: BenchOp): boolean {
    const n = this.debugItems(op)
    if (n !== this.benchItems(other)) return false
    const a = this.debug.ops.first[op]
    const b = this.bench.ops.first[other]
    for (let i = 0; i < n; i++) if (!this.#sameName(a + i, b + i)) return false
    return this.#sameStructure(a, b, n)
  }

  /**
   * Items of equal names stand in the same order on both sides; under fuzzy names the states must still agree
   * pair by pair.
   */
  #sameStructure(a: number, b: number, n: number): boolean {
    const mine = this.debug.items
    const theirs = this.bench.items
    let same = true
    let compatible = true
    let inputs = 0
    for (let k = 0; k < n; k++) {
      const i = this.debugOrder[a + k]
      const j = this.benchOrder[b + k]
      if (mine.state[i] !== theirs.state[j]) return false
      if (mine.state[i] === State.input) inputs++
      if (
        this.#mine(mine.shape[i]) !== this.#theirs(theirs.shape[j]) ||
        !this.#agree(mine.dtype[i], theirs.dtype[j])
      )
        compatible = false
      if (this.#mine(mine.dtype[i]) !== this.#theirs(theirs.dtype[j])) same = false
      if (this.#options.md5 && this.#mine(mine.md5[i]) !== this.#theirs(theirs.md5[j])) same = false
    }
    if (!compatible) return false
    return same || inputs > 0 || this.#options.deviates['calls-without-inputs']
  }
}

function* chained(dump: Dump, code: (item: ItemRow) => number): Steps<Chains> {
  const { ops } = dump
  const chains = new Chains(ops.length)
  yield* overRows(ops.length, (from, to) => {
    for (let place = from; place < to; place++) {
      // From the last to the first: each goes in front of its chain.
      const op = ops.length - 1 - place
      const key = ops.first[op] === ops.first[op + 1] ? -1 : code(ops.first[op])
      if (key >= 0) chains.lead(op, key)
    }
  })
  return chains
}

/** Calls of one side chained by a code, each chain in order. */
class Chains {
  readonly key: Int32Array
  readonly next: Int32Array
  readonly #head = new Map<number, number>()

  constructor(ops: number) {
    this.key = new Int32Array(ops).fill(-1)
    this.next = new Int32Array(ops).fill(-1)
  }

  /** Puts a call before the others of its code. */
  lead(op: OpRow, key: number): void {
    this.key[op] = key
    this.next[op] = this.#head.get(key) ?? -1
    this.#head.set(key, op)
  }

  atOrAfter(key: number, from: number): number {
    if (key < 0) return -1
    let op = this.#head.get(key) ?? -1
    while (op >= 0 && op < from) op = this.next[op]
    // What lies before the range is never asked for again: ranges only move on.
    this.#head.set(key, op)
    return op
  }
}

function* rowsOf(calls: Calls, partner: Ids<DebugOp, BenchOp>, way: PairedBy): Steps<Pairing> {
  const { debug, bench, debugOrder, benchOrder } = calls
  const rows = new Rows(debugOrder.length, way)
  yield* overRows(partner.length, (fromOp, toOp) => {
    for (let op = fromOp; op < toOp; op++) {
      const other = partner[op]
      if (other === unread) continue
      const from = debug.ops.first[op]
      const to = debug.ops.first[op + 1]
      for (let at = from; at < to; at++) {
        const item = debugOrder[at]
        const first = at === from && (other < 0 || debug.items.state[item] === State.input)
        rows.add(item, other < 0 ? -1 : benchOrder[bench.ops.first[other] + at - from], first)
      }
    }
  })
  return rows.finish('pytorch', debug, bench)
}
