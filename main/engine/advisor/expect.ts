// What error an output may have: from what came in, from what is usual at this depth, from the precision, and
// from kinks on the way back.
import { Direction, Precision, type SideView } from '../pair/index.ts'
import { type DebugItem, type DebugOp, type ItemRow, type OpRow, State, itemShape } from '../model/index.ts'
import { isFloat, type Levels } from './levels.ts'
import { Part } from '../measure/index.ts'
import type { Case } from './links.ts'
import { floorAt } from './noise.ts'
import { shareOf } from './shares.ts'

type Sides = Pick<Case, 'debug' | 'bench' | 'levels'>

const parts = [Part.extremes, Part.norm, Part.elements] as const
export type Parts = [number, number, number]

/** What stands out by less is no finding, and explains none. */
export const plainJump = 1.25
/** Beyond the noise of twins by so much, nothing else has a say. */
const farBeyond = 4
/** Gradients of rows that chose otherwise are others: behind turned choices only what is plainly off stands out. */
const behindFlips = 20

export class Expectation {
  readonly #c: Case
  /** Per part and op: error of what came in and of what went out. */
  readonly in: readonly Float64Array[]
  readonly out: readonly Float64Array[]
  readonly #recent: Parts[] = []
  readonly #sorted: readonly number[][] = parts.map(() => [])
  #usual: Parts = [0, 0, 0]
  #kinks = 0
  /** How much more may differ behind a norm over few numbers than its own extremes show. */
  #hiddenByNorms = 1
  /** Among thousands of operations a few stand out by chance. */
  readonly #margin: number

  constructor(c: Case) {
    this.#c = c
    const n = c.debug.api.length
    this.in = parts.map(() => new Float64Array(n))
    this.out = parts.map(() => new Float64Array(n))
    this.#margin = c.noise.exact ? 1 : 1.25 + c.limits.margin * Math.max(0, Math.log10(n / 100))
  }

  floor(i: DebugItem): number {
    return this.#floor(i, 2 ** -22)
  }

  /** Of one rounding alone, without what small numbers have gathered. */
  rounding(i: DebugItem): number {
    return this.#floor(i, 2 ** -24)
  }

  /** `smallest`: what the smallest numbers of float16 are off by. */
  #floor(i: DebugItem, smallest: number): number {
    const { debug, bench, levels, noise } = this.#c
    if (noise.exact) return 0
    const j = levels.toBench[i]
    const coarser = Math.max(debug.precision[i], j < 0 ? 0 : bench.precision[j])
    const floor = floorAt(this.#c, i)
    // Below 2^-14 float16 loses digits: small gradients without loss scaling are mostly rounding.
    const half =
      coarser === Precision.float16 || noise.debug === Precision.float16 || noise.bench === Precision.float16
    if (!half || j < 0) return floor
    const small = bench.range[j] > 0 ? smallest / bench.range[j] : 0
    return Math.min(1, Math.max(floor, small, halfDivided(debug, i)))
  }

  /** An output's error has been seen: it counts for what is usual. */
  remember(level: Parts): void {
    const oldest = this.#recent.length >= this.#c.limits.window ? this.#recent.shift() : undefined
    this.#recent.push(level)
    for (const part of parts) {
      const sorted = this.#sorted[part]
      if (oldest) sorted.splice(sorted.indexOf(placed(oldest[part])), 1)
      const value = placed(level[part])
      let at = sorted.length
      while (at > 0 && sorted[at - 1] > value) at--
      sorted.splice(at, 0, value)
      this.#usual[part] = sorted[sorted.length >> 1]
    }
  }

  /**
   * Gradients that pass relu or pooling go another way where two values were near: few elements, but as large
   * as any.
   */
  passKink(d: DebugOp, floor: number): void {
    const { debug } = this.#c
    if (debug.direction[d] === Direction.forward) this.#kinks = 0
    else
      this.#kinks +=
        2 *
        Math.max(
          debug.forward[d] < 0 ? this.#usual[Part.extremes] : this.in[Part.extremes][debug.forward[d]],
          floor,
        )
  }

  /** A norm over two or four numbers gives nearly the same whatever those were: what it does to the others shows later. */
  passNorm(d: DebugOp): void {
    this.#hiddenByNorms = Math.max(this.#hiddenByNorms, fewNormalised(this.#c, d) / 2)
  }

  /** A gradient that nothing recorded wrote may have passed one as well. */
  passUnseen(i: DebugItem): void {
    this.#kinks += 2 * Math.max(this.#usual[Part.extremes], this.floor(i))
  }

