// `parse cn` as it is typed.
import { cpFields, nearness } from '../../tf/cp/index.ts'
import { maybeText, verb } from '../../verb.ts'
import { nothing, twoSides } from '../flags.ts'

const flags = {
  ...twoSides,
  ...nearness,
  save: maybeText('-s, --save', 'cli.value.folder', 'cli.flag.cnSave'),
} as const
export type CnFlags = typeof flags

export const parseCn = verb({
  name: 'parse cn',
  summary: 'cli.verb.parse-cn',
  about: 'cli.about.parse-cn',
  examples: ['plumbline parse cn -m ./npu.npy -g ./golden.npy -p 20 -al 0.001 -rl 0.001'],
  operands: nothing,
  flags,
  prints: 'answer',
  fields: cpFields,
  load: () => import('./run.ts'),
})
