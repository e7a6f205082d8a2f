// Walks both sides along the line of time and notes every event where a difference enters. Which of them is the headline is chosen later.
import type { FindingKind } from '../../../preload/contract/engine.ts'
import { State } from '../model.ts'
import { Difference, Equal, isFloat } from './levels.ts'
import { Links, type Case, type Cause } from './links.ts'
import { floorOf } from './noise.ts'
import { Direction, Precision } from './side.ts'

type Facts = Readonly<Record<string, string | number>>

/** Something that enters at one step. */
export interface Event {
  readonly kind: FindingKind
  /** Ops it is about; -1: that side has none. */
  readonly debug: number
  readonly bench: number
  /** Place on the line of time. */
  readonly at: number
  /** Debug items it rests on. */
  readonly items: readonly number[]
  /** True for evidence that no noise can make. */
  readonly exact: boolean
  /** Error over what was to be expected here; Infinity for exact evidence. */
  readonly jump: number
  readonly facts: Facts
}

export interface Scanned {
  readonly events: readonly Event[]
  /** Per debug op: error level of what came in and of what went out, and what was to be expected of the output (0 in bit-exact runs). */
  readonly in: Float64Array
  readonly out: Float64Array
  readonly expected: Float64Array
  /** Items that nothing could be said about, and those that differ. */
  readonly unknown: number
  readonly differing: number
}

export class Scan {
  readonly #c: Case
  readonly #links: Links
  readonly #weightTolerance: number
  readonly #castRun: boolean
  readonly #events: Event[] = []
  readonly #in: Float64Array
  readonly #out: Float64Array
  readonly #expected: Float64Array
  readonly #recent: number[] = []
  #usual = 0
  /** A disagreement has been seen: what nothing explains may come from it. */
  #dirty = false
  #unknown = 0
  #differing = 0

  constructor(c: Case, links: Links, weightTolerance: number) {
    this.#c = c
    this.#links = links
    this.#weightTolerance = weightTolerance
    const n = c.debug.api.length
    this.#in = new Float64Array(n)
    this.#out = new Float64Array(n)
    this.#expected = new Float64Array(n)
    this.#castRun = castEverywhere(c)
  }

