// `tf FOLDER pt` as it is typed.
import { maybeText, text, toggle, verb } from '../../verb.ts'
import { folderAnd } from '../operands.ts'

const flags = {
  // The name stands behind it, or without it.
  named: toggle('-n, --name', 'cli.flag.tf-named'),
  layout: text('-f, --format', 'cli.value.layout', 'cli.flag.tf-layout'),
  output: maybeText('-o, --output_path', 'cli.value.folder', 'cli.flag.tf-txt'),
} as const
export type PtFlags = typeof flags

const fields = ['name', 'path', 'shape', 'dtype', 'layout', 'max', 'min', 'mean', 'values', 'txt'] as const
export type PtField = (typeof fields)[number]

export const tfPt = verb({
  name: 'tf pt',
  summary: 'cli.verb.tf-pt',
  about: 'cli.about.tf-pt',
  examples: [
    'plumbline tf ./precision_data pt LeNet_fc_MatMul.0',
    'plumbline tf ./precision_data pt MatMulV2.LeNet_fc_MatMul.7.5.1620612694000500.output.0.npy -o ./texts',
  ],
  operands: folderAnd('cli.operands.tensor'),
  flags,
  prints: 'answer',
  fields,
  load: () => import('./run.ts'),
})
