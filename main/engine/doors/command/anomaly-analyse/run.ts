// anomaly_analyse: recorded anomalies of all ranks in the order in which they came, the first of them written.
import { openOutput } from '../../../io/index.ts'
import { anomaliesIn, type Anomaly, anomalyJson, rankedAnomalies } from '../../../series/index.ts'
import { defaultOutput } from '../flags.ts'
import { folderAt } from '../one-folder.ts'
import { writeText } from '../units.ts'
import { type Command, UsageError } from '../verb.ts'
import type { AnomalyField, AnomalyFlags } from './index.ts'

interface Answer {
  readonly ranked: readonly Anomaly[]
  readonly all: number
  readonly files: readonly string[]
}

const usually = 8

export const command: Command<AnomalyFlags, Answer, AnomalyField> = {
  async run({ flags }, tools) {
    const steps = stepsOf(flags.steps ?? '[]')
    const folder = await folderAt(flags.data, tools)
    const all = anomaliesIn(tools.files, folder, tools.tell)
    const ranked = rankedAnomalies(all, Math.floor(flags.most ?? usually), steps)
    const output = openOutput(flags.output ?? defaultOutput, [], true)
    try {
      writeText(output, 'anomaly_analyse.json', anomalyJson(ranked))
      const files = output.commit()
      tools.written(files)
      return { ranked, all: all.length, files }
    } finally {
      output.abandon()
    }
  },
  print({ ranked, all }, page) {
    page.line(page.say('series.anomalies', { shown: ranked.length, count: all }))
    for (const { message, tag, rank, step } of ranked)
      page.line(`  ${message || page.say('series.anomaly', { tag, rank, step })}`)
  },
  json: ({ ranked, all, files }) => ({ anomalies: ranked, count: all, files }),
}

/** A list in brackets as Python writes it; numbers with commas between them are understood too. */
function stepsOf(typed: string): readonly number[] {
  const [, inner] = /^\s*[[(]?([\s\d,]*)[\])]?\s*$/.exec(typed) ?? []
  if (inner === undefined) throw new UsageError('cli.usage.stepList', { value: typed })
  return inner
    .split(',')
    .map(step => step.trim())
    .filter(step => step !== '')
    .map(Number)
}
