// Which output of one dump is which later input: as its format tells, else inferred from equal md5s, equal
// bytes or equal statistics.
import {
  type Column,
  type Comparison,
  type Dump,
  type Edges,
  elementsIn,
  type Ids,
  type ItemRow,
  type OpRow,
  type Side,
  State,
  type TextCode,
} from '../model/index.ts'
import { type Job, job as newJob, stepwise } from '../work/index.ts'
import { type Classes, type ClassOptions, classify, EdgeBy } from './classes.ts'

export const edgeNames = [
  'none',
  'md5',
  'bytes',
  'statistics',
  'md5 without shape',
  'bytes without shape',
  'statistics without shape',
  'graph',
] as const

/** All columns have one entry per item of the dump. */
export interface Flow {
  readonly dump: Dump
  /**
   * Class of items that are the same tensor as far as the dump can tell; -1 for what has no identity
   * (scalars, constants, None).
   */
  readonly identity: Column<Int32Array, ItemRow>
  /** The same, without regard to shape and dtype. */
  readonly view: Column<Int32Array, ItemRow>
  /**
   * The output item that wrote this input; -1: a source (model input, parameter, or made by something that
   * was not dumped).
   */
  readonly producer: Ids<ItemRow, ItemRow>
  readonly by: Column<Uint8Array, ItemRow>
  /** 1 when the producer was the only candidate. */
  readonly only: Column<Uint8Array, ItemRow>
  /** Readers of output item o are readers[first[o]] … readers[first[o + 1] - 1]; length + 1 entries. */
  readonly first: Column<Uint32Array, ItemRow>
  readonly readers: Ids<number, ItemRow>
}

interface FlowOptions extends ClassOptions {
  readonly job?: Job
}

/** What is looked at of a comparison. */
export type FlowSource = Pick<
  Comparison,
  'debug' | 'bench' | 'debugItem' | 'benchItem' | 'measured' | 'pairOf'
>

/** Edges of both sides of a comparison, with the hashes of the tensors that were read for it. */
export async function inferFlows(comparison: FlowSource, job: Job): Promise<Readonly<Record<Side, Flow>>> {
  const of = async (side: Side): Promise<Flow> => {
    const hashes = hashesOf(comparison, side)
    return inferFlow(comparison[side], { job, ...(hashes && { hashes }) })
  }
  return { debug: await of('debug'), bench: await of('bench') }
}

/** Hashes per item of one side, where tensors were read. */
function hashesOf(
  { measured, pairOf, debugItem, benchItem, ...table }: FlowSource,
  side: Side,
): Uint32Array | null {
  if (!measured || !pairOf) return null
  const items = side === 'debug' ? debugItem : benchItem
  const from = side === 'debug' ? measured.debugHash : measured.benchHash
  const hashes = new Uint32Array(table[side].items.length * 2)
  for (let row = 0; row < items.length; row++) {
    if (items[row] < 0 || pairOf[row] < 0) continue
    hashes[items[row] * 2] = from[pairOf[row] * 2]
    hashes[items[row] * 2 + 1] = from[pairOf[row] * 2 + 1]
  }
  return hashes
}

/** Edges of one side. Every reader gets the latest earlier producer of an equal tensor. */
export async function inferFlow(dump: Dump, { job = newJob(), ...options }: FlowOptions = {}): Promise<Flow> {
  const classes = await stepwise(classify(dump, countElements(dump), options), job)
  const { identity, view } = classes
  if (dump.edges) return flowOfOwnEdges(dump, dump.edges, identity, view)
  return { dump, identity, view, ...(await new Inference(dump, classes).run(job)) }
}

/** Goes through the ops in the order in which they ran, and remembers who wrote each tensor last. */
class Inference {
  readonly #dump: Dump
  readonly #classes: Classes
  readonly #parent: Ids<OpRow, OpRow>
  readonly #producer: Ids<ItemRow, ItemRow>
  readonly #by: Column<Uint8Array, ItemRow>
  readonly #only: Column<Uint8Array, ItemRow>
  readonly #exact: Latest
  readonly #loose: Latest

  constructor(dump: Dump, classes: Classes) {
    const { length } = dump.items
    this.#dump = dump
    this.#classes = classes
    this.#parent = parentOps(dump)
    this.#producer = new Int32Array(length).fill(-1)
    this.#by = new Uint8Array(length)
    this.#only = new Uint8Array(length)
    this.#exact = new Latest(dump, this.#parent, classes.identity)
    this.#loose = new Latest(dump, this.#parent, classes.view)
  }

