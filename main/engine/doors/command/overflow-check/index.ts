// `overflow_check` as it is typed.
import { failOn, output, rules, someUnits } from '../flags.ts'
import { needed, numberIn, oneOf, text, toggle, verb } from '../verb.ts'

const flags = {
  input: needed(text('-i, --input_path', 'cli.value.path', 'cli.flag.overflowInput')),
  output,
  classes: toggle('--classes', 'cli.flag.overflowClasses'),
  growth: numberIn('--growth', [1, 1e30], 'cli.flag.overflowGrowth'),
  ranks: someUnits.ranks,
  steps: someUnits.steps,
  shard: someUnits.shard,
  format: oneOf('--format', ['csv', 'dataset'], 'cli.flag.overflowFormat'),
  rules,
  failOn,
} as const
export type OverflowCheckFlags = typeof flags

const fields = [
  'step',
  'steps',
  'origins',
  'symptoms',
  'later',
  'arrivals',
  'levels',
  'notes',
  'ops',
  'files',
  'dataset',
] as const
export type OverflowCheckField = (typeof fields)[number]

export const overflowCheck = verb({
  name: 'overflow_check',
  summary: 'cli.verb.overflow_check',
  about: 'cli.about.overflow_check',
  examples: [
    'plumbline overflow_check -i ./dump/step0 -o ./output',
    'plumbline overflow_check -i ./dump/step0/rank0/dump.json --classes --json',
    'plumbline overflow_check -i ./dump -o ./dataset --shard 3/16',
  ],
  operands: { shown: null, counts: [0], wrong: 'cli.usage.extra' },
  flags,
  prints: 'answer',
  fields,
  threads: () => 2,
  load: () => import('./run.ts'),
})
