// How far the two sides are apart, by debug item: equal to the bit or not, the error and its parts, and what is
// plainly different.
import { type Alignment, numeric, type SideView } from '../pair/index.ts'
import { overRows, type Steps } from '../work/index.ts'
import {
  type BenchItem,
  type Column,
  type DebugItem,
  type Ids,
  Kind,
  type Measured,
  type MeasuredRow,
  Outcome,
  type PairRow,
  type Thresholds,
  itemShape,
} from '../model/index.ts'
import { Equal, ErrorMeter, Part } from '../measure/index.ts'
import type { Matched } from './advise.ts'

/** What is plainly different between two items, apart from their numbers. */
export const Difference = { shape: 1, dtype: 2, nonFinite: 4, value: 8, kind: 16 } as const

/** Columns by debug item; -1 and NaN where there is no partner. */
export interface Levels {
  readonly toBench: Ids<DebugItem, BenchItem>
  readonly toDebug: Ids<BenchItem, DebugItem>
  /** `Equal` of measure. */
  readonly equal: Column<Uint8Array, DebugItem>
  /** Error in [0, 1] as measure has it; 1 where it differs by nobody knows how much. */
  readonly level: Column<Float64Array, DebugItem>
  /** 1 where that is so. */
  readonly unsized: Column<Uint8Array, DebugItem>
  /** By `Part` of measure. */
  readonly parts: readonly Column<Float64Array, DebugItem>[]
  /** Bits of `Difference`. */
  readonly differs: Column<Uint8Array, DebugItem>
  /** Row of the comparison that shows the debug item, or the bench item; -1: none. */
  readonly rowOfDebug: Ids<DebugItem, PairRow>
  readonly rowOfBench: Ids<BenchItem, PairRow>
}

/** Whether of any tensor at all it is known that the sides agree, or that they do not. */
export const anyCompared = ({
  levels: { equal },
  debug,
}: {
  readonly levels: Levels
  readonly debug: Pick<SideView, 'dump'>
}): boolean => equal.some((answer, item) => debug.dump.items.tensor[item] === 1 && answer !== Equal.unknown)

interface Sides {
  readonly debug: SideView
  readonly bench: SideView
  readonly across: boolean
}

interface Measuring {
  readonly meter: ErrorMeter
  readonly measured: Measured | null
  /** Of this pair among what was measured, -1: none. */
  readonly entry: MeasuredRow
}

export function* measureLevels(
  sides: Sides,
  aligned: Alignment,
  comparison: Matched,
  limits: Thresholds,
): Steps<Levels> {
  const { debug, bench, across } = sides
  const n = debug.dump.items.length
  const m = bench.dump.items.length
  const levels: Levels = {
    toBench: aligned.items.toBench,
    toDebug: aligned.items.toDebug,
    equal: new Uint8Array(n).fill(Equal.unknown),
    level: new Float64Array(n).fill(Number.NaN),
    unsized: new Uint8Array(n),
    parts: [new Float64Array(n), new Float64Array(n), new Float64Array(n)],
    differs: new Uint8Array(n),
    rowOfDebug: new Int32Array(n).fill(-1),
    rowOfBench: new Int32Array(m).fill(-1),
  }
  for (let row = 0; row < comparison.length; row++) {
    if (comparison.debugItem[row] >= 0) levels.rowOfDebug[comparison.debugItem[row]] = row
    if (comparison.benchItem[row] >= 0) levels.rowOfBench[comparison.benchItem[row]] = row
  }
  const { measured } = comparison
  const meter = new ErrorMeter(debug.dump, bench.dump, measured)
  yield
  yield* overRows(n, (from, to) => {
    for (let i = from; i < to; i++) {
      const j = levels.toBench[i]
      if (j < 0) continue
      const row = levels.rowOfDebug[i]
      const entry = row >= 0 && comparison.benchItem[row] === j ? (comparison.pairOf?.[row] ?? -1) : -1
      if (debug.dump.items.tensor[i] === 1 && bench.dump.items.tensor[j] === 1)
        tensorPair(sides, i, j, levels, { meter, measured, entry })
      else if (!across) scalarPair(sides, i, j, levels, limits)
    }
  })
  return levels
}

function tensorPair(
  { debug, bench, across }: Sides,
  item: DebugItem,
  other: BenchItem,
  levels: Levels,
  { meter, measured, entry }: Measuring,
): void {
  const shapes = [itemShape(debug.dump, item), itemShape(bench.dump, other)]
  // A shape that a dump lacks differs from none.
  const known = shapes.every(shape => shape !== '')
  // One framework flattens what the other leaves as it is: across frameworks only the size counts.
  if (known && (across ? debug.numel[item] !== bench.numel[other] : shapes[0] !== shapes[1]))
    levels.differs[item] |= Difference.shape
  if (debug.precision[item] !== bench.precision[other]) levels.differs[item] |= Difference.dtype
  if (known && debug.numel[item] !== bench.numel[other]) {
    levels.equal[item] = Equal.no
    return
  }
  const counted = debug.counted[item] === 1 && bench.counted[other] === 1
  const positions = entry >= 0 && measured?.outcome[entry] === Outcome.nanPositions
  if ((counted && debug.nonFinite[item] !== bench.nonFinite[other]) || positions)
    levels.differs[item] |= Difference.nonFinite
  levels.level[item] = meter.measure(item, other, entry)
  levels.equal[item] = meter.equal
  levels.unsized[item] = meter.sized ? 0 : 1
  for (const part of parts) levels.parts[part][item] = meter.parts[part]
}

const parts = Object.values(Part)

function scalarPair(
  { debug, bench }: Sides,
  i: DebugItem,
  j: BenchItem,
  levels: Levels,
  limits: Thresholds,
): void {
  const [x, y] = [debug.dump.items, bench.dump.items]
  if (x.tensor[i] !== y.tensor[j] || x.type[i] < 0 !== y.type[j] < 0) {
    levels.differs[i] |= Difference.kind
    levels.equal[i] = Equal.no
    return
  }
  const [p, q] = [x.max.kind[i], y.max.kind[j]]
  if (numeric(p) && numeric(q)) {
    const [a, b] = [x.max.value[i], y.max.value[j]]
    const [apart, size] = [Math.abs(a - b), Math.max(Math.abs(a), Math.abs(b))]
    const same = Object.is(a, b) || (Number.isFinite(apart) && apart <= limits.argument * size)
    levels.equal[i] = same ? Equal.yes : Equal.no
    if (!same) levels.differs[i] |= Difference.value
    return
  }
  const text = (view: SideView, kind: number, value: number): string =>
    kind === Kind.text || kind === Kind.bigint ? view.dump.texts.get(value) : ''
  const same = p === q && text(debug, p, x.max.value[i]) === text(bench, q, y.max.value[j])
  const [s, t] = [itemShape(debug.dump, i), itemShape(bench.dump, j)]
  levels.equal[i] = same && s === t ? Equal.yes : Equal.no
  if (levels.equal[i] === Equal.no && p === q) levels.differs[i] |= Difference.value
}

export { isFloatItem as isFloat } from '../pair/index.ts'
