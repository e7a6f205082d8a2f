// `training_log` as it is typed.
import { numberIn, text, verb } from '../verb.ts'

const flags = {
  pattern: text('--pattern', 'cli.value.pattern', 'cli.flag.logPattern'),
  floor: numberIn('--floor', [0, 1e9], 'cli.flag.logFloor'),
  factor: numberIn('--factor', [0, 1e9], 'cli.flag.logFactor'),
} as const
export type LogFlags = typeof flags

const fields = ['kinds', 'metrics', 'partings'] as const
export type LogField = (typeof fields)[number]

export const trainingLog = verb({
  name: 'training_log',
  summary: 'cli.verb.training_log',
  about: 'cli.about.training_log',
  examples: [
    'plumbline training_log ./npu.log ./gpu.log',
    'plumbline training_log ./run.log --pattern "step (?<step>\\d+).*loss (?<loss>[\\d.]+)" --json',
  ],
  operands: { shown: 'cli.operands.log', counts: [1, 2], wrong: 'cli.usage.log' },
  flags,
  prints: 'answer',
  fields,
  load: () => import('./run.ts'),
})
