// `tf FOLDER ls` as it is typed.
import { text, verb } from '../../verb.ts'
import { whichGraphs } from '../flags.ts'
import { folder } from '../operands.ts'

const flags = {
  type: text('-t, --type', 'cli.value.text', 'cli.flag.tf-ls-type'),
  name: text('-n, --name', 'cli.value.text', 'cli.flag.tf-ls-name'),
  pass: text('-f, --fusion', 'cli.value.text', 'cli.flag.tf-ls-pass'),
  kernel: text('-k, --kernel', 'cli.value.text', 'cli.flag.tf-ls-kernel'),
  ...whichGraphs,
} as const
export type LsFlags = typeof flags

const fields = ['types', 'ops', 'loose', 'run', 'files'] as const
export type LsField = (typeof fields)[number]

export const tfLs = verb({
  name: 'tf ls',
  summary: 'cli.verb.tf-ls',
  about: 'cli.about.tf-ls',
  examples: ['plumbline tf ./precision_data ls', 'plumbline tf ./precision_data ls -n conv1 -t Mul'],
  operands: folder,
  flags,
  prints: 'answer',
  fields,
  load: () => import('./run.ts'),
})
