// `diff` as it is typed.
import { memberFlags } from '../flags.ts'
import { maybeText, text, verb } from '../verb.ts'
import { nearness } from '../tf/cp/index.ts'

const flags = {
  ...memberFlags,
  rightMember: text('--right-member', 'cli.value.name', 'cli.flag.rightMember'),
  ...nearness,
  output: maybeText('-o, --output_path', 'cli.value.folder', 'cli.flag.tensorTexts'),
} as const
export type DiffFlags = typeof flags

const fields = [
  'left',
  'right',
  'comparable',
  'shape',
  'count',
  'equal',
  'mismatched',
  'nonFinite',
  'maxAbs',
  'meanAbs',
  'rmse',
  'maxRel',
  'apart',
  'allclose',
  'cosine',
  'ulp',
  'histogram',
  'top',
  'kind',
  'tensors',
  'onlyLeft',
  'onlyRight',
  'texts',
] as const
export type DiffField = (typeof fields)[number]

export const diff = verb({
  name: 'diff',
  summary: 'cli.verb.diff',
  about: 'cli.about.diff',
  examples: [
    'plumbline diff a.npy b.npy -p 20 -al 0.001 -rl 0.001',
    'plumbline diff a.safetensors b.safetensors --json',
    'plumbline diff a.pt b.npz --member layer.weight',
  ],
  operands: { shown: 'cli.operands.twoTensors', counts: [2], wrong: 'cli.usage.twoTensors' },
  flags,
  prints: 'answer',
  fields,
  threads: () => 2,
  load: () => import('./run.ts'),
})
