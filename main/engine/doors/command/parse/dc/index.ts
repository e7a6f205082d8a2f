// `parse dc` as it is typed.
import { needed, text, verb } from '../../verb.ts'
import { converter, nothing, output } from '../flags.ts'

const flags = {
  dump: needed(text('-n, --name', 'cli.value.path', 'cli.flag.parseDump')),
  layout: text('-f, --format', 'cli.value.layout', 'cli.flag.parseLayout'),
  output,
  converter,
} as const
export type DcFlags = typeof flags

const fields = ['files'] as const
export type DcField = (typeof fields)[number]

export const parseDc = verb({
  name: 'parse dc',
  summary: 'cli.verb.parse-dc',
  about: 'cli.about.parse-dc',
  examples: ['plumbline parse dc -n ./Conv2D.conv1.4.5.1620612694000300 -f NHWC -out ./converted'],
  operands: nothing,
  flags,
  prints: 'summary',
  fields,
  load: () => import('./run.ts'),
})