  async run(breathe: () => Promise<void>): Promise<Scanned> {
    const { time, debug } = this.#c
    for (let at = 0; at < time.length; at++) {
      const [d, b] = [time.debug[at], time.bench[at]]
      if (d >= 0 && b >= 0) {
        if (debug.direction[d] === Direction.gradients) this.#gradient(d, b, at)
        else this.#matched(d, b, at)
      }
      if ((at & 1023) === 0) await breathe()
    }
    return { events: this.#events, in: this.#in, out: this.#out, expected: this.#expected, unknown: this.#unknown, differing: this.#differing }
  }

  #matched(d: number, b: number, at: number): void {
    const { debug, levels, noise } = this.#c
    const { items, ops } = debug.dump
    const leaf = debug.leaf[d] === 1
    let [inputs, clean, wild] = [0, true, false]
    for (let i = ops.first[d]; i < ops.first[d + 1]; i++) {
      if (items.state[i] === State.output || levels.mate[i] < 0 || this.#links.tolerated(d, i)) continue
      if (items.tensor[i] === 0) {
        if ((levels.differs[i] & (Difference.value | Difference.kind)) !== 0) this.#argument(d, b, i, at)
        continue
      }
      if ((levels.differs[i] & Difference.wild) !== 0) wild = true
      if (!Number.isNaN(levels.level[i])) inputs = Math.max(inputs, levels.level[i])
      if (levels.equal[i] === Equal.no) clean = false
      if (levels.equal[i] === Equal.unknown) this.#unknown++
      this.#input(d, b, i, at)
    }
    const forward = debug.direction[d] === Direction.backward ? debug.forward[d] : -1
    if (forward >= 0) {
      inputs = Math.max(inputs, this.#in[forward], this.#out[forward])
      clean &&= !noise.exact || !this.#touched(forward)
    }
    if (!leaf) {
      const inside = this.#inside(d)
      inputs = Math.max(inputs, inside.level)
      clean &&= inside.clean
    }
    this.#in[d] = inputs
    this.#outputs(d, b, at, clean, wild)
  }

  /** Any difference in what a forward op got, held or gave: its backward half works with all of that. */
  #touched(op: number): boolean {
    const { debug, levels } = this.#c
    const { items, ops } = debug.dump
    for (let i = ops.first[op]; i < ops.first[op + 1]; i++) {
      if (levels.equal[i] === Equal.no && (items.state[i] !== State.output || this.#links.matters(i))) return true
    }
    return !this.#inside(op).clean
  }

  /** What the leaves below a module show. */
  #inside(module: number): { readonly level: number; readonly clean: boolean } {
    const { debug, levels } = this.#c
    const { items, ops } = debug.dump
    let [level, clean] = [0, true]
    if (debug.leaf[module] === 1) return { level, clean }
    for (let op = debug.start[module]; op < module; op++) {
      if (debug.leaf[op] === 0 || debug.direction[op] !== debug.direction[module]) continue
      level = Math.max(level, this.#out[op])
      for (let i = ops.first[op]; clean && i < ops.first[op + 1]; i++) {
        if (levels.equal[i] === Equal.no && items.state[i] === State.output && this.#links.matters(i)) clean = false
      }
    }
    return { level, clean }
  }

  #floor(i: number): number {
    const { debug, bench, levels, noise, limits } = this.#c
    if (noise.exact) return 0
    const j = levels.mate[i]
    return Math.max(noise.floor, floorOf(debug.precision[i], limits), j < 0 ? 0 : floorOf(bench.precision[j], limits))
  }

  /** Whether an input differs by more than what came before can explain. */
  #stands(i: number, gain: number): boolean {
    const { levels, noise } = this.#c
    if (levels.equal[i] === Equal.no && (noise.exact || (levels.differs[i] & (Difference.wild | Difference.shape)) !== 0)) return true
    return levels.level[i] > gain * Math.max(this.#usual, this.#floor(i))
  }

  #argument(d: number, b: number, i: number, at: number): void {
    const { across, debug } = this.#c
    if (across || debug.leaf[d] === 0 || debug.kind[d] === 'communication' || this.#links.reshaped(d)) return
    this.#add({ kind: 'argument', debug: d, bench: b, at, items: [i], exact: true, jump: Number.POSITIVE_INFINITY, facts: {} })
  }

  #input(d: number, b: number, i: number, at: number): void {
    const { debug, levels, noise, limits, across } = this.#c
    if (levels.equal[i] === Equal.no) this.#differing++
    const role = this.#links.role(i)
    if (role === 'statistic') return
    if (role === 'parameter') {
      const differs = levels.equal[i] === Equal.no && !(levels.level[i] <= this.#weightTolerance)
      if (!differs || (across && (levels.differs[i] & Difference.shape) !== 0)) return
      this.#note(d, b, at, i, { kind: 'different-weights', facts: {} })
      return
    }
    if (debug.leaf[d] === 0) return
    if (across && levels.equal[i] === Equal.no && (levels.differs[i] & Difference.shape) !== 0) return
    if ((levels.differs[i] & Difference.dtype) !== 0 && !across && !this.#castRun && this.#links.freshCast(i)) {
      // The cast itself is rarely dumped: the tensor changed before it was read, and this is why.
      this.#note(d, b, at, i, { kind: 'origin', facts: { cast: 1 } })
      return
    }
    if (levels.equal[i] !== Equal.no) return
    const broken = noise.exact ? null : this.#links.broken(d, i, levels.mate[i])
    if (broken) this.#note(d, b, at, i, broken)
    else if (this.#stands(i, debug.direction[d] === Direction.backward ? limits.gainBackward : limits.gainForward)) {
      const cause = this.#links.explain(d, i, levels.mate[i], this.#dirty)
      if (cause) this.#note(d, b, at, i, cause)
      this.#dirty = true
    }
  }

  #note(d: number, b: number, at: number, item: number, cause: Cause): void {
    this.#add({
      kind: cause.kind, debug: cause.debug ?? d, bench: cause.bench ?? b, at: cause.at ?? at, items: [item],
      exact: true, jump: Number.POSITIVE_INFINITY, facts: cause.facts,
    })
    this.#dirty = true
  }

  #outputs(d: number, b: number, at: number, clean: boolean, wildIn: boolean): void {
    const { debug, levels, noise, across } = this.#c
    const { items, ops } = debug.dump
    const leaf = debug.leaf[d] === 1
    const expected = this.#expectation(d)
    const hit: number[] = []
    let [jump, wild, level] = [0, false, 0]
    for (let i = ops.first[d]; i < ops.first[d + 1]; i++) {
      if (items.state[i] !== State.output || levels.mate[i] < 0) continue
      if (this.#oneSided(i)) this.#add({ kind: 'origin', debug: d, bench: b, at, items: [i], exact: true, jump: Number.POSITIVE_INFINITY, facts: { missing: items.tensor[i] === 1 ? 'bench' : 'debug' } })
      if (items.tensor[i] === 0) continue
      if (levels.equal[i] === Equal.unknown) this.#unknown++
      if (levels.equal[i] !== Equal.no || !this.#links.matters(i)) continue
      if (across && (levels.differs[i] & Difference.shape) !== 0) continue
      this.#differing++
      const own = this.#scaled(d, i)
      if (!Number.isNaN(own)) level = Math.max(level, own)
      if ((levels.differs[i] & Difference.wild) !== 0 && !wildIn) wild = true
      const over = noise.exact || Number.isNaN(own) ? Number.POSITIVE_INFINITY : own / Math.max(expected, Number.MIN_VALUE)
      if (over > 1) hit.push(i)
      jump = Math.max(jump, over)
    }
    this.#out[d] = level
    this.#expected[d] = expected
    if (leaf && debug.kind[d] !== 'view') this.#remember(level)
    if (hit.length === 0 || debug.kind[d] === 'empty') return
    const exact = noise.exact || wild
    const sole = noise.exact ? clean : leaf || !this.#dirty
    if (wild ? sole || !this.#dirty : sole) {
      const kind = wild ? 'nan' : debug.kind[d] === 'communication' ? 'communication' : 'origin'
      this.#add({ kind, debug: d, bench: b, at, items: hit, exact, jump, facts: leaf ? {} : { module: 1 } })
    }
    this.#dirty = true
  }

  /** A tensor on one side and None on the other: a gradient that flows on one side only. */
  #oneSided(i: number): boolean {
    const { debug, bench, levels, across } = this.#c
    const [x, y, j] = [debug.dump.items, bench.dump.items, levels.mate[i]]
    return !across && debug.leaf[x.op[i]] === 1 && x.tensor[i] !== y.tensor[j] && (x.type[i] < 0 || y.type[j] < 0)
  }

