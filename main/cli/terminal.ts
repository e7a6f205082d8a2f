// Where the command line prints: data to one stream, messages, colours and the progress bar to the other.
import { say, type FactsOf, type Language, type WordKey } from '../../preload/contract/words/index.ts'

export interface Streams {
  out(text: string): void
  err(text: string): void
  readonly outIsTerminal: boolean
  readonly errIsTerminal: boolean
  readonly columns: number
  readonly env: Readonly<Record<string, string | undefined>>
}

export interface Terminal {
  readonly language: Language
  say<Key extends WordKey>(key: Key, ...facts: FactsOf<Key>): string
  /** Data: to stdout. */
  print(text: string): void
  /** A message: to stderr, after the progress bar is out of the way. */
  note(text: string, severity?: 'note' | 'warning' | 'error'): void
  progress(what: string, done: number, total: number, countedIn: string): void
  clear(): void
}

interface TerminalSettings {
  readonly language: Language
  readonly quiet: boolean
  readonly color: boolean
}

const red = 31
const yellow = 33
const barEveryMs = 100
const barWidth = 24

/** Names and paths of strangers could clear the screen, set titles or turn what follows: such characters are spelled out. */
const visible = (text: string): string =>
  text.replaceAll(
    // oxlint-disable-next-line no-control-regex
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    found => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

export function openTerminal(streams: Streams, { language, quiet, color }: TerminalSettings): Terminal {
  const bar = streams.errIsTerminal && !quiet
  let shown = false
  let last = 0
  let began = 0
  let what = ''
  const paint = (code: number, text: string): string => (color ? `\u001b[${code}m${text}\u001b[0m` : text)
  const clear = (): void => {
    if (shown) streams.err('\r\u001b[K')
    shown = false
  }
  return {
    language,
    say: (key, ...facts) => say(language, key, ...facts),
    print(text) {
      clear()
      streams.out(`${visible(text)}\n`)
    },
    note(text, severity = 'note') {
      if (quiet && severity !== 'error') return
      clear()
      const word =
        severity === 'note'
          ? ''
          : `${paint(severity === 'error' ? red : yellow, say(language, `cli.${severity}`))} `
      streams.err(`${word}${visible(text)}\n`)
    },
    progress(key, done, total, countedIn) {
      const now = performance.now()
      if (!bar || (key === what && now - last < barEveryMs)) return
      if (key !== what) began = now
      what = key
      last = now
      const part = total > 0 ? Math.min(1, done / total) : 0
      const left =
        part > 0.02 && now - began > 1000
          ? ` ${say(language, 'cli.left', { seconds: Math.ceil(((now - began) / 1000) * (1 / part - 1)) })}`
          : ''
      const full = Math.round(part * barWidth)
      const drawn = `[${'█'.repeat(full)}${'·'.repeat(barWidth - full)}]`
      const share = `${Math.floor(part * 100)} % ${amount(done, countedIn)}/${amount(total, countedIn)}`
      const line = `${visible(key)} ${drawn} ${share}${left}`
      streams.err(`\r\u001b[K${line.slice(0, Math.max(20, streams.columns - 1))}`)
      shown = true
    },
    clear,
  }
}

const amount = (n: number, countedIn: string): string =>
  countedIn === 'bytes' ? `${(n / 1e6).toFixed(1)} MB` : String(n)

/** The language of `--lang` or the system, by the variables that set it. */
export function languageOf(asked: string | undefined, env: Streams['env']): Language {
  const wanted =
    asked ??
    env['LC_ALL'] ??
    env['LC_MESSAGES'] ??
    env['LANG'] ??
    Intl.DateTimeFormat().resolvedOptions().locale
  return /^zh/i.test(wanted) ? 'zh' : 'en'
}

/** NO_COLOR wins over a terminal. */
export const colorWanted = (streams: Streams, refused: boolean): boolean =>
  streams.errIsTerminal &&
  !refused &&
  (streams.env['NO_COLOR'] ?? '') === '' &&
  streams.env['TERM'] !== 'dumb'
