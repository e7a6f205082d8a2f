// advise: a comparison of which only the findings are wanted.
import { comparePairs } from '../compare/pairs.ts'
import { printFindings } from '../compare/print.ts'
import { adviseRequest, compareOutcome, type CompareResult } from '../compare/request.ts'
import { type Command, UsageError } from '../verb.ts'
import type { AdviseField, AdviseFlags } from './index.ts'

export const command: Command<AdviseFlags, CompareResult, AdviseField> = {
  async run(asked, tools) {
    const result = await comparePairs(adviseRequest(asked, tools), tools)
    if (!result.dataset && result.units.some(unit => unit.advice === null))
      throw new UsageError('cli.usage.adviseKernel')
    return result
  },
  print: printFindings,
  json: ({ rules, findings, units, failed }) => ({
    rules,
    findings,
    units: units.map(({ step, rank, debug, bench, mode, counts, first, advice, recomputed }) => ({
      step,
      rank,
      debug,
      bench,
      mode,
      counts,
      first,
      findings: advice?.findings ?? [],
      noise: advice?.noise ?? [],
      checked: advice?.checked ?? [],
      makers: advice?.makers ?? [],
      amplifiers: advice?.amplifiers ?? [],
      flips: advice?.flips ?? [],
      dumpNext: advice?.dumpNext ?? null,
      taken: advice?.taken ?? null,
      recomputed,
    })),
    failed,
  }),
  outcome: (result, { flags }) => compareOutcome(result, flags.failOn),
}
