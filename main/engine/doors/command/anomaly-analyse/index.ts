// `anomaly_analyse` as it is typed.
import { rules } from '../flags.ts'
import { needed, numberIn, text, verb } from '../verb.ts'

const flags = {
  data: needed(text('-d, --data_path', 'cli.value.folder', 'cli.flag.anomalyData')),
  output: text('-o, --out_path', 'cli.value.folder', 'cli.flag.anomalyOutput'),
  most: numberIn('-k, --topk', [1, 1_000_000], 'cli.flag.anomalyMost'),
  steps: text('-s, --step', 'cli.value.steps', 'cli.flag.anomalySteps'),
  rules,
} as const
export type AnomalyFlags = typeof flags

const fields = ['anomalies', 'count', 'files'] as const
export type AnomalyField = (typeof fields)[number]

export const anomalyAnalyse = verb({
  name: 'anomaly_analyse',
  summary: 'cli.verb.anomaly_analyse',
  about: 'cli.about.anomaly_analyse',
  examples: ['plumbline anomaly_analyse -d ./anomaly_detected -o ./output -k 8 -s "[1,2]"'],
  operands: { shown: null, counts: [0], wrong: 'cli.usage.extra' },
  flags,
  prints: 'answer',
  fields,
  load: () => import('./run.ts'),
})
