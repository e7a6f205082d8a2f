// msprobe 26: every compared item passes, warns or fails for reasons; a node is as bad as its worst item.
import { beside, type Graded, gradedCall } from '../judge/index.ts'
import { isNumeric, numberIn } from '../measure/index.ts'
import { fixed12, roundCosine } from '../python/index.ts'
import { type DebugItem, type ItemRow, type NodeRow, Note, Outcome } from '../model/index.ts'
import { rangeOf } from './items.ts'
import { notCompared, surplus, type GraphPair } from './pair.ts'
import { differenceOf, ratioOf, relativeOf } from './values.ts'

export interface ItemGrade extends Graded {
  readonly item: DebugItem
}

/** The index of a node by the worst of its grades. */
const indexBy = [0, 0.5, 1] as const

/** Fills the index of a node with the grade of its worst item. */
export function levelIndex(pair: GraphPair): (node: NodeRow) => void {
  const grades = graderOf(pair)
  return node => {
    const worst = indexBy[Math.max(0, ...grades(node).map(({ grade }) => grade))]
    pair.index[node] = worst
    pair.indexInt[node] = worst === 0.5 ? 0 : 1
  }
}

/** Grades of the compared items of a node, in the dump's order. */
export function graderOf(pair: GraphPair): (node: NodeRow) => readonly ItemGrade[] {
  const { debugDump, benchDump, debug, benchItem, mode } = pair
  if (mode === 'structure') return () => []
  const items = {
    mode,
    debug: debugDump,
    bench: benchDump,
    nullPasses: true,
    item: (item: ItemRow): ItemRow => item,
    other: (item: ItemRow): number => (benchItem[item] === surplus ? beside.blank : benchItem[item]),
    norm: (item: ItemRow) => ({ share: normError(pair, item), isText: false }),
    thousandth: (item: ItemRow): number => thousandthOf(pair, item),
    cosine: (item: ItemRow): number => cosineOf(pair, item),
    sameGrad: (item: ItemRow): boolean => sameGrad(pair, item),
  }
  return node => {
    const rows: DebugItem[] = []
    for (let [item, end] = rangeOf(debugDump, debug.op[node]); item < end; item++)
      if (benchItem[item] !== notCompared) rows.push(item)
    return gradedCall(items, rows).map((graded, i) => ({ ...graded, item: rows[i] }))
  }
}

/** Where one side tells nothing nothing is made of it; beside a blank everything differs. */
function sameGrad({ debugDump, benchDump, benchItem }: GraphPair, item: ItemRow): boolean {
  const mine = debugDump.items.requiresGrad[item]
  if (mine === 2) return true
  const there = benchItem[item]
  if (there < 0) return false
  const other = benchDump.items.requiresGrad[there]
  return other === 2 || other === mine
}

/** Relative error of the norms, NaN where there is none. */
function normError(pair: GraphPair, item: ItemRow): number {
  const there = pair.benchItem[item]
  const a = pair.debugDump.items.norm
  const b = pair.benchDump.items.norm
  if (there < 0 || !isNumeric(a.kind[item]) || !isNumeric(b.kind[there])) return NaN
  return relativeOf(differenceOf(pair, a, item, b, there), numberIn(b, there, pair.benchDump))
}

function thousandthOf({ measured, measuredRow }: GraphPair, item: ItemRow): number {
  const row = measuredRow[item]
  return measured && row >= 0 && measured.outcome[row] !== Outcome.empty ? ratioOf(measured, row) : NaN
}

function cosineOf({ measured, measuredRow }: GraphPair, item: ItemRow): number {
  const row = measuredRow[item]
  if (!measured || row < 0 || measured.outcome[row] !== Outcome.measured) return NaN
  return measured.notes[row] & (Note.single | Note.cosineNan)
    ? NaN
    : roundCosine(fixed12(measured.cosine[row]))
}
