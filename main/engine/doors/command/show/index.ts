// `show` as it is typed.
import { memberFlags } from '../flags.ts'
import { maybeText, numberIn, text, verb } from '../verb.ts'

const flags = {
  ...memberFlags,
  slice: text('-s, --slice', 'cli.value.slice', 'cli.flag.slice'),
  bins: numberIn('--bins', [1, 10_000], 'cli.flag.bins'),
  output: maybeText('-o, --output_path', 'cli.value.folder', 'cli.flag.tensorText'),
} as const
export type ShowFlags = typeof flags

const fields = ['file', 'dtype', 'shape', 'stats', 'health', 'histogram', 'slice', 'members', 'text'] as const
export type ShowField = (typeof fields)[number]

export const show = verb({
  name: 'show',
  summary: 'cli.verb.show',
  about: 'cli.about.show',
  examples: [
    'plumbline show a.npy',
    'plumbline show a.npy --slice=0,:,3 --json',
    'plumbline show state.pt --member layer.weight',
  ],
  operands: { shown: 'cli.operands.tensorFile', counts: [1], wrong: 'cli.usage.oneTensor' },
  flags,
  prints: 'answer',
  fields,
  threads: () => 1,
  load: () => import('./run.ts'),
})
