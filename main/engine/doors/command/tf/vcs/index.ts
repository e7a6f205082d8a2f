// `tf FOLDER vcs` as it is typed.
import { numberIn, text, verb } from '../../verb.ts'
import { folder } from '../operands.ts'

const flags = {
  file: text('-f, --file', 'cli.value.path', 'cli.flag.vcsFile'),
  threshold: numberIn('-c, --cos_sim_threshold', [-1, 1], 'cli.flag.vcsThreshold'),
  limit: numberIn('-l, --limit', [1, 1_000_000], 'cli.flag.vcsLimit'),
} as const
export type VcsFlags = typeof flags

const fields = ['results', 'threshold', 'errors', 'first', 'inputsDiffer'] as const
export type VcsField = (typeof fields)[number]

export const tfVcs = verb({
  name: 'tf vcs',
  summary: 'cli.verb.tf-vcs',
  about: 'cli.about.tf-vcs',
  examples: ['plumbline tf ./precision_data vcs -f ./result_20210510120000.csv -c 0.98 -l 3'],
  operands: folder,
  flags,
  prints: 'answer',
  fields,
  load: () => import('./run.ts'),
})
