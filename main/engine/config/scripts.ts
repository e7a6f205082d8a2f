// Hyper-parameters as the scripts that start a training give them.
import { type Json, JsonNumber } from '../json/index.ts'
import { pythonYaml, type Yaml } from './python-yaml.ts'
import { pyEqual } from './values.ts'

type Settings = Map<string, Json>

const launcher = /msrun\s[^|]*|torchrun\s[^|]*|python\d? -m torch.distributed.launch\s[^|]*/
const block = /([a-zA-Z0-9_]{1,20}_ARGS)="([^"]*)"/g

/** A script without comments and empty lines. A `#` inside a word begins one too, as msprobe reads it. */
function withoutComments(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .filter(line => !line.trimStart().startsWith('#'))
    .map(line => (line.split('#')[0] ?? '').trimEnd())
    .filter(line => line.trim() !== '')
    .map(line => `${line}\n`)
    .join('')
}

/** Options of the line that starts the training, as msprobe finds them. */
export function shellSettings(text: string): Settings {
  const script = withoutComments(text)
  let line = launcher.exec(script)?.[0]
  const found: Settings = new Map()
  if (line === undefined) return found
  for (const [, name, content] of script.matchAll(block))
    line = line.replaceAll(`$${name}`, () => content.replaceAll('\n', ' '))
  for (const [, key, given = ''] of line.matchAll(/--([\p{L}\p{N}_-]+)(?:\s+([^\s\\]+))?/gu))
    found.set(key, assigned(given, script) || true)
  return found
}

/** What a variable was given last, wherever that stands. */
function assigned(value: string, script: string): string {
  const name = /^\$\{?([\p{L}\p{N}_]+)\}?/u.exec(value)?.[1]
  if (name === undefined) return value
  return [...script.matchAll(new RegExp(`${name}=\\s*([^\\n]+)`, 'g'))].at(-1)?.[1] ?? value
}

/** The same by the shell's own rules: an option without a value is a switch, quotes and braces are understood. */
export function shellSettingsRead(text: string): Settings {
  const script = withoutComments(text.replace(/\\\r?\n/g, ' '))
  const variables = variablesIn(script)
  const start = launcher.exec(script)?.[0] ?? ''
  const found: Settings = new Map()
  const words = wordsOf(expanded((start.split(/[\n;&]/)[0] ?? '').trim(), variables))
  for (let i = 0; i < words.length; i++) {
    const [, key, attached] = /^--([^=]+)(?:=([\s\S]*))?$/.exec(words[i]) ?? []
    if (key === undefined) continue
    const end = attached === undefined ? nextOption(words, i + 1) : i + 1
    const values = attached === undefined ? words.slice(i + 1, end) : [attached]
    i = end - 1
    if (values.length < 2) found.set(key, values[0] ?? true)
    else found.set(key, values)
  }
  return found
}

/** Where the values of an option end: at the next option, or at the program that is started. */
function nextOption(words: readonly string[], from: number): number {
  const at = words.findIndex((word, i) => i >= from && /^--|^-[a-zA-Z]|\.py$/.test(word))
  return at < 0 ? words.length : at
}

function variablesIn(script: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const form =
    /(?:^|[\n;]\s*|\b(?:export|local)\s+)([A-Za-z_]\w*)=(?:"([^"]*)"|'([^']*)'|\(([^)]*)\)|([^\s;]*))/g
  for (const [, name, ...texts] of script.matchAll(form))
    found.set(name, texts.find(text => text !== undefined) ?? '')
  return found
}

const reference = /\$(?:\{([A-Za-z_]\w*)(?:\[@\])?(?::?-([^}]*))?\}|([A-Za-z_]\w*))/g
/** Variables may hold others; deeper than this only those that hold themselves go. */
const deepest = 10
const longest = 1 << 20

function expanded(text: string, variables: ReadonlyMap<string, string>): string {
  let line = text
  for (let depth = 0; depth < deepest && line.length < longest; depth++) {
    const next = line.replace(
      reference,
      (whole, braced?: string, otherwise?: string, bare?: string) =>
        variables.get(braced ?? bare ?? '') ?? otherwise ?? whole,
    )
    if (next === line) break
    line = next
  }
  return line.replaceAll('\n', ' ')
}

const wordsOf = (line: string): readonly string[] =>
  [...line.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'|])+/g)].map(([word]) => word.replace(/["']/g, ''))

/** Settings of a yaml with dotted names; lists of plain values stay lists. Null where it is no yaml. */
export function yamlSettings(text: string): Settings | null {
  const read = pythonYaml(text)
  if (!read) return null
  const found: Settings = new Map()
  flatten(read.value, '', found)
  return found
}

function flatten(value: Yaml, prefix: string, into: Settings): void {
  const nameOf = (key: string): string => (prefix ? `${prefix}.${key}` : key)
  if (value instanceof Map) for (const [key, item] of value) flatten(item, nameOf(key), into)
  else if (isList(value)) {
    if (isJson(value) && value.every(isPlainOrList)) into.set(prefix, value)
    else value.forEach((item, i) => flatten(item, nameOf(String(i)), into))
  } else if (isPlain(value)) into.set(prefix, value)
}

const isList = (value: Yaml): value is readonly Yaml[] => Array.isArray(value)
const isPlain = (value: Yaml): value is string | boolean | JsonNumber =>
  typeof value === 'string' || typeof value === 'boolean' || value instanceof JsonNumber
const isPlainOrList = (value: Yaml): boolean => isPlain(value) || isList(value)
/** Everything but dates. */
const isJson = (value: Yaml): value is Json => {
  if (value instanceof Map) return [...value.values()].every(isJson)
  return isList(value) ? value.every(isJson) : value !== undefined
}

/** Adds settings of another script; one that was given differently keeps both. */
export function addSettings(settings: Settings, more: ReadonlyMap<string, Json>): void {
  for (const [key, value] of more) {
    const known = settings.get(key)
    if (known === undefined || pyEqual(known, value)) settings.set(key, known ?? value)
    else
      settings.set(
        key,
        new Map<string, Json>([
          ['description', 'duplicate_value'],
          ['values', [known, value]],
        ]),
      )
  }
}
