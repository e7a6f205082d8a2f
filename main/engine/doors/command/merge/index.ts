// `merge` as it is typed.
import { failOn } from '../flags.ts'
import { verb } from '../verb.ts'

const flags = { failOn } as const
export type MergeFlags = typeof flags

const fields = [
  'folder',
  'rules',
  'counts',
  'findings',
  'units',
  'missing',
  'shares',
  'files',
  'failed',
  'overflow',
] as const
export type MergeField = (typeof fields)[number]

export const mergeDatasetVerb = verb({
  name: 'merge',
  summary: 'cli.verb.merge',
  about: 'cli.about.merge',
  examples: ['plumbline merge ./dataset', 'plumbline merge ./dataset --json'],
  operands: { shown: 'cli.operands.dataset', counts: [1], wrong: 'cli.usage.oneDataset' },
  flags,
  prints: 'summary',
  fields,
  load: () => import('./run.ts'),
})
