// A prompt: the actions of a verb typed line by line, over one thing that was opened.
import { type Kept, openKept, openTools, type Verb, verbs, wordsOf } from '../engine/doors/command/index.ts'
import { actionNameOf, nearest } from './args.ts'
import type { Arguments } from './args.ts'
import type { Complete } from './lines.ts'
import type { Surroundings } from './run.ts'
import type { Terminal } from './terminal.ts'

type Run = (argv: readonly string[], surroundings: Surroundings) => Promise<number>
type Opened = Arguments & { readonly verb: Verb }

const sign = 'PrecisionTool > '
const leaving = ['exit', 'quit', 'q']
const helping = ['help', '?']

/** Answers 0 at a terminal; the commands of a pipe answer together, the worst of them. */
export async function prompt(
  opened: Opened,
  terminal: Terminal,
  surroundings: Surroundings,
  run: Run,
): Promise<number> {
  const { verb, everywhere, paths } = opened
  const { lines: from, renew } = surroundings
  if (!from) return 0
  const lines = from.open()
  const kept = openKept()
  const common = [
    ...(everywhere.lang ? ['--lang', everywhere.lang] : []),
    ...(everywhere.quiet ? ['--quiet'] : []),
    ...(everywhere.noColor ? ['--no-color'] : []),
  ]
  const complete = completing(opened, kept, surroundings.signal)
  let worst = 0
  if (!from.piped) terminal.note(terminal.say('cli.tf.hint'))
  try {
    for (;;) {
      const line = await lines.next(sign, complete)
      if (line === null || leaving.includes(line.trim())) break
      const argv = argvOf(line.trim(), verb, paths)
      if (argv === 'quote') terminal.note(terminal.say('cli.usage.quote', { command: line }), 'error')
      if (argv === 'quote' || argv.length === 0) continue
      const signal = renew?.() ?? surroundings.signal
      worst = Math.max(
        worst,
        await run([...common, ...argv], {
          ...surroundings,
          signal,
          kept,
          help: helpFor(argv[paths.length + 1] ?? '', verb),
        }),
      )
    }
  } finally {
    lines.close()
  }
  return from.piped ? worst : 0
}

/** A line of the prompt as the command line that means the same. */
function argvOf(line: string, verb: Verb, paths: readonly string[]): readonly string[] | 'quote' {
  const [first = ''] = /^\S+/.exec(line) ?? []
  const rest = line.slice(first.length).trim()
  if (first === '' || first.startsWith('#')) return []
  const actions = actionsOf(verb)
  // A command of the user's own is taken as it stands.
  const own = (text: string): readonly string[] =>
    text.startsWith('--shell ')
      ? [verb.name, ...paths, 'run', '--shell', '--', text.slice('--shell '.length).trim()]
      : [verb.name, ...paths, 'run', '--', text]
  if (first === 'run' && rest !== '' && !/^(?:-h|--help)$/.test(rest)) return own(unquoted(rest))
  const words = wordsOf(line)
  if (!words) return 'quote'
  if (helping.includes(first)) return [verb.name, ...words.slice(1, 2), '--help']
  if (actions.includes(first)) return [verb.name, ...paths, ...words]
  // Two letters are near to everything, and `vi` is a program.
  const mistyped = first.length > 3 && nearest(first, actions) !== ''
  return mistyped ? [verb.name, ...paths, ...words] : own(line)
}

/** A command in one pair of quotes, as it is typed behind `tf FOLDER run`; a path in quotes is a program. */
const unquoted = (text: string): string => /^(["'])((?![./\\])[^"']*)\1$/.exec(text)?.[2] ?? text

/** What tells more of a line that was no command. */
function helpFor(action: string, verb: Verb): string {
  const [asked = ''] = helping
  return actionsOf(verb).includes(action) ? `${asked} ${action}` : asked
}

const actionsOf = ({ name }: Verb): readonly string[] =>
  verbs.filter(one => one.name.startsWith(`${name} `)).map(one => actionNameOf(one) ?? '')

/** Tools for looking things up while a line is typed: nothing is said, nothing is started. */
const quietTools = (signal: AbortSignal, kept: Kept): ReturnType<typeof openTools> =>
  openTools({
    signal,
    kept,
    environment: {},
    json: false,
    tell() {},
    written() {},
    meanwhile() {},
    progress() {},
    program: () => Promise.reject(new Error('completion runs no program')),
    words: { advice: key => key, findings: () => [] },
  })

function completing({ verb, paths }: Opened, kept: Kept, signal: AbortSignal): Complete {
  return async line => {
    const word = /\S*$/.exec(line)?.[0] ?? ''
    const [action, ...before] = line
      .slice(0, line.length - word.length)
      .split(/\s+/)
      .filter(Boolean)
    const fits = (all: readonly string[]): string[] => all.filter(one => one.startsWith(word))
    if (action === undefined || helping.includes(action)) {
      const more = action === undefined ? [...helping, ...leaving] : []
      return [ended(fits([...actionsOf(verb), ...more])), word]
    }
    const own = verbs.find(({ name }) => name === `${verb.name} ${action}`)
    if (word.startsWith('-'))
      return [ended(fits(Object.values(own?.flags ?? {}).flatMap(({ names }) => names))), word]
    const tools = await quietTools(signal, kept)
    try {
      const found = (await verb.complete?.({ paths, action, before, word }, tools)) ?? []
      return [ended(fits(found)), word]
    } finally {
      await tools.close()
    }
  }
}

/** The only one that fits is done, unless it is a part of a path. */
const ended = (fits: readonly string[]): readonly string[] =>
  fits.length === 1 && !fits[0].endsWith('/') ? [`${fits[0]} `] : fits
