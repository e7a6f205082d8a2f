// Walks both sides along the line of time and notes every event where a difference enters. Which of them is
// the headline is chosen later.
import { Direction, partsOf, Precision, type SideView } from '../pair/index.ts'
import {
  type BenchItem,
  type BenchOp,
  type Column,
  type DebugItem,
  type DebugOp,
  type Entry,
  type OpRow,
  type RuleName,
  State,
  type TimeStep,
} from '../model/index.ts'
import { callOf, Expectation, gainOf, sums, levelsOf, most, scaled, type Parts, plainJump } from './expect.ts'
import { Difference, isFloat } from './levels.ts'
import { Equal } from '../measure/index.ts'
import type { Case, Links, Meeting, Role } from './links.ts'
import { RuleBook, rules } from './rules/index.ts'
import type { InputSeen, Moment, Moments, OutputsSeen } from './rules/rule.ts'

/** Something that enters at one step. */
export type Event = Entry & {
  readonly rule: RuleName
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
  /** The same over the rows that chose alike, behind choices that rounding turned. */
  usual: Parts
  /** NaN or Inf that did not come in. */
  nonFinite: boolean
  floor: number
  /** A result of another type, -1: none. */
  cast: DebugItem
  readonly oneSided: DebugItem[]
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
  readonly book: RuleBook
  /** What is worth telling where no event is. */
  readonly whenQuiet: () => readonly Event[]
}

export class Scan {
  readonly #c: Case
  readonly #links: Links
  readonly #castRun: boolean
  readonly #trained: boolean
  readonly #unseenKinks: boolean
  readonly #lastBackward: TimeStep
  readonly #openings: ReadonlyMap<DebugOp, readonly DebugOp[]>
  readonly #events: Event[] = []
  readonly #in: Float64Array
  readonly #out: Float64Array
  readonly #expected: Float64Array
  readonly #expect: Expectation
  readonly #book: RuleBook
  readonly #read: Reading
  /** A disagreement has been seen: what nothing explains may come from it. */
  #dirty = false
  #unknown = 0
  #differing = 0

