// How the engine reads what was opened: a port with a disk side that can neither write nor leave the opened
// roots.
import {
  closeSync,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { problem, Refusal } from '../model/index.ts'
import type { Job } from '../work/index.ts'
import { behind, type Mount, Mounts, type Root } from './mounts.ts'
import { folded, realPath, serverOf } from './paths.ts'

export interface Named {
  readonly name: string
  readonly kind: 'file' | 'folder' | 'link' | 'other'
}

export interface Entry extends Named {
  readonly size: number
  readonly modified: number
}

export interface Handle {
  readonly size: number
  /** Fills `into` from a byte position; returns the bytes read, fewer only at the end of the file. */
  read(from: number, into: Uint8Array): number
  close(): void
}

export interface Files {
  /** Lets reads reach below this path (a folder, or the folder of a file). */
  allow(root: string): void
  /** Makes the archive readable that a path lies in or is, below its own path; null where there is none. */
  mount(path: string, job: Job): Promise<Mount | null>
  /** What was allowed, for threads that read on their own. */
  roots(): readonly Root[]
  stat(file: string): Entry | null
  list(folder: string): readonly Entry[]
  /** As `list`, without asking after each entry: of thousands this is most of the time. */
  names(folder: string): readonly Named[]
  /** What stays the same when it is renamed; '' where the system does not tell. */
  identity(path: string): string
  /** Where a path really leads, links followed. */
  real(path: string): string
  open(file: string): Handle
  /** A whole small file; refuses one larger than the limit before allocating. */
  readAll(file: string, limit: number): Uint8Array
  /** Removes what archives were unpacked to. */
  close(): void
}

const kindOf = (s: {
  isFile(): boolean
  isDirectory(): boolean
  isSymbolicLink(): boolean
}): Entry['kind'] =>
  s.isSymbolicLink() ? 'link' : s.isFile() ? 'file' : s.isDirectory() ? 'folder' : 'other'

/** What may not be looked at counts as not there: whoever reads it says why. */
export const seenAt = (files: Files, path: string): Entry | null =>
  path === '' ? null : unlessRefused(() => files.stat(path), null)

/** The same of what a folder holds. */
export const seenIn = (files: Files, folder: string): readonly Entry[] =>
  unlessRefused(() => files.list(folder), [])

function unlessRefused<T>(look: () => T, otherwise: T): T {
  try {
    return look()
  } catch (error) {
    if (error instanceof Refusal) return otherwise
    throw error
  }
}

/** `scratch`: where archives are unpacked. */
export const diskFiles = (scratch = tmpdir()): Files => new DiskFiles(scratch, [])

/** For a thread that reads on its own: what was allowed to whoever sent it. */
export const filesWithin = (roots: readonly Root[]): Files => new DiskFiles(tmpdir(), roots)

class DiskFiles implements Files {
  readonly #roots = new Set<string>()
  readonly #mounts: Mounts
  readonly #given: readonly Root[]

  constructor(scratch: string, given: readonly Root[]) {
    this.#mounts = new Mounts(scratch)
    this.#given = given
  }

  allow(root: string): void {
    if (existsSync(root)) this.#roots.add(realPath(root))
  }

  async mount(path: string, job: Job): Promise<Mount | null> {
    const archive = this.#mounts.archiveOf(path)
    if (archive === null) return null
    this.allow(archive)
    const handle = this.#openFile(archive, this.#within(archive, archive))
    try {
      return await this.#mounts.open(archive, handle, job)
    } finally {
      handle.close()
    }
  }

  roots(): readonly Root[] {
    return [
      ...this.#mounts.roots(),
      ...this.#given,
      ...[...this.#roots].map(root => ({ path: root, real: root })),
    ]
  }

  stat(file: string): Entry | null {
    try {
      const at = statSync(this.#reachable(file))
      const packed = this.#mounts.modified(file)
      return {
        name: path.basename(file),
        kind: packed === null && lstatSync(behind(this.#given, file)).isSymbolicLink() ? 'link' : kindOf(at),
        size: at.size,
        // Another archive in its place is another dump.
        modified: packed ?? at.mtimeMs,
      }
    } catch (error) {
      if (error instanceof Refusal && error.problem.code === 'not-found') return null
      throw readError(error, file)
    }
  }

  list(folder: string): readonly Entry[] {
    const real = this.#reachable(folder)
    return namesIn(real, folder).map(named => {
      const at = lstatSync(path.join(real, named.name), { throwIfNoEntry: false })
      return { ...named, size: at?.size ?? 0, modified: at?.mtimeMs ?? 0 }
    })
  }

  names(folder: string): readonly Named[] {
    return namesIn(this.#reachable(folder), folder)
  }

  identity(file: string): string {
    const { dev, ino } = statSync(this.#reachable(file), { bigint: true })
    return ino === 0n ? '' : `${dev}:${ino}`
  }

  real(file: string): string {
    return this.#reachable(file)
  }

  open(file: string): Handle {
    return this.#openFile(file, this.#reachable(file))
  }

  #openFile(file: string, real: string): Handle {
    try {
      // Opening a pipe would wait for its writer, for ever.
      if (!statSync(real).isFile()) throw new Refusal(problem('not-a-file', file))
      return handleOf(openSync(real, 'r'))
    } catch (error) {
      throw readError(error, file)
    }
  }

  readAll(file: string, limit: number): Uint8Array {
    const handle = this.open(file)
    try {
      if (handle.size > limit) throw new Refusal(problem('too-large', file, { size: handle.size, limit }))
      const bytes = new Uint8Array(handle.size)
      return bytes.subarray(0, handle.read(0, bytes))
    } finally {
      handle.close()
    }
  }

  close(): void {
    this.#mounts.close()
  }

  #reachable(file: string): string {
    return this.#within(file, behind(this.roots(), file))
  }

  /** The real path of a file that lies at `place`. */
  #within(file: string, place: string): string {
    if (!isOnServerOf(this.roots(), place)) throw new Refusal(problem('outside-root', file))
    let real: string
    try {
      real = realPath(place)
    } catch (error) {
      throw readError(error, file)
    }
    if (!isWithin(this.roots(), real)) throw new Refusal(problem('outside-root', file))
    return real
  }
}

/** Sorted by name. */
function namesIn(real: string, folder: string): readonly Named[] {
  try {
    return readdirSync(real, { withFileTypes: true })
      .map(entry => ({ name: entry.name, kind: kindOf(entry) }))
      .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  } catch (error) {
    throw readError(error, folder)
  }
}

const handleOf = (fd: number): Handle => ({
  size: fstatSync(fd).size,
  read(from, into) {
    let done = 0
    while (done < into.length) {
      const n = readSync(fd, into, done, into.length - done, from + done)
      if (n === 0) break
      done += n
    }
    return done
  },
  close: () => closeSync(fd),
})

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

/** Whether a path stays on this machine, or on one that what was opened lies on. */
export function isOnServerOf(roots: readonly Root[], place: string): boolean {
  const server = serverOf(place)
  return server === '' || roots.some(root => serverOf(root.path) === server)
}

/** Whether a real path lies in one of the trees. */
export const isWithin = (roots: readonly Root[], real: string): boolean =>
  roots.some(
    root => folded(real) === folded(root.real) || folded(real).startsWith(withSeparator(folded(root.real))),
  )

const withSeparator = (folder: string): string => (folder.endsWith(path.sep) ? folder : folder + path.sep)

function readError(error: unknown, file: string): unknown {
  if (error instanceof Refusal || !codeOf(error)) return error
  return new Refusal(
    codeOf(error) === 'ENOENT'
      ? problem('not-found', file)
      : problem('not-readable', file, { reason: codeOf(error) }),
  )
}
