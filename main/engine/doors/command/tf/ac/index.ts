// `tf FOLDER ac` as it is typed.
import { output } from '../../flags.ts'
import { numberIn, toggle, verb } from '../../verb.ts'
import { folder } from '../operands.ts'

const flags = {
  compare: toggle('-c, --compare', 'cli.flag.acCompare'),
  overflow: toggle('--overflow', 'cli.flag.acOverflow'),
  limit: numberIn('-l, --limit', [1, 1_000_000], 'cli.flag.acLimit'),
  output,
} as const
export type AcFlags = typeof flags

const fields = ['compare', 'fusion', 'overflow', 'dangerousCast', 'similarity'] as const
export type AcField = (typeof fields)[number]

export const tfAc = verb({
  name: 'tf ac',
  summary: 'cli.verb.tf-ac',
  about: 'cli.about.tf-ac',
  examples: ['plumbline tf ./precision_data ac', 'plumbline tf ./precision_data ac -c -l 5'],
  operands: folder,
  flags,
  prints: 'answer',
  fields,
  load: () => import('./run.ts'),
})
