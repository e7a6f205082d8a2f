// A package of configuration, read member by member: from its zip, of which nothing may lie outside, or from the folder
// that it was unpacked to.
import {
  absolute,
  dirOf,
  type Files,
  type Handle,
  join,
  memberBytes,
  zipEntries,
  type ZipEntry,
} from '../io/index.ts'
import { type Json, JsonReader, JsonStop } from '../json/index.ts'
import { problem, Refusal } from '../model/index.ts'

/** Statistics of some hundred thousand weights. */
const longest = 256 << 20

/** Where the members of a package lie. */
interface Members {
  readonly names: readonly string[]
  read(name: string): Uint8Array
  close(): void
}

export class ConfigPackage {
  readonly path: string
  readonly #members: Members
  readonly #names: ReadonlySet<string>

  constructor(path: string, members: Members) {
    this.path = path
    this.#members = members
    this.#names = new Set(members.names)
  }

  /** Names of the files below a folder, sorted. */
  below(folder: string): readonly string[] {
    return [...this.#names].filter(name => name.startsWith(`${folder}/`)).toSorted()
  }

  /** A file, or a folder with something in it. */
  has(name: string): boolean {
    return this.#names.has(name) || this.below(name).length > 0
  }

  hasFile(name: string): boolean {
    return this.#names.has(name)
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
    this.#members.close()
  }

  #bytes(name: string): Uint8Array {
    if (!this.#names.has(name)) throw new Refusal(problem('not-found', `${this.path}/${name}`))
    return this.#members.read(name)
  }
}

export function openPackage(files: Files, given: string): ConfigPackage {
  const path = absolute(given)
  files.allow(dirOf(path))
  const at = files.stat(path)
  if (!at) throw new Refusal(problem('not-found', path))
  return new ConfigPackage(path, at.kind === 'folder' ? membersBelow(files, path) : zipped(files, path))
}

function zipped(files: Files, path: string): Members {
  const handle = files.open(path)
  try {
    return membersOf(handle, path)
  } catch (error) {
    handle.close()
    throw error
  }
}

export function membersOf(handle: Handle, path: string): Members {
  const entries = new Map<string, ZipEntry>(
    zipEntries(handle, path).map(entry => [memberName(entry.name, path), entry]),
  )
  return {
    names: [...entries.keys()],
    read(name) {
      const entry = entries.get(name)
      if (!entry) throw new Refusal(problem('not-found', `${path}/${name}`))
      return memberBytes(handle, entry, longest, path)
    },
    close: () => handle.close(),
  }
}

/** What belongs to a package, wherever its part begins: one that holds a single part may begin with it. */
const belongs: readonly (readonly [tail: RegExp, part: string])[] = [
  [/^(?:env|pip)$/, ''],
  [/^(?:hyperparameters\/)?(hyperparameters_(?:static|dynamic)\.json)$/, 'hyperparameters/'],
  [/^(?:weights\/)?(step[^/]*\/rank[^/]*\/weight\.json)$/, 'weights/'],
  [/^(?:dataset\/)?(step[^/]*\/rank[^/]*\/dataset\.json)$/, 'dataset/'],
  [/^(?:random\/)?(rank[^/]*\.json)$/, 'random/'],
]
/** weights/step0/rank0/weight.json. */
const deepest = 3

function membersBelow(files: Files, root: string): Members {
  const places = new Map<string, string>()
  const walk = (folder: string, depth: number): void => {
    for (const { name, kind } of files.names(join(root, folder))) {
      const path = folder === '' ? name : `${folder}/${name}`
      if (kind === 'folder' && depth < deepest) walk(path, depth + 1)
      if (kind !== 'file') continue
      const row = belongs.find(([tail]) => tail.test(path))
      if (row) places.set(row[1] + (row[0].exec(path)?.[1] ?? path), path)
    }
  }
  walk('', 0)
  return {
    names: [...places.keys()],
    read: name => files.readAll(join(root, places.get(name) ?? name), longest),
    close() {},
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
