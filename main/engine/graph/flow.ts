// Which output of one dump is which later input: edges that no dump holds, inferred from equal md5s, equal bytes or equal statistics.
import type { Dump } from '../dump.ts'
import type { Job } from '../job.ts'
import { Kind, State, type Side } from '../model.ts'
import type { Comparison } from '../result.ts'

/** How an edge was inferred; the `view` kinds compare without the shape (a reshape keeps the elements). */
export const EdgeBy = { none: 0, md5: 1, bytes: 2, statistics: 3, viewMd5: 4, viewBytes: 5, viewStatistics: 6 } as const
export type EdgeBy = (typeof EdgeBy)[keyof typeof EdgeBy]
export const edgeNames = ['none', 'md5', 'bytes', 'statistics', 'md5 without shape', 'bytes without shape', 'statistics without shape'] as const

/** All columns have one entry per item of the dump. */
export interface Flow {
  readonly dump: Dump
  /** Class of items that are the same tensor as far as the dump can tell; -1 for what has no identity (scalars, constants, None). */
  readonly identity: Int32Array
  /** The same, without regard to shape and dtype. */
  readonly view: Int32Array
  /** The output item that wrote this input; -1: a source (model input, parameter, or made by something that was not dumped). */
  readonly producer: Int32Array
  readonly by: Uint8Array
  /** 1 when the producer was the only candidate. */
  readonly only: Uint8Array
  /** Readers of output item o are readers[first[o]] … readers[first[o + 1] - 1]; length + 1 entries. */
  readonly first: Uint32Array
  readonly readers: Int32Array
}

export interface FlowOptions {
  /** 64-bit hashes of the items' bytes as two halves each, 0 where not read (tensor mode). */
  readonly hashes?: Uint32Array
  readonly job?: Job
}

const noMd5 = '00000000'

/** What is looked at of a comparison. */
export type FlowSource = Pick<Comparison, 'debug' | 'bench' | 'debugItem' | 'benchItem' | 'measured' | 'pairOf'>

/** Edges of both sides of a comparison, with the hashes of the tensors that were read for it. */
export async function inferFlows(comparison: FlowSource, job: Job): Promise<Readonly<Record<Side, Flow>>> {
  const of = async (side: Side): Promise<Flow> => {
    const hashes = hashesOf(comparison, side)
    return inferFlow(comparison[side], { job, ...(hashes && { hashes }) })
  }
  return { debug: await of('debug'), bench: await of('bench') }
}

