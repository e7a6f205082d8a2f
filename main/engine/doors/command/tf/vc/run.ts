// tf vc: all tensors of a run against those of the reference, or of another run.
import { defaultThreshold } from '../../../../vector/index.ts'
import type { Page } from '../../tools.ts'
import type { Command } from '../../verb.ts'
import { printSummary } from '../summary.ts'
import type { VcField, VcFlags } from './index.ts'
import { type NetCompared, runNets } from './nets.ts'

/** Errors that are listed of each result. */
const usually = 3

/** What is said of results, however they were asked for. */
export const told = {
  print(results: readonly NetCompared[], page: Page): void {
    for (const { name, left, right, rows, measured, reshaped, summary } of results) {
      if (name !== '') page.line(page.say('cli.tf.vcGraph', { name }))
      page.line(page.say('cli.tf.vcSides', { left, right }))
      page.line(page.say('cli.tf.vcRows', { rows, measured }))
      if (reshaped.length > 0)
        page.line(page.say('cli.tf.vcReshaped', { count: reshaped.length, tensors: reshaped.join(', ') }))
      printSummary(summary, { threshold: defaultThreshold, most: usually }, page)
    }
  },
  json: (results: readonly NetCompared[]) => ({
    results: results.map(({ summary, ...rest }) => ({
      ...rest,
      errors: summary.errors.map(({ op }) => op),
      first: summary.first?.op ?? null,
      inputsDiffer: summary.differingInputs,
    })),
    threshold: defaultThreshold,
  }),
}

export const command: Command<VcFlags, readonly NetCompared[], VcField> = {
  run: (asked, tools) => runNets({ folder: asked.paths[0], ...asked.flags }, tools),
  ...told,
}
