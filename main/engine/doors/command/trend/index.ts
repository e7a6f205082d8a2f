// `trend` as it is typed.
import { needed, numberIn, someTexts, text, verb } from '../verb.ts'

const largest = Number.MAX_SAFE_INTEGER

const flags = {
  metric: needed(text('--metric', 'cli.value.name', 'cli.flag.trendMetric')),
  stat: needed(text('--stat', 'cli.value.name', 'cli.flag.trendStat')),
  step: numberIn('--step', [0, largest], 'cli.flag.trendStep'),
  rank: numberIn('--rank', [0, largest], 'cli.flag.trendRank'),
  module: text('--module', 'cli.value.name', 'cli.flag.trendModule'),
  tags: someTexts('--tag', 'cli.value.name', 'cli.flag.trendTag'),
} as const
export type TrendFlags = typeof flags

const fields = ['cells'] as const
export type TrendField = (typeof fields)[number]

export const trend = verb({
  name: 'trend',
  summary: 'cli.verb.trend',
  about: 'cli.about.trend',
  examples: [
    'plumbline trend dump_data.trend.db --metric forward --stat norm --step 0',
    'plumbline trend monitor_data.trend.db --metric grad_reduced --stat norm --module 0_module.head.weight_0 --json',
  ],
  operands: { shown: 'cli.operands.trend', counts: [1], wrong: 'cli.usage.trend' },
  flags,
  prints: 'answer',
  fields,
  load: () => import('./run.ts'),
})
