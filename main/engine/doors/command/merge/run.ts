// merge: whether all parts of a dataset are there, and what they come to together.
import { type Merged, mergeDataset, type UnitId } from '../../../dataset/index.ts'
import { absolute } from '../../../io/index.ts'
import { problem, runsOf } from '../../../model/index.ts'
import { printMerged } from '../dataset-text.ts'
import type { Tools } from '../tools.ts'
import type { Command } from '../verb.ts'
import type { MergeField, MergeFlags } from './index.ts'

interface Answer {
  readonly folder: string
  readonly merged: Merged
}

export const command: Command<MergeFlags, Answer, MergeField> = {
  async run({ paths: [path = ''] }, tools) {
    const folder = absolute(path)
    tools.files.allow(folder)
    const merged = await mergeDataset(folder, tools, tools.job)
    tellMissing(folder, merged, tools)
    tools.written(merged.files)
    return { folder, merged }
  },
  print: ({ merged }, page) => printMerged(merged, page),
  json: ({ folder, merged: { summary, failed, open, files } }) => ({
    folder,
    rules: summary.rules,
    counts: summary.counts,
    findings: summary.findings,
    units: summary.units,
    missing: summary.missing,
    shares: open,
    files,
    failed,
    overflow: summary.overflow ?? [],
  }),
  outcome({ merged: { summary, failed } }, { flags }) {
    if (summary.missing.length > 0 || failed > 0) return 'refused'
    const { differs, failing, red, yellow, unmatchedDebug, unmatchedBench } = summary.counts
    const isWarning = failing + red + yellow + unmatchedDebug + unmatchedBench > 0
    return (flags.failOn && differs > 0) || (flags.failOn === 'warning' && isWarning) ? 'found' : 'ran'
  },
}

function tellMissing(folder: string, { summary: { missing }, open }: Merged, { tell }: Tools): void {
  if (missing.length > 0)
    tell(problem('dataset-missing', folder, { count: missing.length, units: unitsText(missing) }))
  for (const { index, of, begun } of open)
    tell(problem('dataset-share-open', folder, { share: `${index}/${of}`, of, begun }, 'warning'))
}

/** Ranks by step: `step 0: 3, 5-7; step 1: 3`. */
function unitsText(units: readonly UnitId[]): string {
  const steps = new Map<number | null, number[]>()
  for (const { step, rank } of units) steps.set(step, [...(steps.get(step) ?? []), rank ?? -1])
  return [...steps]
    .map(([step, ranks]) => {
      const known = ranks.filter(rank => rank >= 0)
      const of = known.length > 0 ? `rank ${runsOf(known)}` : ''
      return [step === null ? '' : `step ${step}`, of].filter(Boolean).join(' ')
    })
    .join('; ')
}
