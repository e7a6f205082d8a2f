// `data2db` as it is typed.
import { rules } from '../flags.ts'
import { anyway, needed, oneOf, text, verb } from '../verb.ts'

const flags = {
  db: text('--db', 'cli.value.folder', 'cli.flag.trendDb'),
  data: needed(text('--data', 'cli.value.folder', 'cli.flag.trendData')),
  format: oneOf('--format', ['auto', 'dump', 'monitor'], 'cli.flag.trendFormat'),
  mapping: text('--mapping', 'cli.value.file', 'cli.flag.trendMapping'),
  processes: anyway('--process_num', 'value'),
  micro: oneOf('--micro_step', ['true', 'false'], 'cli.flag.trendMicro'),
  rules,
} as const
export type Data2DbFlags = typeof flags

const fields = ['files'] as const
export type Data2DbField = (typeof fields)[number]

export const data2db = verb({
  name: 'data2db',
  summary: 'cli.verb.data2db',
  about: 'cli.about.data2db',
  examples: [
    'plumbline data2db --data ./dumps --db ./output',
    'plumbline data2db --data ./monitor_output --db ./output --format monitor --micro_step false',
  ],
  operands: { shown: null, counts: [0], wrong: 'cli.usage.extra' },
  flags,
  prints: 'summary',
  fields,
  load: () => import('./run.ts'),
})
