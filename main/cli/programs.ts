// Runs programs of the user's: without a shell unless one is asked for, with the terminal to themselves, or in
// conversation. Only the command line has this; the window cannot reach it.
import { spawn, type ChildProcess } from 'node:child_process'
import { problem, Refusal } from '../engine/model/shared.ts'
import type { ProgramCall, RunProgram, Talk } from '../engine/doors/command/index.ts'
import type { Streams } from './terminal.ts'

interface ProgramSettings {
  /** What it prints goes to stderr: stdout holds one JSON value. */
  readonly quietOut: boolean
  /** It may read what is typed; not where the input is a list of commands. */
  readonly takesInput: boolean
}

export function openPrograms(streams: Streams, { quietOut, takesInput }: ProgramSettings): RunProgram {
  const printed = quietOut ? streams.err : streams.out
  return async (call, signal) => {
    const { talk } = call
    const own = !talk && !quietOut && streams.outIsTerminal && streams.errIsTerminal
    const input = talk ? 'pipe' : takesInput ? 'inherit' : 'ignore'
    const output = own ? 'inherit' : 'pipe'
    const child = start(call, streams, [input, output, output])
    const stop = (): void => void child.kill('SIGINT')
    signal.addEventListener('abort', stop)
    if (signal.aborted) stop()
    try {
      const ended = endOf(child, nameOf(call))
      const heard = new Heard(child)
      child.stdout?.setEncoding('utf8').on('data', (text: string) => {
        if (heard.shown) printed(text)
        heard.add(text)
      })
      child.stderr?.setEncoding('utf8').on('data', (text: string) => streams.err(text))
      if (talk) await Promise.all([talk(heard).finally(() => child.stdin?.end()), ended])
      return await ended
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }
}

const nameOf = ({ command }: ProgramCall): string => (typeof command === 'string' ? command : command[0])

function start(
  { command, variables = {} }: ProgramCall,
  { env }: Streams,
  stdio: ['pipe' | 'inherit' | 'ignore', 'pipe' | 'inherit', 'pipe' | 'inherit'],
): ChildProcess {
  const all = Object.entries({ ...env, ...variables }).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  )
  const settings = { env: Object.fromEntries(all), stdio }
  return typeof command === 'string'
    ? spawn(command, { ...settings, shell: true })
    : spawn(command[0], command.slice(1), { ...settings, shell: false })
}

/** What a shell would say of a program that was ended by a signal. */
const bySignal = 128

function endOf(child: ChildProcess, name: string): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', error =>
      reject(
        'code' in error && (error.code === 'ENOENT' || error.code === 'EACCES')
          ? new Refusal(problem('program-missing', name))
          : error,
      ),
    )
    child.once('close', (code, signal) => resolve(code ?? bySignal + (signal === 'SIGINT' ? 2 : 15)))
  })
}

/** What a program has printed and nobody has asked for yet. */
class Heard implements Talk {
  readonly #child: ChildProcess
  shown = true
  #text = ''
  #ended = false
  #wake: () => void = () => {}

  constructor(child: ChildProcess) {
    this.#child = child
    // A program that ends while it is spoken to is seen by what it prints.
    child.stdin?.on('error', () => {})
    const ended = (): void => {
      this.#ended = true
      this.#wake()
    }
    child.once('close', ended)
    child.once('error', ended)
  }

  add(text: string): void {
    this.#text += text
    this.#wake()
  }

  show(shown: boolean): void {
    this.shown = shown
  }

  say(line: string): void {
    this.#child.stdin?.write(`${line}\n`)
  }

  async until(text: string, seconds: number): Promise<string | null> {
    const limit = new AbortController()
    const timer = setTimeout(() => {
      limit.abort()
      this.#wake()
    }, seconds * 1000)
    try {
      for (;;) {
        const at = this.#text.indexOf(text)
        if (at >= 0) {
          const heard = this.#text.slice(0, at)
          this.#text = this.#text.slice(at + text.length)
          return heard
        }
        if (this.#ended || limit.signal.aborted) return null
        await new Promise<void>(resolve => (this.#wake = resolve))
      }
    } finally {
      clearTimeout(timer)
    }
  }
}
