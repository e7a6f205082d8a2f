// One pair of dumps: read, compared, advised on, written.
import { dataMappingText, noHandMatches } from '../../../pair/index.ts'
import { countsOf, firstFailing, RankDifferences, rankNodes } from '../../../judge/index.ts'
import {
  type Comparison,
  type FindingRecomputed,
  type MappingTexts,
  problem,
  type Problem,
  Refusal,
  type TableFormat,
} from '../../../model/index.ts'
import type { Output } from '../../../io/index.ts'
import { formatOf, type UnitRef } from '../../../layout/index.ts'
import { ruleSets } from '../../../rules/index.ts'
import { writeComparison, writeDifferences } from '../../../report/index.ts'
import {
  advisorFile,
  defaultOptions,
  engineOf,
  finish,
  noiseReader,
  PairUnit,
  resultNames,
  type Snapshot,
  type UnitSource,
  type UnitView,
} from '../../../study/index.ts'
import { portsOf } from '../ports.ts'
import type { Tools } from '../tools.ts'
import { writeText, writingUnit } from '../units.ts'
import type { DatasetWriter, UnitPlace } from '../../../dataset/index.ts'
import type { CompareRequest, UnitResult } from './request.ts'

export interface UnitOrder {
  readonly request: CompareRequest
  /** Texts of the mapping files. */
  readonly mapping: MappingTexts
  readonly output: Output | null
  /** Where the unit is a part of a dataset. */
  readonly dataset: DatasetWriter | null
  /** When files get their names: when the unit is done, or with all others. */
  readonly keep: 'now' | 'later'
}

export async function compareUnit(source: UnitSource, order: UnitOrder, tools: Tools): Promise<UnitResult> {
  const { place } = source
  // Threads start while the dumps are read.
  if (isOfTensors(place, tools)) tools.warm()
  const unit = unitOf(source, order, tools)
  try {
    await naming(order.request.mapping, () => finish(unit, tools.job))
    const snapshot = unit.snapshot()
    if (!snapshot) throw new Error('a finished unit without a comparison')
    tellOf(snapshot, place, order.request, tools)
    const { refused } = await unit.view(snapshot).noise(tools.job)
    if (refused) throw new Refusal(refused)
    const unread = snapshot.table.problems.some(found => found.severity === 'error')
    const view = unit.view(snapshot)
    if (order.dataset) await writePart(view, source, { request: order.request, writer: order.dataset }, tools)
    return { ...(await written(view, order, tools)), unread }
  } finally {
    unit.close()
  }
}

export function placeOf(source: UnitSource): UnitPlace {
  const { step, rank, name = '', debug, bench } = source.place
  return { step, rank, name, debug, bench, stamp: source.stamp() }
}

interface Part {
  readonly request: CompareRequest
  readonly writer: DatasetWriter
}

async function writePart(
  view: UnitView,
  source: UnitSource,
  { request, writer }: Part,
  { job }: Tools,
): Promise<void> {
  const comparison = await view.judged(job)
  await writer.write(
    placeOf(source),
    {
      comparison,
      counts: countsOf(comparison),
      advice: request.advise ? await view.advice() : null,
      rows: request.verb === 'compare',
    },
    job,
  )
}

/** The unit that the window works on, with nobody who looks at it before the end. */
function unitOf(source: UnitSource, { request, mapping }: UnitOrder, tools: Tools): PairUnit {
  const { rules, fuzzy, noise } = request
  return new PairUnit(source, { ...defaultOptions, rules, fuzzy, mapping, noise }, noHandMatches, {
    files: tools.files,
    measure: tools.measure,
    adviser: tools.adviser,
    noise: noiseReader({ ...portsOf(tools, rules), measure: tools.measure }),
    events: { changed() {}, problem() {}, onScreen: () => false },
    steps: ['dumps', 'pairs', 'metrics', 'states'],
    kept: () => null,
  })
}

