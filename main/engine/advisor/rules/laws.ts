// A result that cannot follow from what its own call read, on one side alone: no noise that came in makes that.
import { floorOf } from '../../judge/index.ts'
import { Equal } from '../../measure/index.ts'
import type { DebugItem, Side } from '../../model/index.ts'
import { Precision, type SideView } from '../../pair/index.ts'
import { backwardOf, type Halves, halvesOf } from '../halves.ts'
import { biasGradient, type Demand, Laws } from '../laws.ts'
import { type Entered, rule, type Tables } from './rule.ts'

const needs = ['debug', 'bench', 'levels', 'noise', 'limits'] as const
type Seen = Pick<Tables, (typeof needs)[number]>

/** As dumps call them. */
const columns = { max: 'Max', min: 'Min', mean: 'Mean', norm: 'Norm' } as const
const short = (value: number): number => Number(value.toPrecision(5))

/** The side where it holds has to keep it so much better. */
const plainly = 4

export const lawsRule = rule('laws', needs, tables => {
  const { debug, bench, noise } = tables
  // In a run that is equal to the bit every difference shows by itself. Operations of a compiled graph are several in one, and
  // are not called by what they do.
  if (noise.exact || debug.dump.header.framework === 'cann') return null
  const laws = new Laws()
  let calls: Readonly<Record<Side, Halves>> | null = null
  return {
    outputs({ debug: op, bench: other, nonFinite }) {
      if (nonFinite || debug.leaf[op] === 0 || bench.leaf[other] === 0) return null
      const mine = laws.of(debug, op)
      if (mine.length === 0) return null
      const theirs = laws.of(bench, other)
      return broken(tables, mine, theirs) ?? 'pass'
    },
    gradient({ debug: op, item, differs }) {
      if (!differs) return null
      calls ??= { debug: backwardOf(debug), bench: backwardOf(bench) }
      const demand = biasGradient(debug, halvesOf(debug, calls.debug, op), item)
      const partner = tables.levels.toBench[item]
      const others = halvesOf(bench, calls.bench, bench.dump.items.op[partner])
      const against = demand && biasGradient(bench, others, partner)
      if (!demand || !against) return null
      const found = broken(tables, [demand], [against])
      return found ? { ...found, spreads: false } : 'pass'
    },
  }
})

/** The demand that one side misses most while the other keeps to it; null: none. */
function broken(tables: Seen, mine: readonly Demand[], theirs: readonly Demand[]): Entered | null {
  const { debug, bench, levels } = tables
  let [worst, wrong, jump]: [Demand | null, Side, number] = [null, 'debug', 1]
  for (const [k, demand] of mine.entries()) {
    const against = theirs[k] as Demand | undefined
    if (against?.of !== demand.of || levels.toBench[demand.item] !== against.item) continue
    // What both sides give alike is wrong on neither, as a gradient that is padding throughout.
    if (levels.equal[demand.item] === Equal.yes) continue
    const [a, b] = [
      missedBy(tables, debug, demand, demand.item),
      missedBy(tables, bench, against, demand.item),
    ]
    const [more, less] = [Math.max(a, b), Math.min(a, b)]
    if (!(less <= 1 && more > plainly * less && more > jump)) continue
    jump = more
    wrong = a > b ? 'debug' : 'bench'
    worst = a > b ? demand : against
  }
  if (!worst) return null
  const { of: metric, found, expected } = worst
  const item: DebugItem = wrong === 'debug' ? worst.item : levels.toDebug[worst.item]
  const facts = { wrong, measure: columns[metric], found: short(found), expected: short(expected) }
  return { entry: { kind: 'origin', variant: 'law', facts }, items: [item], jump }
}

/** By how much a demand is missed, above 1: by more than rounding and the statistics themselves allow. */
export function missedBy(
  { debug, bench, levels, noise, limits }: Seen,
  view: SideView,
  demand: Demand,
  item: DebugItem,
): number {
  const classes = [noise.debug, noise.bench, debug.precision[item], bench.precision[levels.toBench[item]]]
  const floor = Math.max(...classes.map(precision => floorOf(precision, limits)))
  // Small numbers have fewer digits in float16.
  const smallest = classes.includes(Precision.float16)
    ? smallestHalf * (demand.of === 'norm' ? Math.sqrt(view.numel[demand.item]) : 1)
    : 0
  // Statistics may be rounded as the tensor is.
  const told = floorOf(view.precision[demand.item], limits) * demand.terms
  return (
    Math.abs(demand.found - demand.expected) / (floor * demand.rounding + 2 * told + demand.slack + smallest)
  )
}

/** Half a step of the smallest numbers of float16. */
const smallestHalf = 2 ** -25
