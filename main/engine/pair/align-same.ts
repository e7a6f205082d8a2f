// Which op of one side is which of the other where both speak of the same names: by order, place and content.
import {
  type BenchOp,
  type DebugOp,
  type Ids,
  type ItemRow,
  type NameCode,
  type OpRow,
  State,
  itemShape,
} from '../model/index.ts'
import { bestChain, tableLimit } from './chain.ts'
import { editScript } from './edit-script.ts'
import { type AlignedSides, Direction, numeric, Precision, type SideView } from './side.ts'

/** Bench op of each debug op, -1: none. */
export function alignSame(sides: AlignedSides): Ids<DebugOp, BenchOp> {
  const { debug, bench, given } = sides
  const partner: Ids<DebugOp, BenchOp> = new Int32Array(debug.api.length).fill(-1)
  const runs = new Runs(sides, partner)
  runs.align(opsOf(debug, Direction.forward), opsOf(bench, Direction.forward))

  // An api's backward entry carries the call number of its forward entry, so it follows it.
  const byCall = new Map<string, BenchOp>()
  const callOf = (view: SideView, op: OpRow): string => `${view.api[op]} ${view.call[op]}`
  for (const op of opsOf(bench, Direction.backward))
    if (bench.module[op] === 0) byCall.set(callOf(bench, op), op)
  const modules: DebugOp[] = []
  const benchModules = opsOf(bench, Direction.backward).filter(op => bench.module[op] === 1)
  for (const op of opsOf(debug, Direction.backward)) {
    if (debug.module[op] === 1) {
      modules.push(op)
      continue
    }
    const forward = debug.forward[op]
    if (forward < 0) partner[op] = byCall.get(callOf(debug, op)) ?? given[op]
    else if (partner[forward] >= 0) partner[op] = byCall.get(callOf(bench, partner[forward])) ?? -1
  }
  runs.alignByPath(modules, benchModules)
  runs.alignByPath(opsOf(debug, Direction.gradients), opsOf(bench, Direction.gradients))
  return partner
}

function opsOf(view: SideView, direction: Direction): OpRow[] {
  const ops: OpRow[] = []
  for (let op = 0; op < view.api.length; op++) if (view.direction[op] === direction) ops.push(op)
  return ops
}

interface Keys {
  readonly debug: Map<DebugOp, number>
  readonly bench: Map<BenchOp, number>
}

/** Aligns runs of ops of both sides and notes the partners. */
class Runs {
  readonly #sides: AlignedSides
  readonly #partner: Ids<DebugOp, BenchOp>
  /** Where only one side says in which modules its calls stand, places tell nothing. */
  readonly #placed: boolean

  constructor(sides: AlignedSides, partner: Ids<DebugOp, BenchOp>) {
    this.#sides = sides
    this.#partner = partner
    this.#placed = isPlaced(sides.debug) === isPlaced(sides.bench)
  }

  /** Calls of one module meet in their order; where the counts differ, content decides. */
  alignByPath(mine: readonly DebugOp[], theirs: readonly BenchOp[]): void {
    const groups = new Map<NameCode, { readonly mine: DebugOp[]; readonly theirs: BenchOp[] }>()
    const groupOf = (api: NameCode): { readonly mine: DebugOp[]; readonly theirs: BenchOp[] } => {
      let group = groups.get(api)
      if (!group) groups.set(api, (group = { mine: [], theirs: [] }))
      return group
    }
    for (const op of mine) groupOf(this.#sides.debug.api[op]).mine.push(op)
    for (const op of theirs) groupOf(this.#sides.bench.api[op]).theirs.push(op)
    for (const group of groups.values()) {
      // A module call whose forward calls are known to belong together follows them.
      if (group.mine.length !== group.theirs.length) this.align(group.mine, group.theirs)
      else for (const [i, op] of group.mine.entries()) this.#partner[op] = group.theirs[i]
    }
  }

  /** Equal ends first, then the middle by content, or by name and place when it is long. */
  align(mine: readonly DebugOp[], theirs: readonly BenchOp[]): void {
    const keys = this.#keysOf(mine, theirs)
    const partner = this.#partner
    let from = 0
    let [end, benchEnd] = [mine.length, theirs.length]
    while (from < end && from < benchEnd && this.#alike(keys, mine[from], theirs[from])) {
      partner[mine[from]] = theirs[from]
      from++
    }
    while (end > from && benchEnd > from && this.#alike(keys, mine[end - 1], theirs[benchEnd - 1])) {
      end--
      benchEnd--
      partner[mine[end]] = theirs[benchEnd]
    }
    const [middle, benchMiddle] = [mine.slice(from, end), theirs.slice(from, benchEnd)]
    if (middle.length === 0 || benchMiddle.length === 0) return
    if (this.#sameCalls(keys, middle, benchMiddle))
      for (const [i, op] of middle.entries()) partner[op] = benchMiddle[i]
    // Beyond the limit name and place alone align.
    else if (middle.length * benchMiddle.length <= tableLimit) this.#byContent(keys, middle, benchMiddle)
    else this.#byScript(keys, middle, benchMiddle)
  }

  /** The same calls on the same shapes all along: only values differ, and they are what is asked about. */
  #sameCalls(keys: Keys, mine: readonly DebugOp[], theirs: readonly BenchOp[]): boolean {
    const { debug, bench } = this.#sides
    return (
      mine.length === theirs.length &&
      mine.every(
        (op, i) =>
          keys.debug.get(op) === keys.bench.get(theirs[i]) && sameShapes(debug, bench, op, theirs[i]),
      )
    )
  }

  /**
   * Api and place as one number per op. Pairs with different names that the rows give (a mapping) share the
   * key.
   */
  #keysOf(mine: readonly DebugOp[], theirs: readonly BenchOp[]): Keys {
    const { debug, bench, given } = this.#sides
    const keys: Keys = { debug: new Map(), bench: new Map() }
    const key = (view: SideView, op: OpRow): number =>
      view.api[op] * 67108864 + (this.#placed ? view.place[op] + 1 : 0)
    for (const op of mine) keys.debug.set(op, key(debug, op))
    for (const op of theirs) keys.bench.set(op, key(bench, op))
    for (const op of mine)
      if (given[op] >= 0 && debug.api[op] !== bench.api[given[op]]) keys.bench.set(given[op], key(debug, op))
    return keys
  }

  /** Same name, place, shapes and weights. */
  #alike(keys: Keys, op: DebugOp, other: BenchOp): boolean {
    const { debug, bench } = this.#sides
    return (
      keys.debug.get(op) === keys.bench.get(other) &&
      sameShapes(debug, bench, op, other) &&
      weights(debug, op) === weights(bench, other)
    )
  }

  #byContent(keys: Keys, mine: readonly DebugOp[], theirs: readonly BenchOp[]): void {
    const { debug, bench } = this.#sides
    const [own, others] = [new Float64Array(debug.api.length), new Float64Array(bench.api.length)]
    for (const op of mine) own[op] = keys.debug.get(op) ?? 0
    for (const op of theirs) others[op] = keys.bench.get(op) ?? 0
    const score = (x: DebugOp, y: BenchOp): number =>
      own[x] === others[y] ? likeness(debug, bench, x, y) : 0
    for (const [op, other] of bestChain(mine, theirs, score)) this.#partner[op] = other
  }