/** Hashes per item of one side, where tensors were read. */
function hashesOf({ measured, pairOf, debugItem, benchItem, ...table }: FlowSource, side: Side): Uint32Array | null {
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
export async function inferFlow(dump: Dump, options: FlowOptions = {}): Promise<Flow> {
  const { items, ops } = dump
  const n = items.length
  const numel = countElements(dump)
  const identity = new Int32Array(n)
  const view = new Int32Array(n)
  const how = new Uint8Array(n)
  const looser = new Uint8Array(n)
  classify(dump, numel, options.hashes, identity, view, how, looser)
  await options.job?.breathe()

  const producer = new Int32Array(n).fill(-1)
  const by = new Uint8Array(n)
  const only = new Uint8Array(n)
  const exact = new Latest(n)
  const loose = new Latest(n)
  const parent = parentOps(dump)
  const start = startOf(parent)
  const read = (op: number): void => {
    for (let i = ops.first[op]; i < ops.first[op + 1]; i++) {
      if (items.state[i] === State.output || identity[i] < 0) continue
      const same = exact.item(identity[i])
      const found = same >= 0 ? same : view[i] < 0 ? -1 : loose.item(view[i])
      if (found < 0) continue
      producer[i] = found
      by[i] = same >= 0 ? how[i] : looser[i]
      only[i] = same >= 0 ? exact.only(identity[i]) : loose.only(view[i])
    }
  }
  const write = (op: number): void => {
    for (let i = ops.first[op]; i < ops.first[op + 1]; i++) {
      if (items.state[i] !== State.output || identity[i] < 0) continue
      const again = passesOn(dump, parent, op, i, identity, exact)
      exact.put(identity[i], i, again)
      if (view[i] >= 0) loose.put(view[i], i, again || passesOn(dump, parent, op, i, view, loose))
    }
  }

  // A module reads when its first child starts although its entry stands behind its children; gradients of parameters are read last.
  const opening = new Int32Array(ops.length).fill(-1)
  const alongside = new Int32Array(ops.length).fill(-1)
  for (let op = ops.length - 1; op >= 0; op--) {
    alongside[op] = opening[start[op]]
    opening[start[op]] = op
  }
  const late: number[] = []
  for (let op = 0; op < ops.length; op++) {
    for (let at = opening[op]; at >= 0; at = alongside[at]) {
      if (ops.first[at] < ops.first[at + 1] && items.state[ops.first[at]] === State.parametersGrad) late.push(at)
      else read(at)
    }
    write(op)
    if ((op & 1023) === 0) await options.job?.breathe()
  }
  for (const op of late) read(op)
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

/** Row of the op that construct.json names as parent; -1 where it names none that was dumped. Not to be changed. */
export const parentOps = oncePerDump((dump: Dump): Int32Array => {
  const { ops, construct, texts } = dump
  const rowOf = new Int32Array(texts.size).fill(-1)
  for (let op = 0; op < ops.length; op++) rowOf[ops.name[op]] = op
  const parent = new Int32Array(ops.length).fill(-1)
  for (let op = 0; op < ops.length; op++) {
    const at = construct.length > 0 ? construct.find(ops.name[op]) : -1
    const code = at < 0 ? -1 : construct.parent[at]
    if (code >= 0 && rowOf[code] !== op) parent[op] = rowOf[code]
  }
  breakCycles(parent)
  return parent
})

/** Elements per item from the shape's text; 1 for scalars, 0 for what has no shape. Not to be changed. */
export const countElements = oncePerDump((dump: Dump): Float64Array => {
  const { items, texts } = dump
  const known = new Map<number, number>()
  const numel = new Float64Array(items.length)
  for (let i = 0; i < items.length; i++) {
    const code = items.shape[i]
    if (code < 0) continue
    let count = known.get(code)
    if (count === undefined) {
      count = 1
      for (const number of texts.get(code).match(/\d+/g) ?? []) count *= Number(number)
      known.set(code, count)
    }
    numel[i] = count
  }
  return numel
})

/** First row of what lies below each op, the op itself included. */
export function startOf(parent: Int32Array): Int32Array {
  const start = Int32Array.from(parent, (_, op) => op)
  for (let op = 0; op < parent.length; op++) {
    for (let at = parent[op]; at >= 0 && start[at] > op; at = parent[at]) start[at] = op
  }
  return start
}

function breakCycles(parent: Int32Array): void {
  const seen = new Int32Array(parent.length).fill(-1)
  for (let op = 0; op < parent.length; op++) {
    let at = op
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
  readonly #item: Int32Array
  readonly #count: Uint8Array

  constructor(classes: number) {
    this.#item = new Int32Array(classes).fill(-1)
    this.#count = new Uint8Array(classes)
  }

  item(of: number): number { return this.#item[of] }
  only(of: number): number { return this.#count[of] === 1 ? 1 : 0 }

  put(of: number, item: number, again: boolean): void {
    this.#item[of] = item
    if (!again && this.#count[of] < 2) this.#count[of]++
  }
}

/** True when an output is no new tensor: the op got it as an input, or a child of the op has just written it. */
function passesOn(dump: Dump, parent: Int32Array, op: number, item: number, classes: Int32Array, latest: Latest): boolean {
  const { items, ops } = dump
  const before = latest.item(classes[item])
  if (before < 0) return false
  for (let at = items.op[before], steps = 0; at >= 0 && steps < 64; at = parent[at], steps++) if (at === op) return true
  for (let i = ops.first[op]; i < ops.first[op + 1]; i++) if (items.state[i] !== State.output && classes[i] === classes[item]) return true
  return false
}

/** Who reads what, from who wrote what. */
export function readersOf(producer: Int32Array): { readonly first: Uint32Array; readonly readers: Int32Array } {
  const first = new Uint32Array(producer.length + 1)
  for (const from of producer) if (from >= 0) first[from + 1]++
  for (let i = 0; i < producer.length; i++) first[i + 1] += first[i]
  const readers = new Int32Array(first[producer.length])
  const next = first.slice(0, producer.length)
  for (let i = 0; i < producer.length; i++) if (producer[i] >= 0) readers[next[producer[i]]++] = i
  return { first, readers }
}

const bits = new Float64Array(1)
const halves = new Uint32Array(bits.buffer)

/** Gives equal numbers to items whose identity is equal, through a table of hashes that is checked against the real values. */
function classify(dump: Dump, numel: Float64Array, hashes: Uint32Array | undefined, identity: Int32Array, view: Int32Array, how: Uint8Array, looser: Uint8Array): void {
  const { items, texts } = dump
  const none = texts.find(noMd5)
  const n = items.length
  const columns = [items.max, items.min, items.mean, items.norm]
  const kindOf = (i: number): EdgeBy => {
    if (items.tensor[i] === 0 || numel[i] === 0) return EdgeBy.none
    if (hashes && (hashes[2 * i] !== 0 || hashes[2 * i + 1] !== 0)) return constant(i) ? EdgeBy.none : EdgeBy.bytes
    if (items.md5[i] >= 0 && items.md5[i] !== none) return constant(i) ? EdgeBy.none : EdgeBy.md5
    return !numeric(items.max.kind[i]) || !numeric(items.norm.kind[i]) || Number.isNaN(items.max.value[i]) || constant(i) ? EdgeBy.none : EdgeBy.statistics
  }
  // All elements alike tells nothing: zeros, ones, masks. A single element is told apart unless it is a small whole number.
  const constant = (i: number): boolean => {
    const max = items.max.value[i]
    if (!numeric(items.max.kind[i])) return items.max.kind[i] === Kind.bool && items.min.value[i] === max
    if (max !== items.min.value[i]) return false
    return numel[i] !== 1 || (Number.isInteger(max) && Math.abs(max) <= 64)
  }
  // Only tensors that were compared have been read, so without the shape bytes are no common ground: statistics are.
  for (let i = 0; i < n; i++) {
    how[i] = kindOf(i)
    const counted = how[i] === EdgeBy.bytes && numeric(items.max.kind[i]) && numeric(items.norm.kind[i]) && !Number.isNaN(items.max.value[i])
    looser[i] = how[i] === EdgeBy.none ? EdgeBy.none : counted ? EdgeBy.viewStatistics : how[i] + 3
  }

  const mix = (hash: number, value: number): number => Math.imul((hash ^ value) >>> 0, 0x9e3779b1) ^ (hash >>> 15)
  const hashOf = (i: number, by: number, shaped: boolean): number => {
    let hash = mix(by, shaped ? items.shape[i] : numel[i])
    if (shaped) hash = mix(hash, items.dtype[i])
    if (by === EdgeBy.md5 || by === EdgeBy.viewMd5) return mix(hash, items.md5[i])
    if ((by === EdgeBy.bytes || by === EdgeBy.viewBytes) && hashes) return mix(mix(hash, hashes[2 * i]), hashes[2 * i + 1])
    for (const column of columns) {
      bits[0] = column.value[i]
      hash = mix(mix(hash, halves[0]), halves[1])
    }
    return hash ^ (hash >>> 16)
  }
  const equal = (a: number, b: number, by: Uint8Array, shaped: boolean): boolean => {
    if (by[a] !== by[b] || (shaped ? items.shape[a] !== items.shape[b] || items.dtype[a] !== items.dtype[b] : numel[a] !== numel[b])) return false
    if (by[a] === EdgeBy.md5 || by[a] === EdgeBy.viewMd5) return items.md5[a] === items.md5[b]
    if ((by[a] === EdgeBy.bytes || by[a] === EdgeBy.viewBytes) && hashes) return hashes[2 * a] === hashes[2 * b] && hashes[2 * a + 1] === hashes[2 * b + 1]
    return columns.every(column => Object.is(column.value[a], column.value[b]))
  }
  let size = 1024
  while (size < n * 2) size *= 2
  for (const [classes, by, shaped] of [[identity, how, true], [view, looser, false]] as const) {
    const slots = new Int32Array(size).fill(-1)
    for (let i = 0; i < n; i++) {
      classes[i] = -1
      if (how[i] === EdgeBy.none) continue
      let slot = hashOf(i, by[i], shaped) & (size - 1)
      while (slots[slot] >= 0 && !equal(slots[slot], i, by, shaped)) slot = (slot + 1) & (size - 1)
      if (slots[slot] < 0) slots[slot] = i
      classes[i] = slots[slot]
    }
  }
}

const numeric = (kind: number): boolean => kind === Kind.float || kind === Kind.int
