// overflow_check by our own rules: the first step with anything, its origins by the order of events over all ranks.
import { anomalyText, answerOf, hasAnything, readStep, type StepRecords } from '../../../overflow/index.ts'
import type { OverflowAnswer } from '../../../model/index.ts'
import type { Tools } from '../tools.ts'
import type { Given } from '../verb.ts'
import { detailsOf, type FoundCall } from './details.ts'
import type { OverflowCheckFlags } from './index.ts'
import { stepsAt, type StepPlaces } from './places.ts'
import { OverflowFiles } from './write.ts'

export interface Checked {
  /** The step that is spoken of: the first with anything. */
  readonly step: number | null
  readonly steps: readonly { readonly step: number | null; readonly abnormal: boolean }[]
  readonly found: Omit<OverflowAnswer, 'origins'> & { readonly origins: readonly FoundCall[] }
  readonly files: readonly string[]
}

export async function checkStep(flags: Given<OverflowCheckFlags>, tools: Tools): Promise<Checked> {
  const files = new OverflowFiles(flags.output, tools)
  try {
    const steps: { step: number | null; abnormal: boolean }[] = []
    let chosen: { readonly at: StepPlaces; readonly read: StepRecords } | null = null
    for (const at of await stepsAt(flags, 'plumbline', tools)) {
      const isChosen = chosen !== null && steps.some(({ abnormal }) => abnormal)
      if (!isChosen) files.dropRows()
      const read = await readStep(tools, at.ranks, tools.job, {
        ...(flags.growth !== undefined && { growth: flags.growth }),
        ...(!isChosen && { onTable: table => files.rows(table) }),
      })
      for (const found of read.problems) tools.tell(found)
      steps.push({ step: at.step, abnormal: hasAnything(read.records) })
      if (!isChosen) chosen = { at, read }
    }
    const answer = answerOf(chosen?.read.records ?? [])
    const { calls, records } = await detailsOf(answer.origins, chosen?.at.ranks ?? [], tools)
    if (records.size > 0) files.anomalies(anomalyText(records))
    return {
      step: chosen?.at.step ?? null,
      steps,
      found: { ...answer, origins: calls },
      files: files.commit(),
    }
  } finally {
    files.abandon()
  }
}
