// Choices that rounding turned: where two values are nearer to each other than the noise between the runs, each run may
// choose another, and what follows differs by all. Such a flip is no fault, as long as each side chose rightly.
import { Equal, Part } from '../measure/index.ts'
import {
  type Column,
  type DebugItem,
  type DebugOp,
  Direction,
  type Dump,
  type Flip,
  type ItemRow,
  itemShape,
  opName,
  type Side,
  State,
} from '../model/index.ts'
import { isFloatItem, type SideView } from '../pair/index.ts'
import type { ItemErrors } from './errors.ts'
import type { PartErrors } from './known.ts'

/** What the advisor knows of a pair, and the values of a tensor where they can be read. */
export interface FlipPair {
  readonly debug: SideView
  readonly bench: SideView
  readonly levels: ItemErrors
  readTensor(side: Side, item: ItemRow): Promise<Float64Array | null>
}

export interface Flips {
  readonly found: readonly Flip[]
  /** 1: differs as a choice that rounding turned leaves it, or follows from one. */
  readonly explains: Column<Uint8Array, DebugItem>
  /** Errors by part over the rows whose choices agree, of results behind a flip that are laid out by the same rows. */
  readonly kept: ReadonlyMap<DebugItem, PartErrors>
  /** 1: follows from a flip. */
  readonly reached: Column<Uint8Array, DebugItem>
}

/** Where runs are equal to the bit rounding turns nothing. */
export const noFlips = ({ items }: Pick<Dump, 'items'>): Flips => ({
  found: [],
  explains: new Uint8Array(items.length),
  kept: new Map(),
  reached: new Uint8Array(items.length),
})

/** Calls whose result is where something stands, not how large it is. */
const choices =
  /^(?:topk|topkv2|argmax|argmin|argsort|sort|msort|max|min|kthvalue|argmaxwithvalue|argminwithvalue)$/
/** Chosen values that are the same but for noise differ by no more than a few times what was chosen from. */
const spread = 4

export async function findFlips(pair: FlipPair): Promise<Flips> {
  const { debug, levels } = pair
  const { ops, items } = debug.dump
  const explains = new Uint8Array(items.length)
  const found: Flip[] = []
  const turnedRows = new TurnedRows()
  for (let op = 0; op < ops.length; op++) {
    if (debug.direction[op] !== Direction.forward || debug.leaf[op] === 0 || !isChoice(debug, op)) continue
    const turned = itemsOf(debug, op, State.output).filter(
      item => !isFloatItem(debug, item) && levels.toBench[item] >= 0 && levels.equal[item] === Equal.no,
    )
    const flip = turned.length > 0 ? await flipAt(pair, op, turned, turnedRows) : null
    if (!flip) continue
    found.push(flip)
    for (const item of turned) explains[item] = 1
  }
  if (found.length === 0) return noFlips(debug.dump)
  const reached = follow(pair, explains)
  return { found, explains, reached, kept: await keptRows(pair, reached, turnedRows) }
}

function isChoice({ names, api }: SideView, op: DebugOp): boolean {
  const text = names.text(api[op])
  return choices.test(text.slice(text.lastIndexOf('.') + 1).toLowerCase())
}

function itemsOf({ dump: { ops, items } }: SideView, op: DebugOp, state: number): readonly DebugItem[] {
  const found: DebugItem[] = []
  for (let item = ops.first[op]; item < ops.first[op + 1]; item++)
    if (items.state[item] === state && items.tensor[item] === 1) found.push(item)
  return found
}

/** Null where noise does not explain it. */
async function flipAt(
  pair: FlipPair,
  op: DebugOp,
  turned: readonly DebugItem[],
  turnedRows: TurnedRows,
): Promise<Flip | null> {
  const { debug, levels } = pair
  const node = opName(debug.dump, op)
  const read = itemsOf(debug, op, State.input).find(item => isFloatItem(debug, item))
  // The same values cannot be chosen from otherwise, but for equal ones, which only the values themselves show.
  if (read === undefined || levels.toBench[read] < 0) return null
  const [index] = turned
  const seen = await looked(pair, read, index)
  if (seen) {
    const { explained, rows, ...told } = seen
    if (explained) turnedRows.add(sizesOf(debug, read).slice(0, -1), rows)
    return explained ? { node, by: 'margin', ...told } : null
  }
  if (levels.equal[read] !== Equal.no) return null
  const chosen = itemsOf(debug, op, State.output).find(item => isFloatItem(debug, item))
  const unknown = { flipped: 0, of: 0, margin: Number.NaN, noise: levels.level[read] }
  if (chosen === undefined) return { node, by: 'unknown', ...unknown }
  return levels.level[chosen] <= spread * levels.level[read] ? { node, by: 'values', ...unknown } : null
}

