// What api_precision_compare says: how many outputs are what, and each that fails with its numbers and limits.
import { type Check, type OutputOutcome, type PrecisionCompare, standards } from '../../../precheck/index.ts'
import type { Page } from '../tools.ts'

const listed = 40

export function outcomeCounts(compare: PrecisionCompare): Record<OutputOutcome, number> {
  const counts = { pass: 0, error: 0, SKIP: 0, missing: 0 }
  for (let row = 0; row < compare.length; row++) counts[compare.outcome(row)]++
  return counts
}

/** Passed and failed outputs by standard. */
export function standardCounts(compare: PrecisionCompare): Record<string, { pass: number; error: number }> {
  const counts = Object.fromEntries(standards.map(standard => [standard, { pass: 0, error: 0 }]))
  for (let row = 0; row < compare.length; row++) {
    const [standard, outcome] = [compare.standard(row), compare.outcome(row)]
    if (standard && (outcome === 'pass' || outcome === 'error')) counts[standard][outcome]++
  }
  return counts
}

const rowsThat = (compare: PrecisionCompare, outcome: OutputOutcome): number[] => {
  const rows: number[] = []
  for (let row = 0; row < compare.length; row++) if (compare.outcome(row) === outcome) rows.push(row)
  return rows
}

export const failingOutputs = (compare: PrecisionCompare): readonly unknown[] =>
  rowsThat(compare, 'error').map(row => ({
    name: compare.name(row),
    standard: compare.standard(row),
    checks: compare.judgement(row)?.checks,
  }))

export const missingOutputs = (compare: PrecisionCompare): readonly unknown[] =>
  rowsThat(compare, 'missing').map(row => ({
    name: compare.name(row),
    missingOn: compare.npuRow(row) < 0 ? 'npu' : 'gpu',
  }))

export function printCompared(compare: PrecisionCompare, page: Page): void {
  const { pass, error, SKIP, missing } = outcomeCounts(compare)
  const { generation } = compare.rules
  page.line(page.say('precision.summary', { generation, pass, error, skipped: SKIP, missing }))
  for (const [standard, counts] of Object.entries(standardCounts(compare)))
    if (counts.pass + counts.error > 0)
      page.line(page.say('precision.standard', { standard: said(page, standard), ...counts }))
  const failing = rowsThat(compare, 'error')
  for (const row of failing.slice(0, listed)) printFailing(compare, row, page)
  const absent = rowsThat(compare, 'missing')
  for (const row of absent.slice(0, listed))
    page.line(
      page.say(compare.npuRow(row) < 0 ? 'precision.missingNpu' : 'precision.missingGpu', {
        name: compare.name(row),
      }),
    )
  const more = Math.max(0, failing.length - listed) + Math.max(0, absent.length - listed)
  if (more > 0) page.line(page.say('precision.more', { count: more }))
}

const said = (page: Page, standard: string): string =>
  page.say(`precision.standard.${standards.find(one => one === standard) ?? 'benchmark'}`)

function printFailing(compare: PrecisionCompare, row: number, page: Page): void {
  const judgement = compare.judgement(row)
  if (!judgement) return
  page.line(
    page.say('precision.failing', { name: compare.name(row), standard: said(page, judgement.standard) }),
  )
  for (const check of judgement.checks)
    if (check.counted && check.verdict !== 'pass') page.line(`  ${checkLine(check, page)}`)
}

const shown = (value: number | null): string => (value === null ? '' : String(Number(value.toPrecision(6))))

function checkLine(check: Check, page: Page): string {
  const { npu, gpu, ratio, limit, odd } = check
  const facts = {
    metric: page.say(`precision.metric.${check.metric}`),
    npu: shown(npu),
    gpu: shown(gpu),
    ratio: shown(ratio),
    limit: shown(limit),
  }
  if (odd === 'unlike' || check.verdict === null) return page.say('precision.check.odd', facts)
  return page.say(gpu === null ? 'precision.check.alone' : 'precision.check.ratio', facts)
}
