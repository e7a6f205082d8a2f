// Runs a training script with what makes it dump, and asks TensorFlow's debugger for its tensors.
import {
  dataFolders,
  type DataFolders,
  type DumpKind,
  dumpVariables,
  exportLines,
  foldersBefore,
  shellWord,
} from '../../../formats/index.ts'
import { absolute, openOutput } from '../../../io/index.ts'
import type { Page, Tools } from '../tools.ts'
import { type Asked, type Command, type Outcome, UsageError } from '../verb.ts'
import { wordsOf } from '../programs.ts'
import type { DumpRunField, DumpRunFlags } from './index.ts'
import { tensorsByDebugger } from './tensors.ts'

interface Ran {
  readonly kind: DumpKind
  /** As it was given; '' where only dumps that are there already are looked at. */
  readonly text: string
  readonly data: string
  readonly folders: DataFolders
  readonly dryRun: boolean
  readonly exitCode: number | null
  /** Tensors that the debugger wrote. */
  readonly files: readonly string[]
}

export const commandOf = (kind: DumpKind): Command<DumpRunFlags, Ran, DumpRunField> => ({
  run: (asked, tools) => run(kind, asked, tools),
  print,
  json: ({ text, data, folders, dryRun, exitCode, files }) => ({
    kind,
    program: text,
    variables: dumpVariables(kind, folders),
    data,
    dryRun,
    exitCode,
    files,
  }),
  outcome,
})

async function run(kind: DumpKind, { paths, flags }: Asked<DumpRunFlags>, tools: Tools): Promise<Ran> {
  const data = absolute(flags.data ?? 'precision_data')
  const folders = dataFolders(data, flags.layout ?? 'r1')
  const text = paths[0] ?? ''
  const command = flags.shell ? text : programIn(text)
  const asked = { kind, text, data, folders, dryRun: flags.dryRun ?? false }
  if (flags.dryRun) return { ...asked, exitCode: null, files: [] }
  for (const folder of foldersBefore(kind, folders)) openOutput(folder, [], true).commit()
  const variables = dumpVariables(kind, folders)
  if (kind === 'tf_dump') {
    const order = { command, variables, folders, python: flags.python ?? 'python3', data }
    return { ...asked, ...(await tensorsByDebugger(order, tools)) }
  }
  if (command.length === 0) throw new UsageError('cli.usage.noProgram')
  return { ...asked, exitCode: await tools.program({ command, variables }, tools.job.signal), files: [] }
}

function programIn(text: string): readonly string[] {
  const words = wordsOf(text)
  if (!words) throw new UsageError('cli.usage.quote', { command: text })
  return words
}

function print(ran: Ran, page: Page, { flags }: Asked<DumpRunFlags>): void {
  const { kind, text, folders, data, dryRun, exitCode, files } = ran
  if (dryRun) {
    for (const line of exportLines(kind, folders)) page.line(line)
    for (const folder of foldersBefore(kind, folders)) page.line(`mkdir -p ${shellWord(folder)}`)
    if (text !== '') page.line(flags.shell ? `sh -c ${shellWord(text)}` : text)
    return
  }
  if (kind === 'tf_dump')
    page.note(page.say('cli.tf.dumped', { files: files.length, folder: folders.reference }))
  else page.note(page.say(`cli.tf.next.${kind}`, { code: exitCode ?? 0, data }))
}

/** Leaving the debugger ends a script with an error of its own: what counts is whether the tensors are there. */
const outcome = ({ kind, exitCode, files }: Ran): Outcome =>
  exitCode === null || (kind === 'tf_dump' && files.length > 0) ? 'ran' : { exit: exitCode }
