// `code_mapping` as it is typed.
import { needed, text, verb } from '../verb.ts'

const flags = {
  ir: needed(text('--ir', 'cli.value.file', 'cli.flag.codeIr')),
  dump: needed(text('--dump_data', 'cli.value.path', 'cli.flag.codeDump')),
  output: text('-o, --output', 'cli.value.folder', 'cli.flag.codeOutput'),
} as const
export type CodeFlags = typeof flags

const fields = ['kind', 'kernels', 'counts', 'files'] as const
export type CodeField = (typeof fields)[number]

export const codeMapping = verb({
  name: 'code_mapping',
  summary: 'cli.verb.code_mapping',
  about: 'cli.about.code_mapping',
  examples: [
    'plumbline -f mindspore code_mapping --ir ./graph/18_anf_after_graph_build_0160.ir --dump_data ./dump/rank_0',
  ],
  operands: { shown: null, counts: [0], wrong: 'cli.usage.extra' },
  flags,
  prints: 'summary',
  fields,
  load: () => import('./run.ts'),
})
