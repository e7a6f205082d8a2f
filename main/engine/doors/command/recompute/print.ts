// What recompute says to people: the results that are off, the furthest first, and why others were left out.
import type { DirectionAnswer, ItemAnswer } from '../../../recompute/index.ts'
import type { Page } from '../tools.ts'
import { summaryOf } from './summary.ts'

const listed = 40

export function printRecomputed(directions: readonly DirectionAnswer[], page: Page): void {
  if (directions.length === 0) return
  const items = directions.flatMap(({ outputs }) => outputs)
  const { computed, skipped, pass, warning, error, reasons } = summaryOf(directions)
  page.line(page.say('cli.recompute.summary', { computed, skipped, pass, warning, error }))
  const off = items.filter(({ verdict }) => verdict !== 'pass').sort((a, b) => rank(b) - rank(a))
  for (const item of off.slice(0, listed)) page.line(lineOf(item, page))
  if (off.length > listed) page.line(page.say('cli.recompute.more', { count: off.length - listed }))
  for (const reason of Object.keys(reasons).sort()) {
    const named = directions.filter(one => one.reason === reason)
    const calls = [...new Set(named.map(({ call }) => call))]
    page.line(
      page.say('cli.recompute.skipped', {
        count: reasons[reason],
        reason: page.say(`recompute.reason.${named[0].reason || 'unsupported'}`),
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
