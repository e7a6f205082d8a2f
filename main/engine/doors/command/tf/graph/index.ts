// `tf FOLDER graph` as it is typed.
import { output } from '../../flags.ts'
import { verb } from '../../verb.ts'
import { whichGraphs } from '../flags.ts'
import { folder } from '../operands.ts'

const flags = { output, ...whichGraphs } as const
export type GraphFlags = typeof flags

const fields = ['files'] as const
export type GraphField = (typeof fields)[number]

export const tfGraph = verb({
  name: 'tf graph',
  summary: 'cli.verb.tf-graph',
  about: 'cli.about.tf-graph',
  examples: [
    'plumbline tf ./precision_data graph -o ./json',
    'plumbline tf ./precision_data graph --graph-file ge_proto_00000007_PreRunBegin.txt',
  ],
  operands: folder,
  flags,
  prints: 'summary',
  fields,
  load: () => import('./run.ts'),
})
