// Walks both sides along the line of time and notes every event where a difference enters. Which of them is
// the headline is chosen later.
import { Direction, partsOf, Precision } from '../pair/index.ts'
import {
  type BenchOp,
  type Column,
  type DebugItem,
  type DebugOp,
  type Entry,
  type FindingKind,
  type NameCode,
  type OpRow,
  type Side,
  State,
  type TimeStep,
} from '../model/index.ts'
import { Expectation, gainOf, levelsOf, most, scaled, type Parts } from './expect.ts'
import { textOf } from './evidence.ts'
import { Difference, isFloat } from './levels.ts'
import { Equal } from '../measure/index.ts'
import { Links, type Case, type Cause } from './links.ts'

const enters = <const Kind extends FindingKind, const Variant extends string>(
  kind: Kind,
  variant: Variant,
) => ({ kind, variant, facts: {} })
/** How a difference enters where its node says all. */
const entered = {
  argument: enters('argument', ''),
  weights: enters('different-weights', ''),
  origin: enters('origin', ''),
  gradient: enters('origin', 'gradient'),
  module: enters('origin', 'module'),
  nan: enters('nan', ''),
  communication: enters('communication', ''),
  passedOn: enters('communication', 'nan'),
} as const

/** Something that enters at one step. */
export type Event = Entry & {
  /** Ops it is about; -1: that side has none. */
  readonly debug: DebugOp
  readonly bench: BenchOp
  /** Place on the line of time. */
  readonly at: TimeStep
  /** Debug items it rests on. */
  readonly items: readonly DebugItem[]
  /** Others that show it. */
  readonly proof?: readonly DebugItem[]
  /** True for evidence that no noise can make. */
  readonly exact: boolean
  /** Error over what was to be expected here; Infinity for exact evidence. */
  readonly jump: number
}

/** What the results of a call come to. */
interface SeenOutputs {
  /** Those that stand out, by how much the worst of them. */
  readonly hit: DebugItem[]
  jump: number
  level: Parts
  /** NaN or Inf that did not come in. */
  nonFinite: boolean
  floor: number
  /** A result of another type, -1: none. */
  cast: DebugItem
}

export interface Scanned {
  readonly events: readonly Event[]
  /**
   * Per debug op: error level of what came in and of what went out, and what was to be expected of the output
   * (0 in bit-exact runs).
   */
  readonly in: Column<Float64Array, DebugOp>
  readonly out: Column<Float64Array, DebugOp>
  readonly expected: Column<Float64Array, DebugOp>
  /** Items that nothing could be said about, and those that differ. */
  readonly unknown: number
  readonly differing: number
}

export class Scan {
  readonly #c: Case
  readonly #links: Links
  readonly #weightTolerance: number
  readonly #castRun: boolean
  readonly #unseenKinks: boolean
  readonly #openings: ReadonlyMap<DebugOp, readonly DebugOp[]>
  readonly #events: Event[] = []
  readonly #in: Float64Array
  readonly #out: Float64Array
  readonly #expected: Float64Array
  readonly #expect: Expectation
  /** A disagreement has been seen: what nothing explains may come from it. */
  #dirty = false
  #unknown = 0
  #differing = 0
  #givenTo: Map<NameCode, number> | null = null

  constructor(c: Case, links: Links, weightTolerance: number) {
    this.#c = c
    this.#links = links
    this.#weightTolerance = weightTolerance
    const n = c.debug.api.length
    this.#in = new Float64Array(n)
    this.#out = new Float64Array(n)
    this.#expected = new Float64Array(n)
    this.#expect = new Expectation(c)
    this.#castRun = castEverywhere(c)
    this.#unseenKinks = !c.noise.exact && kinksBetween(c)
    this.#openings = c.across ? openings(c) : new Map()
  }

