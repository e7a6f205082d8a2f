// What recompute says to people: the results that are off, the furthest first, and why others were left out.
import type { DirectionAnswer, ItemAnswer, RecomputedCall, RecomputedState } from '../../../model/index.ts'
import type { Page } from '../tools.ts'
import { bothSummaryOf, summaryOf } from './summary.ts'

const listed = 40

export function printRecomputed(directions: readonly DirectionAnswer[], page: Page): void {
  if (directions.length === 0) return
  const items = directions.flatMap(({ outputs }) => outputs)
  const { computed, skipped, pass, warning, error } = summaryOf(directions)
  page.line(page.say('cli.recompute.summary', { computed, skipped, pass, warning, error }))
  const off = items.filter(({ verdict }) => verdict !== 'pass').sort((a, b) => rank(b) - rank(a))
  for (const item of off.slice(0, listed)) page.line(lineOf(item, page))
  if (off.length > listed) page.line(page.say('cli.recompute.more', { count: off.length - listed }))
  printSkipped(
    directions.filter(({ status }) => status === 'skipped'),
    page,
  )
}

/** Reasons with some of the calls that they hold for. */
function printSkipped(skipped: readonly DirectionAnswer[], page: Page): void {
  for (const reason of [...new Set(skipped.map(one => one.reason))].sort()) {
    const named = skipped.filter(one => one.reason === reason)
    const calls = [...new Set(named.map(({ call }) => call))]
    page.line(
      page.say('cli.recompute.skipped', {
        count: named.length,
        reason: page.say(`recompute.reason.${reason || 'unsupported'}`),
        calls: calls.slice(0, 5).join(', ') + (calls.length > 5 ? ' …' : ''),
      }),
    )
  }
}

const rank = ({ verdict, ratio }: ItemAnswer): number => (verdict === 'error' ? 1e12 : 0) + (ratio ?? 1e9)

function lineOf({ item, verdict, ratio, maxAbs, mismatches, count, note }: ItemAnswer, page: Page): string {
  const facts = {
    item,
    verdict: page.say(`recompute.verdict.${verdict}`),
    mismatches,
    count,
    maxAbs: maxAbs.toPrecision(4),
  }
  const said =
    ratio === null || ratio === 0
      ? page.say('cli.recompute.exact', facts)
      : page.say('cli.recompute.off', { ...facts, ratio: ratio.toPrecision(3) })
  return note === '' ? said : `${said} ${page.say(`recompute.note.${note}`)}`
}

/** Of two dumps: what is wrong first, then where inputs differ; what agrees is only counted. */
const told: readonly RecomputedState[] = ['bothWrong', 'debugWrong', 'benchWrong', 'inputs', 'rounding']

export function printBoth(calls: readonly RecomputedCall[], page: Page): void {
  page.line(page.say('cli.recompute.both', bothSummaryOf(calls)))
  const shown = told.flatMap(state => calls.filter(call => call.state === state))
  for (const call of shown.slice(0, listed)) {
    const [text, ...more] = page.recomputed(call)
    page.line(page.say('cli.recompute.call', { call: nameOf(call), text }))
    for (const line of more) page.line(`  ${line}`)
  }
  if (shown.length > listed) page.line(page.say('cli.recompute.more', { count: shown.length - listed }))
  const skipped = calls.filter(({ state }) => state === 'skipped')
  printSkipped(
    skipped.flatMap(({ debug, bench }) => (debug?.status === 'skipped' ? debug : (bench ?? []))),
    page,
  )
}

const nameOf = ({ debug, bench, direction }: RecomputedCall): string =>
  `${debug?.call ?? bench?.call ?? ''}.${direction}`
