// run_ut and its like: the command line to be run where the device is, its configuration, and what to see to first.
import { absolute } from '../../../io/index.ts'
import type { PrecheckPlan, PrecheckTool } from '../../../model/index.ts'
import { precheckPlan } from '../../../precheck/index.ts'
import { openOne } from '../one-dump.ts'
import type { Page } from '../tools.ts'
import type { Command } from '../verb.ts'
import type { PrecheckField, PrecheckFlags } from './index.ts'

export const commandOf = (tool: PrecheckTool): Command<PrecheckFlags, PrecheckPlan, PrecheckField> => ({
  async run({ flags }, tools) {
    const dump = await openOne(flags.file, tools)
    const devices = (flags.devices ?? []).flatMap(({ from, to }) =>
      Array.from({ length: Math.min(to - from + 1, 64) }, (_, i) => from + i),
    )
    return precheckPlan(
      {
        tool,
        // The tool takes the file itself.
        file: tools.files.stat(absolute(flags.file))?.kind === 'folder' ? dump.file : flags.file,
        ...(flags.output !== undefined && { output: flags.output }),
        ...(flags.resume !== undefined && { resume: flags.resume }),
        ...(flags.processes !== undefined && { processes: flags.processes }),
        savesErrors: flags.saves === true,
        jit: flags.jit === true,
        filters: flags.filters === true,
        devices,
        white: flags.white ?? [],
        black: flags.black ?? [],
      },
      dump,
    )
  },
  print: printPlan,
  json: plan => ({ ...plan }),
})

function printPlan({ commands, config, checks }: PrecheckPlan, page: Page): void {
  page.line(page.say('precheck.npu'))
  page.line(`  ${commands.npu}`)
  if (commands.gpu !== null) {
    page.line(page.say('precheck.gpu'))
    page.line(`  ${commands.gpu}`)
  }
  if (commands.compare !== null) {
    page.line(page.say('precheck.compare'))
    page.line(`  ${commands.compare}`)
  }
  if (config !== null) {
    page.line(page.say('precheck.config'))
    page.line(JSON.stringify(config, null, 2))
  }
  page.line(page.say('precheck.checks'))
  for (const { id, holds } of checks) page.line(`  ${mark(holds)} ${page.say(`precheck.check.${id}`)}`)
}

function mark(holds: boolean | null): string {
  if (holds === null) return '[ ]'
  return holds ? '[x]' : '[!]'
}
