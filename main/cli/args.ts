// Reads a command line by the table of verbs, the way msprobe's own parser reads it.
import {
  type Asked,
  type Flag,
  type Flags,
  type Given,
  oneOf,
  toggle,
  UsageError,
  type Verb,
  verbs,
} from '../engine/doors/command/index.ts'
import { languages } from '../../preload/contract/words/index.ts'

/** Understood before and behind every verb. */
export const everywhere = {
  help: toggle('-h, --help', 'cli.flag.help'),
  version: toggle('-v, -V, --version', 'cli.flag.version'),
  json: toggle('--json', 'cli.flag.json'),
  lang: oneOf('--lang', languages, 'cli.flag.lang'),
  quiet: toggle('-q, --quiet', 'cli.flag.quiet'),
  noColor: toggle('--no-color', 'cli.flag.noColor'),
} as const
type Everywhere = Given<typeof everywhere>

const frameworks = ['mindspore', 'pytorch'] as const

export interface Arguments extends Omit<Asked, 'facts'> {
  /** Null: none was named. */
  readonly verb: Verb | null
  /** Verbs of that word: several where its action is missing. */
  readonly named: readonly Verb[]
  readonly everywhere: Everywhere
}

export function readArguments(argv: readonly string[]): Arguments {
  const at = verbAt(argv)
  const word = argv[at]
  const named = word === undefined ? [] : verbsOf(word)
  const behind = argv.slice(at + 1)
  const action = actionAt(named, behind)
  const verb = named.length === 1 ? named[0] : actionOf(named, behind[action])
  const words = named.length > 1 && action >= 0 ? behind.toSpliced(action, 1) : behind
  const typed = readWords([...argv.slice(0, at), ...words], at, { ...verb?.flags, ...everywhere })
  const common = pick(typed.flags, everywhere) as Everywhere
  const { framework, paths } = typed
  const none = { verb, named, everywhere: common, framework, paths, flags: {} }
  if (!verb || common.help || common.version) {
    if (named.length > 1 && !verb && !common.help && !common.version) throw noAction(word, named, paths[0])
    return none
  }
  const flags = pick(typed.flags, verb.flags)
  return { ...none, flags, paths: operandsOf(verb, flags, paths) }
}

// ---------------------------------------- the verb

const takesValue: readonly string[] = [
  '-f',
  '--framework',
  ...Object.values(everywhere).flatMap(({ takes, names }) => (takes === 'nothing' ? [] : names)),
]

/** Where the verb stands: the first word that is no option, nor the value of one that may stand before it. */
function verbAt(argv: readonly string[]): number {
  const at = argv.findIndex((word, i) => !isOption(word) && !takesValue.includes(argv[i - 1]))
  return at < 0 ? argv.length : at
}

/** Of a verb with actions, the row without one. */
export const isHead = (verb: Verb): boolean =>
  !verb.name.includes(' ') && verbs.some(({ name }) => name.startsWith(`${verb.name} `))

const wordsOf = (verb: Verb): readonly string[] => [verb.name.split(' ')[0], ...(verb.aliases ?? [])]
export const actionNameOf = (verb: Verb): string | undefined => verb.name.split(' ')[1]

function verbsOf(word: string): readonly Verb[] {
  const name = word.replaceAll('-', '_')
  const found = verbs.filter(verb => wordsOf(verb).includes(name))
  if (found.length > 0) return found
  const known = [...new Set(verbs.map(verb => wordsOf(verb)[0]))]
  const near = nearest(
    name,
    verbs.flatMap(verb => wordsOf(verb)),
  )
  throw near
    ? new UsageError('cli.usage.command.near', { command: word, near })
    : new UsageError('cli.usage.command', { command: word, commands: known.join(', ') })
}

