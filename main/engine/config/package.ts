// A package of configuration, read member by member from its zip: nothing is unpacked, nothing may lie outside.
import {
  absolute,
  dirOf,
  type Files,
  type Handle,
  memberBytes,
  zipEntries,
  type ZipEntry,
} from '../io/index.ts'
import { type Json, JsonReader, JsonStop } from '../json/index.ts'
import { problem, Refusal } from '../model/index.ts'

/** Statistics of some hundred thousand weights. */
const longest = 256 << 20

export class ConfigPackage {
  readonly path: string
  readonly #handle: Handle
  readonly #members = new Map<string, ZipEntry>()

  constructor(path: string, handle: Handle) {
    this.path = path
    this.#handle = handle
    for (const entry of zipEntries(handle, path)) this.#members.set(memberName(entry.name, path), entry)
  }

  /** Names of the files below a folder, sorted. */
  below(folder: string): readonly string[] {
    return [...this.#members.keys()].filter(name => name.startsWith(`${folder}/`)).toSorted()
  }

  /** A file, or a folder with something in it. */
  has(name: string): boolean {
    return this.#members.has(name) || this.below(name).length > 0
  }

  hasFile(name: string): boolean {
    return this.#members.has(name)
  }

  text(name: string): string {
    return new TextDecoder().decode(this.#bytes(name))
  }

  json(name: string): Json {
    const bytes = this.#bytes(name)
    const reader = new JsonReader(bytes)
    const path = `${this.path}/${name}`
    try {
      const value = reader.value()
      reader.space()
      if (reader.at < reader.end) throw new JsonStop('broken', reader.at)
      return value
    } catch (error) {
      if (!(error instanceof JsonStop)) throw error
      const { line, column } = placeOf(bytes, error.at)
      const code = error.why === 'truncated' ? 'json-truncated' : 'json-broken'
      throw new Refusal(problem(code, path, { line, column, byte: error.at }))
    }
  }

  close(): void {
    this.#handle.close()
  }

  #bytes(name: string): Uint8Array {
    const entry = this.#members.get(name)
    if (!entry) throw new Refusal(problem('not-found', `${this.path}/${name}`))
    return memberBytes(this.#handle, entry, longest, this.path)
  }
}

export function openPackage(files: Files, given: string): ConfigPackage {
  const path = absolute(given)
  files.allow(dirOf(path))
  if (!files.stat(path)) throw new Refusal(problem('not-found', path))
  const handle = files.open(path)
  try {
    return new ConfigPackage(path, handle)
  } catch (error) {
    handle.close()
    throw error
  }
}

/** A member's place below the package; refuses what would lie elsewhere. */
function memberName(name: string, path: string): string {
  const parts = name.split(/[\\/]/)
  if (/^(?:[\\/]|[A-Za-z]:)/.test(name) || parts.includes('..') || name.includes('\0'))
    throw new Refusal(problem('zip-outside', path, { member: name.slice(0, 200) }))
  const folder = /[\\/]$/.test(name) ? '/' : ''
  return parts.filter(part => part !== '' && part !== '.').join('/') + folder
}

function placeOf(bytes: Uint8Array, at: number): { line: number; column: number } {
  let line = 1
  let start = 0
  for (let i = 0; i < at; i++)
    if (bytes[i] === 10) {
      line++
      start = i + 1
    }
  return { line, column: at - start + 1 }
}
