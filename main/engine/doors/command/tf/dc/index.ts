// `tf FOLDER dc` as it is typed.
import { oneOf, text, toggle, verb } from '../../verb.ts'
import { folderAnd } from '../operands.ts'

const flags = {
  named: toggle('-n, --name', 'cli.flag.tf-named'),
  layout: text('-f, --format', 'cli.value.layout', 'cli.flag.parseLayout'),
  type: oneOf('-t, --type', ['npy', 'bin', 'msnpy'], 'cli.flag.parseType'),
  output: text('-o, -out, --output_path', 'cli.value.folder', 'cli.flag.output'),
} as const
export type DcFlags = typeof flags

const fields = ['files'] as const
export type DcField = (typeof fields)[number]

export const tfDc = verb({
  name: 'tf dc',
  summary: 'cli.verb.tf-dc',
  about: 'cli.about.tf-dc',
  examples: [
    'plumbline tf ./precision_data dc LeNet/fc/MatMul -f ND -o ./decoded',
    'plumbline tf ./precision_data dc MatMulV2.LeNet_fc_MatMul.7.5.1620612694000500',
  ],
  operands: folderAnd('cli.operands.rawDump'),
  flags,
  prints: 'summary',
  fields,
  load: () => import('./run.ts'),
})
