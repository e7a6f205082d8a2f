// `parse vc` as it is typed.
import { verb } from '../../verb.ts'
import { converter, nothing, output, twoSides } from '../flags.ts'

const flags = { ...twoSides, output, converter } as const
export type VcFlags = typeof flags

const fields = ['file', 'compared', 'equal', 'notComparable', 'rows', 'results', 'threshold'] as const
export type VcField = (typeof fields)[number]

export const parseVc = verb({
  name: 'parse vc',
  summary: 'cli.verb.parse-vc',
  about: 'cli.about.parse-vc',
  examples: ['plumbline parse vc -m ./npu_arrays -g ./golden_arrays -out ./output'],
  operands: nothing,
  flags,
  prints: 'summary',
  fields,
  threads: () => 2,
  load: () => import('./run.ts'),
})
