// Opens thousands of small files fast: folders are checked against the allowed roots once, files are neither
// resolved nor sized.
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs'
import path from 'node:path'
import type { Handle } from './files.ts'
import { problem, Refusal } from '../model/index.ts'

export interface QuickFiles {
  /** Null when there is no such file. A short `read` is the end of the file or may be asked again. */
  open(file: string): Handle | null
}

const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)

export function quickFiles(roots: readonly string[]): QuickFiles {
  const folders = new Map<string, boolean>()
  // Pairs go back and forth between two folders: the last two are known without a look-up.
  let last = ''
  let beforeLast = ''
  const within = (real: string): boolean =>
    roots.some(root => real === root || real.startsWith(root.endsWith(path.sep) ? root : root + path.sep))

  const check = (file: string): void => {
    const cut = lastSeparator(file)
    if (cut === last.length && file.startsWith(last)) return
    if (cut === beforeLast.length && file.startsWith(beforeLast)) {
      ;[last, beforeLast] = [beforeLast, last]
      return
    }
    const folder = file.slice(0, Math.max(1, cut))
    let fine = folders.get(folder)
    if (fine === undefined) {
      fine = within(realpathSync(folder))
      folders.set(folder, fine)
    }
    if (!fine) throw new Refusal(problem('outside-root', file))
    beforeLast = last
    last = folder
  }

  return {
    open(file) {
      try {
        check(file)
        return new QuickHandle(openUnlinked(file, within), file)
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

function openUnlinked(file: string, within: (real: string) => boolean): number {
  try {
    return openSync(file, flags)
  } catch (error) {
    if (codeOf(error) !== 'ELOOP') throw error
  }
  const real = realpathSync(file)
  if (!within(real)) throw new Refusal(problem('outside-root', file))
  return openSync(real, 'r')
}

class QuickHandle implements Handle {
  readonly #fd: number
  readonly #file: string
  #size = -1

  constructor(fd: number, file: string) {
    this.#fd = fd
    this.#file = file
  }

  get size(): number {
    return this.#size < 0 ? (this.#size = fstatSync(this.#fd).size) : this.#size
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
