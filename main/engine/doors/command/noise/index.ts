// `noise` as it is typed.
import { rules } from '../flags.ts'
import { text, verb } from '../verb.ts'

const flags = {
  output: text('-o, --output_path', 'cli.value.folder', 'cli.flag.noiseOutput'),
  rules,
} as const
export type NoiseFlags = typeof flags

const fields = ['profile', 'files'] as const
export type NoiseField = (typeof fields)[number]

export const noiseVerb = verb({
  name: 'noise',
  summary: 'cli.verb.noise',
  about: 'cli.about.noise',
  examples: ['plumbline noise ./npu_again ./npu_once -o ./profiles'],
  operands: { shown: 'cli.operands.noise', counts: [1, 2], wrong: 'cli.usage.noise' },
  flags,
  prints: 'answer',
  fields,
  threads: () => 1,
  load: () => import('./run.ts'),
})