interface Looked {
  readonly explained: boolean
  /** Those that chose otherwise. */
  readonly rows: readonly number[]
  readonly flipped: number
  readonly of: number
  readonly margin: number
  readonly noise: number
}

/** Place by place: how far what each side chose lies apart, and how far noise moved both. Null without values. */
async function looked(pair: FlipPair, read: DebugItem, index: DebugItem): Promise<Looked | null> {
  const { debug, bench, levels } = pair
  const sizes = sizesOf(debug, read)
  const width = sizes.at(-1) ?? 0
  const indexSizes = sizesOf(debug, index)
  const wide = indexSizes.length === sizes.length ? (indexSizes.at(-1) ?? 0) : 1
  const rows = debug.numel[read] / width
  // Only choices along the last dimension are laid out row by row.
  if (
    !(width > 0) ||
    rows * wide !== debug.numel[index] ||
    bench.numel[levels.toBench[read]] !== rows * width
  )
    return null
  const values = [await pair.readTensor('debug', read), await pair.readTensor('bench', levels.toBench[read])]
  const chosen = [
    await pair.readTensor('debug', index),
    await pair.readTensor('bench', levels.toBench[index]),
  ]
  const [mine, theirs, own, other] = [...values, ...chosen]
  if (!mine || !theirs || !own || !other || own.length !== other.length) return null
  const turnedAt: number[] = []
  let [margin, noise, explained] = [0, 0, true]
  const range = bench.range[levels.toBench[read]]
  for (let row = 0; row < rows; row++) {
    let turned = false
    for (let k = 0; k < wide; k++) {
      const [a, b] = [own[row * wide + k], other[row * wide + k]]
      if (a === b) continue
      turned = true
      const [at, beside] = [row * width + a, row * width + b]
      const apart = Math.abs(theirs[at] - theirs[beside])
      const moved = Math.abs(mine[at] - theirs[at]) + Math.abs(mine[beside] - theirs[beside])
      margin = Math.max(margin, apart / range)
      noise = Math.max(noise, moved / range)
      if (!(apart <= moved)) explained = false
    }
    if (turned) turnedAt.push(row)
  }
  return { explained, rows: turnedAt, flipped: turnedAt.length, of: rows, margin, noise }
}

const sizesOf = ({ dump }: SideView, item: ItemRow): readonly number[] =>
  (itemShape(dump, item).match(/\d+/g) ?? []).map(Number)

/** What is made of turned choices differs in places, counts and shapes: off by all, and no wonder. */
function follow({ debug, bench, levels }: FlipPair, explains: Uint8Array): Uint8Array {
  const { ops, items } = debug.dump
  const { producer } = debug.flow
  const reached = new Uint8Array(ops.length)
  const follows = new Uint8Array(items.length)
  for (let op = 0; op < ops.length; op++) {
    const forward = debug.direction[op] === Direction.forward ? -1 : debug.forward[op]
    let reads = forward >= 0 && reached[forward] === 1
    for (let item = ops.first[op]; !reads && item < ops.first[op + 1]; item++) {
      const from = items.state[item] === State.input ? producer[item] : -1
      reads = from >= 0 && (explains[from] === 1 || reached[items.op[from]] === 1)
    }
    if (!reads) continue
    reached[op] = 1
    for (let item = ops.first[op]; item < ops.first[op + 1]; item++) {
      const from = producer[item]
      if (items.state[item] === State.output || (from >= 0 && reached[items.op[from]] === 1))
        follows[item] = 1
    }
    for (let item = ops.first[op]; item < ops.first[op + 1]; item++) {
      const partner = levels.toBench[item]
      if (partner < 0 || items.tensor[item] !== 1 || items.state[item] === State.parameters) continue
      if (isFloatItem(debug, item) && debug.numel[item] === bench.numel[partner]) continue
      if (levels.equal[item] === Equal.yes) continue
      explains[item] = 1
      levels.level[item] = 1
      for (const part of Object.values(Part)) levels.parts[part][item] = 1
    }
  }
  return follows
}

