// Findings as sentences, for the command line, advisor files and the page: what, what it explains, what it
// rests on.
import type { Counts, Entry, FindingFacts, Made } from '../../../main/engine/model/shared.ts'
import type { Advice, Evidence, Finding, Hint } from '../engine.ts'
import { fill, say, sayIf, textOf, type Facts, type Language } from './index.ts'

const shownEvidence = 3
const shownFindings = 5

/** The headline of a finding: the node and how the difference enters there; `name` shortens names of calls. */
export function findingText(
  language: Language,
  { kind, variant, facts, node, side }: Finding,
  name: (call: string) => string = call => call,
): string {
  const all: Facts = { ...facts, node, side }
  const named = Object.entries(all).map(([key, fact]) => [key, typeof fact === 'string' ? name(fact) : fact])
  return fill(textOf(language, findingKey({ kind, variant } as Entry)), Object.fromEntries(named))
}

const findingKey = <Of extends keyof FindingFacts>(entry: Entry<Of>): `finding.${Of}` =>
  (entry.variant === ''
    ? `finding.${entry.kind}`
    : `finding.${entry.kind}.${entry.variant}`) as `finding.${Of}`

export const hintText = (language: Language, { key, facts }: Hint): string =>
  fill(textOf(language, key), facts)

/** In a few words how the difference enters. */
export const kindText = (language: Language, { kind, variant }: Pick<Finding, 'kind' | 'variant'>): string =>
  sayIf(language, `finding-kind.${kind}.${variant}`) ?? say(language, `finding-kind.${kind}`)

/** How many of the rows that differ follow from it; null where nothing is known. */
export const explainsText = (language: Language, { by, rows, of }: Finding['explains']): string | null =>
  by === 'none' || of === 0 ? null : say(language, `explains.${by}`, { rows, of })

/** What a piece of evidence shows: the measure by name, and both sides, as short as they can be told apart. */
export function evidenceTexts(
  language: Language,
  { metric, debug, bench, state }: Evidence,
): Readonly<Record<'measure' | 'debug' | 'bench', string>> {
  const [mine, theirs] =
    metric === 'md5'
      ? [debug, bench]
      : metric === 'cosine'
        ? [shortened(debug, cosineDigits), bench]
        : apart(debug, bench, state === 'differs')
  const none = say(language, 'evidence.none')
  return { measure: say(language, `shown.${metric}`), debug: mine || none, bench: theirs || none }
}

/** The same piece as a line; rows are counted from 1, as in the window. */
function evidenceLine(language: Language, evidence: Evidence): string {
  const { row, label, metric } = evidence
  const texts = { label, ...evidenceTexts(language, evidence) }
  if (metric === 'cosine') return say(language, 'evidence.cosine', { row: row + 1, ...texts })
  if (metric === 'growth') return say(language, 'evidence.growth', texts)
  return row < 0
    ? say(language, 'evidence.item', texts)
    : say(language, 'evidence.row', { row: row + 1, ...texts })
}

const digits = [5, 7, 9, 12, 17] as const
/** A cosine is summed up in doubles: what stands behind them is rounding. */
const cosineDigits = 12

const numberIn = (text: string): number => (/^-?[\d.]+(?:e[+-]?\d+)?$/.test(text) ? Number(text) : Number.NaN)

const shortened = (text: string, count: number): string => {
  const value = numberIn(text)
  return Number.isNaN(value) ? text : String(Number(value.toPrecision(count)))
}

/** Two numbers with few digits, or where they differ with as many as tell them apart; other texts as they are. */
function apart(debug: string, bench: string, differ: boolean): readonly [string, string] {
  const enough =
    digits.find(count => !differ || debug === bench || shortened(debug, count) !== shortened(bench, count)) ??
    17
  return [shortened(debug, enough), shortened(bench, enough)]
}

/** What a finding explains, and likely causes. */
export function claimLines(language: Language, { kind, explains, hints, made }: Finding): string[] {
  const explained = explainsText(language, explains)
  return [
    ...(explained === null ? [] : [explained]),
    ...(made && kind === 'origin' ? [madeText(language, made)] : []),
    ...hints.map(hint => hintText(language, hint)),
  ]
}

