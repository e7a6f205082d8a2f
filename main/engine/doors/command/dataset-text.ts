// What is printed of a dataset as a whole.
import type { Merged, OverflowOfStep, UnitCell } from '../../dataset/index.ts'
import { runsOf } from '../../model/index.ts'
import type { Page } from './tools.ts'

const named = 8

export function printMerged({ summary, failed }: Merged, page: Page): void {
  const { units, counts, missing, findings, rules } = summary
  page.line(page.say('cli.rules', { rules }))
  page.line(
    page.say('cli.dataset.units', {
      units: units.length,
      done: units.length - missing.length - failed,
      failed,
      missing: missing.length,
    }),
  )
  if (summary.overflow) return printOverflow(summary.overflow, page)
  page.line(page.say('cli.dataset.rows', { ...counts }))
  const differing = units.filter(unit => (unit.counts?.differs ?? 0) > 0)
  if (differing.length > 0) {
    const worst = differing.toSorted((a, b) => (b.worst?.level ?? 0) - (a.worst?.level ?? 0)).slice(0, named)
    const list = worst.map(unit => `${placeOf(unit)} (${unit.counts?.differs ?? 0})`).join(', ')
    page.line(page.say('cli.dataset.differ', { count: differing.length, units: list }))
  }
  for (const { kind, node, step, rank, steps, ranks } of findings.slice(0, named)) {
    const where = [
      step === null ? '' : page.say('cli.finding.step', { steps: steps ?? step }),
      rank === null ? '' : page.say('cli.finding.rank', { ranks: ranks ?? rank }),
    ]
    page.line(page.say('cli.dataset.finding', { kind, node, where: where.filter(Boolean).join(', ') }))
  }
}

/** The first step with anything; of the others whether there is something. */
function printOverflow(steps: readonly OverflowOfStep[], page: Page): void {
  const first = steps.find(({ abnormal }) => abnormal)
  if (!first) return page.line(page.say('cli.overflow.nothing'))
  const { step, answer } = first
  if (step !== null) page.line(page.say('cli.overflow.step', { step, count: steps.length }))
  page.line(page.say('cli.overflow.levels', { calls: answer.calls, ...answer.levels }))
  for (const { ranks, op } of answer.origins.slice(0, named))
    page.line(page.say('cli.overflow.origin', { rank: runsOf(ranks), call: op }))
  if (answer.origins.length > named)
    page.line(page.say('cli.overflow.more', { count: answer.origins.length - named }))
  for (const { rank, op, confidence } of answer.symptoms.slice(0, named))
    page.line(
      page.say('cli.overflow.symptom', {
        rank,
        call: op,
        why: confidence === 'direct' ? '' : page.say(`overflow.why.${confidence}`),
      }),
    )
}

const placeOf = ({ step, rank }: UnitCell): string =>
  [step === null ? '' : `step ${step}`, rank === null ? '' : `rank ${runsOf([rank])}`]
    .filter(Boolean)
    .join(' ')
