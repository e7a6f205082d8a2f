// Compares the graphs of two dumps: mode, matching, item pairs, tensors, index, overflow.
import type { Dump } from '../dump.ts'
import type { Job } from '../job.ts'
import { noHandMatches, type HandMatches } from '../match/hand.ts'
import { layerPartners } from '../match/layers.ts'
import { waysOf, type Ways } from '../match/rules.ts'
import { filePair } from '../match/tensor-names.ts'
import type { Measured, TensorPair } from '../metrics/measured.ts'
import type { Rules } from '../model.ts'
import { problem, Refusal, type Problem } from '../problem.ts'
import { buildGraph } from './build.ts'
import { applyHand } from './hand.ts'
import { matchByMap, matchByPlace, matchFuzzy, type Matching, type Sides } from './match.ts'
import { overflowLevels } from './overflow.ts'
import { pairItems, type GraphMode, type GraphPair } from './pair.ts'
import { fillIndex } from './precision.ts'
import { graphRules } from './rules.ts'
import type { MatchedBy } from './why.ts'

export interface GraphOptions {
  readonly rules: Rules
  readonly fuzzy: boolean
  /** Text of a layer mapping; '' is an empty one, null none. */
  readonly layerMapping: string | null
  readonly overflow: boolean
  /** Bench op per debug op, -1 for none, found by another mapping; takes the place of the layer mapping. */
  readonly partners?: Int32Array
  /** Matches made and undone by hand. */
  readonly hand?: HandMatches
}

export type MeasureTensors = (pairs: readonly TensorPair[], job: Job) => Promise<Measured>

/** What two dumps can be compared by; refuses those that cannot be. */
export function graphMode(debug: Dump, bench: Dump): GraphMode {
  const [a, b] = [debug.header.task, bench.header.task]
  if (a === '' || a !== b) throw new Refusal(problem('tasks-differ', bench.files.dump, { debug: a || '?', bench: b || '?' }))
  if (a === 'tensor') return 'tensor'
  if (a === 'structure') return 'structure'
  if (a !== 'statistics') throw new Refusal(problem('task-not-comparable', debug.files.dump, { task: a }))
  if (debug.header.hasMd5 !== bench.header.hasMd5) {
    throw new Refusal(problem('modes-differ', bench.files.dump, { debug: debug.header.hasMd5 ? 'md5' : 'statistics', bench: bench.header.hasMd5 ? 'md5' : 'statistics' }))
  }
  return debug.header.hasMd5 ? 'md5' : 'statistics'
}

/** Builds both graphs and compares them. */
export async function compareGraphs(debugDump: Dump, benchDump: Dump, options: GraphOptions, job: Job, measure: MeasureTensors): Promise<GraphPair> {
  const debug = await buildGraph(debugDump, options.rules, job)
  const bench = await buildGraph(benchDump, options.rules, job)
  return comparePair({ rules: options.rules, debug, bench, debugDump, benchDump }, options, job, measure)
}

export async function comparePair(sides: Sides, options: GraphOptions, job: Job, measure: MeasureTensors): Promise<GraphPair> {
  const problems: Problem[] = []
  const mode = graphMode(sides.debugDump, sides.benchDump)
  const matching = applyHand(match(sides, options, problems), options.hand ?? noHandMatches, sides.debug, sides.bench)
  await job.breathe()
  const pair = await judge(sides, mode, matching, options, job, measure)
  return { ...pair, problems: [...sides.debug.problems, ...sides.bench.problems, ...problems] }
}

function match(sides: Sides, options: GraphOptions, problems: Problem[]): Matching {
  if (options.fuzzy) return matchFuzzy(sides)
  if (options.partners) return matchByMap(sides, options.partners)
  if (options.layerMapping === null) return matchByPlace(sides)
  try {
    if (graphRules[options.rules].strictBatch && saysNothing(options.layerMapping)) throw new Refusal(problem('mapping-invalid', '', { what: 'layer', line: 1, reason: 'NOT_A_MAP' }))
    return matchByMap(sides, layerPartners(sides.debugDump, sides.benchDump, options.layerMapping))
  } catch (error) {
    if (!(error instanceof Refusal) || !graphRules[options.rules].strictBatch) throw error
    problems.push({ ...error.problem, severity: 'warning' })
    return matchByPlace(sides)
  }
}

const saysNothing = (yaml: string): boolean => yaml.split('\n').every(line => /^\s*(?:#|$)/.test(line))

/** Everything that follows from who met whom. */
async function judge(sides: Sides, mode: GraphMode, matching: Matching, options: GraphOptions, job: Job, measure: MeasureTensors): Promise<GraphPair> {
  const { debug, bench, debugDump, benchDump, rules } = sides
  const benchItem = pairItems(rules, debug, bench, debugDump, benchDump, matching)
  const measuredRow = new Int32Array(debugDump.items.length).fill(-1)
  let measured: Measured | null = null
  if (mode === 'tensor') {
    const pairs = tensorPairs(debugDump, benchDump, benchItem, measuredRow, waysOf(rules))
    measured = await measure(pairs, job)
  }
  const pair: GraphPair = {
    ...sides, mode, matching, benchItem, measuredRow, measured,
    index: new Float64Array(debug.length), indexInt: new Uint8Array(debug.length),
    overflow: options.overflow ? { debug: overflowLevels(debug, debugDump, rules), bench: overflowLevels(bench, benchDump, rules) } : null,
    problems: [],
  }
  fillIndex(pair)
  return pair
}

/** Items of which both sides have a file, with the row that each will have among the measured ones. */
function tensorPairs(debug: Dump, bench: Dump, benchItem: Int32Array, row: Int32Array, ways: Ways): TensorPair[] {
  const pairs: TensorPair[] = []
  for (let item = 0; item < benchItem.length; item++) {
    const there = benchItem[item]
    const files = there < 0 ? null : filePair(debug, item, bench, there, ways)
    if (files) row[item] = pairs.push(files) - 1
  }
  return pairs
}


/** Which way of matching these options choose; explains what stayed alone. */
export const matchedBy = (options: GraphOptions): MatchedBy => (options.fuzzy ? 'fuzzy' : options.partners || options.layerMapping !== null ? 'map' : 'place')