  async run(job: Job): Promise<Omit<Flow, 'dump' | 'identity' | 'view'>> {
    const { ops, items } = this.#dump
    // A module reads when its first child starts although its entry stands behind its children; gradients of
    // parameters are read last.
    const opening = new Int32Array(ops.length).fill(-1)
    const alongside = new Int32Array(ops.length).fill(-1)
    const start = startOf(this.#parent)
    for (let op = ops.length - 1; op >= 0; op--) {
      alongside[op] = opening[start[op]]
      opening[start[op]] = op
    }
    const late: OpRow[] = []
    for (let op = 0; op < ops.length; op++) {
      for (let at = opening[op]; at >= 0; at = alongside[at]) {
        const gradients =
          ops.first[at] < ops.first[at + 1] && items.state[ops.first[at]] === State.parametersGrad
        if (gradients) late.push(at)
        else this.#read(at)
      }
      this.#write(op)
      if ((op & 1023) === 0) await job.breathe()
    }
    for (const op of late) this.#read(op)
    return { producer: this.#producer, by: this.#by, only: this.#only, ...readersOf(this.#producer) }
  }

  #read(op: OpRow): void {
    const { ops, items } = this.#dump
    const { identity, view, how, looser } = this.#classes
    for (let i = ops.first[op]; i < ops.first[op + 1]; i++) {
      if (items.state[i] === State.output || identity[i] < 0) continue
      const same = this.#exact.item(identity[i])
      const alike = same < 0 && view[i] >= 0 ? this.#loose.item(view[i]) : -1
      if (same < 0 && alike < 0) continue
      this.#producer[i] = same >= 0 ? same : alike
      this.#by[i] = same >= 0 ? how[i] : looser[i]
      // Values that are not finite say nothing of who wrote them.
      if (Number.isNaN(items.max.value[i])) continue
      this.#only[i] = same >= 0 ? this.#exact.only(identity[i]) : this.#loose.only(view[i])
    }
  }

  #write(op: OpRow): void {
    const { ops, items } = this.#dump
    const { identity, view } = this.#classes
    for (let i = ops.first[op]; i < ops.first[op + 1]; i++) {
      if (items.state[i] !== State.output || identity[i] < 0) continue
      const again = this.#exact.passesOn(op, i)
      this.#exact.put(i, again)
      if (view[i] >= 0) this.#loose.put(i, again || this.#loose.passesOn(op, i))
    }
  }
}

/** The edges that a dump has of its own: an input is the tensor that was written, whatever its values look like. */
function flowOfOwnEdges(
  dump: Dump,
  { producer, handsOn }: Edges,
  identity: Column<Int32Array, ItemRow>,
  view: Column<Int32Array, ItemRow>,
): Flow {
  const by = new Uint8Array(producer.length)
  const only = new Uint8Array(producer.length)
  for (let i = 0; i < producer.length; i++) {
    const passed = handsOn?.[i] ?? -1
    const from = producer[i] >= 0 ? producer[i] : passed
    if (from < 0) continue
    if (producer[i] >= 0) {
      by[i] = EdgeBy.graph
      only[i] = 1
    }
    for (const classes of [identity, view]) {
      // Classes are numbered by one of their items, so that the writer's own number is free.
      if (classes[from] < 0) classes[from] = from
      classes[i] = classes[from]
    }
  }
  return { dump, identity, view, producer, by, only, ...readersOf(producer) }
}

/** What follows from a dump alone and is asked for more than once. */
function oncePerDump<T extends object>(make: (dump: Dump) => T): (dump: Dump) => T {
  const known = new WeakMap<Dump, T>()
  return dump => {
    const found = known.get(dump) ?? make(dump)
    known.set(dump, found)
    return found
  }
}

/** A scope that no dumped op is around. */
const nowhere = -2

const aroundOf = (construct: Dump['construct'], name: TextCode): TextCode => {
  const at = construct.length > 0 ? construct.find(name) : -1
  return at < 0 ? -1 : construct.parent[at]
}

