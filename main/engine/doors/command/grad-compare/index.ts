// `grad_compare` as it is typed.
import { output, rules } from '../flags.ts'
import { numberIn, verb } from '../verb.ts'

const flags = {
  output,
  first: numberIn('--first', [0, 1], 'cli.flag.gradFirst'),
  drop: numberIn('--drop', [0, 1], 'cli.flag.gradDrop'),
  rules,
} as const
export type GradFlags = typeof flags

const fields = ['ranks', 'suspects', 'differences', 'limits', 'files'] as const
export type GradField = (typeof fields)[number]

export const gradCompare = verb({
  name: 'grad_compare',
  summary: 'cli.verb.grad_compare',
  about: 'cli.about.grad_compare',
  examples: [
    'plumbline grad_compare ./npu/grad ./bench/grad -o ./output',
    'plumbline grad_compare ./npu/grad ./bench/grad --first 0.97 --drop 0.03 --json',
  ],
  operands: { shown: 'cli.operands.gradients', counts: [2], wrong: 'cli.usage.gradients' },
  flags,
  prints: 'answer',
  fields,
  load: () => import('./run.ts'),
})
