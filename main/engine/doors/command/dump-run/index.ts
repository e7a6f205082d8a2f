// `tf_dump`, `npu_dump` and `npu_overflow` as they are typed: a training script run so that it dumps.
import type { DumpKind } from '../../../formats/index.ts'
import { oneOf, type Operands, text, toggle, type Verb, verb } from '../verb.ts'

/** As in `dataLayouts`; a row imports no engine. */
const layouts = ['r1', 'r0'] as const

const flags = {
  data: text('--data', 'cli.value.folder', 'cli.flag.data-root'),
  layout: oneOf('--layout', layouts, 'cli.flag.layout'),
  shell: toggle('--shell', 'cli.flag.shell'),
  python: text('--python', 'cli.value.file', 'cli.flag.python'),
  dryRun: toggle('--dry-run', 'cli.flag.dryRun'),
} as const
export type DumpRunFlags = typeof flags

const fields = ['kind', 'program', 'variables', 'data', 'dryRun', 'exitCode', 'files'] as const
export type DumpRunField = (typeof fields)[number]

const row = (name: DumpKind, operands: Operands, examples: readonly string[]): Verb =>
  verb({
    name,
    summary: `cli.verb.${name}`,
    about: `cli.about.${name}`,
    examples,
    operands,
    flags,
    prints: 'answer',
    fields,
    load: async () => ({ command: (await import('./run.ts')).commandOf(name) }),
  })

const program: Operands = { shown: 'cli.operands.command', counts: [1], wrong: 'cli.usage.program' }

export const tfDump = row('tf_dump', { ...program, shown: 'cli.operands.commandMaybe', counts: [0, 1] }, [
  'plumbline tf_dump "python3 LeNet_cpu.py"',
  'plumbline tf_dump --data ./precision_data',
])
export const npuDump = row('npu_dump', program, [
  'plumbline npu_dump "python3 LeNet_npu.py"',
  'plumbline npu_dump "sh run_train.sh param1 param2" --dry-run',
])
export const npuOverflow = row('npu_overflow', program, ['plumbline npu_overflow "python3 LeNet_npu.py"'])