/** Row of the nearest op around it that was dumped, by construct.json; -1: none. Not to be changed. */
export const parentOps = oncePerDump((dump: Dump): Ids<OpRow, OpRow> => {
  const { ops, construct, texts } = dump
  const rowOf: Ids<TextCode, OpRow> = new Int32Array(texts.size).fill(-1)
  for (let op = 0; op < ops.length; op++) rowOf[ops.name[op]] = op
  const parent = new Int32Array(ops.length).fill(-1)
  for (let op = 0; op < ops.length; op++) {
    const code = aroundOf(construct, ops.name[op])
    if (code >= 0 && rowOf[code] !== op) parent[op] = rowOf[code] >= 0 ? rowOf[code] : passedOver(code)
  }
  breakCycles(parent)
  return parent

  /** Lists of modules and plain scopes are no calls: what is around them is asked for. */
  function passedOver(scope: TextCode): OpRow {
    const passed: TextCode[] = []
    let at = scope
    while (at >= 0 && rowOf[at] === -1) {
      passed.push(at)
      rowOf[at] = nowhere
      at = aroundOf(construct, at)
    }
    const found = at < 0 || rowOf[at] === nowhere ? nowhere : rowOf[at]
    for (const one of passed) rowOf[one] = found
    return Math.max(found, -1)
  }
})

/** Elements per item from the shape's text; 1 for scalars, 0 for what has no shape. Not to be changed. */
export const countElements = oncePerDump((dump: Dump): Column<Float64Array, ItemRow> => {
  const elements = elementsIn(dump)
  const numel = new Float64Array(dump.items.length)
  for (let item = 0; item < numel.length; item++) numel[item] = Math.max(0, elements(item))
  return numel
})

/** First row of what lies below each op, the op itself included. */
export function startOf(parent: Ids<OpRow, OpRow>): Ids<OpRow, OpRow> {
  const start = Int32Array.from(parent, (_, op) => op)
  for (let op = 0; op < parent.length; op++) {
    for (let at = parent[op]; at >= 0 && start[at] > op; at = parent[at]) start[at] = op
  }
  return start
}

function breakCycles(parent: Ids<OpRow, OpRow>): void {
  const seen = new Int32Array(parent.length).fill(-1)
  for (let op = 0; op < parent.length; op++) {
    let at: OpRow = op
    while (at >= 0 && seen[at] < 0) {
      seen[at] = op
      const next = parent[at]
      if (next >= 0 && seen[next] === op) parent[at] = -1
      at = parent[at]
    }
  }
}

/** The latest writer of each class and whether there was just one. */
class Latest {
  readonly #dump: Dump
  readonly #parent: Ids<OpRow, OpRow>
  readonly #classes: Column<Int32Array, ItemRow>
  readonly #item: Ids<number, ItemRow>
  readonly #count: Uint8Array

  constructor(dump: Dump, parent: Ids<OpRow, OpRow>, classes: Column<Int32Array, ItemRow>) {
    this.#dump = dump
    this.#parent = parent
    this.#classes = classes
    this.#item = new Int32Array(classes.length).fill(-1)
    this.#count = new Uint8Array(classes.length)
  }

  item(of: number): ItemRow {
    return this.#item[of]
  }

  only(of: number): number {
    return this.#count[of] === 1 ? 1 : 0
  }

  put(item: ItemRow, again: boolean): void {
    const of = this.#classes[item]
    this.#item[of] = item
    if (!again && this.#count[of] < 2) this.#count[of]++
  }

  /** True when an output is no new tensor: the op got it as an input, or a child of the op has just written it. */
  passesOn(op: OpRow, item: ItemRow): boolean {
    const { items, ops } = this.#dump
    const parent = this.#parent
    const classes = this.#classes
    const before = this.#item[classes[item]]
    if (before < 0) return false
    for (let at = items.op[before], steps = 0; at >= 0 && steps < 64; at = parent[at], steps++)
      if (at === op) return true
    for (let i = ops.first[op]; i < ops.first[op + 1]; i++)
      if (items.state[i] !== State.output && classes[i] === classes[item]) return true
    return false
  }
}

/** Who reads what, from who wrote what. */
export function readersOf(producer: Ids<ItemRow, ItemRow>): {
  readonly first: Column<Uint32Array, ItemRow>
  readonly readers: Ids<number, ItemRow>
} {
  const first = new Uint32Array(producer.length + 1)
  for (const from of producer) if (from >= 0) first[from + 1]++
  for (let i = 0; i < producer.length; i++) first[i + 1] += first[i]
  const readers = new Int32Array(first[producer.length])
  const next = first.slice(0, producer.length)
  for (let i = 0; i < producer.length; i++) if (producer[i] >= 0) readers[next[producer[i]]++] = i
  return { first, readers }
}
