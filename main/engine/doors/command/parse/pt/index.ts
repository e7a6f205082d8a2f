// `parse pt` as it is typed.
import { needed, text, verb } from '../../verb.ts'
import { nothing, output } from '../flags.ts'

const flags = {
  name: needed(text('-n, --name', 'cli.value.path', 'cli.flag.parseTensor')),
  layout: text('-f, --format', 'cli.value.layout', 'cli.flag.tf-layout'),
  output,
} as const
export type PtFlags = typeof flags

const fields = ['name', 'path', 'shape', 'dtype', 'layout', 'max', 'min', 'mean', 'values', 'txt'] as const
export type PtField = (typeof fields)[number]

export const parsePt = verb({
  name: 'parse pt',
  summary: 'cli.verb.tf-pt',
  about: 'cli.about.parse-pt',
  examples: [
    'plumbline parse pt -n ./npu_arrays/conv1/1620612694000300/Conv2D.conv1.4.5.1620612694000300.output.0.npy',
  ],
  operands: nothing,
  flags,
  prints: 'answer',
  fields,
  load: () => import('./run.ts'),
})
