// `graph` as it is typed.
import {
  fuzzy,
  graphBeside26,
  layer,
  output,
  pairOfDumps,
  parallelSizes,
  rules,
  someUnits,
  twoDumps,
} from '../flags.ts'
import { oneOf, toggle, verb } from '../verb.ts'

const flags = {
  ...pairOfDumps,
  output,
  layer,
  fuzzy,
  fullStack: toggle('-cs, --complete_stack', 'cli.flag.fullStack'),
  overflow: toggle('-oc, --overflow_check', 'cli.flag.overflow'),
  shard: someUnits.shard,
  ...parallelSizes,
  rules,
  ...graphBeside26,
  format: oneOf('--format', ['vis', 'vis.db'], 'cli.flag.graphFormat'),
} as const
export type GraphFlags = typeof flags

const fields = ['rules', 'units', 'failed', 'files'] as const
export type GraphField = (typeof fields)[number]

export const graph = verb({
  name: 'graph',
  aliases: ['graph_visualize'],
  summary: 'cli.verb.graph',
  about: 'cli.about.graph',
  examples: [
    'plumbline -f mindspore graph -i ./compare.json -o ./output',
    'plumbline graph ./npu/step0 ./bench/step0 -o ./output',
    'plumbline graph ./npu ./bench -o ./output --shard 0/4',
    'plumbline graph ./tp2pp2/step0 ./tp1/step0 -o ./output --tp 2 1 --pp 2 1',
    'plumbline graph ./precision_data -o ./output --format vis.db',
  ],
  operands: {
    ...twoDumps,
    shown: 'cli.operands.graph',
    counts: [1, 2],
    orMore: true,
    wrong: 'cli.usage.graphPaths',
  },
  flags,
  prints: 'summary',
  fields,
  load: () => import('./run.ts'),
})
