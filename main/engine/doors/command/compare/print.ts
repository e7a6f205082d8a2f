// What people read of a comparison: each unit of a few, sums and kinds of many.
import { total } from '../../../judge/index.ts'
import { printMerged } from '../dataset-text.ts'
import type { Page } from '../tools.ts'
import type { CompareResult, UnitResult } from './request.ts'

/** More units than these are not spelled out one by one. */
const spelledOut = 16
/** Units that are named of a kind. */
const namedUnits = 8

/** Parts say how far they are, the whole what it comes to. */
function printDataset({ dataset, units, failed }: CompareResult, page: Page): boolean {
  if (!dataset) return false
  const { folder, known, merged } = dataset
  if (merged) printMerged(merged, page)
  page.line(page.say('cli.dataset.part', { folder, done: units.length - known, known, failed }))
  return true
}

export function printResult(result: CompareResult, page: Page): void {
  if (printDataset(result, page)) return
  const { units, rules } = result
  page.line(page.say('cli.rules', { rules }))
  printOverAll(result, page)
  if (units.length > spelledOut) printKinds(units, page)
  else
    for (const unit of units) {
      if (units.length > 1) page.line(unitLine(unit, page))
      printUnit(unit, page)
      if (unit.advice?.taken) page.taken(unit.advice.taken).forEach(line => page.line(line))
      if (unit.advice) page.findings(unit.advice, unit.counts).forEach(line => page.line(line))
    }
  printAcross(result, page)
}

function printAcross({ across }: CompareResult, page: Page): void {
  if (across?.length === 0) page.line(page.say('cli.acrossNone'))
  for (const { rank, op } of across ?? []) page.line(page.say('cli.across', { rank, node: op }))
}

/** Without the table: `advise`. */
export function printFindings(result: CompareResult, page: Page): void {
  if (printDataset(result, page)) return
  const { units } = result
  const above = units.length > 0 ? takenLines(units[0], page) : []
  for (const line of above) page.line(line)
  printOverAll(result, page)
  if (units.length > spelledOut) printKinds(units, page)
  else
    for (const unit of units) {
      if (units.length > 1) page.line(unitLine(unit, page))
      const taken = takenLines(unit, page)
      if (taken.join() !== above.join()) for (const line of taken) page.line(line)
      if (unit.advice) page.findings(unit.advice, unit.counts).forEach(line => page.line(line))
      printHeadline(unit, page)
    }
}

/** Whether the dumps of a unit were taken alike. */
const takenLines = ({ advice }: UnitResult, page: Page): readonly string[] =>
  advice?.taken ? page.taken(advice.taken) : []

function printHeadline({ recomputed }: UnitResult, page: Page): void {
  if (!recomputed) return
  const [text, ...more] = page.headline(recomputed)
  page.line(page.say('cli.recomputed', { text }))
  for (const line of more) page.line(`  ${line}`)
}

/** Over several steps and ranks the merged list comes first: what a collective passed on is left out of it. */
function printOverAll({ units: [first, ...more], findings, counts }: CompareResult, page: Page): void {
  if (more.length > 0 && first.advice)
    page.findings({ ...first.advice, findings }, counts, true).forEach(line => page.line(line))
}

function printUnit({ counts, first, mode }: UnitResult, page: Page): void {
  page.line(page.say('cli.rows', { ...counts, mode: page.say(`cli.mode.${mode}`) }))
  page.line(page.say('cli.failing', { ...counts }))
  page.line(
    first
      ? page.say('cli.first', { row: first.row + 1, line: first.row + 2, node: first.node })
      : page.say('cli.firstNone'),
  )
}

const kinds = [
  ['cli.kind.differs', (unit: UnitResult) => unit.counts.differs > 0],
  ['cli.kind.incomparable', ({ counts }: UnitResult) => counts.differs === 0 && counts.incomparable > 0],
  ['cli.kind.within', ({ counts }: UnitResult) => counts.differs === 0 && counts.incomparable === 0],
] as const

/** A line for the sum, and one for each kind of unit with those that differ most. */
function printKinds(units: readonly UnitResult[], page: Page): void {
  const counts = total(units.map(unit => unit.counts))
  const modes = [...new Set(units.map(unit => unit.mode))].map(mode => page.say(`cli.mode.${mode}`))
  page.line(page.say('cli.rows', { ...counts, mode: modes.join(', ') }))
  page.line(page.say('cli.failing', { ...counts }))
  for (const [key, holds] of kinds) {
    const found = units.filter(holds).toSorted((a, b) => b.counts.differs - a.counts.differs)
    if (found.length === 0) continue
    const named = found.slice(0, namedUnits).map(unit => placeText(unit, page) || unit.debug)
    const rest = found.length > named.length ? ' …' : ''
    page.line(page.say(key, { count: found.length, of: units.length, units: named.join('; ') + rest }))
  }
}

const placeText = ({ step, rank, name }: UnitResult, page: Page): string =>
  [
    ...(name === '' ? [] : [name]),
    ...(step === null ? [] : [page.say('cli.finding.step', { steps: step })]),
    ...(rank === null ? [] : [page.say('cli.finding.rank', { ranks: rank })]),
  ].join(', ')

function unitLine(unit: UnitResult, page: Page): string {
  const { debug, bench } = unit
  const where = placeText(unit, page)
  return `${page.say('cli.unit', { debug, bench })}${where === '' ? '' : ` (${where})`}`
}
