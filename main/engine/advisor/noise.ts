// What noise to expect: whether both sides ran alike to the bit, in which precision each side computes, and
// the floor that follows.
import { Direction, dtypeFamily, Precision, type SideView, telling } from '../pair/index.ts'
import {
  type BenchOp,
  type DebugItem,
  type DebugOp,
  type Ids,
  type ItemRow,
  type OpRow,
  type Side,
  State,
  type Thresholds,
} from '../model/index.ts'
import { isFloat, type Levels } from './levels.ts'
import { floorOf } from '../judge/index.ts'
import { Equal } from '../measure/index.ts'
import type { Case } from './links.ts'

export interface Noise {
  /** Equal inputs give equal outputs: the first difference of one bit is the origin. */
  readonly exact: boolean
  /** Telling operations with equal inputs: how many gave equal, and how many other outputs. */
  readonly alike: number
  readonly unlike: number
  /** What each side's numbers are rounded to. */
  readonly debug: Precision
  readonly bench: Precision
  /** Whether all that a side computes ends so: what has more digits was not computed there. */
  readonly roundsAll: Readonly<Record<Side, boolean>>
  readonly floor: number
  /** Error of the first product where products are computed in reduced precision, else 0. */
  readonly reduced: number
  /** Calls of each api (code and direction) that gave equal, and other, outputs from equal inputs. */
  readonly apis: ReadonlyMap<number, { readonly alike: number; readonly unlike: number }>
}

export const apiKey = (view: SideView, op: OpRow): number =>
  2 * view.api[op] + (view.direction[op] === Direction.backward ? 1 : 0)

const single = new Float32Array(1)
const word = new Uint32Array(single.buffer)

/**
 * Precision that a side's results carry, from the trailing zero bits of its extremes (they are real
 * elements), not from its dtypes.
 */
function computedIn(view: SideView, limits: Thresholds): Computed {
  const { items } = view.dump
  const seen = new Set<number>()
  let [brain, half] = [0, 0]
  for (let i = 0; i < items.length && seen.size < 20_000; i++) {
    if (
      items.state[i] !== State.output ||
      // What is only handed on, or picked from a table, is no result.
      view.kind[items.op[i]] === 'view' ||
      !isFloat(view, i) ||
      !hasEnds(view, i)
    )
      continue
    for (const value of [items.max.value[i], items.min.value[i]]) {
      // The smallest numbers of float16 end in more zeros than its others.
      if (Math.abs(value) < 2 ** -14 || Number.isInteger(value * 4) || seen.has(value)) continue
      seen.add(value)
      single[0] = value
      if ((word[0] & 0xffff) === 0) brain++
      else if ((word[0] & 0x1fff) === 0) half++
    }
  }
  const share = limits.classShare * seen.size
  const all = (count: number): boolean => seen.size >= enough && count >= nearlyAll * seen.size
  if (seen.size === 0) return { in: Precision.float32, roundsAll: false }
  if (brain > share) return { in: Precision.brain, roundsAll: all(brain) }
  if (brain + half > share) return { in: Precision.float16, roundsAll: all(brain + half) }
  return { in: Precision.float32, roundsAll: false }
}

interface Computed {
  readonly in: Precision
  /** Nothing that is computed there has more digits. */
  readonly roundsAll: boolean
}

/** Of so many numbers, but for those that a few calls leave as they are. */
const [enough, nearlyAll] = [24, 0.97]

/** What one operation errs by in the coarsest precision that an item has on either side. */
export function floorAt(
  { debug, bench, levels, noise, limits }: Pick<Case, 'debug' | 'bench' | 'levels' | 'noise' | 'limits'>,
  item: DebugItem,
): number {
  const other = levels.toBench[item]
  return Math.max(
    noise.floor,
    floorOf(debug.precision[item], limits),
    other < 0 ? 0 : floorOf(bench.precision[other], limits),
  )
}