  async run(breathe: () => Promise<void>): Promise<Scanned> {
    const { time, debug } = this.#c
    for (let at = 0; at < time.length; at++) {
      const [d, b] = [time.debug[at], time.bench[at]]
      for (const module of this.#openings.get(d) ?? []) this.#enter(module, at)
      if (d >= 0 && b >= 0) {
        if (debug.direction[d] === Direction.gradients) this.#gradient(d, b, at)
        else this.#matched(d, b, at)
      }
      if ((at & 1023) === 0) await breathe()
    }
    return {
      events: this.#events,
      in: this.#in,
      out: this.#out,
      expected: this.#expected,
      unknown: this.#unknown,
      differing: this.#differing,
    }
  }

  /** Across frameworks the calls inside do not all meet, but what a module gets is the same on both sides. */
  #enter(module: DebugOp, at: TimeStep): void {
    const { debug, levels, aligned } = this.#c
    for (let i = debug.dump.ops.first[module]; i < debug.dump.ops.first[module + 1]; i++) {
      if (levels.toBench[i] < 0 || debug.dump.items.tensor[i] === 0 || levels.equal[i] !== Equal.no) continue
      if (debug.dump.items.state[i] === State.input) this.#differ(module, aligned.ops.toBench[module], i, at)
      else if (debug.dump.items.state[i] === State.parameters)
        this.#input(module, aligned.ops.toBench[module], i, at)
    }
  }

