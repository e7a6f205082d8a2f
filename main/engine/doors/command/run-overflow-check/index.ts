// `run_overflow_check` as it is typed.
import { needed, text, verb } from '../verb.ts'

const flags = {
  dump: needed(text('-api_info, --api_info_file', 'cli.value.file', 'cli.flag.apiInfo')),
  jit: text('-j, --jit_compile', 'cli.value.name', 'cli.flag.ignored'),
  device: text('-d, --device', 'cli.value.name', 'cli.flag.ignored'),
} as const
export type OverflowFlags = typeof flags

const fields = ['calls'] as const
export type OverflowField = (typeof fields)[number]

export const runOverflowCheck = verb({
  name: 'run_overflow_check',
  summary: 'cli.verb.run_overflow_check',
  about: 'cli.about.run_overflow_check',
  examples: ['plumbline -f pytorch run_overflow_check -api_info ./step0/rank0/dump.json'],
  operands: { shown: null, counts: [0], wrong: 'cli.usage.extra' },
  flags,
  prints: 'answer',
  fields,
  threads: () => 1,
  load: () => import('./run.ts'),
})
