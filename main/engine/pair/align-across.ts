// Which op of one framework is which of the other: modules by the mapping, the calls inside them by what they
// compute and by their sizes.
import type { BenchOp, DebugOp, Ids, NameCode, OpRow } from '../model/index.ts'
import { alignModules } from './align-modules.ts'
import type { Completes } from './bias.ts'
import { bestChain } from './chain.ts'
import { Joined } from './joined.ts'
import { type AlignedSides, Direction, firstResult, type SideView } from './side.ts'
import { wordOf } from './synonyms.ts'

/** Bench op of each debug op, -1: none. `completes`: per side the product that an addition of a bias completes. */
export function alignAcross(sides: AlignedSides, completes: Completes): Ids<DebugOp, BenchOp> {
  const { debug, bench, given } = sides
  const joined = new Joined(debug.api.length, bench.api.length)
  for (let op = 0; op < given.length; op++)
    if (given[op] >= 0 && debug.module[op] === 1 && bench.module[given[op]] === 1) joined.join(op, given[op])
  alignModules(sides, joined)
  new Calls(sides, joined, completes).align()
  joinBackward(sides, joined)
  return joined.toBench
}

/** Backward calls follow their forward calls; what has none keeps the partner of the rows. */
function joinBackward({ debug, bench, given }: AlignedSides, joined: Joined): void {
  const backward = new Map<string, BenchOp>()
  const key = (view: SideView, op: OpRow): string => `${view.api[op]} ${view.call[op]}`
  for (let op = 0; op < bench.api.length; op++)
    if (bench.direction[op] === Direction.backward && bench.module[op] === 0) backward.set(key(bench, op), op)
  for (let op = 0; op < given.length; op++) {
    if (debug.direction[op] === Direction.forward) continue
    const forward = debug.forward[op]
    const found =
      debug.module[op] === 0 && forward >= 0 && joined.toBench[forward] >= 0
        ? backward.get(key(bench, joined.toBench[forward]))
        : undefined
    if (found !== undefined) joined.join(op, found)
    else if (given[op] >= 0 && (debug.module[op] === 1 || forward < 0)) joined.join(op, given[op])
  }
}

/** Joins forward calls inside the modules that met. */
class Calls {
  readonly #sides: AlignedSides
  readonly #joined: Joined
  /** Products inside another call, per side. */
  readonly #inner: readonly [Uint8Array, Uint8Array]
  /** The innermost module with a partner around each op, per side; -1: none. */
  readonly #around: readonly [Ids<OpRow, OpRow>, Ids<OpRow, OpRow>]
  readonly #words = new Map<NameCode, string>()

  constructor(sides: AlignedSides, joined: Joined, completes: Completes) {
    this.#sides = sides
    this.#joined = joined
    this.#inner = [markedIn(completes.debug), markedIn(completes.bench)]
    this.#around = [around(sides.debug, joined.toBench), around(sides.bench, joined.toDebug)]
  }

