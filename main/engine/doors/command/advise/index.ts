// `advise` as it is typed.
import {
  adviseOutput as output,
  failOn,
  fuzzy,
  mappings,
  noise,
  pairOfDumps,
  parallelSizes,
  rules,
  pairOrFile,
  someUnits,
} from '../flags.ts'
import { verb } from '../verb.ts'

const flags = {
  ...pairOfDumps,
  output,
  fuzzy,
  ...mappings,
  ...someUnits,
  ...parallelSizes,
  rules,
  noise,
  failOn,
} as const
export type AdviseFlags = typeof flags

const fields = ['rules', 'findings', 'units', 'failed', 'ranks'] as const
export type AdviseField = (typeof fields)[number]

export const advise = verb({
  name: 'advise',
  summary: 'cli.verb.advise',
  about: 'cli.about.advise',
  examples: [
    'plumbline advise ./npu/step0/rank0 ./bench/step0/rank0',
    'plumbline advise ./npu/step0 ./bench/step0 --json',
    'plumbline advise ./npu --tp 2',
    'plumbline advise ./npu ./bench -o ./dataset --shard 0/4',
    'plumbline advise ./npu ./bench --noise ./npu_again ./npu_once',
  ],
  operands: pairOrFile,
  flags,
  prints: 'answer',
  fields,
  threads: ({ paths }) => (paths.length === 1 ? 2 : 1),
  load: () => import('./run.ts'),
})