  #byScript(keys: Keys, mine: readonly DebugOp[], theirs: readonly BenchOp[]): void {
    const pairs = editScript(
      Float64Array.from(mine, op => keys.debug.get(op) ?? -1),
      Float64Array.from(theirs, op => keys.bench.get(op) ?? -2),
    )
    if (pairs) for (const [i, j] of pairs) this.#partner[mine[i]] = theirs[j]
    else for (const op of mine) if (this.#sides.given[op] >= 0) this.#partner[op] = this.#sides.given[op]
  }
}

const isPlaced = (view: SideView): boolean => view.place.some(place => place >= 0)

/** How much two calls of one name look like the same call; place in the model is settled before. */
function likeness(debug: SideView, bench: SideView, d: DebugOp, b: BenchOp): number {
  let score = 1
  if (debug.call[d] === bench.call[b]) score += 0.05
  if (!sameShapes(debug, bench, d, b)) return score
  score += 0.5
  const weight = weights(debug, d)
  if (weight !== 0 && weight === weights(bench, b)) score += 0.5
  return score + 0.75 * nearness(debug, bench, d, b)
}

/** 1: first outputs have equal norms; 0.5: nearly equal. */
function nearness(debug: SideView, bench: SideView, d: DebugOp, b: BenchOp): number {
  const [x, y] = [firstOutput(debug, d), firstOutput(bench, b)]
  if (x < 0 || y < 0) return 0
  const [n, m] = [debug.dump.items.norm.value[x], bench.dump.items.norm.value[y]]
  if (n === m) return 1
  return Math.abs(n - m) <= 0.02 * Math.abs(m) ? 0.5 : 0
}

function firstOutput(view: SideView, op: OpRow): ItemRow {
  const { ops, items } = view.dump
  for (let i = ops.first[op]; i < ops.first[op + 1]; i++)
    if (items.state[i] === State.output && view.counted[i] === 1) return i
  return -1
}

function sameShapes(debug: SideView, bench: SideView, d: DebugOp, b: BenchOp): boolean {
  const [x, y] = [debug.dump, bench.dump]
  const count = x.ops.first[d + 1] - x.ops.first[d]
  if (count !== y.ops.first[b + 1] - y.ops.first[b]) return false
  for (let k = 0; k < count; k++) {
    const [i, j] = [x.ops.first[d] + k, y.ops.first[b] + k]
    if (x.items.tensor[i] !== y.items.tensor[j]) return false
    if (x.items.tensor[i] === 1 && debug.numel[i] !== bench.numel[j]) return false
    if (x.items.tensor[i] === 1 && itemShape(x, i) !== itemShape(y, j)) return false
  }
  return true
}

const bits = new Float64Array(1)
const halves = new Uint32Array(bits.buffer)

/** A hash over what an op reads that nothing recorded wrote (weights, tables); 0 when there is none. */
function weights(view: SideView, op: OpRow): number {
  const { ops, items } = view.dump
  let hash = 0
  for (let i = ops.first[op]; i < ops.first[op + 1]; i++) {
    const held =
      items.state[i] === State.parameters ||
      (items.state[i] === State.input && view.flow.producer[i] < 0 && i > ops.first[op])
    if (
      !held ||
      view.counted[i] === 0 ||
      view.precision[i] <= Precision.whole ||
      view.numel[i] < 2 ||
      !numeric(items.norm.kind[i])
    )
      continue
    bits[0] = items.norm.value[i]
    hash = Math.imul(hash ^ halves[0], 0x9e3779b1) ^ halves[1]
  }
  return hash
}
