// `tf FOLDER snippets` as it is typed.
import { oneOf, text, verb } from '../../verb.ts'

const flags = {
  layout: oneOf('--layout', ['r1', 'r0'], 'cli.flag.layout'),
  steps: text('--step', 'cli.value.steps', 'cli.flag.dumpSteps'),
  fusionSwitch: text('--fusion-switch', 'cli.value.file', 'cli.flag.fusionSwitch'),
} as const
export type SnippetFlags = typeof flags

const fields = ['folder', 'snippets'] as const
export type SnippetField = (typeof fields)[number]

export const tfSnippets = verb({
  name: 'tf snippets',
  summary: 'cli.verb.tf-snippets',
  about: 'cli.about.tf-snippets',
  examples: [
    'plumbline tf ./precision_data snippets session',
    'plumbline tf ./precision_data snippets --json',
  ],
  operands: { shown: 'cli.operands.snippets', counts: [1, 2], wrong: 'cli.usage.tfName' },
  flags,
  prints: 'answer',
  fields,
  load: () => import('./run.ts'),
})