/** Compares telling operations whose inputs agree to the bit. `toBench` gives the bench op of a debug op. */
export function judgeNoise(
  debug: SideView,
  bench: SideView,
  toBench: Ids<DebugOp, BenchOp>,
  levels: Levels,
  limits: Thresholds,
): Noise {
  const { ops, items } = debug.dump
  let [alike, unlike] = [0, 0]
  const products: Products = { alike: 0, unlike: 0, least: Number.POSITIVE_INFINITY }
  const apis = new Map<number, { alike: number; unlike: number }>()
  for (let op = 0; op < toBench.length; op++) {
    if (toBench[op] < 0 || debug.direction[op] === Direction.gradients) continue
    let [inputs, outputs, same, apart] = [true, 0, 0, 0]
    for (let i = ops.first[op]; i < ops.first[op + 1]; i++) {
      if (levels.toBench[i] < 0 || debug.counted[i] === 0) continue
      if (items.state[i] !== State.output) inputs &&= levels.equal[i] === Equal.yes
      else if (isFloat(debug, i) && outputs === 0) {
        outputs++
        if (levels.equal[i] === Equal.yes) same++
        else apart = levels.level[i]
      }
    }
    if (!inputs || outputs === 0) continue
    const key = apiKey(debug, op)
    const count = apis.get(key) ?? { alike: 0, unlike: 0 }
    apis.set(key, count)
    if (same === outputs) count.alike++
    else count.unlike++
    if (!telling.has(debug.kind[op]) || debug.direction[op] !== Direction.forward) continue
    const equal = same === outputs
    if (equal) alike++
    else unlike++
    if (debug.kind[op] !== 'product' && debug.kind[op] !== 'recurrent') continue
    if (equal) products.alike++
    else {
      products.unlike++
      products.least = Math.min(products.least, apart)
    }
  }
  const [mine, theirs] = [computedIn(debug, limits), computedIn(bench, limits)]
  const [d, b] = [mine.in, theirs.in]
  return {
    apis,
    reduced: 0,
    exact: d === b && alike > 0 && alike >= unlike && bitExact(products, limits),
    alike,
    unlike,
    debug: d,
    bench: b,
    roundsAll: { debug: mine.roundsAll, bench: theirs.roundsAll },
    floor: Math.max(floorOf(d, limits), floorOf(b, limits)),
  }
}

/** So many products with equal results speak for one whose result is another: that one is at fault. */
const productsPerFault = 4

interface Products {
  alike: number
  unlike: number
  /** The smallest error of one that is not alike. */
  least: number
}

/**
 * Selections and sums of few numbers are equal under any noise; products are not. One product alone that is
 * plainly off may be the fault itself.
 */
const bitExact = ({ alike, unlike, least }: Products, { reducedProduct }: Thresholds): boolean =>
  alike > 0 ? alike >= productsPerFault * (unlike - 1) : unlike <= 1 && !(least < reducedProduct)

/** Precision that the extremes of one tensor show; none where they tell nothing. */
export function endsIn(view: SideView, item: ItemRow): Precision {
  return item < 0 || view.numel[item] < 16 ? Precision.none : endsOf(view, item)
}

/** Extremes are elements with digits of their own; of complex numbers they are sizes, which nobody computed. */
const hasEnds = (view: SideView, item: ItemRow): boolean =>
  item >= 0 && view.counted[item] === 1 && view.nonFinite[item] === 0 && !isComplex(view, item)

const isComplex = ({ dump: { items, texts } }: SideView, item: ItemRow): boolean =>
  items.dtype[item] >= 0 && dtypeFamily(texts.get(items.dtype[item])) === 'complex'

/** The same of a tensor of few elements, where that is luck once in thousands. */
export function endsOf(view: SideView, item: ItemRow): Precision {
  if (!hasEnds(view, item)) return Precision.none
  let found: Precision = Precision.brain
  for (const value of [view.dump.items.max.value[item], view.dump.items.min.value[item]]) {
    if (value === 0 || Number.isInteger(value * 4)) return Precision.none
    single[0] = value
    const now = coarsest(word[0])
    if (now < found) found = now
  }
  return found
}

/** Which extremes have more digits than a precision holds. */
export function finerEnds(view: SideView, item: ItemRow, precision: Precision): readonly ('max' | 'min')[] {
  if (!hasEnds(view, item)) return []
  return (['max', 'min'] as const).filter(end => {
    single[0] = view.dump.items[end].value[item]
    return coarsest(word[0]) < precision
  })
}

/** The coarsest precision that holds a number, from its bits as a 32-bit float. */
function coarsest(bits: number): Precision {
  if ((bits & 0xffff) === 0) return Precision.brain
  return (bits & 0x1fff) === 0 ? Precision.float16 : Precision.float32
}
