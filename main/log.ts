// The log file: one line per event, rotated, and the last faults kept for "copy diagnostics". Never contents
// of a dump.
import { appendFileSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

export interface Log {
  readonly file: string
  info(text: string): void
  warn(text: string): void
  error(text: string, error?: unknown): void
  /** The last warnings and faults, oldest first. */
  readonly recent: readonly string[]
}

const megabyte = 1 << 20
const generations = 3
const remembered = 30

export function openLog(folder: string, limit = megabyte): Log {
  const file = path.join(folder, 'plumbline.log')
  const recent: string[] = []
  const write = (level: string, text: string): void => {
    const line = `${new Date().toISOString()} ${level} ${text.replaceAll('\n', '\n    ')}`
    if (level !== 'info') {
      recent.push(withoutHome(line))
      if (recent.length > remembered) recent.shift()
    }
    // A full or read-only disk must not take the app down.
    try {
      mkdirSync(folder, { recursive: true })
      if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > limit) rotate(file)
      appendFileSync(file, `${line}\n`)
    } catch {
      process.stderr.write(`${line}\n`)
    }
  }

  return {
    file,
    recent,
    info: text => write('info', text),
    warn: text => write('warn', text),
    error: (text, error) =>
      write(
        'error',
        error === undefined
          ? text
          : `${text}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      ),
  }
}

function rotate(file: string): void {
  const named = (n: number): string => (n === 0 ? file : file.replace(/\.log$/, `.${n}.log`))
  rmSync(named(generations - 1), { force: true })
  for (let n = generations - 2; n >= 0; n--)
    if (statSync(named(n), { throwIfNoEntry: false })) renameSync(named(n), named(n + 1))
}

/** The user's name is nobody's business in a bug report. */
export function withoutHome(text: string, home = os.homedir()): string {
  const forms = [home, home.replaceAll('\\', '/'), encodeURI(home.replaceAll('\\', '/'))]
  return forms.reduce((left, form) => left.replaceAll(form, '~'), text)
}
