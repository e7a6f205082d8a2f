// advise: a comparison of which only the findings are wanted.
import { comparePairs } from '../compare/pairs.ts'
import { printFindings } from '../compare/print.ts'
import { adviseRequest, compareOutcome, type CompareResult } from '../compare/request.ts'
import { type Command, UsageError } from '../verb.ts'
import type { AdviseField, AdviseFlags } from './index.ts'
import { isFault, printRanks, ranksAlone, type StepOfRanks } from './ranks.ts'

/** Two runs, or the ranks of one. */
type Answer = CompareResult | readonly StepOfRanks[]
const isAlone = (answer: Answer): answer is readonly StepOfRanks[] => Array.isArray(answer)

export const command: Command<AdviseFlags, Answer, AdviseField> = {
  async run(asked, tools) {
    const alone = await ranksAlone(asked, tools)
    if (alone) return alone
    const result = await comparePairs(adviseRequest(asked, tools), tools)
    if (!result.dataset && result.units.some(unit => unit.advice === null))
      throw new UsageError('cli.usage.adviseKernel')
    return result
  },
  print: (answer, page) => (isAlone(answer) ? printRanks(answer, page) : printFindings(answer, page)),
  json: answer => (isAlone(answer) ? { ...nothing, ranks: answer } : { ...told(answer), ranks: [] }),
  outcome(answer, { flags }) {
    if (!isAlone(answer)) return compareOutcome(answer, flags.failOn)
    const isFound = answer.some(
      step => isFault(step) || (flags.failOn === 'warning' && step.findings.length > 0),
    )
    return flags.failOn !== undefined && isFound ? 'found' : 'ran'
  },
}

const nothing = { rules: 'plumbline', findings: [], units: [], failed: 0 } as const

const told = ({ rules, findings, units, failed }: CompareResult) => ({
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
})
