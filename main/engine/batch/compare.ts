// The compare command: reads compare.json or two paths, compares every pair, writes the results together.
import { adviceDumps, adviceOrder, adviseOnFiles, type AdviceTold } from '../advice.ts'
import { adviseAcross } from '../advisor/across.ts'
import { defaultThresholds as advisorThresholds } from '../advisor/thresholds.ts'
import type { Dump, DumpFiles } from '../dump.ts'
import { readDump } from '../formats/msprobe.ts'
import type { Files } from '../io/files.ts'
import { openOutput, type Output } from '../io/output.ts'
import type { Job } from '../job.ts'
import { adviceKey, advisorText, compareDumps, dataMappingText, defaultThresholds, firstFailing, firstRow } from '../match/index.ts'
import { waysOf } from '../match/rules.ts'
import { problem, Refusal, type Problem } from '../problem.ts'
import { writeComparison } from '../report/index.ts'
import { stampOf } from '../report/names.ts'
import type { Comparison } from '../result.ts'
import type { Advice, CompareOptions, MappingTexts } from '../../../preload/contract/engine.ts'
import { readCompareJson, readMapping } from './compare-json.ts'
import { countsOf, total } from '../report/counts.ts'
import type { Adviser, BatchParts, CompareRequest, CompareResult, MappingFiles, UnitResult } from './request.ts'
import { pairsOfJson, pairsOfPaths, type PairOfDumps, type Pairs } from './units.ts'

export async function compareCommand(request: CompareRequest, parts: BatchParts, job: Job): Promise<CompareResult> {
  const { files } = parts
  const json = typeof request.input === 'string' ? readCompareJson(files, request.input) : null
  if (json?.kernel) return (await import('./kernel.ts')).kernelCommand(json, json.kernel, request, parts, job)
  const mapping = mappingOf(files, request)
  const { pairs, problems } = json ? pairsOfJson(files, json, request.stack, request.rules) : pairsOfPaths(files, request.input as readonly [string, string])
  for (const found of problems) parts.tell(found)
  return comparePairs(pairs, mapping, request, parts, job)
}

function mappingOf(files: Files, { mapping, rules }: CompareRequest): MappingTexts {
  const given = Object.entries(mapping).filter((entry): entry is [string, string] => entry[1] !== undefined)
  if (given.length > 1 && rules === 'plumbline') throw new Refusal(problem('mapping-twice', '', { options: given.map(([kind]) => `--${kind}_mapping`).join(', ') }))
  return Object.fromEntries(given.map(([kind, file]) => [kind, readMapping(files, file)]))
}

async function comparePairs(pairs: Pairs['pairs'], mapping: MappingTexts, request: CompareRequest, parts: BatchParts, job: Job): Promise<CompareResult> {
  const output = request.output === null ? null : openOutput(request.output, pairs.flatMap(pair => [pair.debug.dir, pair.bench.dir]), request.outputChosen)
  const units: UnitResult[] = []
  const failed: Problem[] = []
  try {
    for (const [i, pair] of pairs.entries()) {
      try {
        units.push(await compareUnit(pair, mapping, request, output, parts, pairs.length === 1 ? job : partOf(job, i, pairs.length)))
      } catch (error) {
        if (error instanceof Refusal && error.problem.code.startsWith('nothing-matched') && !waysOf(request.rules)['nothing-matched']) {
          parts.tell({ ...error.problem, severity: 'warning' })
          continue
        }
        if (!(error instanceof Refusal) || pairs.length === 1 || !waysOf(request.rules)['failed-rank']) throw error
        parts.tell(error.problem)
        failed.push(problem('rank-failed', pair.debug.dir))
      }
    }
    if (units.length === 0 && failed.length > 0) throw new Refusal(failed[0])
    return { rules: request.rules, units, counts: total(units.map(unit => unit.counts)), findings: findingsOf(units), files: output?.commit() ?? [], failed }
  } finally {
    output?.abandon()
  }
}

const findingsOf = (units: readonly UnitResult[]): CompareResult['findings'] =>
  adviseAcross(units.flatMap(({ step, rank, advice }) => (advice ? [{ step, rank, advice }] : [])))

/** Progress of one of several units as a part of the whole. */
const partOf = (job: Job, index: number, of: number): Job => ({
  ...job,
  report: progress => job.report({ ...progress, done: index * progress.total + progress.done, total: of * progress.total }),
})