/** Of a verb with several actions, which word behind it names one; -1 where none does. */
function actionAt(named: readonly Verb[], words: readonly string[]): number {
  const head = named.find(isHead)
  if (!head) return words.findIndex(word => actionOf(named, word))
  if (head.operands.counts.every(count => count === 0)) return actionFirst(named, words)
  // A folder comes first, and may be called like an action.
  const [first, second] = words.flatMap((_, i) => (isOperand(words, i) ? [i] : []))
  if (second !== undefined && actionOf(named, words[second])) return second
  if (first !== undefined && actionOf(named, words[first])) return first
  if (second === undefined) return -1
  throw noAction(named[0].name, named, words[second])
}

/** Behind a head that takes no paths the action is the first word; whatever else stands first is the head's own. */
function actionFirst(named: readonly Verb[], words: readonly string[]): number {
  const common = (i: number): boolean =>
    Object.values(everywhere).some(flag => spellingsOf(flag).includes(split(words[i])[0])) ||
    (i > 0 && takesValue.includes(words[i - 1]))
  const at = words.findIndex((_, i) => !common(i))
  if (at < 0 || isOption(words[at])) return -1
  if (!actionOf(named, words[at])) throw noAction(named[0].name, named, words[at])
  return at
}

const isOperand = (words: readonly string[], i: number): boolean =>
  !isOption(words[i]) && !takesValue.includes(words[i - 1])

const actionOf = (named: readonly Verb[], word: string | undefined): Verb | null =>
  named.find(verb => actionNameOf(verb) === word) ?? null

function noAction(command: string, named: readonly Verb[], given: string | undefined): UsageError {
  const actions = named.flatMap(verb => actionNameOf(verb) ?? [])
  const near = given === undefined ? '' : nearest(given, actions)
  return near
    ? new UsageError('cli.usage.command.near', { command: `${command} ${given}`, near: `${command} ${near}` })
    : new UsageError('cli.usage.action', { command, actions: actions.join(', ') })
}

// ---------------------------------------- options and paths

interface Typed {
  readonly framework: Arguments['framework']
  readonly paths: readonly string[]
  readonly flags: Readonly<Record<string, unknown>>
}

/** `before`: how many words stand before the verb. */
function readWords(argv: readonly string[], before: number, allowed: Flags): Typed {
  const words = [...argv]
  const paths: string[] = []
  const typed = new Map<string, { readonly flag: Flag<unknown>; readonly values: string[] }>()
  let framework: Arguments['framework'] = null
  while (words.length > 0) {
    const isBefore = argv.length - words.length < before
    const word = words.shift() ?? ''
    if (word === '--') {
      paths.push(...words)
      break
    }
    if (!isOption(word)) {
      paths.push(word)
      continue
    }
    const [name, attached] = split(word)
    if (isBefore && (name === '-f' || name === '--framework')) {
      framework = frameworkOf(attached ?? words.shift() ?? '')
      continue
    }
    const [key, flag, value] = find(isBefore ? everywhere : allowed, word, name, attached)
    const known = typed.get(key)
    if (known && !flag.repeats) throw new UsageError('cli.usage.twice', { option: word })
    const values = known?.values ?? []
    values.push(valueOf(flag, word, value, words))
    while (values.length < (flag.words ?? 1) && words.length > 0 && !isOption(words[0]))
      values.push(words.shift() ?? '')
    typed.set(key, { flag, values })
  }
  const flags = Object.fromEntries([...typed].map(([key, { flag, values }]) => [key, flag.read(values)]))
  return { framework, paths, flags }
}

function frameworkOf(value: string): Arguments['framework'] {
  const found = frameworks.find(framework => framework === value)
  if (!found) throw new UsageError('cli.usage.framework', { choices: frameworks.join(', '), value })
  return found
}

type Found = readonly [key: string, flag: Flag<unknown>, attached: string | undefined]

/**
 * The option of a word: by its name, by the unique beginning of a long name, or a letter with its value
 * attached (`-i./compare.json`).
 */
