// What `--json` prints: stable keys, a version, NaN and infinities as texts.
import type { CompareResult, UnitResult } from '../engine/batch/index.ts'
import type { Problem } from '../engine/problem.ts'

export const jsonText = (value: unknown): string =>
  JSON.stringify(value, (_, v: unknown) => (typeof v === 'number' && !Number.isFinite(v) ? String(v) : v), 1)

export interface Summary {
  readonly version: 1
  readonly tool: string
  readonly command: readonly string[]
}

export function compareSummary(head: Summary, { rules, units, counts, findings, files, failed }: CompareResult, problems: readonly (Problem & { readonly text: string })[]): unknown {
  const first = units.find(unit => unit.first)
  return {
    ...head, rules, counts,
    first: first?.first ? { ...first.first, step: first.step, rank: first.rank } : null,
    findings,
    units: units.map(unitSummary), files, failed: failed.length, problems,
  }
}

const unitSummary = ({ advice, ...unit }: UnitResult): unknown => ({ ...unit, headline: advice?.findings[0]?.node ?? null })

/** `advise --json`: findings of every unit, the headline first. */
export function adviseSummary(head: Summary, { rules, units, findings, failed }: CompareResult, problems: readonly (Problem & { readonly text: string })[]): unknown {
  return {
    ...head, rules, findings,
    units: units.map(({ step, rank, debug, bench, mode, counts, first, advice }) => ({ step, rank, debug, bench, mode, counts, first, findings: advice?.findings ?? [], noise: advice?.noise ?? [], dumpNext: advice?.dumpNext ?? null })),
    failed: failed.length, problems,
  }
}
