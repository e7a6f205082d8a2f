// `parse pk` as it is typed.
import { needed, text, verb } from '../../verb.ts'
import { nothing } from '../flags.ts'

const flags = {
  file: needed(text('-f, --file', 'cli.value.file', 'cli.flag.pkFile')),
  name: needed(text('-n, --name', 'cli.value.api', 'cli.flag.pkName')),
} as const
export type PkFlags = typeof flags

const fields = ['file', 'lines'] as const
export type PkField = (typeof fields)[number]

export const parsePk = verb({
  name: 'parse pk',
  summary: 'cli.verb.parse-pk',
  about: 'cli.about.parse-pk',
  examples: ['plumbline parse pk -f ./api_stack_dump.pkl -n Functional_conv2d_1'],
  operands: nothing,
  flags,
  prints: 'answer',
  fields,
  load: () => import('./run.ts'),
})
