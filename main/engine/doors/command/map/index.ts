// `map check` and `map propose` as they are typed.
import { mappingKinds, rules } from '../flags.ts'
import { maybeText, needed, numberIn, oneOf, verb } from '../verb.ts'

const kind = oneOf('--kind', mappingKinds, 'cli.flag.kind')

const checkFlags = { kind, rules } as const
export type CheckFlags = typeof checkFlags
const checkFields = ['file', 'kind', 'diagnostics', 'entries', 'coverage'] as const
export type CheckField = (typeof checkFields)[number]

export const mapCheck = verb({
  name: 'map check',
  summary: 'cli.verb.map-check',
  about: 'cli.about.map-check',
  examples: ['plumbline map check layer_mapping.yaml ./npu/step0/rank0 ./bench/step0/rank0 --kind layer'],
  operands: { shown: 'cli.operands.mapCheck', counts: [1, 3], wrong: 'cli.usage.mapCheck' },
  flags: checkFlags,
  prints: 'answer',
  fields: checkFields,
  load: () => import('./check.ts'),
})

const proposeFlags = {
  kind: needed(kind),
  output: maybeText('-o, --output_path', 'cli.value.yaml', 'cli.flag.mapOutput'),
  score: numberIn('--score', [0, 1], 'cli.flag.score'),
  rules,
} as const
export type ProposeFlags = typeof proposeFlags
const proposeFields = ['kind', 'text', 'taken', 'left', 'before', 'after', 'files'] as const
export type ProposeField = (typeof proposeFields)[number]

export const mapPropose = verb({
  name: 'map propose',
  summary: 'cli.verb.map-propose',
  about: 'cli.about.map-propose',
  examples: [
    'plumbline map propose ./npu/step0/rank0 ./bench/step0/rank0 --kind layer -o layer_mapping.yaml',
  ],
  operands: { shown: 'cli.operands.pair', counts: [2], wrong: 'cli.usage.mapPropose' },
  flags: proposeFlags,
  prints: 'answer',
  fields: proposeFields,
  load: () => import('./propose.ts'),
})