  #matched(d: DebugOp, b: BenchOp, at: TimeStep): void {
    const { debug, levels, noise, aligned } = this.#c
    const { items, ops } = debug.dump
    const leaf = debug.leaf[d] === 1
    let inputs: Parts = [0, 0, 0]
    let [clean, nonFinite] = [true, false]
    if (debug.direction[d] === Direction.forward) this.#expect.forget()
    const own = aligned.completes.debug[d] < 0 ? null : partsOf(debug, d, aligned.completes.debug)
    for (let k = 0, count = own ? own.length : ops.first[d + 1] - ops.first[d]; k < count; k++) {
      const i = own ? own[k] : ops.first[d] + k
      if (items.state[i] === State.output || levels.toBench[i] < 0 || this.#links.tolerated(d, i)) continue
      if (items.tensor[i] === 0) {
        if ((levels.differs[i] & (Difference.value | Difference.kind)) !== 0) this.#argument(d, b, i, at)
        continue
      }
      if ((levels.differs[i] & Difference.nonFinite) !== 0) nonFinite = true
      inputs = most(inputs, levelsOf(levels, i))
      if (levels.equal[i] === Equal.no) clean = false
      if (levels.equal[i] === Equal.unknown) this.#unknown++
      this.#input(d, b, i, at)
      if (leaf && this.#unseenKinks && debug.direction[d] === Direction.backward && this.#links.isSource(i))
        this.#expect.passUnseen(i)
    }
    const forward = debug.direction[d] === Direction.backward ? debug.forward[d] : -1
    if (forward >= 0) {
      for (const part of [0, 1, 2] as const)
        inputs[part] = Math.max(inputs[part], this.#expect.in[part][forward], this.#expect.out[part][forward])
      clean &&= !noise.exact || !this.#touched(forward)
    }
    if (!leaf) {
      const inside = this.#inside(d)
      inputs = most(inputs, inside.level)
      clean &&= inside.clean
    }
    for (const part of [0, 1, 2] as const) this.#expect.in[part][d] = inputs[part]
    this.#in[d] = Math.max(...inputs)
    this.#outputs(d, b, at, clean, nonFinite)
  }

  /** Any difference in what a forward op got, held or gave: its backward half works with all of that. */
  #touched(op: OpRow): boolean {
    const { debug, levels } = this.#c
    const { items, ops } = debug.dump
    for (let i = ops.first[op]; i < ops.first[op + 1]; i++) {
      if (levels.equal[i] === Equal.no && (items.state[i] !== State.output || this.#links.matters(i)))
        return true
    }
    return !this.#inside(op).clean
  }

  /** What the leaves below a module show. */
  #inside(module: number): { readonly level: Parts; readonly clean: boolean } {
    const { debug, levels } = this.#c
    const { items, ops } = debug.dump
    let level: Parts = [0, 0, 0]
    let clean = true
    if (debug.leaf[module] === 1) return { level, clean }
    for (let op = debug.start[module]; op < module; op++) {
      if (debug.leaf[op] === 0 || debug.direction[op] !== debug.direction[module]) continue
      level = most(level, [this.#expect.out[0][op], this.#expect.out[1][op], this.#expect.out[2][op]])
      for (let i = ops.first[op]; clean && i < ops.first[op + 1]; i++) {
        if (levels.equal[i] === Equal.no && items.state[i] === State.output && this.#links.matters(i))
          clean = false
      }
    }
    return { level, clean }
  }

  /** Whether an input differs by more than what came before can explain. */
  #stands(i: DebugItem, gain: number): boolean {
    const { levels, noise } = this.#c
    if (
      levels.equal[i] === Equal.no &&
      (noise.exact || (levels.differs[i] & (Difference.nonFinite | Difference.shape)) !== 0)
    )
      return true
    return this.#expect.over(i, levelsOf(levels, i), this.#links.isSource(i) ? null : [0, 0, 0], gain) > 1
  }

  #argument(d: DebugOp, b: BenchOp, i: DebugItem, at: TimeStep): void {
    const { across, debug } = this.#c
    if (across || debug.leaf[d] === 0 || debug.kind[d] === 'communication' || this.#links.reshaped(d)) return
    this.#add({
      ...entered.argument,
      debug: d,
      bench: b,
      at,
      items: [i],
      exact: true,
      jump: Number.POSITIVE_INFINITY,
    })
  }

  #input(d: DebugOp, b: BenchOp, i: DebugItem, at: TimeStep): void {
    const { debug, levels, across } = this.#c
    if (levels.equal[i] === Equal.no) this.#differing++
    const role = this.#links.role(i)
    if (role === 'statistic') return
    if (role === 'parameter') {
      const differs =
        levels.equal[i] === Equal.no &&
        !(this.#weightTolerance > 0 && levels.level[i] <= this.#weightTolerance)
      if (!differs) return
      this.#note(d, b, at, i, { entry: entered.weights })
      return
    }
    if (role === 'placed' && levels.equal[i] === Equal.no) {
      // What was not recorded may have made it: only more than noise makes of data speaks for another weight.
      if (this.#weightTolerance > 0 && levels.level[i] <= this.#weightTolerance) return
      if (this.#stands(i, this.#c.limits.gainSteep)) this.#note(d, b, at, i, { entry: entered.weights })
      return
    }
    if (debug.leaf[d] === 0) return
    if (across && levels.equal[i] === Equal.no && (levels.differs[i] & Difference.shape) !== 0) return
    if ((levels.differs[i] & Difference.dtype) !== 0 && !this.#castRun && this.#links.freshCast(i)) {
      // The cast itself is rarely dumped: the tensor changed before it was read, and this is why.
      this.#note(d, b, at, i, { entry: this.#cast(i) })
      return
    }
    if (levels.equal[i] !== Equal.no) return
    this.#differ(d, b, i, at)
  }

  /** An input that differs: by more than is usual, or although what wrote it agrees. */
  #differ(d: DebugOp, b: BenchOp, i: DebugItem, at: TimeStep): void {
    const { debug, levels, noise, limits } = this.#c
    const usualGain = debug.direction[d] === Direction.backward ? limits.gainBackward : limits.gainForward
    const broken = noise.exact ? null : this.#links.broken(d, i, levels.toBench[i])
    if (broken) this.#note(d, b, at, i, broken)
    else if (this.#stands(i, this.#links.isSource(i) ? limits.gainSteep : usualGain)) {
      const cause = this.#links.explain(d, i, levels.toBench[i], this.#dirty)
      if (cause && !this.#mayBeMade(i, cause)) this.#note(d, b, at, i, cause)
      else if (cause) this.#crossed(d, b, at, i, cause)
      this.#dirty = true
    }
  }

  /** Among noise, what nothing recorded wrote is no exact evidence: unseen operations may have made it. */
  #mayBeMade(i: DebugItem, { entry: { kind } }: Cause): boolean {
    const { noise, levels } = this.#c
    if (noise.exact || (levels.differs[i] & (Difference.nonFinite | Difference.shape)) !== 0) return false
    return kind === 'uncovered-entry' || (kind === 'different-input' && !this.#links.isRootInput(i))
  }

  #crossed(d: DebugOp, b: BenchOp, at: TimeStep, i: DebugItem, cause: Cause): void {
    const { levels, limits } = this.#c
    const jump = this.#expect.over(i, levelsOf(levels, i), null, limits.gainSteep)
    this.#add({
      ...cause.entry,
      debug: cause.debug ?? d,
      bench: cause.bench ?? b,
      at: cause.at ?? at,
      items: [i],
      ...(cause.proof && { proof: cause.proof }),
      exact: false,
      jump,
    })
  }

  #note(d: DebugOp, b: BenchOp, at: TimeStep, item: DebugItem, cause: Cause): void {
    this.#add({
      ...cause.entry,
      debug: cause.debug ?? d,
      bench: cause.bench ?? b,
      at: cause.at ?? at,
      items: [item],
      ...(cause.proof && { proof: cause.proof }),
      exact: true,
      jump: Number.POSITIVE_INFINITY,
    })
    this.#dirty = true
  }

  /** Works in another precision: both are named. */
  #cast(i: DebugItem): Entry<'precision'> {
    const { debug, bench, levels } = this.#c
    const facts = { debug: textOf(debug, i, 'dtype'), bench: textOf(bench, levels.toBench[i], 'dtype') }
    return { kind: 'precision', variant: '', facts }
  }

  #outputs(d: DebugOp, b: BenchOp, at: TimeStep, clean: boolean, nonFiniteIn: boolean): void {
    const { debug, noise } = this.#c
    const gain = gainOf(this.#c, d)
    const seen = this.#outputsSeen(d, b, at, gain, nonFiniteIn)
    const { hit, level, jump, nonFinite, floor, cast } = seen
    const leaf = debug.leaf[d] === 1
    if (cast >= 0 && !this.#castBefore(d)) this.#note(d, b, at, cast, { entry: this.#cast(cast) })
    for (const part of [0, 1, 2] as const) this.#expect.out[part][d] = level[part]
    this.#expected[d] = this.#expect.bound(d, gain)
    this.#out[d] = Math.max(...level)
    if (leaf && debug.kind[d] !== 'view') this.#expect.remember(level)
    if (leaf && debug.kind[d] === 'kink') this.#expect.passKink(d, floor)
    if (hit.length === 0 || debug.kind[d] === 'empty') return
    const exact = noise.exact || nonFinite
    const sole = noise.exact ? clean : leaf || !this.#dirty
    if (sole || (nonFinite && !this.#dirty))
      this.#add({ ...this.#enteredAt(d, nonFinite), debug: d, bench: b, at, items: hit, exact, jump })
    this.#dirty = true
  }

  /** How a difference enters at a call whose inputs agree. */
  #enteredAt(d: DebugOp, nonFinite: boolean): Entry {
    const { kind, leaf } = this.#c.debug
    if (kind[d] === 'communication') return nonFinite ? entered.passedOn : entered.communication
    if (nonFinite) return entered.nan
    return leaf[d] === 1 ? entered.origin : entered.module
  }

  /** What the results of a call differ in, each against what may be expected of it. */
  #outputsSeen(d: DebugOp, b: BenchOp, at: TimeStep, gain: number, nonFiniteIn: boolean): SeenOutputs {
    const { debug, levels, noise, across, aligned } = this.#c
    const { items, ops } = debug.dump
    const leaf = debug.leaf[d] === 1
    const base: Parts = [this.#expect.in[0][d], this.#expect.in[1][d], this.#expect.in[2][d]]
    const seen: SeenOutputs = { hit: [], level: [0, 0, 0], jump: 0, nonFinite: false, floor: 0, cast: -1 }
    const parts = aligned.completes.debug[d] < 0 ? null : partsOf(debug, d, aligned.completes.debug)
    for (let k = 0, count = parts?.length ?? ops.first[d + 1] - ops.first[d]; k < count; k++) {
      const i = parts ? parts[k] : ops.first[d] + k
      if (items.state[i] !== State.output || levels.toBench[i] < 0) continue
      if (this.#oneSided(i)) this.#add(missing(d, b, at, i, items.tensor[i] === 1 ? 'bench' : 'debug'))
      if (items.tensor[i] === 0) continue
      if (leaf && (levels.differs[i] & Difference.dtype) !== 0 && !this.#castRun) seen.cast = i
      if (isFloat(debug, i)) seen.floor = Math.max(seen.floor, this.#expect.floor(i))
      if (levels.equal[i] === Equal.unknown) this.#unknown++
      if (levels.equal[i] !== Equal.no || !this.#links.matters(i)) continue
      if (across && (levels.differs[i] & Difference.shape) !== 0) continue
      this.#differing++
      const broken = (levels.differs[i] & Difference.nonFinite) !== 0
      const own = broken ? levelsOf(levels, i) : scaled(this.#c, d, i)
      seen.level = most(seen.level, own)
      if (broken && !nonFiniteIn) seen.nonFinite = true
      const over =
        noise.exact || broken || Number.isNaN(levels.level[i])
          ? Number.POSITIVE_INFINITY
          : this.#expect.over(i, own, base, gain)
      if (over > 1) seen.hit.push(i)
      seen.jump = Math.max(seen.jump, over)
    }
    return seen
  }

  #castBefore(d: DebugOp): boolean {
    const { debug, levels } = this.#c
    for (let i = debug.dump.ops.first[d]; i < debug.dump.ops.first[d + 1]; i++)
      if (debug.dump.items.state[i] !== State.output && (levels.differs[i] & Difference.dtype) !== 0)
        return true
    return debug.direction[d] === Direction.backward || (this.#c.across && this.#dirty)
  }

  /** A tensor on one side and None on the other: a gradient that flows on one side only. */
  #oneSided(i: DebugItem): boolean {
    const { debug, bench, levels, across } = this.#c
    const [x, y, j] = [debug.dump.items, bench.dump.items, levels.toBench[i]]
    return (
      !across && debug.leaf[x.op[i]] === 1 && x.tensor[i] !== y.tensor[j] && (x.type[i] < 0 || y.type[j] < 0)
    )
  }

  /** Gradients of parameters are results: they count only where the backward pass above them agrees. */
  #gradient(d: DebugOp, b: BenchOp, at: TimeStep): void {
    const { debug, levels, noise, limits } = this.#c
    const { items, ops } = debug.dump
    for (let i = ops.first[d]; i < ops.first[d + 1]; i++) {
      if (levels.toBench[i] < 0 || items.tensor[i] === 0 || levels.equal[i] !== Equal.no) continue
      this.#differing++
      if (noise.exact ? this.#dirty : !this.#strange(d, i, 2 * limits.gainSteep)) continue
      this.#add({
        ...entered.gradient,
        debug: d,
        bench: b,
        at,
        items: [i],
        exact: noise.exact,
        jump: noise.exact ? Number.POSITIVE_INFINITY : 2,
      })
    }
  }

  #strange(d: DebugOp, i: DebugItem, gain: number): boolean {
    const { debug, bench, levels } = this.#c
    const forward = debug.forward[d]
    const usual = forward < 0 ? 0 : Math.max(this.#in[forward], this.#out[forward])
    // A bias before a norm or a softmax has a gradient of zero but for rounding: held against the largest
    // gradient of its module, and, as it is a sum of those, against what its module was given.
    const { ops, items } = debug.dump
    let largest = 0
    for (let k = ops.first[d]; k < ops.first[d + 1]; k++)
      if (levels.toBench[k] >= 0 && items.tensor[k] === 1)
        largest = Math.max(largest, bench.range[levels.toBench[k]])
    const range = bench.range[levels.toBench[i]]
    const least = Math.max(0.01 * largest, this.#isSum(d, i) ? this.#given(d) : 0)
    const shrink = range < least ? range / least : 1
    const [a, b, c] = levelsOf(levels, i)
    return this.#expect.over(i, [a * shrink, b * shrink, c * shrink], [usual, usual, usual], gain) > 1
  }

  /** A gradient of a vector, as biases are: the sum of the gradients that its module was given. */
  #isSum(d: DebugOp, i: DebugItem): boolean {
    const { debug } = this.#c
    let largest = 0
    for (let k = debug.dump.ops.first[d]; k < debug.dump.ops.first[d + 1]; k++)
      largest = Math.max(largest, debug.numel[k])
    return debug.numel[i] < largest
  }

  /** Largest gradient that came into the module of a gradient entry, over all its calls. */
  #given(d: DebugOp): number {
    const { debug, bench, levels } = this.#c
    const { ops, items } = debug.dump
    this.#givenTo ??= new Map()
    const forward = debug.forward[d]
    if (forward < 0) return 0
    if (this.#givenTo.size === 0)
      for (let op = 0; op < debug.api.length; op++) {
        const of = debug.direction[op] === Direction.backward ? debug.forward[op] : -1
        if (of < 0 || debug.module[op] === 0) continue
        for (let k = ops.first[op]; k < ops.first[op + 1]; k++)
          if (items.state[k] === State.input && levels.toBench[k] >= 0 && isFloat(debug, k))
            this.#givenTo.set(
              debug.api[of],
              Math.max(this.#givenTo.get(debug.api[of]) ?? 0, bench.range[levels.toBench[k]]),
            )
      }
    return this.#givenTo.get(debug.api[forward]) ?? 0
  }

  #add(event: Event): void {
    // Of a product and the addition of its bias the product is the one to name, unless it is the bias itself.
    const { aligned, debug } = this.#c
    const half = event.debug < 0 ? -1 : aligned.completes.debug[event.debug]
    const bias =
      event.items.length > 0 &&
      event.items.every(
        item => debug.dump.items.op[item] === event.debug && debug.dump.items.state[item] === State.input,
      )
    this.#events.push(half < 0 || bias ? event : { ...event, debug: half })
  }
}

/** True when the dtypes differ from the start: that says how a side was run and not what went wrong. */
function castEverywhere(c: Case): boolean {
  const { debug, levels } = c
  // A compiler chooses the precision, where it likes.
  if (debug.dump.header.framework === 'cann') return true
  let [all, differing] = [0, 0]
  for (let i = 0; i < levels.toBench.length && all < 8; i++) {
    if (
      levels.toBench[i] < 0 ||
      debug.precision[i] <= Precision.whole ||
      debug.direction[debug.dump.items.op[i]] === Direction.gradients
    )
      continue
    all++
    if ((levels.differs[i] & Difference.dtype) !== 0) differing++
  }
  return differing > all / 2
}

/** A result that one side alone has. */
const missing = (d: DebugOp, b: BenchOp, at: TimeStep, item: DebugItem, side: Side): Event => ({
  kind: 'origin',
  variant: 'missing',
  debug: d,
  bench: b,
  at,
  items: [item],
  exact: true,
  jump: Number.POSITIVE_INFINITY,
  facts: { missing: side },
})

/** Matched forward modules without modules below them, by the debug op that runs first in them. */
function openings(c: Case): Map<DebugOp, DebugOp[]> {
  const { debug, aligned } = c
  const outer = new Uint8Array(debug.api.length)
  for (let op = 0; op < debug.api.length; op++)
    if (debug.module[op] === 1 && debug.parent[op] >= 0) outer[debug.parent[op]] = 1
  const found = new Map<DebugOp, DebugOp[]>()
  for (let op = 0; op < debug.api.length; op++) {
    if (
      debug.module[op] === 0 ||
      (outer[op] === 1 && debug.parent[op] >= 0) ||
      debug.leaf[op] === 1 ||
      aligned.ops.toBench[op] < 0 ||
      debug.direction[op] !== Direction.forward
    )
      continue
    const list = found.get(debug.start[op])
    if (list) list.push(op)
    else found.set(debug.start[op], [op])
  }
  return found
}

/** Modules alone, and what they get from nothing recorded begins at zero: there is a relu between them. */
function kinksBetween(c: Case): boolean {
  const { debug } = c
  const { ops, items } = debug.dump
  for (let op = 0; op < debug.api.length; op++) {
    if (debug.module[op] === 0) return false
    if (debug.direction[op] !== Direction.forward) continue
    const i = ops.first[op]
    if (
      i < ops.first[op + 1] &&
      isFloat(debug, i) &&
      debug.counted[i] === 1 &&
      debug.numel[i] > 8 &&
      items.min.value[i] === 0 &&
      items.max.value[i] > 0 &&
      debug.flow.producer[i] < 0
    )
      return true
  }
  return false
}
