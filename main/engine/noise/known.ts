// What a profile says of the calls of a pair: how much noise may make of each tensor, and what a call does to errors.
import { Part } from '../measure/index.ts'
import {
  type BenchItem,
  type Column,
  type DebugItem,
  type DebugOp,
  type Ids,
  itemName,
  type NoiseClass,
  type NoiseProfile,
  State,
} from '../model/index.ts'
import { Direction, type DumpView } from '../pair/index.ts'
import { type CallKind, dtypeOf, keyOf, kindOfCall } from './kinds.ts'

/** By `Part` of measure. */
export type PartErrors = readonly [number, number, number]

interface Pair {
  readonly debug: DumpView
  readonly bench: DumpView
  readonly toBench: Ids<DebugItem, BenchItem>
  /** What one operation errs by in the precision of an item: less than that says nothing. */
  floor(item: DebugItem): number
}

/** A reduced length that was not seen: sums of independent errors grow with its root. */
const growth = (from: number, to: number): number => Math.sqrt(Math.max(1, to / Math.max(1, from)))

export class KnownNoise {
  readonly profile: NoiseProfile
  readonly #pair: Pair
  /** Row of the profile's items by debug item, -1: none. */
  readonly #rows: Ids<DebugItem, number>
  readonly #classes = new Map<string, NoiseClass>()
  readonly #ofOp = new Map<DebugOp, NoiseClass | null>()

  constructor(profile: NoiseProfile, pair: Pair) {
    this.profile = profile
    this.#pair = pair
    this.#rows = rowsOf(profile, pair)
    for (const known of profile.classes) this.#classes.set(keyOf(known), known)
  }

  /** Whether twins give equal bits everywhere, so that whatever differs is no noise; null where no twins are at hand. */
  get exact(): boolean | null {
    const { items } = this.profile
    return items && !items.unequal.includes(1)
  }

  /**
   * Error up to which noise explains a tensor, by part; null where nothing is known. `came`: the error that its call
   * got, and by its nature hands on.
   */
  allowed(item: DebugItem, came: number): PartErrors | null {
    const { items, margin } = this.profile
    const op = this.#pair.debug.dump.items.op[item]
    const row = this.#rows[item]
    if (items && row >= 0) {
      const spread = this.#spread(item)
      const handedOn = came * this.#handsOn(op)
      const least = spread > 1 ? this.#pair.floor(item) : 0
      const of = (part: number): number => Math.max(spread * items.parts[3 * row + part], handedOn, least)
      // What twins of statistics alone cannot say of elements, their extremes do.
      const elements = Math.max(of(Part.elements), of(Part.extremes))
      return [of(Part.extremes), Math.max(of(Part.norm), normShare * of(Part.extremes)), elements]
    }
    const known = this.#pair.debug.dump.items.state[item] === State.output ? this.classOf(op) : null
    if (!known) return null
    const most = margin * known.made.most + came * Math.max(1, known.gain?.most ?? 1)
    return [most, most, most]
  }

  /** How far another look at the same noise may be off the first. */
  #spread(item: DebugItem): number {
    const { dump, numel } = this.#pair.debug
    // Weights are the same in all runs; what differs of them is told to the bit.
    if (dump.items.state[item] === State.parameters) return 1
    return this.profile.margin * (numel[item] <= fewElements ? spreadOfFew : 1)
  }

  /** Whether twins tell of the very tensor; equal: they have it to the bit. */
  twin(item: DebugItem): 'equal' | 'unequal' | null {
    const row = this.#rows[item]
    if (row < 0 || !this.profile.items) return null
    return this.profile.items.unequal[row] === 1 ? 'unequal' : 'equal'
  }

  /** The class of a call, or the nearest that is known; null where none is. */
  classOf(op: DebugOp): NoiseClass | null {
    const seen = this.#ofOp.get(op)
    if (seen !== undefined) return seen
    const { debug, bench, toBench } = this.#pair
    const kind = kindOfCall(debug, op, item => (toBench[item] < 0 ? '' : dtypeOf(bench.dump, toBench[item])))
    const found = kind && this.#nearest(kind)
    this.#ofOp.set(op, found)
    return found
  }

  #nearest(kind: CallKind): NoiseClass | null {
    const own = this.#classes.get(keyOf(kind))
    if (own) return own
    let near: NoiseClass | null = null
    const far = ({ length }: NoiseClass): number => Math.abs(Math.log2(length / kind.length))
    for (const known of this.profile.classes)
      if (
        known.op === kind.op &&
        known.backward === kind.backward &&
        known.dtype === kind.dtype &&
        (!near || far(known) < far(near))
      )
        near = known
    if (near) return scaled(near, growth(near.length, kind.length))
    return this.#classes.get(keyOf({ ...kind, op: '', length: 1 })) ?? null
  }

  /** How much of the error that a call gets it hands on, at its typical worst. */
  #handsOn(op: DebugOp): number {
    const { direction } = this.#pair.debug
    const typical = this.classOf(op)?.gain?.ninety ?? 1
    return Math.max(1, typical) * (direction[op] === Direction.forward ? 1 : 2)
  }
}

/** The error of a single number is one draw, and may be as good as none in one of two runs. */
const fewElements = 4
const spreadOfFew = 3

/** The norm is one number: its error is small by chance more often than that of the extremes, never larger for long. */
const normShare = 0.3

const scaled = (known: NoiseClass, by: number): NoiseClass => {
  const { half, ninety, most, largest } = known.made
  return { ...known, made: { half: half * by, ninety: ninety * by, most: most * by, largest: largest * by } }
}

/** Twins bear the names of the debug side, or of the bench where that side was run twice. */
function rowsOf({ items }: NoiseProfile, { debug, bench, toBench }: Pair): Column<Int32Array, DebugItem> {
  const rows = new Int32Array(debug.dump.items.length).fill(-1)
  if (!items) return rows
  const places = new Map(items.names.map((name, row) => [name, row]))
  for (let item = 0; item < rows.length; item++) {
    if (debug.dump.items.tensor[item] !== 1) continue
    const row =
      places.get(itemName(debug.dump, item)) ??
      (toBench[item] < 0 ? undefined : places.get(itemName(bench.dump, toBench[item])))
    if (row !== undefined) rows[item] = row
  }
  return rows
}
