// `compare` as it is typed.
import { tableFormats } from '../../../model/index.ts'
import {
  beside26,
  failOn,
  fuzzy,
  mappings,
  noise,
  output,
  pairOfDumps,
  parallelSizes,
  rules,
  pairOrFile,
  someUnits,
} from '../flags.ts'
import { someOf, toggle, verb } from '../verb.ts'

const flags = {
  ...pairOfDumps,
  output,
  stack: toggle('-s, --stack_mode', 'cli.flag.stack'),
  compareOnly: toggle('-c, --compare_only', 'cli.flag.compareOnly'),
  fuzzy,
  ...mappings,
  ...someUnits,
  ...parallelSizes,
  rules,
  noise,
  format: someOf('--format', [...tableFormats, 'dataset'], 'cli.flag.format'),
  xlsx: toggle('--xlsx', 'cli.flag.xlsx'),
  rawCsv: toggle('--raw_csv', 'cli.flag.rawCsv'),
  across: toggle('-da, --diff_analyze', 'cli.flag.across'),
  failOn,
  ...beside26,
} as const
export type CompareFlags = typeof flags

const fields = [
  'rules',
  'counts',
  'first',
  'findings',
  'across',
  'units',
  'files',
  'failed',
  'dataset',
] as const
export type CompareField = (typeof fields)[number]

export const compare = verb({
  name: 'compare',
  summary: 'cli.verb.compare',
  about: 'cli.about.compare',
  examples: [
    'plumbline -f mindspore compare -i ./compare.json -o ./output -s',
    'plumbline -f mindspore compare -i ./compare.json -o ./output -s -am api_mapping.yaml',
    'plumbline compare ./npu/step0/rank0 ./bench/step0/rank0 --format xlsx,csv --fail-on error',
    'plumbline compare ./npu ./bench --json > summary.json',
    'plumbline compare ./npu ./bench -o ./dataset --shard 0/4',
    'plumbline compare ./tp2pp2 ./tp1 --tp 2 1 --pp 2 1',
    'plumbline compare ./npu ./bench -o ./dataset --format dataset',
    'plumbline compare -tp ./npu/step0 -gp ./bench/step0 -o ./output -da',
  ],
  operands: pairOrFile,
  flags,
  prints: 'summary',
  fields,
  threads: asked => (asked.flags.compareOnly ? 0 : 1),
  load: () => import('./run.ts'),
})
