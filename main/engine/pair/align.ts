// Who met whom by order, place and content, over what the rows say: call numbers shift as soon as one side makes
// one call more. What the advisor judges by.
import type { BenchOp, DebugOp, Ids, ItemRow, OpRow } from '../model/index.ts'
import { alignAcross } from './align-across.ts'
import { alignItems } from './align-items.ts'
import { alignSame } from './align-same.ts'
import { type Completes, productsCompleted } from './bias.ts'
import { noPartners, PairedBy, type Partners } from './partners.ts'
import type { AlignedSides, SideView } from './side.ts'

export interface Alignment {
  readonly ops: Partners<OpRow>
  readonly items: Partners<ItemRow>
  /**
   * Per op of each side the product that its addition of a bias completes, where one framework spreads over two
   * calls what the other does in one; -1: none.
   */
  readonly completes: Completes
  /** Debug ops that met another partner than the rows gave them. */
  readonly renumbered: number
}

/** `given`: the partners that the rows have. */
export function align(debug: SideView, bench: SideView, given: Partners<OpRow>, across: boolean): Alignment {
  const sides: AlignedSides = { debug, bench, given: given.toBench, across }
  const named = debug.dump.names.id !== 'msprobe' && given.by.includes(PairedBy.data)
  if (named || given.by.includes(PairedBy.told)) return asTold(sides, given)
  const completes = across
    ? { debug: productsCompleted(debug), bench: productsCompleted(bench) }
    : { debug: nothingCompleted(debug), bench: nothingCompleted(bench) }
  const found = across ? alignAcross(sides, completes) : alignSame(sides)
  keepByHand(given, found)
  const ops = opsOf(found, given, bench.api.length)
  let renumbered = 0
  for (let op = 0; op < found.length; op++)
    if (!across && ops.toBench[op] >= 0 && given.toBench[op] >= 0 && given.toBench[op] !== ops.toBench[op])
      renumbered++
  return { ops, items: alignItems(sides, ops, completes), completes, renumbered }
}

/** Nothing is to be found out; calls that stand for one have the same items. */
function asTold(sides: AlignedSides, given: Partners<OpRow>): Alignment {
  const { debug, bench } = sides
  const completes = { debug: nothingCompleted(debug), bench: nothingCompleted(bench) }
  const ops = opsOf(given.toBench, given, bench.api.length)
  return { ops, items: alignItems({ ...sides, across: false }, ops, completes), completes, renumbered: 0 }
}

const nothingCompleted = (view: SideView): Ids<OpRow, OpRow> => new Int32Array(view.api.length).fill(-1)

/** What a person paired or parted stays so. */
function keepByHand({ toBench, by }: Partners<OpRow>, found: Ids<DebugOp, BenchOp>): void {
  const taken = new Set<BenchOp>()
  for (let op = 0; op < found.length; op++) if (by[op] === PairedBy.hand) taken.add(toBench[op])
  if (taken.size === 0) return
  for (let op = 0; op < found.length; op++) {
    if (by[op] === PairedBy.hand) found[op] = toBench[op]
    else if (taken.has(found[op])) found[op] = -1
  }
}

/** Each bench op meets one debug op: the first that claims it. */
function opsOf(found: Ids<DebugOp, BenchOp>, given: Partners<OpRow>, bench: number): Partners<OpRow> {
  const ops = noPartners<OpRow>(found.length, bench)
  for (let op = 0; op < found.length; op++) {
    const other = found[op]
    if (other < 0 || ops.toDebug[other] >= 0) continue
    ops.toBench[op] = other
    ops.toDebug[other] = op
    ops.by[op] = given.toBench[op] === other ? given.by[op] : PairedBy.aligned
  }
  return ops
}
