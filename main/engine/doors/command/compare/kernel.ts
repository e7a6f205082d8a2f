// compare for static-graph dump trees: one table per rank and step.
import { countsOf } from '../../../judge/index.ts'
import { compareKernels, judgedTable, type KernelTable, resultNames } from '../../../study/index.ts'
import { absolute, openOutput, type Output } from '../../../io/index.ts'
import { wholeOf } from '../../../formats/index.ts'
import { type Counts, problem, Refusal, type Rules } from '../../../model/index.ts'
import { type JudgedTable, writeTable } from '../../../report/index.ts'
import { formatOf, noUnits, type Plan, type UnitRef } from '../../../layout/index.ts'
import { ruleSets } from '../../../rules/index.ts'
import type { Job } from '../../../work/index.ts'
import type { Tools } from '../tools.ts'
import { portsOf } from '../ports.ts'
import { eachUnit, type UnitsDone, writingUnit } from '../units.ts'
import { resultOf } from './pairs.ts'
import type { CompareRequest, CompareResult, UnitResult } from './request.ts'

const without = ['stack', 'fuzzy'] as const

export async function comparedKernels(
  plan: Plan,
  request: CompareRequest,
  tools: Tools,
): Promise<CompareResult> {
  const { input, rules } = request
  const named = typeof input === 'string' ? absolute(input) : plan.debug
  if (request.framework === 'pytorch') throw new Refusal(problem('kernel-framework', named))
  const idle = [...without.filter(key => request[key]), ...Object.keys(request.mapping)]
  if (idle.length > 0) tools.tell(problem('kernel-options', named, { options: idle.join(', ') }, 'warning'))
  for (const found of plan.problems) tools.tell(found)
  const done = plan.units.length === 0 ? nothingDone : await compareTables(plan, request, tools)
  if (done.results.length + done.failed === 0 && ruleSets[rules].asking.kernelsNeeded) throw noUnits(plan)
  return resultOf(request, done)
}

const nothingDone: UnitsDone<UnitResult> = { results: [], failed: 0, outcome: 'ran' }

async function compareTables(
  plan: Plan,
  request: CompareRequest,
  tools: Tools,
): Promise<UnitsDone<UnitResult>> {
  const { output: wanted } = request
  const output = wanted && openOutput(wanted.folder, [plan.debug, plan.bench], wanted.chosen)
  try {
    return await eachUnit({ units: plan.units, folderOf: () => plan.debug }, tools, async (unit, job) => {
      const table = await tableOf(unit, request.rules, { ...tools, job })
      if (!table) return null
      const files = output
        ? await writingUnit(output, tools, own => written(table, unit, request, own, { ...tools, job }))
        : []
      return resultOfTable(table, unit, request.rules, files, job)
    })
  } finally {
    output?.abandon()
  }
}

async function tableOf(unit: UnitRef, rules: Rules, tools: Tools): Promise<KernelTable | null> {
  const ports = portsOf(tools, rules)
  const format = formatOf(unit)
  const { debug, bench } = unit.places
  if (format.holds !== 'kernels' || !bench) throw new Refusal(problem('not-a-dump', unit.debug))
  const mine = await wholeOf(format.open(debug, ports, tools.job))
  const theirs = await wholeOf(format.open(bench, ports, tools.job))
  return compareKernels(mine, theirs, tools)
}

async function written(
  table: KernelTable,
  { debug, bench, suffix }: UnitRef,
  request: CompareRequest,
  output: Output,
  { job }: Tools,
): Promise<void> {
  const { table: base } = resultNames(suffix)
  const facts = { ...request.facts, rules: request.rules, mode: 'kernel', debug, bench }
  const options = { extras: false, inert: !request.rawCsv, facts, sheet: { name: 'Sheet1', truths: false } }
  for (const format of request.formats)
    await writeTable(format, writtenTable(table), { output, name: base }, options, job)
}

async function resultOfTable(
  table: KernelTable,
  { debug, bench }: UnitRef,
  rules: Rules,
  files: readonly string[],
  job: Job,
): Promise<UnitResult> {
  const { answers, first } = answersOf(table)
  const states = countsOf(await judgedTable({ ...table, path: debug }, rules, job))
  return {
    step: table.step,
    rank: table.rank,
    name: '',
    debug,
    bench,
    mode: table.columns.some(c => c.title === 'Cosine') ? 'tensor' : 'statistics',
    counts: { ...states, ...answers, rows: table.length },
    first,
    advice: null,
    unread: false,
    recomputed: null,
    made: [],
    nodes: null,
    files,
  }
}

const writtenTable = (table: KernelTable): JudgedTable => ({
  ...table,
  state: new Uint8Array(table.length),
  level: new Float64Array(table.length).fill(NaN),
})

/** What msprobe says of the rows: whether accuracy was reached, and who has no partner. */
function answersOf(table: KernelTable): {
  answers: Pick<Counts, 'failing' | 'unmatchedDebug' | 'unmatchedBench'>
  first: UnitResult['first']
} {
  const column = table.columns.findIndex(c => c.title === 'Accuracy Reached or Not')
  const bench = table.columns.findIndex(c => c.title === 'Bench Name')
  let [failing, unmatchedDebug, unmatchedBench] = [0, 0, 0]
  let first: UnitResult['first'] = null
  for (let row = 0; row < table.length; row++) {
    if (table.text(row, column) === 'No') {
      failing++
      first ??= { row, node: table.text(row, 0) }
    }
    if (table.text(row, bench) === '') unmatchedDebug++
    if (table.text(row, 0) === '') unmatchedBench++
  }
  return { answers: { failing, unmatchedDebug, unmatchedBench }, first }
}
