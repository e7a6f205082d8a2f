// `tf FOLDER cp LEFT RIGHT` as it is typed.
import { numberIn, text, verb } from '../../verb.ts'

/** How near two tensors are to be, and how many differences are listed. */
export const nearness = {
  most: numberIn('-p, --print', [0, 10_000], 'cli.flag.cpPrint'),
  al: numberIn('-al, --atol', [0, Number.MAX_VALUE], 'cli.flag.cpAl'),
  rl: numberIn('-rl, --rtol', [0, Number.MAX_VALUE], 'cli.flag.cpRl'),
} as const

const flags = { name: text('-n, --name', 'cli.value.tensor', 'cli.flag.tfName'), ...nearness } as const
export type CpFlags = typeof flags

export const cpFields = [
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
export type CpField = (typeof cpFields)[number]

export const tfCp = verb({
  name: 'tf cp',
  summary: 'cli.verb.tf-cp',
  about: 'cli.about.tf-cp',
  examples: [
    'plumbline tf ./precision_data cp ./npu.npy ./tf.npy',
    'plumbline tf ./precision_data cp ./npu.npy LeNet_fc_MatMul.0 -p 20 -al 0.001 -rl 0.001',
  ],
  // The first of the two may stand behind -n.
  operands: { shown: 'cli.operands.twoTensors', counts: [2, 3], wrong: 'cli.usage.tfTwo' },
  flags,
  prints: 'answer',
  fields: cpFields,
  load: () => import('./run.ts'),
})