async function written(view: UnitView, order: UnitOrder, tools: Tools): Promise<Omit<UnitResult, 'unread'>> {
  const { comparison, place } = view
  const { request, output, keep } = order
  const first = firstFailing(comparison)
  const judged = view.judged(tools.job)
  // Waited for behind the files; a file that cannot be written is told before.
  judged.catch(() => {})
  const files = output
    ? await writingUnit(output, tools, own => writeUnit(view, { request, output: own, judged }, tools), keep)
    : []
  return {
    step: place.step,
    rank: place.rank,
    name: place.name ?? '',
    debug: comparison.debug.file || place.debug,
    bench: comparison.bench.file || place.bench,
    mode: comparison.mode,
    counts: countsOf(await judged),
    first: first && { row: first.row, node: first.node },
    files,
    advice: request.advise ? await view.advice() : null,
    nodes: request.across ? rankNodes(place.rank ?? 0, new RankDifferences(comparison)) : null,
    made: tools.json && request.verb === 'compare' ? await view.madeByNode() : [],
    recomputed: request.verb === 'advise' ? await headlineOf(view, tools) : null,
  }
}

/** Whose fault it is where the error enters, where the tensors are there to tell. */
async function headlineOf(view: UnitView, tools: Tools): Promise<FindingRecomputed | null> {
  const [headline] = (await view.advice()).findings
  if (!headline || view.table.mode !== 'tensor') return null
  return view.recomputed().ofFinding(tools, headline, {}, tools.job)
}

const isOfTensors = (unit: UnitRef, { files }: Tools): boolean =>
  formatOf(unit).ofTensors?.(unit.places.debug, files) ?? false

/** What the user should know of the dumps and of how they were compared. */
function tellOf(
  { dumps: { debug, bench, given }, table }: Snapshot,
  place: UnitRef,
  { mapping }: CompareRequest,
  { tell }: Tools,
): void {
  const idle = given ? Object.keys(mapping) : []
  for (const option of idle) tell(problem('option-unsupported', place.debug, { option }, 'warning'))
  const mapped = mappingFile(mapping)
  for (const found of [...debug.problems, ...(bench?.problems ?? []), ...table.problems])
    tell(isOfMapping(found) ? { ...found, path: mapped } : found)
}

interface Writing {
  readonly request: CompareRequest
  readonly output: Output
  /** Our states wait for the advisor; msprobe's cells do not. */
  readonly judged: Promise<Comparison>
}

async function writeUnit(
  view: UnitView,
  { request, output, judged }: Writing,
  { job, words }: Tools,
): Promise<void> {
  const { comparison, place } = view
  const names = resultNames(place.suffix)
  const facts = {
    ...request.facts,
    rules: comparison.rules,
    mode: comparison.mode,
    debug: comparison.debug.file,
    bench: comparison.bench.file,
  }
  if (request.across) await writeDifferences(comparison, output.create(names.differences), job)
  for (const format of formatsOf(request, view))
    await writeComparison(
      format,
      comparison,
      { output, name: names.table },
      { rawCsv: request.rawCsv, facts, judged },
      job,
    )
  if (writesMapping(request, place, comparison))
    writeText(output, names.dataMapping, dataMappingText(comparison))
  if (!request.advise) return
  const findings = `${words.findings(await view.advice(), countsOf(await judged)).join('\n')}\n`
  writeText(
    output,
    names.advisor,
    advisorFile(comparison, key => words.advice(key), findings),
  )
}

/** Beside the differences of ranks msprobe 26 writes tables only where it does not look for them. */
const formatsOf = (
  { across, chosen, formats, rules }: CompareRequest,
  { comparison, place }: UnitView,
): readonly TableFormat[] =>
  !across ||
  chosen ||
  ruleSets[rules].extras ||
  place.suffix === '' ||
  engineOf(comparison.debug) !== 'pytorch'
    ? formats
    : []

/** What a layer mapping came to, item by item. */
const writesMapping = (request: CompareRequest, { dialect }: UnitRef, { debug }: Comparison): boolean =>
  request.mapping.layer !== undefined &&
  ((dialect ?? engineOf(debug)) !== 'pytorch' || ruleSets[request.rules].deviates['layer-map-any'])

/** Problems of mappings name the file that was given. */
async function naming<T>(mapping: MappingTexts, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const file = mappingFile(mapping)
    if (error.problem.code === 'nothing-matched' && file)
      throw new Refusal({
        ...error.problem,
        code: 'nothing-matched-by',
        facts: { ...error.problem.facts, mapping: file },
      })
    throw isOfMapping(error.problem) ? new Refusal({ ...error.problem, path: file }) : error
  }
}

const isOfMapping = ({ code, path }: Problem): boolean => code.startsWith('mapping') && path === ''
const mappingFile = (mapping: MappingTexts): string => Object.values(mapping).find(file => file) ?? ''