async function compareUnit(pair: PairOfDumps, mapping: MappingTexts, request: CompareRequest, output: Output | null, parts: BatchParts, job: Job): Promise<UnitResult> {
  // Threads start while the dumps are read.
  if (isOfTensors(parts.files, pair.debug.dump)) parts.warm()
  const [debug, bench] = await bothDumps(pair, parts, job)
  const packed = request.advise && parts.adviser ? adviceDumps(debug, bench) : null
  const sent = packed && parts.adviser ? parts.adviser.prepare(packed) : null
  const options: CompareOptions = { rules: request.rules, fuzzy: request.fuzzy, mapping: typeof request.input === 'string' ? mapping : orBuiltIn(mapping, debug, bench), thresholds: defaultThresholds, advisor: advisorThresholds, colours: 'precision' }
  const engine = request.framework ?? (debug.header.framework === 'pytorch' ? 'pytorch' : 'mindspore')
  const byLayers = request.mapping.layer !== undefined && (engine !== 'pytorch' || waysOf(request.rules)['layer-map-any'])
  const comparison = await naming(request.mapping, () => compareDumps(debug, bench, { ...options, engine, stack: pair.stack }, { files: parts.files, job, measure: parts.measure }))
  const mapped = mappingFile(request.mapping)
  for (const found of [...debug.problems, ...bench.problems, ...comparison.problems]) parts.tell(isOfMapping(found) ? { ...found, path: mapped } : found)
  const first = firstFailing(comparison)
  const advice = request.advise ? advised(comparison, sent, { step: pair.step, rank: pair.rank, first: firstRow(first) }, parts, job) : null
  // Waited for behind the files; a file that cannot be written is told before.
  advice?.catch(() => {})
  return {
    step: pair.step, rank: pair.rank, debug: pair.debug.dump, bench: pair.bench.dump, mode: comparison.mode, counts: countsOf(comparison),
    first: first && { row: first.row, node: first.node },
    files: output ? await writeUnit(comparison, advice, pair.suffix, byLayers, request, output, parts, job) : [],
    advice: await advice,
  }
}

async function advised(comparison: Comparison, sent: ReturnType<Adviser['prepare']> | null, told: AdviceTold, { adviser, files }: BatchParts, job: Job): Promise<Advice> {
  return sent && adviser ? adviser.advise(adviceOrder(await sent, comparison, told, files.roots()), job) : adviseOnFiles({ ...told, comparison }, files.roots(), job)
}

/** Across frameworks hardly anything matches by name alone: as in the window, the built-in API table is in force where nothing else was asked for. */
const orBuiltIn = (mapping: MappingTexts, debug: Dump, bench: Dump): MappingTexts =>
  debug.header.framework === 'mindspore' && bench.header.framework === 'pytorch' && Object.keys(mapping).length === 0 ? { api: '' } : mapping

async function writeUnit(comparison: Comparison, advice: Promise<Advice> | null, suffix: string, byLayers: boolean, request: CompareRequest, output: Output, parts: BatchParts, job: Job): Promise<readonly string[]> {
  const written: string[] = []
  const noting: Output = { ...output, create: name => { const sink = output.create(name); written.push(sink.path); return sink } }
  const stamp = stampOf(new Date())
  const facts = { ...request.facts, rules: comparison.rules, mode: comparison.mode, debug: comparison.debug.files.dump, bench: comparison.bench.files.dump }
  for (const format of request.formats) await writeComparison(format, comparison, `compare_result${suffix}_${stamp}`, noting, { rawCsv: request.rawCsv, facts }, job)
  if (byLayers) writeText(noting, `data_mapping${suffix}_${stamp}.yaml`, dataMappingText(comparison))
  if (advice) {
    const first = firstFailing(comparison)
    writeText(noting, `advisor${suffix}_${stampOf(new Date())}.txt`, advisorText(first, parts.words.advice(adviceKey(first))) + parts.words.findings(await advice, countsOf(comparison)))
  }
  return written
}

/** Whether a dump.json says in its first lines that tensors were kept. */
function isOfTensors(files: Files, dump: string): boolean {
  const handle = files.open(dump)
  try {
    const head = new Uint8Array(512)
    return /"task"\s*:\s*"tensor"/.test(new TextDecoder().decode(head.subarray(0, handle.read(0, head))))
  } finally {
    handle.close()
  }
}

async function bothDumps({ debug, bench }: PairOfDumps, { files }: BatchParts, job: Job): Promise<readonly [Dump, Dump]> {
  const whole = async (where: DumpFiles): Promise<Dump> => {
    const dump = await readDump(files, where, job)
    const broken = dump.problems.find(p => p.path === where.dump && (p.code === 'json-broken' || p.code === 'json-truncated'))
    // Half a dump compared without a word would look like a result.
    if (broken) throw new Refusal(broken)
    return dump
  }
  return Promise.all([whole(debug), whole(bench)])
}

/** Problems of mappings name the file that was given. */
async function naming<T>(mapping: MappingFiles, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const file = mappingFile(mapping)
    if (error.problem.code === 'nothing-matched' && file) throw new Refusal({ ...error.problem, code: 'nothing-matched-by', facts: { ...error.problem.facts, mapping: file } })
    throw isOfMapping(error.problem) ? new Refusal({ ...error.problem, path: file }) : error
  }
}

const isOfMapping = ({ code, path }: Problem): boolean => code.startsWith('mapping') && path === ''
const mappingFile = (mapping: MappingFiles): string => Object.values(mapping).find(file => file) ?? ''

function writeText(output: Output, name: string, text: string): void {
  output.create(name).write(new TextEncoder().encode(text))
}
