// Opens thousands of small files fast: folders are checked against the allowed roots once, files are neither
// resolved nor sized.
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs'
import path from 'node:path'
import { type Handle, isOnServerOf, isWithin } from './files.ts'
import { behind, type Root } from './mounts.ts'
import { problem, Refusal } from '../model/index.ts'
import { realPath } from './paths.ts'

export interface QuickFiles {
  /** Null when there is no such file. A short `read` is the end of the file or may be asked again. */
  open(file: string): Handle | null
}

export const equalBytes = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0

/** A pipe in a file's place would be waited for without end: it is opened without waiting, and refused. */
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** A folder as it is called in a path, and where it lies. */
interface Folder {
  readonly path: string
  /** '' where it may not be read. */
  readonly place: string
}

const nowhere: Folder = { path: '\0', place: '' }

export function quickFiles(roots: readonly Root[]): QuickFiles {
  const folders = new Map<string, Folder>()
  // Pairs go back and forth between two folders: the last two are known without a look-up.
  let last = nowhere
  let beforeLast = nowhere

  const folderOf = (file: string, cut: number): Folder => {
    const folder = file.slice(0, Math.max(1, cut))
    const known = folders.get(folder)
    if (known) return known
    const place = behind(roots, folder)
    const reachable = isOnServerOf(roots, place) && isWithin(roots, realPath(place))
    const found = { path: folder, place: reachable ? place : '' }
    folders.set(folder, found)
    return found
  }

  /** Where a file lies. */
  const placeOf = (file: string): string => {
    const cut = lastSeparator(file)
    if (cut !== last.path.length || !file.startsWith(last.path)) {
      const next =
        cut === beforeLast.path.length && file.startsWith(beforeLast.path) ? beforeLast : folderOf(file, cut)
      if (next.place === '') throw new Refusal(problem('outside-root', file))
      beforeLast = last
      last = next
    }
    return last.place === last.path ? file : last.place + file.slice(cut)
  }

  return {
    open(file) {
      try {
        const fd = openUnlinked(placeOf(file), file, roots)
        const stat = fstatSync(fd)
        if (stat.isFile()) return new QuickHandle(fd, file, stat.size)
        closeSync(fd)
        throw new Refusal(problem('not-a-file', file))
      } catch (error) {
        if (error instanceof Refusal) throw error
        const code = codeOf(error)
        if (code === 'ENOENT') return null
        throw code ? new Refusal(problem('not-readable', file, { reason: code })) : error
      }
    },
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

/** `path.dirname` costs more than the read of a small header. */
const lastSeparator = (file: string): number =>
  path.sep === '/' ? file.lastIndexOf('/') : Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\'))

function openUnlinked(place: string, file: string, roots: readonly Root[]): number {
  try {
    // Windows opens what a link leads to, whatever it is told.
    if (constants.O_NOFOLLOW !== undefined || !lstatSync(place).isSymbolicLink())
      return openSync(place, flags)
  } catch (error) {
    if (codeOf(error) !== 'ELOOP') throw error
  }
  const real = realPath(place)
  if (!isWithin(roots, real)) throw new Refusal(problem('outside-root', file))
  return openSync(real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
}

class QuickHandle implements Handle {
  readonly #fd: number
  readonly #file: string
  readonly size: number

  constructor(fd: number, file: string, size: number) {
    this.#fd = fd
    this.#file = file
    this.size = size
  }

  read(from: number, into: Uint8Array): number {
    try {
      return readSync(this.#fd, into, 0, into.length, from)
    } catch (error) {
      throw new Refusal(problem('not-readable', this.#file, { reason: codeOf(error) }))
    }
  }

  close(): void {
    closeSync(this.#fd)
  }
}
