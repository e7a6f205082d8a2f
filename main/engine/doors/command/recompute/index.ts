// `recompute` as it is typed.
import { failOn, maybeOutput, rules } from '../flags.ts'
import { numberIn, text, toggle, verb } from '../verb.ts'

const flags = {
  output: maybeOutput,
  npy: toggle('--npy', 'cli.flag.recomputeNpy'),
  only: text('--only', 'cli.value.name', 'cli.flag.recomputeOnly'),
  repro: text('--repro', 'cli.value.name', 'cli.flag.recomputeRepro'),
  limit: numberIn('--flops', [1, 1e18], 'cli.flag.recomputeFlops'),
  rules,
  failOn,
} as const
export type RecomputeFlags = typeof flags

const fields = ['calls', 'summary', 'files'] as const
export type RecomputeField = (typeof fields)[number]

export const recompute = verb({
  name: 'recompute',
  summary: 'cli.verb.recompute',
  about: 'cli.about.recompute',
  examples: [
    'plumbline recompute ./dump/step0/rank0',
    'plumbline recompute ./npu/step0/rank0 ./bench/step0/rank0 --json',
    'plumbline recompute ./dump/step0/rank0 --only Functional.linear -o ./recomputed --npy --json',
  ],
  operands: { shown: 'cli.operands.recompute', counts: [1, 2], wrong: 'cli.usage.recomputePaths' },
  flags,
  prints: 'answer',
  fields,
  threads: () => 2,
  load: () => import('./run.ts'),
})
