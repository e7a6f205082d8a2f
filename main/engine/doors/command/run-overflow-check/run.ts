// run_overflow_check: whether an overflow follows from the data, told by recomputing in place of a device.
import { overflowVerdicts, recomputeDump, type OverflowVerdict } from '../../../recompute/index.ts'
import { openOne } from '../one-dump.ts'
import type { Command } from '../verb.ts'
import type { OverflowField, OverflowFlags } from './index.ts'

export const command: Command<OverflowFlags, readonly OverflowVerdict[], OverflowField> = {
  async run({ flags }, tools) {
    const dump = await openOne(flags.dump, tools)
    return overflowVerdicts(await recomputeDump(tools, dump, {}, tools.job))
  },
  print(calls, page) {
    for (const { call, verdict, saturated } of calls) {
      const said = page.say(`recompute.overflow.${verdict}`, { call })
      page.line(saturated ? `${said} ${page.say('recompute.note.saturated')}` : said)
    }
  },
  json: calls => ({ calls }),
}
