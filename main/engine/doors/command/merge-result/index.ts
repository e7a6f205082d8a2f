// `merge_result` as it is typed.
import { rules } from '../flags.ts'
import { needed, text, verb } from '../verb.ts'

const flags = {
  input: needed(text('-i, --input_dir', 'cli.value.folder', 'cli.flag.mergeInput')),
  output: needed(text('-o, --output_dir', 'cli.value.folder', 'cli.flag.mergeOutput')),
  config: needed(text('-config, --config, --config_path', 'cli.value.yaml', 'cli.flag.mergeConfig')),
  rules,
} as const
export type MergeFlags = typeof flags

const fields = ['files'] as const
export type MergeField = (typeof fields)[number]

export const mergeResult = verb({
  name: 'merge_result',
  summary: 'cli.verb.merge_result',
  about: 'cli.about.merge_result',
  examples: ['plumbline -f pytorch merge_result -i ./output -o ./merged -config ./config.yaml'],
  operands: { shown: null, counts: [0], wrong: 'cli.usage.extra' },
  flags,
  prints: 'summary',
  fields,
  load: () => import('./run.ts'),
})
