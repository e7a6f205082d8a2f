// Walks a folder with all that lies below it, links included, and sorts the files by their names.
import { type Entry, type Files, join } from '../../io/index.ts'
import { problem, type Problem, Refusal } from '../../model/index.ts'
import type { Job } from '../../work/index.ts'
import { rawNameOf } from '../npu/index.ts'
import {
  decodedNameOf,
  graphFileNameOf,
  isFusionResult,
  isShortened,
  longNames,
  tensorNameOf,
} from './names.ts'

const deepest = 16
const mostFolders = 50_000
/** A table of long names is some megabytes. */
const longestTable = 64 << 20

export type FileKind =
  'raw' | 'summary' | 'array' | 'decoded' | 'graph' | 'json' | 'fusion' | 'meta' | 'result' | 'debugger'

/** The files of one folder by kind; kinds of which there are none are absent. */
export interface FolderFiles {
  readonly path: string
  readonly kinds: ReadonlyMap<FileKind, readonly Entry[]>
  readonly renamed: ReadonlyMap<string, string>
}

export interface Walked {
  /** In the order of their paths. */
  readonly folders: readonly FolderFiles[]
  /** Names of the folders in a folder, by its path. */
  readonly below: ReadonlyMap<string, readonly string[]>
  readonly problems: readonly Problem[]
}

export async function walkFolders(files: Files, root: string, job: Job): Promise<Walked> {
  return new Walk(files, job).run(root)
}

interface Link {
  readonly path: string
  readonly depth: number
}

class Walk {
  readonly #files: Files
  readonly #job: Job
  readonly #folders: FolderFiles[] = []
  readonly #below = new Map<string, readonly string[]>()
  readonly #problems: Problem[] = []
  /** Where folders really are: a link to one that was seen leads nowhere new. */
  readonly #seen = new Set<string>()

  constructor(files: Files, job: Job) {
    this.#files = files
    this.#job = job
  }

  async run(root: string): Promise<Walked> {
    this.#seen.add(this.#files.real(root))
    const links: Link[] = []
    await this.#enter(root, 0, links)
    // Folders themselves come before links to them, which may lead to the same ones.
    for (let link = links.shift(); link !== undefined; link = links.shift()) await this.#follow(link, links)
    const folders = this.#folders.toSorted((a, b) => (a.path < b.path ? -1 : 1))
    return { folders, below: this.#below, problems: this.#problems }
  }

  async #enter(folder: string, depth: number, links: Link[]): Promise<void> {
    await this.#job.breathe()
    const entries = this.#files.list(folder)
    const below = entries.filter(entry => entry.kind === 'folder' && !entry.name.startsWith('.'))
    this.#below.set(
      folder,
      below.map(entry => entry.name),
    )
    this.#sort(folder, entries)
    for (const entry of entries)
      if (entry.kind === 'link') links.push({ path: join(folder, entry.name), depth: depth + 1 })
    for (const { name } of below) {
      const child = join(folder, name)
      if (this.#seen.size >= mostFolders || depth >= deepest) return this.#tooMuch(folder)
      this.#seen.add(this.#files.real(child))
      await this.#enter(child, depth + 1, links)
    }
  }

  /** A link to a folder counts where the folder itself was not met; one to a file as the file. */
  async #follow({ path, depth }: Link, links: Link[]): Promise<void> {
    try {
      const real = this.#files.real(path)
      const at = this.#files.stat(real)
      if (at?.kind !== 'folder' || this.#seen.has(real)) return
      this.#seen.add(real)
      await this.#enter(path, depth, links)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      this.#problems.push({ ...error.problem, severity: 'note' })
    }
  }

  #tooMuch(folder: string): void {
    this.#problems.push(problem('too-deep', folder, { limit: deepest }, 'warning'))
  }

  #sort(path: string, entries: readonly Entry[]): void {
    const named = entries.filter(({ kind }) => kind === 'file' || kind === 'link')
    const renamed = named.some(({ name }) => name === 'mapping.csv')
      ? this.#longNames(join(path, 'mapping.csv'))
      : new Map<string, string>()
    const unlisted = named.filter(({ name }) => isShortened(name) && !renamed.has(name)).length
    if (unlisted > 0) this.#problems.push(problem('tf-long-names', path, { count: unlisted }, 'warning'))
    const found = new Map<FileKind, Entry[]>()
    for (const entry of named) {
      const kind = kindOf(renamed.get(entry.name) ?? entry.name)
      if (!kind) continue
      const list = found.get(kind)
      if (list) list.push(entry)
      else found.set(kind, [entry])
    }
    if (found.size > 0) this.#folders.push({ path, kinds: found, renamed })
  }

  #longNames(file: string): ReadonlyMap<string, string> {
    try {
      return longNames(new TextDecoder().decode(this.#files.readAll(file, longestTable)))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      this.#problems.push({ ...error.problem, severity: 'warning' })
      return new Map()
    }
  }
}

/** What a file is by its name alone; the first that fits. */
const kinds: readonly (readonly [FileKind, (name: string) => unknown])[] = [
  ['decoded', decodedNameOf],
  ['array', tensorNameOf],
  ['result', name => /^result_.*\.csv$/.test(name)],
  ['meta', name => name.endsWith('.meta')],
  ['fusion', isFusionResult],
  ['graph', graphFileNameOf],
  ['json', name => name.endsWith('.json')],
  ['debugger', name => /_Debug[A-Z][A-Za-z]*_\d{6,}$/.test(name)],
  ['summary', name => rawNameOf(name)?.summary],
  ['raw', rawNameOf],
]

/** Null of what has nothing to do with such a run. */
const kindOf = (name: string): FileKind | null => kinds.find(([, fits]) => fits(name))?.[0] ?? null
