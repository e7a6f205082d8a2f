// The door of the comparison: two dumps and settings in, msprobe's table out.
import type { MappingTexts, Thresholds } from '../../../preload/contract/engine.ts'
import type { Dump } from '../dump.ts'
import type { Files } from '../io/files.ts'
import { atOnce, stepwise, type Job, type Steps } from '../job.ts'
import { comparedTable, type TableInput, type TableWays } from '../metrics/compared.ts'
import { columnsOf, newestColumnsOf } from '../metrics/index.ts'
import type { Measured, TensorPair } from '../metrics/measured.ts'
import { newestTable } from '../metrics/newest.ts'
import { emptyMeasured } from '../metrics/remembered.ts'
import type { Mode, Rules } from '../model.ts'
import { problem, Refusal, type Problem } from '../problem.ts'
import type { Comparison } from '../result.ts'
import { apiKeys } from './apis.ts'
import { cellKeys } from './cells.ts'
import { joinItems, sameNames } from './join.ts'
import { layerPartners } from './layers.ts'
import { withHand, type HandMatches } from './hand.ts'
import { givenItems, listedCalls, listedItems } from './listed.ts'
import { joinNewest } from './newest.ts'
import type { Pairing } from './pairing.ts'
import { matchAligned, matchCalls } from './queue.ts'
import { waysOf, type Ways } from './rules.ts'
import { filePair } from './tensor-names.ts'
import { Reasons } from './why.ts'

export interface CompareSettings {
  readonly rules: Rules
  /** Whose dialect: the reference has two. In the app the debug side's framework decides. */
  readonly engine: 'pytorch' | 'mindspore'
  readonly fuzzy: boolean
  readonly mapping: MappingTexts
  /** `auto`: where there is a stack.json. */
  readonly stack: boolean | 'auto'
  readonly thresholds: Thresholds
  /** Bench item per debug item (-1: none) where a finished result says who met whom; mappings do not apply then. */
  readonly given?: Int32Array
  /** What a person paired or parted by hand. */
  readonly hand?: HandMatches
}

export interface CompareDeps {
  readonly files: Files
  readonly job: Job
  measure(pairs: readonly TensorPair[], job: Job, grown?: (so: Measured) => void): Promise<Measured>
}

export const defaultThresholds: Thresholds = { relative: 0.02, small32: 1e-6, smallAbsolute32: 1e-6, small16: 1e-3, smallAbsolute16: 1e-3 }

/** Compares two dumps. `grown` gets the table as soon as its rows are known, and again while tensors are measured. */
export async function compareDumps(debug: Dump, bench: Dump, settings: CompareSettings, deps: CompareDeps, grown?: (so: Comparison) => void): Promise<Comparison> {
  const ways = waysOf(settings.rules)
  const mode = modeOf(debug, bench)
  const problems: Problem[] = []
  // Rows are gone through about a dozen times, most of them for the table.
  const work = 4 * (debug.items.length + bench.items.length)
  const told = (from: number, to: number) => (share: number): void => deps.job.report({ what: 'job.comparing', done: Math.round((from + (to - from) * share) * debug.items.length), total: debug.items.length, unit: 'items' })
  const found = await stepwise(pair(debug, bench, mode, settings, ways, problems), deps.job, work, told(0, 0.5))
  const pairing = settings.hand ? withHand(debug, bench, found, settings.hand) : found
  if (pairing.debugItem.length === 0) throw new Refusal(problem('nothing-matched', debug.files.dump, { bench: bench.files.dump }))

  const hasStack = settings.stack === 'auto' ? debug.files.stack !== '' : settings.stack
  const reasons = new Reasons(debug, bench, pairing)
  const input: TableInput = {
    mode, rules: settings.rules, debug, bench, columns: (settings.rules === 'msprobe-26' ? newestColumnsOf : columnsOf)(mode, { stack: hasStack }), problems, fuzzy: settings.fuzzy,
    dialect: pairing.dialect, debugItem: pairing.debugItem, benchItem: pairing.benchItem, benchOnly: pairing.benchOnly, stackShown: debug.stacks.newLayout && !ways['new-stacks'] ? new Uint8Array(pairing.stack.length) : pairing.stack,
    ways: tableWays(ways, pairing), measured: null, pairOf: null, why: row => reasons.text(row),
  }
  if (mode !== 'tensor') return stepwise(tableOf(input, settings.thresholds), deps.job, work, told(0.5, 1))

  const { pairs, pairOf } = tensorPairs(debug, bench, pairing, settings, ways)
  const table = (measured: Measured): Steps<Comparison> => tableOf({ ...input, measured, pairOf, problems: [...problems, ...(measured.problems ?? [])] }, settings.thresholds)
  const last = (measured: Measured): Promise<Comparison> => stepwise(table(measured), deps.job, work, () => {})
  if (!grown) return last(await deps.measure(pairs, deps.job))
  grown(await last(emptyMeasured(pairs.length)))
  let busyUntil = 0
  return last(await deps.measure(pairs, deps.job, so => {
    const began = performance.now()
    if (began < busyUntil) return
    grown(atOnce(table(so)))
    // Making the table again may take a tenth of the time at most.
    busyUntil = performance.now() + 9 * (performance.now() - began)
  }))
}

