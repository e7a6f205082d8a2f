// `parse cn` as it is typed.
import { maybeText, numberIn, verb } from '../../verb.ts'
import { nothing, twoSides } from '../flags.ts'

const flags = {
  ...twoSides,
  most: numberIn('-p, --print', [0, 10_000], 'cli.flag.cpPrint'),
  al: numberIn('-al, --atol', [0, Number.MAX_VALUE], 'cli.flag.cpAl'),
  rl: numberIn('-rl, --rtol', [0, Number.MAX_VALUE], 'cli.flag.cpRl'),
  save: maybeText('-s, --save', 'cli.value.folder', 'cli.flag.cnSave'),
} as const
export type CnFlags = typeof flags

const fields = [
  'left',
  'right',
  'comparable',
  'NumCnt',
  'AllClose',
  'CosSim',
  'ErrorCnt',
  'ErrorPer',
  'errors',
  'top',
  'largest',
  'exact',
] as const
export type CnField = (typeof fields)[number]

export const parseCn = verb({
  name: 'parse cn',
  summary: 'cli.verb.parse-cn',
  about: 'cli.about.parse-cn',
  examples: ['plumbline parse cn -m ./npu.npy -g ./golden.npy -p 20 -al 0.001 -rl 0.001'],
  operands: nothing,
  flags,
  prints: 'answer',
  fields,
  load: () => import('./run.ts'),
})