  /** Error that an output may have given what came in, what is usual here and what its precision allows. */
  #expectation(d: number): number {
    const { debug, limits, noise } = this.#c
    if (noise.exact) return 0
    const backward = debug.direction[d] === Direction.backward
    const kind = debug.kind[d]
    const steep = kind === 'steep' || kind === 'loss' || (backward && kind === 'norm')
    const gain = backward ? (steep ? limits.gainSteep : limits.gainBackward) : steep ? limits.gainBackward : limits.gainForward
    let floor = 0
    for (let i = debug.dump.ops.first[d]; i < debug.dump.ops.first[d + 1]; i++) if (isFloat(debug, i)) floor = Math.max(floor, this.#floor(i))
    return gain * Math.max(this.#in[d], this.#usual, floor)
  }

  /** Error of an output; a gradient that cancels out is held against what went in, not against what is left. */
  #scaled(d: number, i: number): number {
    const { debug, bench, levels, noise } = this.#c
    const level = levels.level[i]
    if (debug.direction[d] !== Direction.backward || noise.exact || (levels.differs[i] & Difference.wild) !== 0) return level
    const { ops, items } = debug.dump
    let norm = 0
    for (let k = ops.first[d]; k < ops.first[d + 1]; k++) {
      if (items.state[k] === State.input && levels.mate[k] >= 0 && isFloat(debug, k)) norm = Math.max(norm, bench.dump.items.norm.value[levels.mate[k]])
    }
    const least = 0.5 * norm / Math.sqrt(Math.max(1, debug.numel[i]))
    const range = bench.range[levels.mate[i]]
    return range >= least || !(least > 0) ? level : level * range / least
  }

  /** Gradients of parameters are results: they count only where the backward pass above them agrees. */
  #gradient(d: number, b: number, at: number): void {
    const { debug, levels, noise, limits } = this.#c
    const { items, ops } = debug.dump
    for (let i = ops.first[d]; i < ops.first[d + 1]; i++) {
      if (levels.mate[i] < 0 || items.tensor[i] === 0 || levels.equal[i] !== Equal.no) continue
      this.#differing++
      if (noise.exact ? this.#dirty : !this.#strange(d, i, limits.gainSteep * limits.clearJump)) continue
      this.#add({ kind: 'origin', debug: d, bench: b, at, items: [i], exact: noise.exact, jump: noise.exact ? Number.POSITIVE_INFINITY : 2, facts: { gradient: 1 } })
    }
  }

  #strange(d: number, i: number, gain: number): boolean {
    const { debug, levels } = this.#c
    const forward = debug.forward[d]
    const usual = Math.max(this.#usual, this.#floor(i), forward < 0 ? 0 : Math.max(this.#in[forward], this.#out[forward]))
    return levels.level[i] > gain * usual
  }

  #remember(level: number): void {
    this.#recent.push(level)
    if (this.#recent.length > this.#c.limits.window) this.#recent.shift()
    const sorted = [...this.#recent].sort((a, b) => a - b)
    this.#usual = sorted[sorted.length >> 1]
  }

  #add(event: Event): void {
    this.#events.push(event)
  }
}

/** True when dtypes differ so widely that a differing dtype says how a side was run and not what went wrong. */
function castEverywhere(c: Case): boolean {
  let [all, differing] = [0, 0]
  for (let i = 0; i < c.levels.mate.length; i++) {
    if (c.levels.mate[i] < 0 || c.debug.precision[i] <= Precision.whole) continue
    all++
    if ((c.levels.differs[i] & Difference.dtype) !== 0) differing++
  }
  return differing > 0.3 * all
}
