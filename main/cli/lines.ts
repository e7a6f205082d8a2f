// Where the lines of a prompt come from: a terminal, with history and completion, or a pipe.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'

/** What may stand in place of the last word of a line, and that word. */
export type Complete = (line: string) => Promise<readonly [fits: readonly string[], word: string]>

export interface Lines {
  /** The next line; null when there are no more. */
  next(prompt: string, complete: Complete): Promise<string | null>
  close(): void
}

export interface OpenLines {
  /** The lines do not come from a person at a terminal. */
  readonly piped: boolean
  open(): Lines
}

type Input = NodeJS.ReadableStream & { readonly isTTY?: boolean; setRawMode?(raw: boolean): unknown }
type Output = NodeJS.WritableStream & { readonly isTTY?: boolean }

/** `folder` keeps the history between runs; nothing is written into what was opened. */
export const openLines = (input: Input, output: Output, folder: string): OpenLines => {
  const piped = !(input.isTTY && output.isTTY)
  return { piped, open: () => (piped ? pipedLines(input) : typedLines(input, output, folder)) }
}

function pipedLines(input: Input): Lines {
  const reader = createInterface({ input, crlfDelay: Infinity })
  const lines = reader[Symbol.asyncIterator]()
  return {
    async next() {
      const { done, value } = await lines.next()
      return done === true ? null : value
    },
    close: () => reader.close(),
  }
}

const remembered = 1000

/** Behind a tab or the end of a line: what comes after it in one piece has to wait. */
const turns = /(?<=\t|\r\n|\r(?!\n)|(?<!\r)\n)/

/**
 * What is typed, turn by turn: a completion takes its time, and a line may start a program. What was pasted or
 * typed ahead is kept for the lines to come.
 */
class Typed {
  readonly #input: Input
  readonly #waiting: string[] = []
  #ended = false
  #changed = (): void => {}

  constructor(input: Input) {
    this.#input = input
    const decoder = new TextDecoder()
    input.on('data', (bytes: Uint8Array) => {
      this.#waiting.push(...decoder.decode(bytes, { stream: true }).split(turns))
      this.#changed()
    })
    input.on('end', () => {
      this.#ended = true
      this.#changed()
    })
    input.pause()
  }

  /** The keys of one line, for a reader; `settled` is over when what they began is done. */
  keys(settled: () => Promise<unknown>): { readonly keys: Readable; done(): void } {
    const input = this.#input
    const keys = Object.assign(new Readable({ read() {} }), {
      isTTY: true,
      setRawMode: (raw: boolean) => input.setRawMode?.(raw),
    })
    const now = { busy: false, over: false }
    const pump = async (): Promise<void> => {
      if (now.busy) return
      now.busy = true
      while (!now.over && this.#waiting.length > 0) {
        keys.push(this.#waiting.shift())
        await new Promise(resolve => setImmediate(resolve))
        await settled()
      }
      now.busy = false
      if (this.#ended && !now.over) keys.push(null)
    }
    this.#changed = () => void pump()
    input.resume()
    this.#changed()
    const done = (): void => {
      now.over = true
      this.#changed = () => {}
      input.pause()
    }
    return { keys, done }
  }
}

/**
 * A reader for each line: between two lines the terminal belongs to the command that runs, with its own
 * interrupts and keys.
 */
function typedLines(input: Input, output: Output, folder: string): Lines {
  const file = path.join(folder, 'tf-history')
  const typed = new Typed(input)
  let history = readHistory(file)
  return {
    next: (prompt, complete) =>
      new Promise(resolve => {
        let completing: Promise<unknown> = Promise.resolve()
        const { keys, done: typedAll } = typed.keys(() => completing)
        const reader = createInterface({
          input: keys,
          output,
          terminal: true,
          prompt,
          history: [...history],
          historySize: remembered,
          removeHistoryDuplicates: true,
          completer: (line: string, done: (error: Error | null, found: [string[], string]) => void) => {
            completing = complete(line).then(
              ([fits, word]) => done(null, [[...fits], word]),
              () => done(null, [[], line]),
            )
          },
        })
        let line: string | null = null
        reader.on('history', kept => {
          history = kept
          writeHistory(file, history)
        })
        reader.on('line', text => {
          line = text
          reader.close()
        })
        // An interrupt at the prompt gives up the line, not the session.
        reader.on('SIGINT', () => {
          output.write('^C\n')
          line = ''
          reader.close()
        })
        reader.on('close', () => {
          typedAll()
          if (line === null) output.write('\n')
          resolve(line)
        })
        reader.prompt()
      }),
    close() {},
  }
}

/** The newest line first, as readline has it; the file has it last, as people read. */
function readHistory(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean).slice(-remembered).reverse()
  } catch {
    return []
  }
}

/** A folder that cannot be written keeps no history. */
function writeHistory(file: string, lines: readonly string[]): void {
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(file, `${lines.toReversed().join('\n')}\n`, { mode: 0o600 })
  } catch {
    // The next session begins without it.
  }
}

/** Where programs of this system keep what they remember. */
export function stateFolder(env: Readonly<Record<string, string | undefined>>): string {
  const home = os.homedir()
  if (process.platform === 'win32') return path.join(env['LOCALAPPDATA'] ?? home, 'plumbline')
  if (process.platform === 'darwin') return path.join(home, 'Library', 'Application Support', 'plumbline')
  return path.join(env['XDG_STATE_HOME'] || path.join(home, '.local', 'state'), 'plumbline')
}
