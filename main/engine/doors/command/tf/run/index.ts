// `tf FOLDER run` as it is typed.
import { verb, toggle } from '../../verb.ts'
import { folderAnd } from '../operands.ts'

const flags = { shell: toggle('--shell', 'cli.flag.shell') } as const
export type RunFlags = typeof flags

const fields = ['exitCode'] as const
export type RunField = (typeof fields)[number]

export const tfRun = verb({
  name: 'tf run',
  summary: 'cli.verb.tf-run',
  about: 'cli.about.tf-run',
  examples: ['plumbline tf ./precision_data run "vim cli.py"'],
  operands: folderAnd('cli.operands.command'),
  flags,
  prints: 'answer',
  fields,
  load: () => import('./run.ts'),
})
