// `watch` as it is typed.
import { numberIn, toggle, verb } from '../verb.ts'

const flags = {
  once: toggle('--once', 'cli.flag.once'),
  quietAfter: numberIn('--quiet-after', [1, 86_400], 'cli.flag.quietAfter'),
} as const
export type WatchFlags = typeof flags

const fields = ['root', 'task', 'level', 'framework', 'gone', 'ranks', 'missing', 'unreadable'] as const
export type WatchField = (typeof fields)[number]

export const watch = verb({
  name: 'watch',
  summary: 'cli.verb.watch',
  about: 'cli.about.watch',
  examples: [
    'plumbline watch ./dump',
    'plumbline watch ./dump --once --json',
    'plumbline watch ./dump --quiet-after 120',
  ],
  operands: { shown: 'cli.operands.watch', counts: [1], wrong: 'cli.usage.watch' },
  flags,
  prints: 'answer',
  fields,
  load: () => import('./run.ts'),
})