/** Rows that chose otherwise, by how what was chosen from is laid out. */
class TurnedRows {
  readonly #rows = new Map<string, { readonly sizes: readonly number[]; readonly turned: Set<number> }>()

  add(sizes: readonly number[], rows: readonly number[]): void {
    const key = String(count(sizes))
    const known = this.#rows.get(key) ?? { sizes, turned: new Set() }
    for (const row of rows) known.turned.add(row)
    this.#rows.set(key, known)
  }

  /** The turned rows of a tensor that has one of these layouts, also with its rows in one dimension; null: it has none. */
  of(sizes: readonly number[]): { readonly rows: number; readonly turned: ReadonlySet<number> } | null {
    for (const { sizes: lead, turned } of this.#rows.values()) {
      const rows = count(lead)
      const same = sizes.length > lead.length && lead.every((size, k) => size === sizes[k])
      if ((same || (sizes.length > 1 && sizes[0] === rows)) && turned.size < rows && rows > 1)
        return { rows, turned }
    }
    return null
  }
}

const count = (sizes: readonly number[]): number => sizes.reduce((all, one) => all * one, 1)

/** So many numbers of each side are read for it. */
const mostRead = 1 << 26

/** What each row of a result is made of is that row alone, until rows are mixed: those that chose alike agree. */
async function keptRows(
  { debug, bench, levels, readTensor }: FlipPair,
  reached: Uint8Array,
  turnedRows: TurnedRows,
): Promise<ReadonlyMap<DebugItem, PartErrors>> {
  const { items } = debug.dump
  const kept = new Map<DebugItem, PartErrors>()
  let read = 0
  for (let item = 0; item < items.length; item++) {
    const partner = levels.toBench[item]
    if (partner < 0 || debug.direction[items.op[item]] !== Direction.forward || !isFloatItem(debug, item))
      continue
    const known = items.state[item] === State.input ? kept.get(debug.flow.producer[item]) : undefined
    if (known) kept.set(item, known)
    if (known || reached[item] === 0 || items.state[item] !== State.output) continue
    const layout = debug.numel[item] === bench.numel[partner] ? turnedRows.of(sizesOf(debug, item)) : null
    if (!layout || (read += debug.numel[item]) > mostRead) continue
    const [mine, theirs] = [await readTensor('debug', item), await readTensor('bench', partner)]
    if (mine && theirs && mine.length === theirs.length) kept.set(item, errorsOf(mine, theirs, layout))
  }
  return kept
}

/** Errors over the rows that did not turn, part by part as measure has them of whole tensors. */
function errorsOf(
  mine: Float64Array,
  theirs: Float64Array,
  { rows, turned }: { readonly rows: number; readonly turned: ReadonlySet<number> },
): PartErrors {
  const width = mine.length / rows
  const [own, other, apart] = [new Tally(), new Tally(), new Tally()]
  for (let row = 0; row < rows; row++) {
    if (turned.has(row)) continue
    for (let at = row * width; at < (row + 1) * width; at++) {
      own.add(mine[at])
      other.add(theirs[at])
      apart.add(mine[at] - theirs[at])
    }
  }
  const range = Math.max(Math.abs(other.max), Math.abs(other.min))
  const extremes = Math.max(
    Math.abs(own.max - other.max),
    Math.abs(own.min - other.min),
    Math.abs(own.mean - other.mean),
  )
  const share = (error: number, of: number): number => (error === 0 ? 0 : Math.min(1, error / of))
  return [
    share(extremes, range),
    share(Math.abs(own.norm - other.norm), other.norm),
    share(apart.norm, other.norm),
  ]
}

class Tally {
  max = Number.NEGATIVE_INFINITY
  min = Number.POSITIVE_INFINITY
  #sum = 0
  #squares = 0
  #count = 0

  add(value: number): void {
    this.max = Math.max(this.max, value)
    this.min = Math.min(this.min, value)
    this.#sum += value
    this.#squares += value * value
    this.#count++
  }

  get mean(): number {
    return this.#sum / this.#count
  }

  get norm(): number {
    return Math.sqrt(this.#squares)
  }
}
