// YAML as PyYAML's safe loader reads it: which plain words are numbers is its own table, stricter than the standard's.
import { isAlias, isMap, isScalar, isSeq } from 'yaml'
import type { Document, Node, ParsedNode } from 'yaml'
import { type Json, JsonNumber } from '../json/index.ts'
import { yamlDocument } from '../json/index.ts'

const spellings = (word: string): readonly string[] => [
  word,
  word.toUpperCase(),
  word.slice(0, 1).toUpperCase() + word.slice(1),
]
const truths: Readonly<Record<string, boolean>> = Object.fromEntries([
  ...['yes', 'true', 'on'].flatMap(spellings).map(word => [word, true] as const),
  ...['no', 'false', 'off'].flatMap(spellings).map(word => [word, false] as const),
])
const nothing = new Set(['', '~', 'null', 'Null', 'NULL'])
const float =
  /^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/
const whole = /^[-+]?(?:0b[0-1_]+|0x[0-9a-fA-F_]+|0[0-7_]*|[1-9][0-9_]*)$/
/** Base 60, as times are written. */
const sexagesimal = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/
/** Dates, which are no settings: undefined, as everything that is none. */
const date = /^\d{4}-\d\d?-\d\d?(?:(?:[Tt]|[ \t]+)\d\d?:\d\d:\d\d.*)?$/

const mostAliases = 100
const deepest = 100

/** Undefined for what no JSON holds. */
export type Yaml = Json | undefined | readonly Yaml[] | ReadonlyMap<string, Yaml>

/** Null where a text is no YAML, or more than settings can be. */
export function pythonYaml(text: string): { readonly value: Yaml } | null {
  try {
    const document = yamlDocument(text, { schema: 'failsafe', merge: true })
    if (document.errors.length > 0) return null
    return { value: new Reader(document).read(document.contents, 0) }
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

class Reader {
  readonly #document: Document.Parsed
  #aliases = 0

  constructor(document: Document.Parsed) {
    this.#document = document
  }

  read(node: ParsedNode | Node | null, depth: number): Yaml {
    if (depth > deepest) throw new RangeError('deep')
    if (isAlias(node)) {
      if (++this.#aliases > mostAliases) throw new RangeError('aliases')
      return this.read(node.resolve(this.#document) ?? null, depth + 1)
    }
    if (isSeq(node)) return node.items.map(item => this.read(item as Node | null, depth + 1))
    if (isMap(node)) return this.#map(node.items, depth)
    if (!isScalar(node)) return null
    const text = node.source ?? String(node.value ?? '')
    return node.type === 'PLAIN' || node.type === undefined ? plain(text) : String(node.value)
  }

  /** Keys as texts; what is merged in comes before a map's own. */
  #map(items: readonly { key: unknown; value: unknown }[], depth: number): Yaml {
    const own: [string, Yaml][] = []
    const merged: [string, Yaml][] = []
    for (const { key, value } of items) {
      const name = keyOf(key, depth)
      const read = this.read(value as Node | null, depth + 1)
      if (name !== '<<') own.push([name, read])
      else if (read instanceof Map) merged.push(...read)
    }
    return new Map([...merged, ...own])
  }
}

/** A text; at the top a truth value or nothing turns into JSON's word for it. */
function keyOf(key: unknown, depth: number): string {
  if (!isScalar(key)) return JSON.stringify(key)
  const text = key.source ?? ''
  if (key.type !== 'PLAIN') return typeof key.value === 'string' ? key.value : text
  const value = depth === 0 ? plain(text) : text
  return typeof value === 'boolean' || value === null ? String(value) : text
}

function plain(text: string): Yaml {
  if (nothing.has(text)) return null
  const truth = truths[text]
  if (truth !== undefined) return truth
  if (whole.test(text)) return new JsonNumber(String(wholeOf(text.replaceAll('_', ''))), false)
  if (float.test(text)) return floatOf(text.replaceAll('_', '').toLowerCase())
  if (sexagesimal.test(text)) return baseSixty(text.replaceAll('_', ''))
  return date.test(text) ? undefined : text
}

function wholeOf(text: string): bigint {
  const [, sign, digits] = /^([-+]?)(.*)$/.exec(text) ?? []
  const octal = /^0[0-7]+$/.test(digits) ? `0o${digits.slice(1)}` : digits
  return sign === '-' ? -BigInt(octal) : BigInt(octal)
}

function floatOf(text: string): JsonNumber {
  if (text.endsWith('.nan')) return new JsonNumber('NaN', true)
  if (text.endsWith('.inf')) return new JsonNumber(text.startsWith('-') ? '-Infinity' : 'Infinity', true)
  return new JsonNumber(String(Number(text)), true)
}

function baseSixty(text: string): JsonNumber {
  const size = text
    .replace(/^[-+]/, '')
    .split(':')
    .reduce((sum, part) => sum * 60 + Number(part), 0)
  return new JsonNumber(String(text.startsWith('-') ? -size : size), text.includes('.'))
}
