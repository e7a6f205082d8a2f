// Opens thousands of small files fast: folders are checked against the allowed roots once, files are neither resolved nor sized.
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs'
import path from 'node:path'
import type { Handle } from './files.ts'
import { problem, Refusal } from '../problem.ts'

export interface QuickFiles {
  /** Null when there is no such file. A short `read` is the end of the file or may be asked again. */
  open(file: string): Handle | null
}

export function quickFiles(roots: readonly string[]): QuickFiles {
  const folders = new Map<string, boolean>()
  const within = (real: string): boolean => roots.some(root => real === root || real.startsWith(root.endsWith(path.sep) ? root : root + path.sep))

  const allowed = (folder: string): boolean => {
    const known = folders.get(folder)
    if (known !== undefined) return known
    const answer = within(realpathSync(folder))
    folders.set(folder, answer)
    return answer
  }

  return {
    open(file) {
      try {
        if (!allowed(file.slice(0, Math.max(1, lastSeparator(file))))) throw new Refusal(problem('outside-root', file))
        return quickHandle(openUnlinked(file, within), file)
      } catch (error) {
        if (error instanceof Refusal) throw error
        const code = error instanceof Error && 'code' in error ? String(error.code) : ''
        if (code === 'ENOENT') return null
        throw code ? new Refusal(problem('not-readable', file, { reason: code })) : error
      }
    },
  }
}

/** `path.dirname` costs more than the read of a small header. */
const lastSeparator = (file: string): number => (path.sep === '/' ? file.lastIndexOf('/') : Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')))

function openUnlinked(file: string, within: (real: string) => boolean): number {
  try {
    return openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'ELOOP') throw error
  }
  const real = realpathSync(file)
  if (!within(real)) throw new Refusal(problem('outside-root', file))
  return openSync(real, 'r')
}

function quickHandle(fd: number, file: string): Handle {
  let size = -1
  return {
    get size() { return size < 0 ? (size = fstatSync(fd).size) : size },
    read(from, into) {
      try {
        return readSync(fd, into, 0, into.length, from)
      } catch (error) {
        throw new Refusal(problem('not-readable', file, { reason: error instanceof Error && 'code' in error ? String(error.code) : 'read' }))
      }
    },
    close: () => closeSync(fd),
  }
}