  align(): void {
    const { debug, bench } = this.#sides
    const [inner, benchInner] = this.#inner
    const [modules, benchModules] = this.#around
    // What stands in no pair of modules is one sequence: all calls where there is no hierarchy.
    const groups = callsByModule(debug, modules, inner)
    const benchGroups = callsByModule(bench, benchModules, benchInner)
    for (const [module, calls] of groups) {
      const theirs = benchGroups.get(module < 0 ? -1 : this.#joined.toBench[module]) ?? []
      for (const [op, other] of bestChain(calls, theirs, (x, y) => this.#score(x, y)))
        this.#joined.join(op, other)
    }
    this.#asGiven()
  }

  /** Calls that the rows pair, where modules and sizes agree. */
  #asGiven(): void {
    const { debug, bench, given } = this.#sides
    const [inner, benchInner] = this.#inner
    const [modules, benchModules] = this.#around
    for (let op = 0; op < given.length; op++) {
      const other = given[op]
      if (
        other < 0 ||
        debug.direction[op] !== Direction.forward ||
        bench.direction[other] !== Direction.forward ||
        inner[op] !== 0 ||
        benchInner[other] !== 0
      )
        continue
      const module = modules[op] < 0 ? -1 : this.#joined.toBench[modules[op]]
      if (
        module === benchModules[other] &&
        this.#direct(op, other) &&
        sizeOf(debug, op) === sizeOf(bench, other)
      )
        this.#joined.join(op, other)
    }
  }

  /** A call inside a module that the other side lacks meets one elsewhere only where both give the same. */
  #direct(op: DebugOp, other: BenchOp): boolean {
    const { debug, bench } = this.#sides
    const [modules, benchModules] = this.#around
    return (
      (modules[op] < 0 || modules[op] === debug.parent[op]) &&
      (benchModules[other] < 0 || benchModules[other] === bench.parent[other])
    )
  }

  #score(op: DebugOp, other: BenchOp): number {
    const { debug, bench, given } = this.#sides
    if (sizeOf(debug, op) !== sizeOf(bench, other)) return 0
    const [word, benchWord] = [this.#word(debug, op), this.#word(bench, other)]
    const asGiven = given[op] === other
    const inPart = composite(word, benchWord) ? 0.5 : 0
    const same = word === benchWord || asGiven ? 1 : inPart
    if (same === 0) return 0
    const [norm, benchNorm] = [normOf(debug, op), normOf(bench, other)]
    const near = Math.abs(norm - benchNorm) <= 1e-3 * Math.abs(benchNorm)
    return near || this.#direct(op, other) ? same + (asGiven ? 0.2 : 0) + (near ? 1 : 0) : 0
  }

  #word(view: SideView, op: OpRow): string {
    const known = this.#words.get(view.api[op])
    if (known !== undefined) return known
    const made = wordOf(view.names.text(view.api[op]))
    this.#words.set(view.api[op], made)
    return made
  }
}

const normOf = (view: SideView, op: OpRow): number => view.dump.items.norm.value[firstResult(view, op)]

/** The innermost module around each op that has a partner, -1: none. */
function around(view: SideView, partner: Ids<OpRow, OpRow>): Ids<OpRow, OpRow> {
  const found = new Int32Array(view.api.length)
  for (let op = 0; op < found.length; op++) {
    let at = view.parent[op]
    while (at >= 0 && partner[at] < 0) at = view.parent[at]
    found[op] = at
  }
  return found
}

/**
 * Forward calls that are neither modules nor products inside another call, by the module that they count to.
 */
function callsByModule(view: SideView, modules: Ids<OpRow, OpRow>, inner: Uint8Array): Map<OpRow, OpRow[]> {
  const groups = new Map<OpRow, OpRow[]>()
  for (let op = 0; op < view.api.length; op++) {
    if (
      view.module[op] === 1 ||
      view.direction[op] !== Direction.forward ||
      inner[op] === 1 ||
      sizeOf(view, op) === 0
    )
      continue
    const list = groups.get(modules[op])
    if (list) list.push(op)
    else groups.set(modules[op], [op])
  }
  return groups
}

function markedIn(completes: Ids<OpRow, OpRow>): Uint8Array {
  const marked = new Uint8Array(completes.length)
  for (const op of completes) if (op >= 0) marked[op] = 1
  return marked
}

/** Elements of the first float result. */
function sizeOf(view: SideView, op: OpRow): number {
  const item = firstResult(view, op)
  return item < 0 ? 0 : view.numel[item]
}

/** One framework does in one call what the other spreads over two; the result is that of the last. */
const composite = (p: string, q: string): boolean => {
  const pair = [p, q].sort().join(' ')
  return (
    pair === 'linear matmul' ||
    pair === 'conv2d linear' ||
    pair === 'conv1d linear' ||
    pair === 'conv3d linear' ||
    pair === 'add linear'
  )
}
