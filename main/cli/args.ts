// The command line's grammar: commands and options as tables, read the way msprobe's own parser does.

export type Takes = 'nothing' | 'value' | 'maybe'

export interface Option {
  readonly key: string
  /** As typed; long names with `_`, `-` is the same. */
  readonly names: readonly string[]
  readonly takes: Takes
}

const option = (key: string, takes: Takes, ...names: string[]): Option => ({ key, takes, names })

/** Understood before and after every command. */
export const everywhere: readonly Option[] = [
  option('help', 'nothing', '-h', '--help'), option('version', 'nothing', '-v', '--version'), option('lang', 'value', '--lang'),
  option('quiet', 'nothing', '-q', '--quiet'), option('noColor', 'nothing', '--no_color'), option('json', 'nothing', '--json'),
]
const mappings: readonly Option[] = [
  option('api', 'maybe', '-am', '--api_mapping'), option('cell', 'maybe', '-cm', '--cell_mapping'), option('data', 'value', '-dm', '--data_mapping'), option('layer', 'maybe', '-lm', '--layer_mapping'),
]
const input = option('input', 'value', '-i', '--input_path')
const output = option('output', 'maybe', '-o', '--output_path')
const fuzzy = option('fuzzy', 'nothing', '-f', '-fm', '--fuzzy_match')
const rules = option('rules', 'value', '--rules')
const failOn = option('failOn', 'value', '--fail_on')
/** The newest msprobe names both sides by options. */
const sides: readonly Option[] = [option('target', 'value', '-tp', '--target_path'), option('golden', 'value', '-gp', '--golden_path')]

export const commands: Readonly<Record<string, readonly Option[]>> = {
  compare: [input, output, ...sides, option('stack', 'nothing', '-s', '--stack_mode'), option('compareOnly', 'nothing', '-c', '--compare_only'), fuzzy, ...mappings,
    rules, failOn, option('format', 'value', '--format'), option('rawCsv', 'nothing', '--raw_csv')],
  graph: [input, output, ...sides, fuzzy, option('layer', 'maybe', '-lm', '--layer_mapping'), option('fullStack', 'nothing', '-cs', '--complete_stack'), option('overflow', 'nothing', '-oc', '--overflow_check'),
    rules, option('format', 'value', '--format')],
  advise: [input, ...sides, fuzzy, ...mappings, rules, failOn],
  merge_result: [option('input', 'value', '-i', '--input_dir'), option('output', 'value', '-o', '--output_dir'), option('config', 'value', '-config', '--config_path', '--config'), rules],
  map: [output, option('kind', 'value', '--kind'), option('score', 'value', '--score'), rules],
}

export interface Arguments {
  readonly command: string
  /** `-f` before the command. */
  readonly framework: string | null
  /** What is no option. */
  readonly paths: readonly string[]
  /** Options by key; '' for those without a value. */
  readonly options: Readonly<Record<string, string>>
}

/** What is wrong with a command line: a key of the words and its facts. */
export class UsageError extends Error {
  readonly key: string
  readonly facts: Readonly<Record<string, string>>
  constructor(key: string, facts: Readonly<Record<string, string>> = {}) {
    super(key)
    this.key = key
    this.facts = facts
  }
}

export function readArguments(argv: readonly string[]): Arguments {
  let command = ''
  let framework: string | null = null
  const paths: string[] = []
  const options: Record<string, string> = {}
  const words = [...argv]
  let onlyPaths = false
  while (words.length > 0) {
    const word = words.shift() ?? ''
    if (onlyPaths || !isOption(word)) {
      if (command === '' && !onlyPaths) command = named(word)
      else paths.push(word)
      continue
    }
    if (word === '--') { onlyPaths = true; continue }
    const [name, attached] = split(word)
    if (command === '' && (name === '-f' || name === '--framework')) {
      framework = attached ?? words.shift() ?? ''
      continue
    }
    const known = [...everywhere, ...(commands[command] ?? [])]
    const [found, value] = find(known, word, name, attached)
    if (found.key in options) throw new UsageError('cli.usage.twice', { option: word })
    options[found.key] = valueOf(found, word, value, words)
  }
  return { command, framework, paths, options }
}

/** The option of a word: by its name, by the unique beginning of a long name, or a letter with its value attached (`-i./compare.json`). */
function find(known: readonly Option[], word: string, name: string, attached: string | undefined): [Option, string | undefined] {
  const exact = known.find(o => o.names.includes(name))
  if (exact) return [exact, attached]
  const begun = name.startsWith('--') ? known.filter(o => o.names.some(n => n.startsWith(name))) : []
  if (begun.length === 1) return [begun[0], attached]
  const letter = name.startsWith('--') ? undefined : known.find(o => o.takes !== 'nothing' && o.names.includes(name.slice(0, 2)))
  if (letter) return [letter, word.slice(2)]
  throw unknown(word, known)
}

const isOption = (word: string): boolean => word.startsWith('-') && word.length > 1 && !/^-\d/.test(word)

/** `--long=value`; long names may be spelled with `-` or `_`. */
function split(word: string): [string, string | undefined] {
  if (!word.startsWith('--')) return [word, undefined]
  const at = word.indexOf('=')
  const name = at < 0 ? word : word.slice(0, at)
  return [`--${name.slice(2).replaceAll('-', '_')}`, at < 0 ? undefined : word.slice(at + 1)]
}

function valueOf(found: Option, word: string, attached: string | undefined, words: string[]): string {
  if (found.takes === 'nothing') {
    if (attached !== undefined) throw new UsageError('cli.usage.noValue', { option: word })
    return ''
  }
  if (attached !== undefined) return attached
  if (words.length > 0 && !isOption(words[0])) return words.shift() ?? ''
  if (found.takes === 'value') throw new UsageError('cli.usage.value', { option: word })
  return ''
}

function named(word: string): string {
  const name = word.replaceAll('-', '_')
  if (name in commands) return name
  const near = nearest(name, Object.keys(commands))
  throw near ? new UsageError('cli.usage.command.near', { command: word, near }) : new UsageError('cli.usage.command', { command: word, commands: Object.keys(commands).join(', ') })
}

function unknown(word: string, known: readonly Option[]): UsageError {
  // Two letters are near to everything.
  const near = word.startsWith('--') ? nearest(word, known.flatMap(o => o.names)) : ''
  return near ? new UsageError('cli.usage.option.near', { option: word, near }) : new UsageError('cli.usage.option', { option: word })
}

/** The known word that a mistyped one most likely meant, '' when none is close. */
export function nearest(word: string, known: readonly string[]): string {
  const ranked = known.map(name => ({ name, distance: distance(word, name) })).sort((a, b) => a.distance - b.distance)
  return ranked.length > 0 && ranked[0].distance <= Math.max(1, Math.floor(word.length / 4)) ? ranked[0].name : ''
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) next.push(Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)))
    row = next
  }
  return row[b.length]
}
