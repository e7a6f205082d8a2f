// `monitor` as it is typed.
import { rules } from '../flags.ts'
import { numberIn, text, verb } from '../verb.ts'

const flags = {
  alert: text('--alert', 'cli.value.file', 'cli.flag.monitorAlert'),
  threshold: numberIn('--threshold', [0, 1e9], 'cli.flag.monitorThreshold'),
  rules,
} as const
export type MonitorFlags = typeof flags

const fields = ['alerts', 'runs', 'rules'] as const
export type MonitorField = (typeof fields)[number]

export const monitor = verb({
  name: 'monitor',
  summary: 'cli.verb.monitor',
  about: 'cli.about.monitor',
  examples: [
    'plumbline monitor ./monitor_output --threshold 0.5',
    'plumbline monitor ./monitor_output --alert rules.json --rules msprobe-26 --json',
  ],
  operands: { shown: 'cli.operands.monitor', counts: [1], wrong: 'cli.usage.monitor' },
  flags,
  prints: 'answer',
  fields,
  load: () => import('./run.ts'),
})