const tableOf = (input: TableInput, thresholds: Thresholds): Steps<Comparison> => (input.rules === 'msprobe-26' ? newestTable(input, thresholds) : comparedTable(input, thresholds))

/** The same rows under other thresholds; no tensor is read again. */
export const rejudge = (comparison: Comparison, thresholds: Thresholds): Comparison => comparison.judged(thresholds)

/** What both dumps can be compared by; refuses dumps of different kinds. */
export function modeOf(debug: Dump, bench: Dump): Mode {
  const [mine, theirs] = [debug.header.task, bench.header.task]
  if (!mine || !theirs) throw new Refusal(problem('task-not-comparable', mine ? bench.files.dump : debug.files.dump, { task: '' }))
  if (mine !== theirs) throw new Refusal(problem('tasks-differ', debug.files.dump, { debug: mine, bench: theirs, other: bench.files.dump }))
  if (mine === 'tensor') return 'tensor'
  if (mine !== 'statistics') throw new Refusal(problem('task-not-comparable', debug.files.dump, { task: mine }))
  if (debug.header.hasMd5 !== bench.header.hasMd5) throw new Refusal(problem('modes-differ', debug.files.dump, { other: bench.files.dump }))
  return debug.header.hasMd5 ? 'md5' : 'statistics'
}

/** Which item meets which under these settings, without any comparing. */
export const pairDumps = (debug: Dump, bench: Dump, settings: CompareSettings, problems: Problem[]): Pairing =>
  atOnce(pair(debug, bench, modeOf(debug, bench), settings, waysOf(settings.rules), problems))

function* pairNewest(debug: Dump, bench: Dump, mode: Mode, { mapping, fuzzy }: CompareSettings, ways: Ways, problems: Problem[]): Steps<Pairing> {
  if (mapping.api !== undefined) return yield* joinNewest(debug, bench, apiKeys(debug, bench, mapping.api, true, problems))
  if (mapping.cell !== undefined) return yield* joinNewest(debug, bench, cellKeys(debug, mapping.cell))
  if (mapping.layer !== undefined) {
    hasHierarchy(debug, ways)
    hasHierarchy(bench, ways)
    return yield* listedCalls(debug, bench, layerPartners(debug, bench, mapping.layer))
  }
  if (mapping.data !== undefined) return listedItems(debug, bench, mapping.data, true, problems)
  return yield* (fuzzy ? matchAligned(debug, bench, { fuzzy, md5: mode === 'md5', ways }) : joinNewest(debug, bench, null))
}

function* pair(debug: Dump, bench: Dump, mode: Mode, settings: CompareSettings, ways: Ways, problems: Problem[]): Steps<Pairing> {
  if (settings.rules === 'msprobe-26') return yield* pairNewest(debug, bench, mode, settings, ways, problems)
  const { mapping, engine, fuzzy } = settings
  if (settings.given) return givenItems(debug, bench, settings.given)
  const pytorch = engine === 'pytorch'
  if (pytorch && (mapping.api !== undefined || mapping.cell !== undefined)) {
    throw new Refusal(problem('option-framework', debug.files.dump, { option: mapping.api === undefined ? 'cell_mapping' : 'api_mapping', framework: 'pytorch' }))
  }
  if (mapping.layer !== undefined && (!pytorch || ways['layer-map-any'])) {
    const [here, there] = [hasHierarchy(debug, ways), hasHierarchy(bench, ways)]
    if (here) return yield* listedCalls(debug, bench, there ? layerPartners(debug, bench, mapping.layer) : new Int32Array(debug.ops.length).fill(-1))
  } else if (mapping.data !== undefined) return listedItems(debug, bench, mapping.data, ways['unmatched-in-list'], problems)
  if (pytorch) return yield* matchCalls(debug, bench, { fuzzy, md5: mode === 'md5', ways })
  if (mapping.cell !== undefined) return yield* joinItems(debug, bench, cellKeys(debug, mapping.cell))
  if (mapping.api !== undefined) return yield* joinItems(debug, bench, apiKeys(debug, bench, mapping.api, ways['api-map-index'], problems))
  if (fuzzy && ways['fuzzy-mindspore']) return yield* matchAligned(debug, bench, { fuzzy, md5: mode === 'md5', ways })
  return yield* joinItems(debug, bench, sameNames(debug))
}

