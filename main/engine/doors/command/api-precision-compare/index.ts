// `api_precision_compare` as it is typed.
import { failOn, rules } from '../flags.ts'
import { maybeText, needed, text, verb } from '../verb.ts'

const flags = {
  npu: needed(text('-npu, --npu_csv_path', 'cli.value.file', 'cli.flag.precisionNpu')),
  gpu: needed(text('-gpu, --gpu_csv_path', 'cli.value.file', 'cli.flag.precisionGpu')),
  output: maybeText('-o, --out_path', 'cli.value.folder', 'cli.flag.precisionOutput'),
  rules,
  failOn,
} as const
export type PrecisionFlags = typeof flags

const fields = ['generation', 'outputs', 'standards', 'failing', 'missing', 'files'] as const
export type PrecisionField = (typeof fields)[number]

export const apiPrecisionCompare = verb({
  name: 'api_precision_compare',
  summary: 'cli.verb.api_precision_compare',
  about: 'cli.about.api_precision_compare',
  examples: [
    'plumbline api_precision_compare -npu npu/accuracy_checking_details_….csv -gpu gpu/accuracy_checking_details_….csv -o ./compared',
    'plumbline -f pytorch api_precision_compare -npu A.csv -gpu B.csv -o ./compared --rules msprobe-1.2.2',
  ],
  operands: { shown: null, counts: [0], wrong: 'cli.usage.extra' },
  flags,
  prints: 'answer',
  fields,
  load: () => import('./run.ts'),
})
