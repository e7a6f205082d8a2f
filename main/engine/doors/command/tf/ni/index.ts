// `tf FOLDER ni` as it is typed.
import { output } from '../../flags.ts'
import { numberIn, text, toggle, verb } from '../../verb.ts'
import { whichGraphs } from '../flags.ts'

const flags = {
  name: text('-n, --name', 'cli.value.name', 'cli.flag.tf-ni-name'),
  graph: text('-g, --graph', 'cli.value.name', 'cli.flag.tf-ni-graph'),
  attributes: toggle('-a, --attr', 'cli.flag.tf-ni-attr'),
  around: numberIn('-s, --save', [1, 100], 'cli.flag.tf-ni-save'),
  output,
  ...whichGraphs,
} as const
export type NiFlags = typeof flags

const fields = ['cards', 'exact', 'run', 'files'] as const
export type NiField = (typeof fields)[number]

export const tfNi = verb({
  name: 'tf ni',
  summary: 'cli.verb.tf-ni',
  about: 'cli.about.tf-ni',
  examples: [
    'plumbline tf ./precision_data ni LeNet/conv1/Relu',
    'plumbline tf ./precision_data ni LeNet/conv1/Relu -a -s 2 -o ./graphs',
  ],
  operands: { shown: 'cli.operands.op', counts: [1, 2], wrong: 'cli.usage.tfName' },
  flags,
  prints: 'answer',
  fields,
  load: () => import('./run.ts'),
})
