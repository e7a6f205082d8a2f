// Which item of two aligned ops is which: by their place in the call, across frameworks by size and content.
import {
  type BenchItem,
  type BenchOp,
  type DebugItem,
  type DebugOp,
  type Ids,
  itemName,
  type ItemRow,
  opName,
  type OpRow,
  State,
  itemShape,
} from '../model/index.ts'
import { type Completes, partsOf, passedInside } from './bias.ts'
import { noPartners, PairedBy, type Partners } from './partners.ts'
import type { AlignedSides, SideView } from './side.ts'

/** `completes`: per side the product that an addition of a bias completes. */
export function alignItems(
  sides: AlignedSides,
  ops: Partners<OpRow>,
  completes: Completes,
): Partners<ItemRow> {
  const { debug, bench } = sides
  const items = noPartners<ItemRow>(debug.dump.items.length, bench.dump.items.length)
  for (let op = 0; op < ops.toBench.length; op++) {
    const other = ops.toBench[op]
    if (other < 0) continue
    if (sides.across)
      new BySize(sides, op, other, items.toBench).pair(
        partsOf(debug, op, completes.debug),
        partsOf(bench, other, completes.bench),
      )
    else byName(sides, op, other, items.toBench)
  }
  for (let item = 0; item < items.toBench.length; item++) {
    const other = items.toBench[item]
    if (other < 0) continue
    items.toDebug[other] = item
    items.by[item] = ops.by[debug.dump.items.op[item]] || PairedBy.aligned
  }
  return items
}

/** By their position where both calls have the same parts, else by the end of their names. */
function byName(
  { debug, bench }: AlignedSides,
  op: DebugOp,
  other: BenchOp,
  toBench: Ids<DebugItem, BenchItem>,
): void {
  const [mine, theirs] = [debug.dump, bench.dump]
  const [from, benchFrom] = [mine.ops.first[op], theirs.ops.first[other]]
  const count = mine.ops.first[op + 1] - from
  let same = count === theirs.ops.first[other + 1] - benchFrom
  for (let k = 0; same && k < count; k++)
    same = mine.items.state[from + k] === theirs.items.state[benchFrom + k]
  if (same) {
    for (let k = 0; k < count; k++) toBench[from + k] = benchFrom + k
    return
  }
  const byEnd = new Map<string, BenchItem>()
  const length = opName(theirs, other).length
  for (let there = benchFrom; there < theirs.ops.first[other + 1]; there++)
    byEnd.set(itemName(theirs, there).slice(length), there)
  const ownLength = opName(mine, op).length
  for (let item = from; item < mine.ops.first[op + 1]; item++)
    toBench[item] = byEnd.get(itemName(mine, item).slice(ownLength)) ?? -1
}

/**
 * Across frameworks arguments are ordered otherwise: tensors of one part and size meet by how near they are,
 * then in order.
 */
class BySize {
  readonly #sides: AlignedSides
  readonly #op: DebugOp
  readonly #other: BenchOp
  readonly #toBench: Ids<DebugItem, BenchItem>
  readonly #taken = new Set<BenchItem>()

  constructor(sides: AlignedSides, op: DebugOp, other: BenchOp, toBench: Ids<DebugItem, BenchItem>) {
    this.#sides = sides
    this.#op = op
    this.#other = other
    this.#toBench = toBench
  }

  pair(mine: readonly DebugItem[], theirs: readonly BenchItem[]): void {
    const { debug, bench } = this.#sides
    for (const [item, there] of this.#candidates(mine, theirs)) {
      if (this.#toBench[item] >= 0 || this.#taken.has(there)) continue
      this.#toBench[item] = there
      this.#taken.add(there)
    }
    if (debug.module[this.#op] === 1 && bench.module[this.#other] === 1) this.#parameters(mine, theirs)
  }

  /** Pairs that may be, the nearest first. */
  #candidates(mine: readonly DebugItem[], theirs: readonly BenchItem[]): (readonly [DebugItem, BenchItem])[] {
    const { debug, bench } = this.#sides
    const hidden = passedInside(debug, this.#op, bench, this.#other)
    const benchHidden = passedInside(bench, this.#other, debug, this.#op)
    const pairs: { readonly item: DebugItem; readonly there: BenchItem; readonly cost: number }[] = []
    for (const [at, item] of mine.entries()) {
      for (const [benchAt, there] of theirs.entries()) {
        if (
          debug.dump.items.tensor[item] === 0 ||
          bench.dump.items.tensor[there] === 0 ||
          item === hidden ||
          there === benchHidden ||
          partOf(debug, item) !== partOf(bench, there) ||
          debug.numel[item] !== bench.numel[there]
        )
          continue
        const near = apart(debug, bench, item, there) + 0.05 * Math.abs(at - benchAt)
        pairs.push({ item, there, cost: near + (shapeOf(debug, item) === shapeOf(bench, there) ? 0 : 1e-2) })
      }
    }
    return pairs.sort((a, b) => a.cost - b.cost).map(({ item, there }) => [item, there])
  }

  /** A parameter of one name but another size is still the same parameter. */
  #parameters(mine: readonly DebugItem[], theirs: readonly BenchItem[]): void {
    const { debug, bench } = this.#sides
    const isParameter = ({ dump: { items } }: SideView, item: ItemRow): boolean =>
      items.tensor[item] === 1 && items.state[item] === State.parameters
    const own = (view: SideView, item: ItemRow): string => itemName(view.dump, item).replace(/^.*\./, '')
    for (const item of mine) {
      if (this.#toBench[item] >= 0 || !isParameter(debug, item)) continue
      const there = theirs.find(
        other =>
          !this.#taken.has(other) && isParameter(bench, other) && own(bench, other) === own(debug, item),
      )
      if (there === undefined) continue
      this.#toBench[item] = there
      this.#taken.add(there)
    }
  }
}

/** Parameters are inputs of the calls of the other framework. */
function partOf({ dump: { items } }: SideView, item: ItemRow): number {
  return items.state[item] === State.parameters ? State.input : items.state[item]
}

const shapeOf = ({ dump }: SideView, item: ItemRow): string => itemShape(dump, item)

/** Rough distance in [0,1] of two tensors by norm and extremes. */
function apart(debug: SideView, bench: SideView, i: DebugItem, j: BenchItem): number {
  if (debug.counted[i] === 0 || bench.counted[j] === 0) return 0.5
  let far = 0
  for (const column of ['max', 'min', 'norm'] as const) {
    const [a, b] = [debug.dump.items[column].value[i], bench.dump.items[column].value[j]]
    const scale = Math.max(
      debug.range[i],
      bench.range[j],
      column === 'norm' ? Math.max(Math.abs(a), Math.abs(b)) : 0,
    )
    far = Math.max(far, Number.isFinite(a - b) && scale > 0 ? Math.min(1, Math.abs(a - b) / scale) : 0)
  }
  return far
}
