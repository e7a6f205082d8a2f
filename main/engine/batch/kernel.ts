// The compare command for static-graph dump trees: one table per rank and step.
import { openOutput } from '../io/output.ts'
import type { Job } from '../job.ts'
import { compareKernels, type KernelTable } from '../match/kernel.ts'
import { problem, Refusal } from '../problem.ts'
import { writeTable } from '../report/index.ts'
import type { JudgedTable } from '../report/table.ts'
import { stampOf } from '../report/names.ts'
import type { CompareJson } from './compare-json.ts'
import { total, type Counts } from '../report/counts.ts'
import type { BatchParts, CompareRequest, CompareResult, UnitResult } from './request.ts'

const without = ['stack', 'fuzzy'] as const

export async function kernelCommand(json: Pick<CompareJson, 'path' | 'debug' | 'bench'>, wanted: NonNullable<CompareJson['kernel']>, request: CompareRequest, parts: BatchParts, job: Job): Promise<CompareResult> {
  if (request.framework === 'pytorch') throw new Refusal(problem('kernel-framework', json.path))
  const idle = [...without.filter(key => request[key]), ...Object.keys(request.mapping)]
  if (idle.length > 0) parts.tell(problem('kernel-options', json.path, { options: idle.join(', ') }, 'warning'))
  const { tables, problems } = await compareKernels(json.debug, json.bench, { rules: request.rules, ...wanted }, { files: parts.files, job, measure: parts.measure })
  for (const found of problems) parts.tell(found)
  if (tables.length === 0) {
    // msprobe leaves pairs of different kinds out and is content with nothing.
    if (request.rules === 'plumbline') throw new Refusal(problems[0] ?? problem('nothing-matched', json.debug, { bench: json.bench }))
    return { rules: request.rules, units: [], counts: total([]), findings: [], files: [], failed: [] }
  }
  const output = request.output === null ? null : openOutput(request.output, [json.debug, json.bench], request.outputChosen)
  const units: UnitResult[] = []
  try {
    for (const table of tables) {
      const base = `compare_result_${table.rank}_${table.step}_${stampOf(new Date())}`
      const judged = judgedTable(table)
      const facts = { ...request.facts, rules: request.rules, mode: 'kernel', debug: json.debug, bench: json.bench }
      const files: string[] = []
      if (output)
        for (const format of request.formats)
          await writeTable(format, judged, base, { ...output, create: name => { const sink = output.create(name); files.push(sink.path); return sink } }, { extras: false, inert: !request.rawCsv, facts, sheet: 'Sheet1' }, job)
      units.push({ step: table.step, rank: table.rank, debug: json.debug, bench: json.bench, mode: table.columns.some(c => c.title === 'Cosine') ? 'tensor' : 'statistics', ...judge(table), advice: null, files })
    }
    return { rules: request.rules, units, counts: total(units.map(unit => unit.counts)), findings: [], files: output?.commit() ?? [], failed: [] }
  } finally {
    output?.abandon()
  }
}

const judgedTable = (table: KernelTable): JudgedTable => ({
  columns: table.columns, length: table.length, fill: table.fill, verdict: new Uint8Array(table.length), level: new Float64Array(table.length).fill(NaN),
  kind: (row, column) => table.kind(row, column), number: (row, column) => table.number(row, column), text: (row, column) => table.text(row, column),
})

/** The only answer of such a table is whether accuracy was reached. */
function judge(table: KernelTable): { counts: Counts; first: UnitResult['first'] } {
  const column = table.columns.findIndex(c => c.title === 'Accuracy Reached or Not')
  const bench = table.columns.findIndex(c => c.title === 'Bench Name')
  let [failing, agree, onlyDebug, onlyBench] = [0, 0, 0, 0]
  let first: UnitResult['first'] = null
  for (let row = 0; row < table.length; row++) {
    const answer = table.text(row, column)
    if (answer === 'Yes') agree++
    if (answer === 'No') {
      failing++
      first ??= { row, node: table.text(row, 0) }
    }
    if (table.text(row, bench) === '') onlyDebug++
    if (table.text(row, 0) === '') onlyBench++
  }
  return { first, counts: { rows: table.length, disagree: failing, agree, unknown: table.length - failing - agree, failing, red: 0, yellow: 0, unmatchedDebug: onlyDebug, unmatchedBench: onlyBench } }
}
