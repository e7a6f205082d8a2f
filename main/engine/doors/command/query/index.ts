// `query` as it is typed.
import { answerFormats, builtInNames } from '../../../model/index.ts'
import { oneOf, text, verb } from '../verb.ts'

const flags = {
  format: oneOf('--format', answerFormats, 'cli.flag.queryFormat'),
  output: text('-o, --output_path', 'cli.value.file', 'cli.flag.queryOutput'),
  builtIn: oneOf('--built-in', builtInNames, 'cli.flag.builtIn'),
} as const
export type QueryFlags = typeof flags

const fields = ['sql', 'columns', 'rows', 'files'] as const
export type QueryField = (typeof fields)[number]

export const query = verb({
  name: 'query',
  summary: 'cli.verb.query',
  about: 'cli.about.query',
  examples: [
    'plumbline query ./dataset "select step, rank, worst, level from units order by level desc limit 5"',
    'plumbline query ./dataset "from nodes where layer = 3" --format parquet -o layer3.parquet',
    'plumbline query ./dataset --built-in worst-nodes',
  ],
  operands: { shown: 'cli.operands.query', counts: [1, 2], wrong: 'cli.usage.query' },
  flags,
  prints: 'answer',
  fields,
  load: () => import('./run.ts'),
})
