// The graphs of the window: nodes have the partners that the rows of the table have. What msprobe's own rules
// would match is in match.ts, for the exported files.
import type {
  BenchItem,
  BenchNode,
  Comparison,
  DebugItem,
  DebugNode,
  Ids,
  MeasuredRow,
  Rules,
  Side,
} from '../model/index.ts'
import type { HandMatches, Pairing } from '../pair/index.ts'
import type { Job } from '../work/index.ts'
import type { Graph } from './graph.ts'
import { applyHand } from './hand.ts'
import { itemSides, rangeOf } from './items.ts'
import { type Matching, type Sides, sameIds, unmatched } from './match.ts'
import { overflowLevels } from './overflow.ts'
import { notCompared, surplus, type GraphPair } from './pair.ts'
import { fillIndex } from './precision.ts'

/** Both graphs of a comparison; nothing is matched or measured again. */
export async function pairedGraphs(
  comparison: Pick<Comparison, 'debug' | 'bench' | 'mode' | 'pairing' | 'measured' | 'pairOf'>,
  { debug, bench }: Readonly<Record<Side, Graph>>,
  rules: Rules,
  hand: HandMatches,
  job: Job,
): Promise<GraphPair> {
  const { debug: debugDump, bench: benchDump, mode, pairing, measured } = comparison
  const sides: Sides = { rules, debug, bench, debugDump, benchDump }
  // Rows know the matches by hand of calls; those of nodes that are no calls come on top.
  const matching = applyHand(matchPaired(sides, pairing), hand, debug, bench)
  await job.breathe()
  const benchItem = itemsOf(sides, pairing, matching)
  await job.breathe()
  const overflow = {
    debug: overflowLevels(debug, debugDump, rules),
    bench: overflowLevels(bench, benchDump, rules),
  }
  await job.breathe()
  const pair: GraphPair = {
    ...sides,
    mode,
    matching,
    benchItem,
    measuredRow: measuredRows(comparison),
    measured,
    index: new Float64Array(debug.length),
    indexInt: new Uint8Array(debug.length),
    overflow,
    problems: [...debug.problems, ...bench.problems],
  }
  fillIndex(pair)
  await job.breathe()
  return pair
}

/** Calls as their rows; nodes that are no calls, and calls that no row speaks of, by equal ids. */
function matchPaired(sides: Sides, pairing: Pairing): Matching {
  const { debug, bench, benchDump } = sides
  const spoken = new Uint8Array(sides.debugDump.ops.length)
  for (const item of pairing.debugItem) spoken[sides.debugDump.items.op[item]] = 1
  const same = sameIds(sides)
  const found = unmatched(sides)
  const { toBench, toDebug } = pairing.ops
  const partnerOf = (node: DebugNode): BenchNode => {
    const op = debug.op[node]
    if (op >= 0 && spoken[op] === 1)
      return toBench[op] < 0 ? -1 : bench.nodeOf(benchDump.ops.name[toBench[op]])
    const there = same[node]
    return there < 0 || bench.op[there] < 0 || toDebug[bench.op[there]] < 0 ? there : -1
  }
  for (let node = 0; node < debug.length; node++) {
    const there = partnerOf(node)
    if (there < 0) continue
    found.toBench[node] = there
    if (found.toDebug[there] < 0) found.toDebug[there] = node
  }
  matchAround(sides, found)
  return found
}

/** Nodes that are no calls and are called otherwise on the other side meet where most of what they hold meets. */
function matchAround({ debug, bench }: Sides, { toBench, toDebug }: Matching): void {
  // Children come before what is around them.
  for (let i = debug.order.length - 1; i >= 0; i--) {
    const node = debug.order[i]
    if (toBench[node] >= 0 || debug.op[node] >= 0) continue
    const votes = new Map<BenchNode, number>()
    let cast = 0
    for (let k = debug.firstChild[node]; k < debug.firstChild[node + 1]; k++) {
      const met = toBench[debug.children[k]]
      const around = met < 0 ? -1 : bench.parent[met]
      if (around < 0) continue
      cast++
      votes.set(around, (votes.get(around) ?? 0) + 1)
    }
    for (const [around, count] of votes) {
      if (count * 2 <= cast || toDebug[around] >= 0 || bench.op[around] >= 0) continue
      toBench[node] = around
      toDebug[around] = node
    }
  }
}

function itemsOf(
  { rules, debug, debugDump }: Sides,
  { items }: Pairing,
  { toBench }: Matching,
): Ids<DebugItem, BenchItem> {
  const { side } = itemSides(debugDump, rules)
  const met = new Int32Array(debugDump.items.length).fill(notCompared)
  for (let node = 0; node < debug.length; node++) {
    if (toBench[node] < 0) continue
    for (let [item, end] = rangeOf(debugDump, debug.op[node]); item < end; item++)
      if (side[item] !== 2) met[item] = items.toBench[item] < 0 ? surplus : items.toBench[item]
  }
  return met
}

/** Entry of each debug item among what was measured for the rows. */
function measuredRows({
  debug,
  pairing: { debugItem, benchItem, items },
  pairOf,
}: Pick<Comparison, 'debug' | 'pairing' | 'pairOf'>): Ids<DebugItem, MeasuredRow> {
  const rows = new Int32Array(debug.items.length).fill(-1)
  if (!pairOf) return rows
  for (let row = 0; row < debugItem.length; row++)
    if (items.toBench[debugItem[row]] === benchItem[row]) rows[debugItem[row]] = pairOf[row]
  return rows
}