  /** Largest error of what came into an op, and of what went out of it. */
  worstIn(op: OpRow): number {
    return Math.max(this.in[0][op], this.in[1][op], this.in[2][op])
  }

  worstOut(op: OpRow): number {
    return Math.max(this.out[0][op], this.out[1][op], this.out[2][op])
  }

  forget(): void {
    this.#kinks = 0
  }

  /**
   * How far an item is above what may be expected of it: above 1 it stands out. `base`: error of what it was
   * made from, null where that is
   * not known and unseen operations may have amplified it.
   */
  over(i: DebugItem, level: Parts, base: Parts | null, gain: number, told = level): number {
    const { known, flips, debug } = this.#c
    const measured = known?.allowed(i, base ? Math.max(...base) : 0)
    const over = measured ? ratio(told, measured) : null
    const turned = flips.found.length > 0 && debug.direction[debug.dump.items.op[i]] !== Direction.forward
    const usual = turned ? behindFlips : 1
    if (over !== null && (over <= 1 || over >= farBeyond)) return over / usual
    const judged = this.#judged(i, level, base, gain)
    return (over === null ? judged : Math.min(over, judged)) / usual
  }

  /** Errors of what a call reads; `source`: nothing recorded wrote it. */
  enters(i: DebugItem, source: boolean): Parts {
    const { debug, levels } = this.#c
    const added = source && debug.direction[debug.dump.items.op[i]] === Direction.backward
    if (!added) return levelsOf(levels, i)
    const usual = Math.max(...this.#usual)
    return addedUp(this.#c, i, { usual, floor: this.floor(i) })
  }

  /** The same by what rounding may make in this precision and at this depth. */
  #judged(i: DebugItem, level: Parts, base: Parts | null, usualGain: number): number {
    const gain = usualGain * this.#hiddenByNorms
    const { debug, bench, levels } = this.#c
    const hidden =
      debug.direction[debug.dump.items.op[i]] !== Direction.forward ? (gain / 4) * Math.sqrt(this.#kinks) : 0
    const floor = this.floor(i)
    const extremes = Math.max(base?.[Part.extremes] ?? 0, this.#usual[Part.extremes], floor)
    // Independent errors average out in a norm, the more elements it really rests on.
    const j = levels.toBench[i]
    const carried = Math.abs(bench.dump.items.norm.value[j]) / bench.range[j]
    const thin = base && Number.isFinite(carried) ? Math.max(1, carried) : 1
    const own = debug.dump.items.state[i] === State.output && base !== null
    // Elements that were compared tell this themselves.
    const moved =
      own && debug.dump.header.task !== 'tensor' && Number.isFinite(carried)
        ? (base[Part.norm] * carried) / Math.sqrt(Math.max(1, debug.numel[i]))
        : 0
    const [wide, deep] = own ? shareOf(debug, debug.dump.items.op[i]) : [1, 1]
    const allowed: Parts = [
      Math.max(wide * gain * extremes, hidden),
      Math.max(
        deep * gain * Math.max(base?.[Part.norm] ?? 0, this.#usual[Part.norm], (3 * extremes) / thin),
        hidden > 0 ? (2 * Math.sqrt(this.#kinks)) / thin : 0,
      ),
      // Where the size of all moved, the mean of what is made of them moves as well, though their own was zero.
      Math.max(gain * Math.max(base?.[Part.elements] ?? 0, moved, this.#usual[Part.elements], floor), hidden),
    ]
    return ratio(level, allowed) / this.#margin
  }

  /** What the plot shows as the bound for an output of this op. */
  bound(d: DebugOp, gain: number): number {
    const { debug, noise } = this.#c
    if (noise.exact) return 0
    let floor = 0
    for (let i = debug.dump.ops.first[d]; i < debug.dump.ops.first[d + 1]; i++)
      if (isFloat(debug, i)) floor = Math.max(floor, this.floor(i))
    return gain * Math.max(this.in[Part.extremes][d], this.#usual[Part.extremes], floor)
  }
}

/** How far errors are above what is allowed, the worst part of them. */
function ratio(level: Parts, allowed: Readonly<Parts>): number {
  let over = 0
  for (const part of parts)
    if (level[part] > 0) over = Math.max(over, level[part] / Math.max(allowed[part], Number.MIN_VALUE))
  return over
}

export function levelsOf(levels: Levels, i: DebugItem): Parts {
  return [levels.parts[Part.extremes][i], levels.parts[Part.norm][i], levels.parts[Part.elements][i]]
}

export function most(a: Parts, b: Parts): Parts {
  return [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.max(a[2], b[2])]
}

/**
 * Root mean square that a product's gradient would have if its parts were unrelated; 0 where that cannot be
 * said.
 */
function usualGradient(c: Sides, d: DebugOp, i: DebugItem): number {
  const { bench, debug, levels } = c
  const forward = debug.forward[d]
  if (debug.kind[d] !== 'product' || forward < 0) return 0
  const { ops, items } = debug.dump
  const size = (k: number): number => debug.numel[k]
  let [g, other] = [-1, -1]
  for (let k = ops.first[d]; g < 0 && k < ops.first[d + 1]; k++)
    if (items.state[k] === State.input && isFloat(debug, k)) g = k
  let own = false
  for (let k = ops.first[forward]; k < ops.first[forward + 1]; k++) {
    if (items.state[k] !== State.input || !isFloat(debug, k) || size(k) < 2) continue
    if (!own && size(k) === size(i)) own = true
    else if (other < 0) other = k
  }
  if (g < 0 || other < 0 || !own || levels.toBench[g] < 0 || levels.toBench[other] < 0) return 0
  const rms = (k: number): number =>
    Math.abs(bench.dump.items.norm.value[levels.toBench[k]]) / Math.sqrt(size(k))
  return rms(g) * rms(other) * ((size(g) * size(other)) / size(i)) ** 0.25
}

/**
 * Half of what a sum of the incoming gradient over all places would come to, for the gradient of a bias or of the
 * gain of a norm: a vector in which most of it cancels out; 0 for others.
 */
function summedGradient({ debug, bench, levels }: Sides, d: DebugOp, i: DebugItem): number {
  const { ops, items } = debug.dump
  if ((debug.kind[d] !== 'product' && debug.kind[d] !== 'norm') || sizesOf(debug, i).length !== 1) return 0
  for (let k = ops.first[d]; k < ops.first[d + 1]; k++) {
    if (items.state[k] !== State.input || levels.toBench[k] < 0 || !isFloat(debug, k)) continue
    const places = debug.numel[k] / Math.max(1, debug.numel[i])
    return places < 2 ? 0 : 0.5 * Math.sqrt(places) * bench.range[levels.toBench[k]]
  }
  return 0
}

const sizesOf = ({ dump }: SideView, item: ItemRow): readonly number[] =>
  (itemShape(dump, item).match(/\d+/g) ?? []).map(Number)

/** How much an op may amplify. */
export function gainOf(c: Pick<Case, 'debug' | 'limits'>, d: DebugOp): number {
  const { debug, limits } = c
  const backward = debug.direction[d] === Direction.backward
  const kind = debug.kind[d]
  const steep = kind === 'steep' || kind === 'loss' || (backward && kind === 'norm')
  const few = kind === 'norm' ? fewNormalised(c, d) : 1
  if (backward) return few * addedPlaces(c, d) * (steep ? limits.gainSteep : limits.gainBackward)
  if (dividing.test(callOf(c, d))) return limits.gainForward * nearZero(c, d)
  if (few > 1) return few * limits.gainForward
  if (kind === 'loss') return limits.gainBackward * nearlyAlike(c, d)
  // A sum adds up the errors of its parts.
  return (steep || kind === 'reduction' ? limits.gainBackward : limits.gainForward) * cancelling(c, d)
}

/** These come to nothing as what they read agrees, squares sooner: by how much less than that the difference is. */
const ofDifferences = /^(?:kl_div(?:loss)?|mse_?loss|l1_?loss|smooth_?l1_?loss|huber_?loss)$/
const ofSquares = /^(?:mse|smooth|huber)/

function nearlyAlike({ debug }: Pick<Case, 'debug'>, d: DebugOp): number {
  const call = callOf({ debug }, d)
  if (!ofDifferences.test(call)) return 1
  const { ops, items } = debug.dump
  let [read, given] = [0, Number.POSITIVE_INFINITY]
  for (let i = ops.first[d]; i < ops.first[d + 1]; i++) {
    if (!isFloat(debug, i) || debug.counted[i] === 0) continue
    if (items.state[i] === State.output) given = Math.min(given, debug.range[i])
    else if (items.state[i] === State.input) read = Math.max(read, debug.range[i])
  }
  const apart = ofSquares.test(call) ? Math.sqrt(given) : given
  return Number.isFinite(apart) ? Math.min(100, Math.max(1, read / Math.max(apart, Number.MIN_VALUE))) : 1
}

/** What of a gradient is added up over places has the errors of all of them: by the root of how many. */
function addedPlaces({ debug }: Pick<Case, 'debug'>, d: DebugOp): number {
  if (debug.kind[d] !== 'plain') return 1
  const { ops, items } = debug.dump
  let [came, least] = [0, Number.POSITIVE_INFINITY]
  for (let i = ops.first[d]; i < ops.first[d + 1]; i++) {
    if (!isFloat(debug, i)) continue
    if (items.state[i] === State.input) came = Math.max(came, debug.numel[i])
    else if (items.state[i] === State.output) least = Math.min(least, debug.numel[i])
  }
  return came > least ? Math.min(manyPlaces, Math.sqrt(came / Math.max(1, least))) : 1
}
const manyPlaces = 4

export const callOf = ({ debug }: Pick<Case, 'debug'>, d: DebugOp): string => {
  const api = debug.names.text(debug.api[d])
  return api.slice(api.lastIndexOf('.') + 1).toLowerCase()
}

/** Of so many numbers and more a mean and a spread are taken without amplifying what they are off by. */
const normalisedWell = 16
const overPlaces = /^(batch|instance)_?norm/
const overLast = /^(?:layer|rms)_?norm/

/** A spread over few numbers may come out next to nothing: by how much more a norm over them amplifies. */
function fewNormalised({ debug }: Pick<Case, 'debug'>, d: DebugOp): number {
  const call = callOf({ debug }, d)
  const [, places] = overPlaces.exec(call) ?? []
  if (places === undefined && !overLast.test(call)) return 1
  const { ops, items } = debug.dump
  for (let i = ops.first[d]; i < ops.first[d + 1]; i++) {
    if (items.state[i] !== State.input || !isFloat(debug, i)) continue
    const sizes = sizesOf(debug, i)
    const apart = (sizes[1] ?? 1) * (places === 'instance' ? (sizes[0] ?? 1) : 1)
    const many = places === undefined ? (sizes.at(-1) ?? normalisedWell) : debug.numel[i] / Math.max(1, apart)
    return Math.max(1, normalisedWell / Math.max(1, many))
  }
  return 1
}

const inverting = /^(?:rsqrt|reciprocal|_{0,2}r?(?:true)?div_{0,2})$/

const steepAtZero = /^(?:r?sqrt|reciprocal|log|_{0,2}r?(?:true)?div_{0,2})$/

/** What the smallest number that a call divides by is off by in float16, if it is a result of it; 0 of other calls. */
function halfDivided(debug: SideView, item: DebugItem): number {
  const { items, ops } = debug.dump
  const call = items.op[item]
  // On the way back it is divided by what went in.
  const op = debug.direction[call] === Direction.backward ? debug.forward[call] : call
  const words = op === call ? inverting : steepAtZero
  if (op < 0 || items.state[item] !== State.output) return 0
  if (debug.kind[op] === 'norm' && debug.module[op] === 1) return halfSquared(debug, op)
  if (!words.test(callOf({ debug }, call))) return 0
  let least = Number.POSITIVE_INFINITY
  for (let i = ops.first[op]; i < ops.first[op + 1]; i++)
    if (items.state[i] === State.input && isFloat(debug, i) && debug.counted[i] === 1)
      least = Math.min(least, Math.abs(items.max.value[i]), Math.abs(items.min.value[i]))
  return least > 0 && Number.isFinite(least) ? 2 ** -25 / least : 0
}

/** What a module of several calls normalises by is a mean of squares, of which float16 has few digits where they are small. */
function halfSquared(debug: SideView, op: OpRow): number {
  const { items, ops } = debug.dump
  for (let i = ops.first[op]; i < ops.first[op + 1]; i++)
    if (items.state[i] === State.input && isFloat(debug, i) && debug.counted[i] === 1) {
      const square = items.norm.value[i] ** 2 / Math.max(1, debug.numel[i])
      return square > 0 ? 2 ** -25 / square : 0
    }
  return 0
}

const dividing = /^addcdiv_?$/
/** A divisor whose smallest number is so much smaller than its largest amplifies no more than others do. */
const evenly = 16

/** How far the last tensor of a division reaches down: what is next to nothing has lost most of its digits. */
function nearZero({ debug }: Pick<Case, 'debug'>, d: DebugOp): number {
  const { ops, items } = debug.dump
  let divisor = -1
  for (let i = ops.first[d]; i < ops.first[d + 1]; i++)
    if (items.state[i] === State.input && isFloat(debug, i) && debug.counted[i] === 1) divisor = i
  if (divisor < 0) return 1
  const ends = [Math.abs(items.max.value[divisor]), Math.abs(items.min.value[divisor])]
  const reach = Math.max(...ends) / Math.max(Math.min(...ends), Number.MIN_VALUE)
  return Math.min(1000, Math.max(1, reach / evenly))
}

/** Of these what is left may be far smaller than what was added up. */
const totals = /^(?:sum|mean|cumsum)$/
const spreads = /^(var|std)(?:_mean)?$/
export const sums = /^_{0,2}r?(?:add|sub)_{0,2}$/

/**
 * How much smaller a result is than its parts: what cancels out leaves their errors behind. 1 where nothing
 * cancels.
 */
function cancelling(c: Pick<Case, 'debug'>, d: DebugOp): number {
  const { debug } = c
  const word = debug.names.text(debug.api[d])
  const kind = debug.kind[d]
  const call = word.slice(word.lastIndexOf('.') + 1).toLowerCase()
  const added = kind !== 'product' && sums.test(call)
  const reduced = kind === 'reduction' && totals.test(call)
  const spread = spreads.exec(call)?.[1]
  if (kind !== 'product' && !added && !reduced && spread === undefined) return 1
  const { ops, items } = debug.dump
  const rms = (i: DebugItem): number => Math.abs(items.norm.value[i]) / Math.sqrt(Math.max(1, debug.numel[i]))
  const parts: number[] = []
  let out = -1
  for (let i = ops.first[d]; i < ops.first[d + 1]; i++) {
    if (!isFloat(debug, i) || debug.counted[i] === 0 || debug.nonFinite[i] === 1) continue
    if (items.state[i] === State.output) out = out < 0 ? i : out
    else if (items.state[i] === State.input) parts.push(i)
  }
  const single = reduced || spread !== undefined
  if (out < 0 || parts.length < (single ? 1 : 2) || !(rms(out) > 0)) return 1
  if (spread !== undefined) {
    const deviation = spread === 'var' ? Math.sqrt(rms(out)) : rms(out)
    return Math.min(100, Math.max(1, rms(parts[0]) / deviation))
  }
  if (reduced) {
    const many = call.startsWith('sum') ? Math.sqrt(Math.max(1, debug.numel[parts[0]] / debug.numel[out])) : 1
    return Math.min(100, Math.max(1, (many * rms(parts[0])) / rms(out)))
  }
  if (added) return Math.min(100, Math.max(1, Math.max(rms(parts[0]), rms(parts[1])) / rms(out)))
  const length = /conv/i.test(word)
    ? debug.numel[parts[1]] / firstSize(c, parts[1])
    : debug.numel[parts[0]] / (debug.numel[out] / lastSize(c, out)) || 1
  return Math.min(
    100,
    Math.max(1, (rms(parts[0]) * rms(parts[1]) * Math.sqrt(Math.max(1, length))) / rms(out)),
  )
}

function firstSize(c: Pick<Case, 'debug'>, item: ItemRow): number {
  return sizesOf(c.debug, item)[0] ?? 1
}

/** Size of the last dimension. */
function lastSize(c: Pick<Case, 'debug'>, item: ItemRow): number {
  return sizesOf(c.debug, item).at(-1) ?? 1
}

/**
 * Errors of an output; a gradient that cancels out is held against what went in, not against what is left.
 */
export function scaled(c: Sides, d: DebugOp, i: DebugItem): Parts {
  const { debug, bench, levels } = c
  const level = levelsOf(levels, i)
  const { ops, items } = debug.dump
  if (debug.direction[d] !== Direction.backward) {
    const crossing = leastAtZero(c, d)
    if (crossing > 0) return heldAgainst(level, bench.range[levels.toBench[i]], crossing)
    if (!selects(c, d)) return level
    // What is left of a tensor has the errors of the whole.
    let [whole, all] = [0, 0]
    const normOf = (k: DebugItem): number => Math.abs(bench.dump.items.norm.value[levels.toBench[k]])
    for (let k = ops.first[d]; k < ops.first[d + 1]; k++)
      if (items.state[k] === State.input && levels.toBench[k] >= 0 && isFloat(debug, k)) {
        whole = Math.max(whole, bench.range[levels.toBench[k]])
        all = Math.max(all, normOf(k))
      }
    const left = bench.range[levels.toBench[i]]
    const [ends, size] = [left < whole ? left / whole : 1, normOf(i) < all ? normOf(i) / all : 1]
    return [level[0] * ends, level[1] * size, level[2] * ends]
  }
  let norm = 0
  for (let k = ops.first[d]; k < ops.first[d + 1]; k++) {
    if (items.state[k] === State.input && levels.toBench[k] >= 0 && isFloat(debug, k))
      norm = Math.max(norm, Math.abs(bench.dump.items.norm.value[levels.toBench[k]]))
  }
  const least = Math.max(
    (0.5 * norm) / Math.sqrt(Math.max(1, debug.numel[i])),
    usualGradient(c, d, i),
    summedGradient(c, d, i),
  )
  const range = bench.range[levels.toBench[i]]
  if (range >= least || !(least > 0)) return level
  return [(level[0] * range) / least, (level[1] * range) / least, (level[2] * range) / least]
}

/** So many calls back the parts of a gradient are looked for that was added up unseen. */
const partsWithin = 32

/**
 * Errors of a gradient that was added up where nothing was recorded: what cancels out leaves the errors of its parts
 * behind, and those are the gradients of its size that no call reads. They count by what they are off by; `usual`: what is usual
 * here, `floor`: what rounding may make.
 */
export function addedUp(
  { debug, bench, levels }: Sides,
  i: DebugItem,
  { usual, floor }: { readonly usual: number; readonly floor: number },
): Parts {
  const level = levelsOf(levels, i)
  const { ops, items } = debug.dump
  const range = bench.range[levels.toBench[i]]
  // Between modules alone anything may lie, a softmax of which hardly anything is left as well.
  const alone = debug.module[items.op[i]] === 1
  const most = Math.max(usual, floor)
  let largest = range
  for (let op = items.op[i] - 1, seen = 0; op >= 0 && seen < partsWithin; op--) {
    if (debug.direction[op] !== Direction.backward || debug.leaf[op] === 0) continue
    seen++
    for (let k = ops.first[op]; k < ops.first[op + 1]; k++)
      if (
        items.state[k] === State.output &&
        levels.toBench[k] >= 0 &&
        debug.flow.first[k + 1] === debug.flow.first[k] &&
        (debug.numel[k] === debug.numel[i] || (alone && isFloat(debug, k)))
      ) {
        const off = alone || !(most > 0) ? 1 : Math.min(1, Math.max(usual, ...levelsOf(levels, k)) / most)
        largest = Math.max(largest, off * bench.range[levels.toBench[k]])
      }
  }
  if (!(range < largest)) return level
  const share = range / largest
  return [level[0] * share, level[1] * share, level[2] * share]
}

/** These are zero at other places than at zero: near those their own size says nothing of their errors. */
const crossings = /^(?:log(?:2|10)?|lgamma|digamma|sin|cos|tan)$/

/** What such a result is held against at least: what it read, of a logarithm one; 0 of other calls. */
function leastAtZero({ debug, bench, levels }: Sides, d: DebugOp): number {
  const api = debug.names.text(debug.api[d])
  const [call] = crossings.exec(api.slice(api.lastIndexOf('.') + 1).toLowerCase()) ?? []
  if (call === undefined) return 0
  if (call.startsWith('log')) return 1
  for (let k = debug.dump.ops.first[d]; k < debug.dump.ops.first[d + 1]; k++)
    if (debug.dump.items.state[k] === State.input && levels.toBench[k] >= 0 && isFloat(debug, k))
      return bench.range[levels.toBench[k]]
  return 0
}

const heldAgainst = (level: Parts, range: number, least: number): Parts =>
  range < least ? [(level[0] * range) / least, (level[1] * range) / least, (level[2] * range) / least] : level

const selections = /^(?:masked_fill|masked_select|__getitem__|where|max|min|amax|amin|topk)$/

/** Gives elements of what it gets, unchanged. */
function selects({ debug }: Sides, d: DebugOp): boolean {
  const api = debug.names.text(debug.api[d])
  return debug.kind[d] === 'view' || selections.test(api.slice(api.lastIndexOf('.') + 1).toLowerCase())
}

/** Not a number is worse than any. */
const placed = (level: number): number => (Number.isNaN(level) ? Number.POSITIVE_INFINITY : level)
