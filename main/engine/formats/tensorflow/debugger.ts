// Speaks with TensorFlow's debugger until all tensors of a step are written as npy files.
import { tensorFileName } from './names.ts'

/** A conversation with a program that asks for its next command. */
export interface Talk {
  /** What it printed until this text came; null when it ended before, or after so many seconds. */
  until(text: string, seconds: number): Promise<string | null>
  say(line: string): void
  /** Whether what it prints is shown. */
  show(shown: boolean): void
}

interface DebuggerOrder {
  /** The step is still to be run; otherwise its dumps are only looked at. */
  readonly runs: boolean
  /** Where the debugger writes its list of tensors. */
  readonly names: string
  /** Where the tensors go. */
  readonly folder: string
  /** Text of the list that it wrote. */
  read(): string
  /** Microseconds. */
  now(): number
  told(done: number, total: number): void
}

/** What was asked of the debugger; null where it never asked for a command, or went away in between. */
export interface DebuggerAnswer {
  readonly commands: readonly string[]
  /** Names of the files, in the order of the debugger's list. */
  readonly files: readonly string[]
}

const sign = 'tfdbg> '
const firstSeconds = 360
/** A step may take hours. */
const stepSeconds = 7 * 24 * 3600

export async function askDebugger(talk: Talk, order: DebuggerOrder): Promise<DebuggerAnswer | null> {
  if ((await talk.until(sign, firstSeconds)) === null) return null
  const commands = [...(order.runs ? ['run'] : []), `lt > ${quoted(order.names)}`]
  for (const command of commands) {
    talk.say(command)
    if ((await talk.until(sign, stepSeconds)) === null) return null
  }
  const { files, lines } = writing(tensorsIn(order.read()), order)
  talk.show(false)
  for (const [i, line] of lines.entries()) {
    order.told(i, lines.length)
    talk.say(line)
    if ((await talk.until(sign, stepSeconds)) === null) return null
  }
  talk.show(true)
  talk.say('exit')
  return { commands: [...commands, ...lines, 'exit'], files }
}

function writing(
  tensors: readonly string[],
  { folder, now }: DebuggerOrder,
): { readonly files: readonly string[]; readonly lines: readonly string[] } {
  const seen = new Map<string, number>()
  const start = now()
  const files = tensors.map((tensor, i) => tensorFileName(tensor, String(start + i)))
  const lines = tensors.map((tensor, i) => {
    // A tensor that was dumped several times stands in the list as often.
    const nth = seen.get(tensor) ?? 0
    seen.set(tensor, nth + 1)
    return `pt ${tensor} -n ${nth} -w ${quoted(`${folder}/${files[i]}`)}`
  })
  return { files, lines }
}

const quoted = (path: string): string => (/\s/.test(path) ? `"${path}"` : path)

/** A row of the debugger's list begins with its time in brackets and ends with the tensor. */
const row = /^\s*\[[\d.]+\].*\s(\S+:\d+)\s*$/
/** Where rows begin in versions that write their times otherwise. */
const headLines = 3

/** Tensors of a list as the debugger writes it: a line with their number, a head, a row for each. */
export function tensorsIn(list: string): readonly string[] {
  const lines = list.split(/\r?\n/)
  const found = lines.flatMap(line => row.exec(line)?.[1] ?? [])
  if (found.length > 0) return found
  return lines.slice(headLines).flatMap(line => /(\S+:\d+)\s*$/.exec(line)?.[1] ?? [])
}

/** The program that looks at dumps of a step without running it. */
export const offlineAnalyzer = (python: string, run: string): readonly string[] => [
  python,
  '-m',
  'tensorflow.python.debug.cli.offline_analyzer',
  '--ui_type',
  'readline',
  '--dump_dir',
  run,
]
