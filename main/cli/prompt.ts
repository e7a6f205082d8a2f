// A prompt: the actions of a verb typed line by line, over one thing that was opened.
import { openKept, type Verb, verbs, wordsOf } from '../engine/doors/command/index.ts'
import { actionNameOf, nearest } from './args.ts'
import type { Arguments } from './args.ts'
import type { Surroundings } from './run.ts'
import type { Terminal } from './terminal.ts'

type Run = (argv: readonly string[], surroundings: Surroundings) => Promise<number>
type Opened = Arguments & { readonly verb: Verb }

const sign = 'PrecisionTool > '
const leaving = ['exit', 'quit', 'q']
const helping = ['help', '?']

/** Answers 0 at a terminal; the commands of a pipe answer together, the worst of them. */
export async function prompt(
  { verb, everywhere, paths }: Opened,
  terminal: Terminal,
  surroundings: Surroundings,
  run: Run,
): Promise<number> {
  const { lines: from, renew } = surroundings
  if (!from) return 0
  const lines = from.open()
  const kept = openKept()
  const common = [
    ...(everywhere.lang ? ['--lang', everywhere.lang] : []),
    ...(everywhere.quiet ? ['--quiet'] : []),
    ...(everywhere.noColor ? ['--no-color'] : []),
  ]
  let worst = 0
  if (!from.piped) terminal.note(terminal.say('cli.tf.hint'))
  try {
    for (;;) {
      const line = await lines.next(sign, complete(verb))
      if (line === null || leaving.includes(line.trim())) break
      const argv = argvOf(line.trim(), verb, paths)
      if (argv === 'quote') terminal.note(terminal.say('cli.usage.quote', { command: line }), 'error')
      if (argv === 'quote' || argv.length === 0) continue
      const signal = renew?.() ?? surroundings.signal
      worst = Math.max(worst, await run([...common, ...argv], { ...surroundings, signal, kept }))
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
  if (first === 'run' && rest !== '' && !/^(?:-h|--help)$/.test(rest)) return own(rest)
  const words = wordsOf(line)
  if (!words) return 'quote'
  if (helping.includes(first)) return [verb.name, ...words.slice(1, 2), '--help']
  if (actions.includes(first)) return [verb.name, ...paths, ...words]
  // Two letters are near to everything, and `vi` is a program.
  const mistyped = first.length > 3 && nearest(first, actions) !== ''
  return mistyped ? [verb.name, ...paths, ...words] : own(line)
}

const actionsOf = ({ name }: Verb): readonly string[] =>
  verbs.filter(one => one.name.startsWith(`${name} `)).map(one => actionNameOf(one) ?? '')

const complete = (verb: Verb) => async (line: string) => {
  const word = /\S*$/.exec(line)?.[0] ?? ''
  const first = line.trimStart() === word
  const known = first ? [...actionsOf(verb), ...helping, ...leaving] : []
  return [known.filter(one => one.startsWith(word)).map(one => `${one} `), word] as const
}
