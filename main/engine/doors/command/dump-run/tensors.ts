// Lets TensorFlow's debugger write the tensors of a step: of a script that stops in it, or of dumps of one.
import {
  askDebugger,
  type DataFolders,
  type DebuggerAnswer,
  offlineAnalyzer,
  type Variables,
} from '../../../formats/index.ts'
import { baseOf, dirOf, join, openOutput } from '../../../io/index.ts'
import { problem, Refusal } from '../../../model/index.ts'
import type { Tools } from '../tools.ts'
import { writeText } from '../units.ts'
import { UsageError } from '../verb.ts'

interface TensorOrder {
  /** Empty: only dumps that are there already. */
  readonly command: readonly string[] | string
  readonly variables: Variables
  readonly folders: DataFolders
  readonly python: string
  readonly data: string
}

interface Dumped {
  readonly exitCode: number
  readonly files: readonly string[]
}

export async function tensorsByDebugger(order: TensorOrder, tools: Tools): Promise<Dumped> {
  const { command, folders, data } = order
  tools.files.allow(data)
  for (const file of [folders.names, folders.commands]) openOutput(dirOf(file), [], true).commit()
  const asked = new Asking(order, tools)
  // A script that dumps by itself is run once; its dumps can be looked at as often as wanted.
  if (runsIn(folders.debugger, tools).length === 0) {
    if (command.length === 0) throw new UsageError('cli.usage.noProgram')
    await asked.ask(command, true)
  }
  const dumped = runsIn(folders.debugger, tools)
  if (asked.answers.length === 0)
    for (const run of dumped) await asked.ask(offlineAnalyzer(order.python, run), false)
  if (asked.answers.length === 0) throw new Refusal(problem('no-debugger', data))
  return asked.done()
}

/** Folders of runs that wrote the debugger's own dumps. */
function runsIn(folder: string, { files }: Tools): readonly string[] {
  if (files.stat(folder)?.kind !== 'folder') return []
  return files.list(folder).flatMap(({ name, kind }) => (kind === 'folder' ? [join(folder, name)] : []))
}

class Asking {
  readonly answers: DebuggerAnswer[] = []
  readonly #order: TensorOrder
  readonly #tools: Tools
  #exitCode = 0

  constructor(order: TensorOrder, tools: Tools) {
    this.#order = order
    this.#tools = tools
  }

  async ask(command: readonly string[] | string, runs: boolean): Promise<void> {
    const { program, job, files } = this.#tools
    const { folders, variables } = this.#order
    let answer: DebuggerAnswer | null = null
    this.#exitCode = await program(
      {
        command,
        // What a program prints into a pipe stays in its memory otherwise.
        variables: { ...variables, PYTHONUNBUFFERED: '1' },
        talk: async talk => {
          answer = await askDebugger(talk, {
            runs,
            names: folders.names,
            folder: folders.reference,
            read: () => new TextDecoder().decode(files.readAll(folders.names, mostBytes)),
            now: () => Date.now() * 1000,
            told: (done, total) => job.report({ what: 'job.writing', done, total, countedIn: 'files' }),
          })
        },
      },
      job.signal,
    )
    if (answer !== null) this.answers.push(answer)
  }

  /** Files that were asked for and are there; the commands are kept beside the list of tensors. */
  done(): Dumped {
    const { commands, reference } = this.#order.folders
    const output = openOutput(dirOf(commands), [], true)
    writeText(output, baseOf(commands), `${this.answers.flatMap(answer => answer.commands).join('\n')}\n`)
    output.commit()
    const there = new Set(this.#tools.files.list(reference).map(({ name }) => name))
    const wanted = this.answers.flatMap(({ files }) => files)
    const files = wanted.filter(file => there.has(file))
    if (files.length < wanted.length)
      this.#tools.tell(
        problem(
          'tf-not-written',
          reference,
          { missing: wanted.length - files.length, count: wanted.length },
          'warning',
        ),
      )
    return { exitCode: this.#exitCode, files: files.map(file => join(reference, file)) }
  }
}

/** The list of a network with a million tensors. */
const mostBytes = 256 << 20
