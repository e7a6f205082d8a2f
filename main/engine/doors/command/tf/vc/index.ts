// `tf FOLDER vc` as it is typed.
import { output } from '../../flags.ts'
import { text, toggle, verb } from '../../verb.ts'
import { folder } from '../operands.ts'

const flags = {
  left: text('-lt, --left_path', 'cli.value.folder', 'cli.flag.vcLeft'),
  right: text('-rt, --right_path', 'cli.value.folder', 'cli.flag.vcRight'),
  graph: text('-g, --graph', 'cli.value.file', 'cli.flag.vcGraph'),
  unfused: text('-cf, --close_fusion_rule_file', 'cli.value.file', 'cli.flag.vcUnfused'),
  quantized: text('--quant_fusion_rule_file', 'cli.value.file', 'cli.flag.vcQuantized'),
  mapping: toggle('--mapping', 'cli.flag.vcMapping'),
  overflow: toggle('--overflow, -overflow_detection', 'cli.flag.vcOverflow'),
  slices: toggle('--slices, -ffts', 'cli.flag.vcSlices'),
  output,
} as const
export type VcFlags = typeof flags

const fields = ['results', 'threshold'] as const
export type VcField = (typeof fields)[number]

export const tfVc = verb({
  name: 'tf vc',
  summary: 'cli.verb.tf-vc',
  about: 'cli.about.tf-vc',
  examples: [
    'plumbline tf ./precision_data vc',
    'plumbline tf ./precision_data vc -lt ./npu/0 -rt ./tf/dump -g ./ge_proto_00000012_Build.txt -o ./output',
  ],
  operands: folder,
  flags,
  prints: 'summary',
  fields,
  threads: () => 2,
  load: () => import('./run.ts'),
})
