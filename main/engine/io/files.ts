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
  realpathSync,
  statSync,
} from 'node:fs'
import path from 'node:path'
import { problem, Refusal } from '../model/index.ts'

export interface Entry {
  readonly name: string
  readonly kind: 'file' | 'folder' | 'link' | 'other'
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
  /** What was allowed, for threads that read on their own. */
  roots(): readonly string[]
  stat(file: string): Entry | null
  list(folder: string): readonly Entry[]
  /** Where a path really leads, links followed. */
  real(path: string): string
  open(file: string): Handle
  /** A whole small file; refuses one larger than the limit before allocating. */
  readAll(file: string, limit: number): Uint8Array
}

const kindOf = (s: {
  isFile(): boolean
  isDirectory(): boolean
  isSymbolicLink(): boolean
}): Entry['kind'] =>
  s.isSymbolicLink() ? 'link' : s.isFile() ? 'file' : s.isDirectory() ? 'folder' : 'other'

export const diskFiles = (): Files => new DiskFiles()

class DiskFiles implements Files {
  readonly #roots = new Set<string>()

  allow(root: string): void {
    if (existsSync(root)) this.#roots.add(realpathSync(root))
  }

  roots(): readonly string[] {
    return [...this.#roots]
  }

  stat(file: string): Entry | null {
    try {
      const at = statSync(this.#reachable(file))
      return {
        name: path.basename(file),
        kind: lstatSync(file).isSymbolicLink() ? 'link' : kindOf(at),
        size: at.size,
        modified: at.mtimeMs,
      }
    } catch (error) {
      if (error instanceof Refusal && error.problem.code === 'not-found') return null
      throw readError(error, file)
    }
  }

  list(folder: string): readonly Entry[] {
    const real = this.#reachable(folder)
    try {
      return readdirSync(real, { withFileTypes: true })
        .map((entry): Entry => {
          const at = lstatSync(path.join(real, entry.name), { throwIfNoEntry: false })
          return { name: entry.name, kind: kindOf(entry), size: at?.size ?? 0, modified: at?.mtimeMs ?? 0 }
        })
        .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
    } catch (error) {
      throw readError(error, folder)
    }
  }

  real(file: string): string {
    return this.#reachable(file)
  }

  open(file: string): Handle {
    const real = this.#reachable(file)
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

  #reachable(file: string): string {
    let real: string
    try {
      real = realpathSync(file)
    } catch (error) {
      throw readError(error, file)
    }
    for (const root of this.#roots)
      if (real === root || real.startsWith(root.endsWith(path.sep) ? root : root + path.sep)) return real
    throw new Refusal(problem('outside-root', file))
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

function readError(error: unknown, file: string): unknown {
  if (error instanceof Refusal || !codeOf(error)) return error
  return new Refusal(
    codeOf(error) === 'ENOENT'
      ? problem('not-found', file)
      : problem('not-readable', file, { reason: codeOf(error) }),
  )
}