/** What of an error arrived at a call and what it made itself, and how that is known. */
export function madeText(language: Language, { way, gainFrom, ...numbers }: Made): string {
  const { arrived, made, out, gain } = numbers
  const facts = {
    arrived: twoDigits(arrived),
    made: twoDigits(made),
    out: twoDigits(out),
    gain: twoDigits(gain),
  }
  const told = fill(textOf(language, `made.${way}`), facts)
  return way === 'none' ? told : `${told} ${say(language, `made.from.${gainFrom}`)}`
}

/** Which calls make the error and which amplify it, with both numbers of each. */
export function makerLines(language: Language, { makers, amplifiers }: Advice): string[] {
  const list = (title: string, nodes: Advice['makers']): string[] =>
    nodes.length === 0
      ? []
      : [
          `  ${title}:`,
          ...nodes.map(({ node, arrived, made }) => {
            const facts = { arrived: twoDigits(arrived), made: twoDigits(made) }
            return `    ${node}: ${say(language, 'advisor.makers.numbers', facts)}`
          }),
        ]
  const lines = [
    ...list(say(language, 'advisor.makers.make'), makers),
    ...list(say(language, 'advisor.makers.amplify'), amplifiers),
  ]
  return lines.length === 0 ? [] : [say(language, 'advisor.makers'), ...lines]
}

/** An error in two digits. */
export const twoDigits = (value: number): string => String(Number(value.toPrecision(2)))

/** What stands below a finding's headline. */
const findingLines = (language: Language, finding: Finding): string[] => [
  ...finding.evidence.slice(0, shownEvidence).map(one => evidenceLine(language, one)),
  ...claimLines(language, finding),
]

/** Steps and ranks that a finding holds for. */
function placeLines(language: Language, { step, rank, ...shared }: Finding): string[] {
  const [steps, ranks] = [shared.steps ?? step, shared.ranks ?? rank]
  return [
    ...(steps === null ? [] : [say(language, 'cli.finding.step', { steps })]),
    ...(ranks === null ? [] : [say(language, 'cli.finding.rank', { ranks })]),
  ]
}

/** How many rows of a comparison differ or could not be compared. */
export type Open = Pick<Counts, 'differs' | 'incomparable'>

/** What no finding speaks of. */
export const openLines = (language: Language, { differs, incomparable }: Open): string[] => [
  ...(differs > 0 ? [say(language, 'cli.none.differs', { rows: differs })] : []),
  ...(incomparable > 0 ? [say(language, 'cli.none.incomparable', { rows: incomparable })] : []),
]

/** What is left to say where there is no finding. */
export const nothingLines = (language: Language, advice: Advice, open: Open): string[] => [
  ...openLines(language, open),
  ...advice.noise.map(hint => hintText(language, hint)),
]

const headlineKey = ({ variant }: Pick<Finding, 'variant'>): 'cli.headline' | 'cli.headline.stored' =>
  variant === 'stored' ? 'cli.headline.stored' : 'cli.headline'

const noneKey = (
  { stored }: Pick<Advice, 'stored'>,
  { differs, incomparable }: Open,
): 'cli.headlineNone' | 'cli.headlineNone.stored' =>
  stored && differs + incomparable === 0 ? 'cli.headlineNone.stored' : 'cli.headlineNone'

/** All findings in lines, the headline first; across steps and ranks with their places. */
export function adviceLines(language: Language, advice: Advice, open: Open, across = false): string[] {
  if (advice.findings.length === 0)
    return [
      say(language, noneKey(advice, open)),
      ...nothingLines(language, advice, open).map(line => `  ${line}`),
    ]
  return advice.findings
    .slice(0, shownFindings)
    .flatMap((finding, i) => [
      say(language, i === 0 ? headlineKey(finding) : 'cli.finding.more', {
        text: findingText(language, finding),
      }),
      ...[...(across ? [placeLines(language, finding).join(', ')] : []), ...findingLines(language, finding)]
        .filter(line => line !== '')
        .map(line => `  ${line}`),
    ])
}