  constructor(c: Case, links: Links, weightTolerance: number) {
    this.#c = c
    this.#links = links
    const n = c.debug.api.length
    this.#in = new Float64Array(n)
    this.#out = new Float64Array(n)
    this.#expected = new Float64Array(n)
    this.#expect = new Expectation(c)
    this.#read = { c, links, expect: this.#expect }
    this.#trained = weightTolerance === Number.POSITIVE_INFINITY
    this.#castRun = castEverywhere(c)
    this.#book = new RuleBook(rules, {
      ...c,
      links,
      expect: this.#expect,
      weightTolerance,
      castRun: this.#castRun,
    })
    this.#unseenKinks = !c.noise.exact && kinksBetween(c)
    this.#lastBackward = lastBackward(c)
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
      book: this.#book,
      whenQuiet: () => this.#whenQuiet(),
    }
  }

  #whenQuiet(): readonly Event[] {
    const before = this.#events.length
    this.#ask('quiet', { debug: -1, bench: -1, at: 0, dirty: false }, nothing)
    return this.#events.slice(before)
  }

  /** Across frameworks the calls inside do not all meet, but what a module gets is the same on both sides. */
  #enter(module: DebugOp, at: TimeStep): void {
    const { debug, levels, aligned } = this.#c
    const bench = aligned.ops.toBench[module]
    for (let i = debug.dump.ops.first[module]; i < debug.dump.ops.first[module + 1]; i++) {
      if (levels.toBench[i] < 0 || debug.dump.items.tensor[i] === 0 || levels.equal[i] !== Equal.no) continue
      if (debug.dump.items.state[i] === State.input) this.#input(module, bench, i, at, true)
      else if (debug.dump.items.state[i] === State.parameters) this.#input(module, bench, i, at)
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
        const differs = (levels.differs[i] & (Difference.value | Difference.kind)) !== 0
        this.#ask('argument', { debug: d, bench: b, at, dirty: this.#dirty, item: i, differs }, nothing)
        continue
      }
      if ((levels.differs[i] & Difference.nonFinite) !== 0) nonFinite = true
      inputs = most(inputs, this.#isUpdated(i) ? alike(levels.level[i]) : levelsOf(levels, i))
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

  /** What healthy runs have other bits of is no parameter, whatever it looks like. */
  #roleOf(i: DebugItem): Role {
    const role = this.#links.role(i)
    return role === 'parameter' && this.#noisy(i) ? 'data' : role
  }

  /** A weight that earlier steps have trained: any of its elements may be off, its extremes as well as others. */
  #isUpdated(i: DebugItem): boolean {
    if (this.#trained && this.#c.levels.equal[i] === Equal.no) {
      const role = this.#links.role(i)
      return role === 'parameter' || role === 'placed'
    }
    return false
  }

  /** Healthy runs have other bits there, too. */
  #noisy(i: DebugItem): boolean {
    return this.#c.known?.twin(i) === 'unequal'
  }

  /** A call behind the last gradient: of an optimizer, or of the next pass. */
  #settled(d: DebugOp, at: TimeStep): boolean {
    return (
      this.#lastBackward >= 0 && at > this.#lastBackward && this.#c.debug.direction[d] === Direction.forward
    )
  }

  /** All that a call gives is equal to the bit: what it read did not matter, or was overwritten. */
  #unmoved(d: DebugOp): boolean {
    const { debug, levels } = this.#c
    const { items, ops, header } = debug.dump
    // Of whole numbers statistics say little: rows of one hot have the same, whichever is hot. A destination is overwritten all the same.
    const bits = header.hasMd5 || header.task === 'tensor'
    // What was put together keeps its statistics, whichever part comes first.
    if (!bits && joins.test(callOf(this.#c, d))) return false
    const telling = bits || debug.kind[d] === 'inPlace'
    const least = telling ? Precision.whole : Precision.whole + 1
    let results = 0
    for (let i = ops.first[d]; i < ops.first[d + 1]; i++) {
      if (items.state[i] !== State.output || debug.precision[i] < least) continue
      if (levels.equal[i] !== Equal.yes || debug.numel[i] < 2) return false
      results++
    }
    return results > 0
  }

  /** Where what lies below a module begins. */
  #opened(d: DebugOp): TimeStep {
    return this.#c.time.ofDebug[this.#c.debug.start[d]]
  }

  /** `entering`: what a module gets, whose calls do not all meet. */
  #input(d: DebugOp, b: BenchOp, i: DebugItem, at: TimeStep, entering = false): void {
    const { debug, levels, across } = this.#c
    const differs = levels.equal[i] === Equal.no
    // After the last gradient weights were updated and gradients are results.
    const updated = !this.#c.noise.exact && this.#settled(d, at)
    const role = entering || updated ? 'data' : this.#roleOf(i)
    if (role === 'statistic' || this.#c.flips.explains[i] === 1) return
    if (differs && this.#links.isUnfilled(i)) return
    if (levels.equal[i] === Equal.unknown && (levels.differs[i] & Difference.dtype) === 0) return
    const { items } = debug.dump
    // What a container of modules is given and no module inside it reads.
    const unread =
      debug.leaf[d] === 0 &&
      debug.module[d] === 1 &&
      items.state[i] === State.input &&
      this.#links.isRootInput(i) &&
      !this.#links.isReadInside(i) &&
      (this.#c.noise.exact || debug.precision[i] === Precision.whole)
    if (differs && role === 'data' && debug.leaf[d] === 1 && this.#unmoved(d)) return
    if (differs && !entering) this.#differing++
    const isData =
      entering ||
      unread ||
      ((role === 'data' || (role === 'placed' && !differs)) &&
        debug.leaf[d] === 1 &&
        !(across && differs && (levels.differs[i] & Difference.shape) !== 0))
    const seen = new SeenInput(this.#read, {
      debug: d,
      bench: b,
      at: unread ? this.#opened(d) : at,
      dirty: this.#dirty,
      item: i,
      role,
      isData,
      differs,
      entering,
      settled: updated,
    })
    if (this.#ask('input', seen, [i]) || (isData && differs && seen.stands && seen.jump >= plainJump))
      this.#dirty = true
  }

  #outputs(d: DebugOp, b: BenchOp, at: TimeStep, clean: boolean, nonFiniteIn: boolean): void {
    const { debug, noise } = this.#c
    const settled = !noise.exact && this.#settled(d, at)
    const gain = settled ? Math.max(2 * this.#c.limits.gainSteep, gainOf(this.#c, d)) : gainOf(this.#c, d)
    const seen = this.#outputsSeen(d, gain, nonFiniteIn)
    const { hit, level, usual, jump, nonFinite, floor, cast, oneSided } = seen
    const leaf = debug.leaf[d] === 1
    for (const part of [0, 1, 2] as const) this.#expect.out[part][d] = level[part]
    this.#expected[d] = this.#expect.bound(d, gain)
    this.#out[d] = Math.max(...level)
    if (leaf && debug.kind[d] !== 'view') this.#expect.remember(usual)
    if (leaf && debug.kind[d] === 'kink') this.#expect.passKink(d, floor)
    if (leaf && debug.kind[d] === 'norm' && !noise.exact) this.#expect.passNorm(d)
    const found = debug.kind[d] === 'empty' ? [] : hit
    const sole = noise.exact ? clean : leaf || !this.#dirty
    const moment: OutputsSeen = {
      debug: d,
      bench: b,
      at,
      dirty: this.#dirty,
      hit: found,
      jump,
      enters: found.length > 0 && (sole || (nonFinite && !this.#dirty)),
      exact: noise.exact || nonFinite,
      nonFinite,
      settled,
      cast,
      oneSided,
    }
    if (this.#ask('outputs', moment, found) || (found.length > 0 && jump >= plainJump)) this.#dirty = true
  }

  /** What the results of a call differ in, each against what may be expected of it. */
  #outputsSeen(d: DebugOp, gain: number, nonFiniteIn: boolean): SeenOutputs {
    const { debug, levels, noise, flips, across, aligned } = this.#c
    const { items, ops } = debug.dump
    const leaf = debug.leaf[d] === 1
    const base: Parts = [this.#expect.in[0][d], this.#expect.in[1][d], this.#expect.in[2][d]]
    const seen: SeenOutputs = {
      hit: [],
      level: [0, 0, 0],
      usual: [0, 0, 0],
      jump: 0,
      nonFinite: false,
      floor: 0,
      cast: -1,
      oneSided: [],
    }
    const parts = aligned.completes.debug[d] < 0 ? null : partsOf(debug, d, aligned.completes.debug)
    for (let k = 0, count = parts?.length ?? ops.first[d + 1] - ops.first[d]; k < count; k++) {
      const i = parts ? parts[k] : ops.first[d] + k
      if (items.state[i] !== State.output || levels.toBench[i] < 0) continue
      if (this.#oneSided(i)) seen.oneSided.push(i)
      if (items.tensor[i] === 0) continue
      if (leaf && (levels.differs[i] & Difference.dtype) !== 0 && !this.#castRun) seen.cast = i
      if (isFloat(debug, i)) seen.floor = Math.max(seen.floor, this.#expect.floor(i))
      if (levels.equal[i] === Equal.unknown) this.#unknown++
      if (levels.equal[i] !== Equal.no || !this.#links.matters(i) || this.#links.isUnfilled(i)) continue
      if (across && (levels.differs[i] & Difference.shape) !== 0) continue
      this.#differing++
      const broken = (levels.differs[i] & Difference.nonFinite) !== 0
      const told = levelsOf(levels, i)
      const own = broken ? told : scaled(this.#c, d, i)
      seen.level = most(seen.level, own)
      // What is not finite goes on being so: that is no finding of its own.
      if (broken && nonFiniteIn && !noise.exact && !across) continue
      if (broken && !nonFiniteIn) seen.nonFinite = true
      const kept = flips.kept.get(i)
      seen.usual = most(seen.usual, kept ? [...kept] : own)
      const keptBase = kept ? this.#keptBase(d) : null
      const judge = (): number =>
        kept && keptBase
          ? this.#expect.over(i, [...kept], keptBase, gain)
          : this.#expect.over(i, own, base, gain, told)
      const over = noise.exact || broken || Number.isNaN(levels.level[i]) ? Number.POSITIVE_INFINITY : judge()
      if (over > 1 && flips.explains[i] === 0) seen.hit.push(i)
      seen.jump = Math.max(seen.jump, over)
    }
    return seen
  }

  /**
   * Behind choices that rounding turned: errors of what a call reads over the rows that chose alike; null where
   * something that it reads is not laid out by them.
   */
  #keptBase(d: DebugOp): Parts | null {
    const { debug, levels, flips } = this.#c
    const { items, ops } = debug.dump
    let base: Parts = [0, 0, 0]
    for (let i = ops.first[d]; i < ops.first[d + 1]; i++) {
      if (items.state[i] === State.output || levels.toBench[i] < 0 || !isFloat(debug, i)) continue
      const kept = flips.kept.get(i)
      if (!kept && flips.reached[i] === 1) return null
      base = most(base, kept ? [...kept] : levelsOf(levels, i))
    }
    return base
  }

  /** A tensor on one side and None on the other: a gradient that flows on one side only. */
  #oneSided(i: DebugItem): boolean {
    const { debug, bench, levels, across } = this.#c
    const [x, y, j] = [debug.dump.items, bench.dump.items, levels.toBench[i]]
    return (
      !across && debug.leaf[x.op[i]] === 1 && x.tensor[i] !== y.tensor[j] && (x.type[i] < 0 || y.type[j] < 0)
    )
  }

  #gradient(d: DebugOp, b: BenchOp, at: TimeStep): void {
    const { debug, levels } = this.#c
    const { items, ops } = debug.dump
    for (let i = ops.first[d]; i < ops.first[d + 1]; i++) {
      if (levels.toBench[i] < 0 || items.tensor[i] === 0 || levels.equal[i] === Equal.unknown) continue
      const differs = levels.equal[i] === Equal.no
      if (differs) this.#differing++
      this.#ask('gradient', { debug: d, bench: b, at, dirty: this.#dirty, item: i, differs }, nothing)
    }
  }

  /** Notes what the rules say of a moment; true where what comes later follows from it. */
  #ask<At extends Moment>(moment: At, seen: Moments[At], items: readonly DebugItem[]): boolean {
    let spreads = false
    for (const { rule, entered } of this.#book.ask(moment, seen, moment === 'input')) {
      const { entry, jump = Number.POSITIVE_INFINITY, proof } = entered
      this.#add({
        ...entry,
        rule,
        debug: entered.debug ?? seen.debug,
        bench: entered.bench ?? seen.bench,
        at: entered.at ?? seen.at,
        items: entered.items ?? items,
        ...(proof && { proof }),
        exact: entered.jump === undefined,
        jump,
      })
      spreads ||= entered.spreads !== false && jump >= plainJump
    }
    return spreads
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
    const node = half < 0 || bias ? event.debug : half
    this.#events.push(node === event.debug ? this.#opening(event) : { ...event, debug: node })
  }

  /** The hook of a module is no call of the network: the module that it opens is named. */
  #opening(event: Event): Event {
    const { debug, aligned } = this.#c
    const module = event.debug < 0 ? -1 : openedBy(debug, event.debug)
    const bench = module < 0 ? -1 : aligned.ops.toBench[module]
    return bench < 0 ? event : { ...event, debug: module, bench }
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

/** What an input is judged by. */
interface Reading {
  readonly c: Case
  readonly links: Links
  readonly expect: Expectation
}

type Known = Omit<InputSeen, 'partner' | 'stands' | 'broken' | 'meeting'> & { readonly settled: boolean }

/** An input as the rules see it; what takes time is found out when a rule asks, and once. */
class SeenInput implements InputSeen {
  readonly debug: DebugOp
  readonly bench: BenchOp
  readonly at: TimeStep
  readonly dirty: boolean
  readonly item: DebugItem
  readonly role: Role
  readonly isData: boolean
  readonly differs: boolean
  readonly entering: boolean
  readonly #settled: boolean
  readonly #by: Reading
  #jump: number | null = null
  #broken: boolean | null = null
  #meeting: Meeting | null = null

  constructor(by: Reading, known: Known) {
    this.#by = by
    this.debug = known.debug
    this.bench = known.bench
    this.at = known.at
    this.dirty = known.dirty
    this.item = known.item
    this.role = known.role
    this.isData = known.isData
    this.differs = known.differs
    this.entering = known.entering
    this.#settled = known.settled
  }

  get partner(): BenchItem {
    return this.#by.c.levels.toBench[this.item]
  }

  get meeting(): Meeting {
    return (this.#meeting ??= this.#by.links.meeting(this.item))
  }

  get broken(): boolean {
    const { c, links } = this.#by
    const noisy = c.known?.twin(this.item) === 'unequal'
    return (this.#broken ??=
      !c.noise.exact && !(noisy && !this.stands) && links.broken(this.item, this.meeting))
  }

  get stands(): boolean {
    return this.jump > 1
  }

  /** By how much it is above what came before explains. */
  get jump(): number {
    return (this.#jump ??= this.differs ? this.#over() : 0)
  }

  #over(): number {
    const { item, debug, role } = this
    const { c, links, expect } = this.#by
    if (c.noise.exact || (c.levels.differs[item] & (Difference.nonFinite | Difference.shape)) !== 0)
      return Number.POSITIVE_INFINITY
    if (links.isUnrounded(item))
      return c.levels.level[item] <= c.limits.gainBackward * c.limits.floor32 ? 0 : Number.POSITIVE_INFINITY
    const source = links.isSource(item)
    const gain = this.#gain(c.debug.direction[debug] === Direction.backward, source || role !== 'data')
    const share = source ? shareOfSum(c, debug, item) : 1
    if (share < 1) {
      const [a, b, d] = levelsOf(c.levels, item)
      return expect.over(item, [a * share, b * share, d * share], null, gain)
    }
    return expect.over(item, expect.enters(item, source), source ? null : [0, 0, 0], gain)
  }

  #gain(backward: boolean, steep: boolean): number {
    const { c, links } = this.#by
    const { gainSteep, gainBackward, gainForward } = c.limits
    if (this.#settled) return 2 * gainSteep
    // Nobody computes what the model is given: it may have been rounded.
    if (links.isGiven(this.item)) return c.debug.precision[this.item] === Precision.whole ? 0 : 2
    // Later passes get data as well, which seldom is of their own making.
    if (links.isRootInput(this.item)) return gainBackward
    if (steep)
      return gainSteep * (links.isSource(this.item) && behindLoss(c.debug, this.debug) ? lossUnseen : 1)
    return backward ? gainBackward : gainForward
  }
}

const nothing: readonly DebugItem[] = []

const alike = (level: number): Parts => [level, level, level]

const joins = /^(?:cat|concat|concatenate|[hvd]?stack)$/

/** What a single number that nothing recorded made is of the largest that it is added to: it may be all that is left of a mean. */
function shareOfSum(c: Case, op: DebugOp, item: DebugItem): number {
  const { debug, bench, levels } = c
  if (debug.numel[item] !== 1 || !sums.test(callOf(c, op))) return 1
  const { ops, items } = debug.dump
  let largest = bench.range[levels.toBench[item]]
  for (let i = ops.first[op]; i < ops.first[op + 1]; i++)
    if (items.state[i] === State.input && levels.toBench[i] >= 0 && isFloat(debug, i))
      largest = Math.max(largest, bench.range[levels.toBench[i]])
  return largest > 0 ? bench.range[levels.toBench[item]] / largest : 1
}

/** What goes on inside a loss whose gradient is not recorded, such as sums over paths, amplifies by more than one call. */
const lossUnseen = 4

/** The call before it on the way back is a loss: its gradient is what is read here, or what is made of it. */
function behindLoss(debug: SideView, op: DebugOp): boolean {
  if (debug.direction[op] !== Direction.backward) return false
  for (let before = op - 1; before >= 0 && debug.direction[before] === Direction.backward; before--)
    if (debug.leaf[before] === 1) return debug.kind[before] === 'loss'
  return false
}

/** The innermost module that begins with a call as hooks make it, -1: the call is another, or begins none. */
function openedBy(debug: SideView, op: DebugOp): DebugOp {
  const api = debug.names.text(debug.api[op])
  if (!api.endsWith('.view_as') || debug.direction[op] !== Direction.forward) return -1
  let found: DebugOp = -1
  for (let module = debug.parent[op]; module >= 0; module = debug.parent[module])
    if (debug.start[module] === op && found < 0) found = module
  return found
}

/** The place of the last gradient, -1: there is none. */
function lastBackward({ debug, time }: Case): TimeStep {
  for (let op = debug.api.length - 1; op >= 0; op--)
    if (debug.direction[op] === Direction.backward) return time.ofDebug[op]
  return -1
}

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
