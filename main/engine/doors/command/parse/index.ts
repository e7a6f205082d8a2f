// `parse` as it is typed.
import type { Tools } from '../tools.ts'
import { type Flag, needed, oneOf, text, verb } from '../verb.ts'

/** A folder, or with -f the number of an output: msaccucmp calls both so. */
const outputs: Flag<readonly string[]> = {
  ...text('-o, -out, --output_path', 'cli.value.folder', 'cli.flag.parseOutput'),
  repeats: true,
  read: typed => typed,
}

const flags = {
  dump: needed(text('-d, --dump_path', 'cli.value.path', 'cli.flag.parseDump')),
  type: oneOf('-t, --type', ['npy', 'bin', 'msnpy', 'pt'], 'cli.flag.parseType'),
  layout: text('-f, --format', 'cli.value.layout', 'cli.flag.parseLayout'),
  output: outputs,
  input: text('-i, --input', 'cli.value.number', 'cli.flag.parseInput'),
  shape: text('-s, --shape', 'cli.value.shape', 'cli.flag.parseShape'),
} as const
export type ParseFlags = typeof flags

/** Of a file that is smaller all is done before a thread could begin. */
const largeBytes = 24 << 20

function isLarge(files: Tools['files'], dump: string): boolean {
  files.allow(dump)
  const at = files.stat(dump)
  return at !== null && (at.kind !== 'file' || at.size > largeBytes)
}

const fields = ['files'] as const
export type ParseField = (typeof fields)[number]

export const parse = verb({
  name: 'parse',
  summary: 'cli.verb.parse',
  about: 'cli.about.parse',
  examples: [
    'plumbline parse -d ./dump/20210510101133/0/ge_default_20210510101134_1/1/0 -t npy -o ./decoded',
    'plumbline parse -d ./Conv2D.conv1.4.5.1620612694000300 -f NHWC -o ./converted',
  ],
  operands: { shown: null, counts: [0], wrong: 'cli.usage.extra' },
  flags,
  prints: 'summary',
  fields,
  threads: ({ flags: { dump } }, files) => (isLarge(files, dump) ? 1 : 0),
  task: 'parseRaw',
  load: () => import('./run.ts'),
})
