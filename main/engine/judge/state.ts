// Our state of each row: equal, within noise, different; by the one measure of error, and by what noise explains.
import {
  type BenchItem,
  byText,
  type Column,
  type DebugItem,
  type Dump,
  elementsIn,
  type Ids,
  type ItemRow,
  Kind,
  type Measured,
  type MeasuredRow,
  Outcome,
  type PairRow,
  RowState,
  type Stat,
  stats,
  type Thresholds,
} from '../model/index.ts'
import { Precision, precisionOf } from '../pair/index.ts'
import { overRows, type Steps } from '../work/index.ts'
import { Equal, ErrorMeter, isNumeric, numberIn, relativeError } from '../measure/index.ts'

export interface Judged {
  /** `RowState`. */
  readonly state: Column<Uint8Array, PairRow>
  /** Error in [0, 1] as measure has it, whatever the thresholds say; NaN where nothing tells its size. */
  readonly level: Column<Float64Array, PairRow>
  /** Error up to which noise explains the row; below 0 where not even the last bit may differ. */
  readonly noise: Column<Float64Array, PairRow>
}

/** The rows to judge: what was compared and what it came to. */
export interface Judgeable {
  readonly debug: Dump
  readonly bench: Dump
  readonly debugItem: Ids<PairRow, DebugItem>
  readonly benchItem: Ids<PairRow, BenchItem>
  readonly measured: Measured | null
  /** Index into `measured` per row, -1 where nothing was to be measured. */
  readonly pairOf: Ids<PairRow, MeasuredRow> | null
}

/** Allowance of items that have no noise: the runs are equal to the bit elsewhere, or a finding rests on the item. */
export const bitwise = -1
export const evident = -2

/** `explained`: what noise explains of each debug item, where somebody has found out; else the dtypes say it. */
export function* judge(
  rows: Judgeable,
  thresholds: Thresholds,
  explained: Column<Float64Array, DebugItem> | null,
): Steps<Judged> {
  const { debug, bench, debugItem, benchItem, measured, pairOf } = rows
  const length = debugItem.length
  const judged: Judged = {
    state: new Uint8Array(length).fill(RowState.unpaired),
    level: new Float64Array(length).fill(NaN),
    noise: new Float64Array(length).fill(NaN),
  }
  const meter = new ErrorMeter(debug, bench, measured)
  const sizesDiffer = sizes(debug, bench)
  const usual = usualNoise(debug, bench, thresholds)
  const scalars = new Scalars(debug, bench)
  yield* overRows(length, (from, to) => {
    for (let row = from; row < to; row++) {
      const item = debugItem[row]
      const other = benchItem[row]
      if (item < 0 || other < 0) continue
      if (debug.items.tensor[item] !== 1 || bench.items.tensor[other] !== 1) {
        const level = scalars.level(item, other)
        judged.level[row] = level
        judged.noise[row] = thresholds.argument
        judged.state[row] = Number.isNaN(level)
          ? RowState.incomparable
          : stateOf(level, level === 0, thresholds.argument)
        continue
      }
      const entry = pairOf?.[row] ?? -1
      const noise = explained ? explained[item] : usual(item, other)
      const allowed = thresholds.tolerance > 0 ? Math.max(thresholds.tolerance, noise) : noise
      judged.noise[row] = allowed
      if (sizesDiffer(item, other)) {
        judged.level[row] = 1
        judged.state[row] = RowState.differs
        continue
      }
      if (measured && entry >= 0 && cannotBeRead(measured.outcome[entry])) {
        judged.state[row] = RowState.incomparable
        continue
      }
      const level = meter.measure(item, other, entry)
      judged.level[row] = meter.sized ? level : NaN
      if (Number.isNaN(level) && meter.equal !== Equal.yes) judged.state[row] = RowState.incomparable
      else if (meter.broken) judged.state[row] = RowState.differs
      else judged.state[row] = stateOf(level, meter.equal === Equal.yes, allowed)
    }
  })
  return judged
}

function stateOf(level: number, equal: boolean, allowed: number): RowState {
  if (equal) return RowState.equal
  return level <= allowed ? RowState.noise : RowState.differs
}

export const cannotBeRead = (outcome: number): boolean =>
  outcome === Outcome.debugMissing ||
  outcome === Outcome.benchMissing ||
  outcome === Outcome.corrupt ||
  outcome === Outcome.unreadable

// ---------------------------------------- shapes and dtypes, by their codes

/** Whether two tensors have other numbers of elements; a dump has few shapes. */
export function sizes(debug: Dump, bench: Dump): (item: DebugItem, other: BenchItem) => boolean {
  const [mine, theirs] = [elementsIn(debug), elementsIn(bench)]
  return (item, other) => {
    const [a, b] = [mine(item), theirs(other)]
    return a >= 0 && b >= 0 && a !== b
  }
}

/** What one operation errs by in a precision. */
export function floorOf(precision: number, { floor32, floor16, floorBrain }: Thresholds): number {
  if (precision === Precision.brain) return floorBrain
  return precision === Precision.float16 ? floor16 : floor32
}

/** The same in the coarser of two dtypes, amplified once. */
function usualNoise(
  debug: Dump,
  bench: Dump,
  thresholds: Thresholds,
): (item: DebugItem, other: BenchItem) => number {
  const floorIn = ({ items, texts }: Dump): ((item: ItemRow) => number) =>
    byText(texts, items.dtype, dtype => floorOf(precisionOf(dtype), thresholds))
  const [mine, theirs] = [floorIn(debug), floorIn(bench)]
  return (item, other) => thresholds.gainForward * Math.max(mine(item), theirs(other))
}

// ---------------------------------------- what is no tensor

/** Values that name a device differ between machines and say nothing. */
const device = /^(?:npu|cuda|cpu|gpu|ascend|meta)(?::\d+)?$/i
/** Both frameworks' spelling of a dtype. */
const plain = (text: string): string => text.replace(/^torch\./, '').toLowerCase()

class Scalars {
  readonly #debug: Dump
  readonly #bench: Dump

  constructor(debug: Dump, bench: Dump) {
    this.#debug = debug
    this.#bench = bench
  }

  /** 0 where both are the same, else how far numbers are apart, 1 for all others; NaN where nothing was dumped. */
  level(item: DebugItem, other: BenchItem): number {
    let worst = NaN
    for (const stat of stats) {
      const level = this.#statLevel(stat, item, other)
      if (!(level <= worst)) worst = Number.isNaN(level) ? worst : level
    }
    return worst
  }

  #statLevel(stat: Stat, item: DebugItem, other: BenchItem): number {
    const [debug, bench] = [this.#debug, this.#bench]
    const [mine, theirs] = [debug.items[stat], bench.items[stat]]
    const kind = mine.kind[item]
    const benchKind = theirs.kind[other]
    if (kind <= Kind.none && benchKind <= Kind.none) return NaN
    if (isNumeric(kind) && isNumeric(benchKind)) {
      const [a, b] = [numberIn(mine, item, debug), numberIn(theirs, other, bench)]
      return relativeError(a, b, Math.max(Math.abs(a), Math.abs(b)))
    }
    if (kind !== benchKind) return kind > Kind.none && benchKind > Kind.none ? 1 : NaN
    const [a, b] = [mine.value[item], theirs.value[other]]
    if (kind === Kind.bool) return a === b ? 0 : 1
    const [text, benchText] = [debug.texts.get(a), bench.texts.get(b)]
    return plain(text) === plain(benchText) || (device.test(text) && device.test(benchText)) ? 0 : 1
  }
}
