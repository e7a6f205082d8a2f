// Findings as sentences, for the command line, advisor files and the page: what, what it explains, what it rests on.
import type { Advice, Finding, Hint } from '../engine.ts'
import { isWordKey, say, type Facts, type Language } from './index.ts'

const shownEvidence = 3
const shownFindings = 5

/** The headline of a finding: the node and how the difference enters there. */
export function findingText(language: Language, finding: Finding): string {
  const facts = { ...finding.facts, node: finding.node, side: finding.side, step: finding.step ?? '', rank: finding.rank ?? '' }
  return textOf(language, findingKey(finding), facts) ?? `${finding.kind}: ${finding.node}`
}

/** The sentence of a finding: of its variant where there is one. */
export function findingKey(finding: Finding): string {
  const variant = `finding.${finding.kind}.${finding.facts['variant'] ?? ''}`
  return isWordKey(variant) ? variant : `finding.${finding.kind}`
}

export const hintText = (language: Language, hint: Hint): string => textOf(language, hint.key, hint.facts) ?? hint.key

const textOf = (language: Language, key: string, facts: Facts): string | null => (isWordKey(key) ? say(language, key, facts).replace(/\{\w+\}/g, '') : null)

/** What stands below a finding's headline; rows are counted from 1, as in the window. */
export function findingLines(language: Language, finding: Finding): string[] {
  return [
    ...(finding.explains.by === 'none' ? [] : [say(language, 'cli.finding.explains', { rows: finding.explains.rows, of: finding.explains.of })]),
    ...finding.evidence.slice(0, shownEvidence).map(({ row, label, metric, debug, bench }) =>
      row < 0 ? say(language, 'cli.finding.item', { label, metric, debug, bench }) : say(language, 'cli.finding.row', { row: row + 1, label, metric, debug, bench })),
    ...finding.hints.map(hint => hintText(language, hint)),
  ]
}

/** Steps and ranks that a finding holds for. */
function placeLines(language: Language, { facts, step, rank }: Finding): string[] {
  const [steps, ranks] = [facts['steps'] ?? step, facts['ranks'] ?? rank]
  return [...(steps === null ? [] : [say(language, 'cli.finding.step', { steps })]), ...(ranks === null ? [] : [say(language, 'cli.finding.rank', { ranks })])]
}

/** How many rows of a comparison disagree or could not be decided. */
export interface Open { readonly disagree: number; readonly unknown: number }

/** What is left to say where there is no finding. */
export const nothingLines = (language: Language, advice: Advice, { disagree, unknown }: Open): string[] => [
  ...(disagree > 0 ? [say(language, 'cli.none.disagree', { rows: disagree })] : []),
  ...(unknown > 0 ? [say(language, 'cli.none.unknown', { rows: unknown })] : []),
  ...advice.noise.map(hint => hintText(language, hint)),
]

/** All findings in lines, the headline first; across steps and ranks with their places. */
export function adviceLines(language: Language, advice: Advice, open: Open, across = false): string[] {
  if (advice.findings.length === 0) return [say(language, 'cli.headlineNone'), ...nothingLines(language, advice, open).map(line => `  ${line}`)]
  return advice.findings.slice(0, shownFindings).flatMap((finding, i) => [
    say(language, i === 0 ? 'cli.headline' : 'cli.finding.more', { text: findingText(language, finding) }),
    ...[...(across ? [placeLines(language, finding).join(', ')] : []), ...findingLines(language, finding)].filter(line => line !== '').map(line => `  ${line}`),
  ])
}
