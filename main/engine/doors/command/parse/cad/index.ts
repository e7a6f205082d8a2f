// `parse cad` as it is typed.
import { needed, text, verb } from '../../verb.ts'
import { converter, nothing, output } from '../flags.ts'

const flags = {
  dumps: needed(text('-m, --my_dump_path', 'cli.value.folder', 'cli.flag.parseDumps')),
  output,
  converter,
} as const
export type CadFlags = typeof flags

const fields = ['files'] as const
export type CadField = (typeof fields)[number]

export const parseCad = verb({
  name: 'parse cad',
  summary: 'cli.verb.parse-cad',
  about: 'cli.about.parse-cad',
  examples: ['plumbline parse cad -m ./dump/20210510101133/0 -out ./npu_arrays'],
  operands: nothing,
  flags,
  prints: 'summary',
  fields,
  load: () => import('./run.ts'),
})
