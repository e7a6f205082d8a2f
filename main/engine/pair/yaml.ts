// Mapping files as values: YAML as PyYAML reads it, with order kept and keys as text.
import type { Document } from 'yaml'
import { problem, Refusal } from '../model/index.ts'
import { plainGroups, plainPairs } from './plain-yaml.ts'
import { yamlDocument } from '../json/index.ts'

export type YamlMap = ReadonlyMap<string, unknown>

/** Reads a mapping text; refuses what is no YAML. */
export const readYaml = (text: string, what: string): unknown =>
  ofMapping(text, what, document => document.toJS({ mapAsMap: true, maxAliasCount: 100 }))

/** What `use` makes of a mapping text, or a refusal: it is no YAML, has too many aliases, or nests too deep. */
export function ofMapping<T>(text: string, what: string, use: (document: Document.Parsed) => T): T {
  const refuse = (line: number, reason: string): Refusal =>
    new Refusal(problem('mapping-invalid', '', { what, line, reason }))
  try {
    const document = yamlDocument(text)
    const [error] = document.errors
    if (error) throw refuse(error.linePos?.[0].line ?? 1, error.code)
    return use(document)
  } catch (error) {
    throw error instanceof Refusal ? error : refuse(1, 'TOO_COMPLEX')
  }
}

export const textOf = (value: unknown): string =>
  value === null || value === undefined ? 'None' : String(value)

/** A map with text keys; null is an empty one. */
export function mapOf(value: unknown, what: string): YamlMap {
  if (value === null || value === undefined) return new Map()
  if (!(value instanceof Map))
    throw new Refusal(problem('mapping-invalid', '', { what, line: 1, reason: 'NOT_A_MAP' }))
  return new Map([...value].map(([key, member]) => [textOf(key), member]))
}

/** A text of pairs as a map. */
export function readPairs(text: string, what: string): YamlMap {
  const plain = plainPairs(text)
  return plain ? new Map(plain.map(({ key, value }) => [key, value])) : mapOf(readYaml(text, what), what)
}

/** A text of groups of pairs as a map of maps. */
export function readGroups(text: string, what: string): ReadonlyMap<string, YamlMap> {
  const plain = plainGroups(text)
  if (plain)
    return new Map(plain.map(({ key, pairs }) => [key, new Map(pairs.map(pair => [pair.key, pair.value]))]))
  return new Map([...mapOf(readYaml(text, what), what)].map(([key, value]) => [key, mapOf(value, what)]))
}

export function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value]
}
