// What msprobe's graph compare makes of two dumps, for its files: its matching, item pairs, tensors, index,
// overflow.
import {
  type BenchItem,
  type BenchOp,
  type DebugItem,
  type DebugOp,
  type Dump,
  type Ids,
  type Measured,
  type MeasuredRow,
  problem,
  type Problem,
  Refusal,
  type Rules,
  type TensorPair,
} from '../model/index.ts'
import type { Job } from '../work/index.ts'
import {
  filePairs,
  isTorchFile,
  graphMode,
  type GraphMode,
  type HandMatches,
  layerPartners,
  noHandMatches,
} from '../pair/index.ts'
import { ruleSets } from '../rules/index.ts'
import { buildGraph } from './build.ts'
import { applyHand } from './hand.ts'
import { matchByMap, matchByPlace, matchFuzzy, type Matching, type Sides } from './match.ts'
import { overflowLevels } from './overflow.ts'
import { pairItems, type GraphPair } from './pair.ts'
import { fillIndex } from './precision.ts'

export interface GraphOptions {
  readonly rules: Rules
  readonly fuzzy: boolean
  /** Text of a layer mapping; '' is an empty one, null none. */
  readonly layerMapping: string | null
  readonly overflow: boolean
  /** Bench op per debug op, -1 for none, found by another mapping; takes the place of the layer mapping. */
  readonly partners?: Ids<DebugOp, BenchOp>
  /** Matches made and undone by hand. */
  readonly hand?: HandMatches
}

type MeasureTensors = (pairs: readonly TensorPair[], job: Job) => Promise<Measured>

/** Builds both graphs and compares them as msprobe does. */
export async function compareGraphs(
  debugDump: Dump,
  benchDump: Dump,
  options: GraphOptions,
  job: Job,
  measure: MeasureTensors,
): Promise<GraphPair> {
  const debug = await buildGraph(debugDump, options.rules, job)
  const bench = await buildGraph(benchDump, options.rules, job)
  return comparePair({ rules: options.rules, debug, bench, debugDump, benchDump }, options, job, measure)
}

export async function comparePair(
  sides: Sides,
  options: GraphOptions,
  job: Job,
  measure: MeasureTensors,
): Promise<GraphPair> {
  const problems: Problem[] = []
  const mode = graphMode(sides.debugDump, sides.benchDump)
  const matching = applyHand(
    match(sides, options, problems),
    options.hand ?? noHandMatches,
    sides.debug,
    sides.bench,
  )
  await job.breathe()
  const benchItem = pairItems(sides, matching)
  const { pairs, measuredRow } = tensorPairs(sides, mode, benchItem)
  const measured = mode === 'tensor' ? await measure(pairs, job) : null
  const { debug, bench, debugDump, benchDump, rules } = sides
  const pair: GraphPair = {
    ...sides,
    mode,
    matching,
    benchItem,
    measuredRow,
    measured,
    index: new Float64Array(debug.length),
    indexInt: new Uint8Array(debug.length),
    overflow: options.overflow
      ? { debug: overflowLevels(debug, debugDump, rules), bench: overflowLevels(bench, benchDump, rules) }
      : null,
    problems: [...debug.problems, ...bench.problems, ...problems],
  }
  fillIndex(pair)
  return pair
}

function match(sides: Sides, options: GraphOptions, problems: Problem[]): Matching {
  if (options.fuzzy) return matchFuzzy(sides)
  if (options.partners) return matchByMap(sides, options.partners)
  if (options.layerMapping === null) return matchByPlace(sides)
  try {
    if (ruleSets[options.rules].graph.strictBatch && saysNothing(options.layerMapping))
      throw new Refusal(problem('mapping-invalid', '', { what: 'layer', line: 1, reason: 'NOT_A_MAP' }))
    return matchByMap(sides, layerPartners(sides.debugDump, sides.benchDump, options.layerMapping))
  } catch (error) {
    if (!(error instanceof Refusal) || !ruleSets[options.rules].graph.strictBatch) throw error
    problems.push({ ...error.problem, severity: 'warning' })
    return matchByPlace(sides)
  }
}

const saysNothing = (yaml: string): boolean => yaml.split('\n').every(line => /^\s*(?:#|$)/.test(line))

/** In tensor mode the items of which both sides have a file, with the row that each will have among the measured. */
function tensorPairs(
  { debugDump, benchDump, rules }: Sides,
  mode: GraphMode,
  benchItem: Ids<DebugItem, BenchItem>,
): { readonly pairs: readonly TensorPair[]; readonly measuredRow: Ids<DebugItem, MeasuredRow> } {
  const pairs: TensorPair[] = []
  const measuredRow = new Int32Array(benchItem.length).fill(-1)
  if (mode !== 'tensor') return { pairs, measuredRow }
  const { deviates, zeros, squeezes } = ruleSets[rules]
  const filesOf = filePairs(debugDump, benchDump, deviates)
  for (let item = 0; item < benchItem.length; item++) {
    const there = benchItem[item]
    const files = there < 0 ? null : filesOf(item, there)
    if (!files) continue
    const squeezed = squeezes && isTorchFile(files.debug)
    measuredRow[item] = pairs.push({ ...files, item, zeros, squeezed }) - 1
  }
  return { pairs, measuredRow }
}
