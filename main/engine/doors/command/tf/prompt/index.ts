// `tf FOLDER` as it is typed: what lies there, and then a prompt.
import { verb } from '../../verb.ts'

const fields = [
  'folder',
  'layout',
  'npu',
  'reference',
  'overflow',
  'fusion',
  'metas',
  'results',
  'debuggerRuns',
] as const
export type PromptField = (typeof fields)[number]

export const tfPrompt = verb({
  name: 'tf',
  summary: 'cli.verb.tf',
  about: 'cli.about.tf',
  examples: ['plumbline tf ./precision_data', 'plumbline tf ./precision_data --json'],
  operands: { shown: 'cli.operands.tf', counts: [1], wrong: 'cli.usage.tf' },
  flags: {},
  prints: 'summary',
  fields,
  prompts: true,
  complete: async (line, tools) => (await import('./complete.ts')).complete(line, tools),
  load: () => import('./run.ts'),
})