function find(flags: Flags, word: string, name: string, attached: string | undefined): Found {
  const known = Object.entries(flags)
  const exact = known.find(([, flag]) => spellingsOf(flag).includes(name))
  if (exact) return [...exact, attached]
  const isLong = name.startsWith('--')
  const begun = isLong
    ? known.filter(([, flag]) => !flag.hidden && spellingsOf(flag).some(n => n.startsWith(name)))
    : []
  if (begun.length === 1) return [...begun[0], attached]
  const letter = isLong
    ? undefined
    : known.find(([, flag]) => flag.takes !== 'nothing' && flag.names.includes(name.slice(0, 2)))
  if (letter) return [...letter, word.slice(2)]
  throw unknown(word, flags)
}

const isOption = (word: string): boolean => word.startsWith('-') && word.length > 1 && !/^-\d/.test(word)

/** Long names may be spelled with `-` or `_`. */
const alike = (name: string): string =>
  name.startsWith('--') ? `--${name.slice(2).replaceAll('-', '_')}` : name
const spellingsOf = (flag: Flag<unknown>): readonly string[] => flag.names.map(alike)

/** `--long=value`. */
function split(word: string): [string, string | undefined] {
  if (!word.startsWith('--')) return [word, undefined]
  const at = word.indexOf('=')
  return [alike(at < 0 ? word : word.slice(0, at)), at < 0 ? undefined : word.slice(at + 1)]
}

function valueOf(flag: Flag<unknown>, word: string, attached: string | undefined, words: string[]): string {
  if (flag.takes === 'nothing') {
    if (attached !== undefined) throw new UsageError('cli.usage.noValue', { option: word })
    return ''
  }
  if (attached !== undefined) return attached
  if (words.length > 0 && !isOption(words[0])) return words.shift() ?? ''
  if (flag.takes === 'value') throw new UsageError('cli.usage.value', { option: word })
  return ''
}

function unknown(word: string, flags: Flags): UsageError {
  // Two letters are near to everything.
  const names = word.startsWith('--') ? Object.values(flags).flatMap(flag => flag.names) : []
  const near = names.find(name => alike(name) === nearest(alike(word), names.map(alike)))
  return near
    ? new UsageError('cli.usage.option.near', { option: word, near })
    : new UsageError('cli.usage.option', { option: word })
}

const pick = (typed: Typed['flags'], flags: Flags): Typed['flags'] =>
  Object.fromEntries(Object.keys(flags).flatMap(key => (key in typed ? [[key, typed[key]]] : [])))

/** Paths as the row wants them, and what it cannot do without. */
function operandsOf(
  { name, operands, flags: known }: Verb,
  flags: Typed['flags'],
  words: readonly string[],
): readonly string[] {
  const paths = [...(operands.also ?? []).map(key => flags[key]), ...words].filter(
    (path): path is string => typeof path === 'string',
  )
  if (operands.or && operands.or[0] in flags) {
    if (paths.length > 0) throw new UsageError('cli.usage.both')
    return []
  }
  const { counts, orMore = false } = operands
  if (!counts.includes(paths.length) && !(orMore && paths.length > Math.max(...counts)))
    throw new UsageError(operands.wrong, { command: name, count: String(paths.length), path: paths[0] ?? '' })
  for (const [key, flag] of Object.entries(known))
    if (flag.needed && !flags[key])
      throw new UsageError('cli.usage.needs', { command: name, option: flag.names[0] })
  return paths
}

/** The known word that a mistyped one most likely meant, '' when none is close. */
export function nearest(word: string, known: readonly string[]): string {
  const ranked = known
    .map(name => ({ name, distance: distance(word, name) }))
    .sort((a, b) => a.distance - b.distance)
  return ranked.length > 0 && ranked[0].distance <= Math.max(1, Math.floor(word.length / 4))
    ? ranked[0].name
    : ''
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)))
    row = next
  }
  return row[b.length]
}