/** Refuses what a layer mapping cannot work on; false where msprobe goes on with an empty map. */
function hasHierarchy(dump: Dump, ways: Ways): boolean {
  if (!dump.files.stack) throw new Refusal(problem('no-stack', dump.files.dump, { dir: dump.files.dir }))
  if (dump.construct.length > 0) return true
  if (dump.files.construct && !ways['layer-map-flat']) return false
  throw new Refusal(problem('no-hierarchy', dump.files.construct || dump.files.dump))
}

function tableWays(ways: Ways, pairing: Pairing): TableWays {
  const join = pairing.dialect === 'join'
  return {
    reparse: join && !ways['exact-numbers'], warnOnAll: join && !ways['warn-on-any'], emptyIsZero: !ways['empty-tensor'], missingIsDebug: !ways['missing-file-name'],
    hidesUnmatchedMd5: pairing.dialect === 'queue' && !ways['unmatched-md5-shown'], unmatchedNonePasses: !ways['unmatched-none-md5'],
    smallestMax: ways['highlight-denominator'] ? 0.01 : 2.220446049250313e-16, bothAboveOne: ways['highlight-both'],
  }
}

// ---------------------------------------------------------------------------------------------- tensors

function tensorPairs(debug: Dump, bench: Dump, pairing: Pairing, settings: CompareSettings, ways: Ways): { pairs: TensorPair[]; pairOf: Int32Array } {
  for (const dump of settings.given ? [] : [debug, bench]) if (!dump.files.tensors) throw new Refusal(problem('no-tensors', dump.files.dump, { dir: dump.files.dir }))
  const { debugItem, benchItem } = pairing
  const pairs: TensorPair[] = []
  const pairOf = new Int32Array(debugItem.length).fill(-1)
  const bytesOf = sizesOf(debug)
  const zeros = settings.rules === 'msprobe-26' ? 'machine' : 'tiny'
  const extension = ways['debug-file-name'] ? '' : settings.engine === 'pytorch' ? '.pt' : '.npy'
  for (let row = 0; row < debugItem.length; row++) {
    const item = debugItem[row]
    const other = benchItem[row]
    const files = other < 0 ? null : filePair(debug, item, bench, other, ways, extension)
    if (!files) continue
    pairOf[row] = pairs.length
    // One literal: thousands of objects of one shape.
    pairs.push({ debug: files.debug, bench: files.bench, debugDtype: dtypeOf(debug, item), benchDtype: dtypeOf(bench, other), bytes: bytesOf(item), zeros })
  }
  return { pairs, pairOf }
}

const dtypeOf = (dump: Dump, item: number): string => (dump.items.dtype[item] < 0 ? '' : dump.texts.get(dump.items.dtype[item]))

/** About how large tensors are, from their shape texts; those are few. */
function sizesOf(dump: Dump): (item: number) => number {
  const elements = new Map<number, number>()
  const widths = new Map<number, number>()
  const known = (of: Map<number, number>, code: number, find: (text: string) => number): number => {
    let found = of.get(code)
    if (found === undefined) of.set(code, (found = find(code < 0 ? '' : dump.texts.get(code))))
    return found
  }
  return item => known(elements, dump.items.shape[item], shape => [...shape.matchAll(/\d+/g)].reduce((size, [dim]) => size * Number(dim), 1))
    * known(widths, dump.items.dtype[item], dtype => (dtype.includes('64') ? 8 : dtype.includes('16') ? 2 : 4))
}

export { adviceKey, advisorText, firstFailing, firstRow, type AdviceKey, type FirstFailing } from './first.ts'
export { noHandMatches, type HandMatches } from './hand.ts'
export { dataMappingText } from './listed.ts'
export { deviations, parityDocument } from './rules.ts'
export { pairRanks, type RankPair, type RankPairs } from './ranks.ts'
export { compareKernels, type KernelResult, type KernelSettings, type KernelTable } from './kernel.ts'
export { mergeConfig, mergeRanks, rankOfResult, type MergeConfig, type MergedSheet, type RankResult } from './merge.ts'
