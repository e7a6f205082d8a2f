// run_overflow_check: whether an overflow follows from the data, told by recomputing in place of a device.
import { overflowVerdicts, recomputeDump, type OverflowVerdict } from '../../../recompute/index.ts'
import { openOne } from '../one-dump.ts'
import type { Page } from '../tools.ts'
import type { Command } from '../verb.ts'
import type { OverflowField, OverflowFlags } from './index.ts'

export const command: Command<OverflowFlags, readonly OverflowVerdict[], OverflowField> = {
  async run({ flags }, tools) {
    const dump = await openOne(flags.dump, tools)
    return overflowVerdicts(await recomputeDump(tools, dump, {}, tools.job))
  },
  print(calls, page) {
    for (const one of calls) page.line(lineOf(one, page))
  },
  json: calls => ({ calls }),
}

function lineOf({ call, verdict, saturated, reason, detail }: OverflowVerdict, page: Page): string {
  if (verdict === 'skipped')
    return page.say('recompute.overflow.skipped', { call, why: whyOf(reason, detail, page) })
  const said = page.say(`recompute.overflow.${verdict}`, { call })
  return saturated ? `${said} ${page.say('recompute.note.saturated')}` : said
}

function whyOf(reason: OverflowVerdict['reason'], detail: string, page: Page): string {
  const why = page.say(`recompute.reason.${reason || 'unsupported'}`)
  return detail === '' ? why : page.say('recompute.reason-detail', { reason: why, detail })
}
