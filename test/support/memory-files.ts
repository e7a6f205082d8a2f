// The Files port over texts or bytes by path: as if they were on a disk.
import type { Entry, Files } from '../../main/engine/io/files.ts'
import { problem, Refusal } from '../../main/engine/model/index.ts'

type MemoryContent = Readonly<Record<string, string | Uint8Array>> | ReadonlyMap<string, string | Uint8Array>

const encoder = new TextEncoder()
const below = (path: string, folder: string): boolean =>
  path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)

/**
 * Files by absolute path; folders are what the paths imply. `roots`: what may be read from the start;
 * everything, if not said.
 */
export function memoryFiles(content: MemoryContent, roots: readonly string[] = ['/']): Files {
  const found = content instanceof Map ? content : new Map(Object.entries(content))
  const allowed = new Set(roots)
  const bytesOf = (file: string): Uint8Array | undefined => {
    const there = found.get(file)
    return typeof there === 'string' ? encoder.encode(there) : there
  }
  const entryOf = (file: string): Entry | null => {
    const name = file.slice(file.lastIndexOf('/') + 1)
    const bytes = bytesOf(file)
    if (bytes) return { name, kind: 'file', size: bytes.length, modified: 0 }
    return [...found.keys()].some(path => below(path, file))
      ? { name, kind: 'folder', size: 0, modified: 0 }
      : null
  }
  /** As on a disk: what is not there is not found, whoever asks. */
  const reach = (file: string): Entry => {
    const entry = entryOf(file)
    if (!entry) throw new Refusal(problem('not-found', file))
    if (![...allowed].some(root => file === root || below(file, root)))
      throw new Refusal(problem('outside-root', file))
    return entry
  }

  return {
    allow(root) {
      if (entryOf(root)) allowed.add(root)
    },
    mount: () => Promise.resolve(null),
    roots: () => [...allowed].map(path => ({ path, real: path })),
    close() {},
    stat(file) {
      try {
        return reach(file)
      } catch (error) {
        if (error instanceof Refusal && error.problem.code === 'not-found') return null
        throw error
      }
    },
    list(folder) {
      if (reach(folder).kind !== 'folder')
        throw new Refusal(problem('not-readable', folder, { reason: 'ENOTDIR' }))
      const at = folder.endsWith('/') ? folder : `${folder}/`
      const names = new Set(
        [...found.keys()]
          .filter(path => below(path, folder))
          .map(path => path.slice(at.length).split('/')[0]),
      )
      return [...names].sort().map(name => reach(at + name))
    },
    names(folder) {
      return this.list(folder).map(({ name, kind }) => ({ name, kind }))
    },
    identity: () => '',
    real(path) {
      reach(path)
      return path
    },
    open(file) {
      if (reach(file).kind !== 'file') throw new Refusal(problem('not-a-file', file))
      const bytes = bytesOf(file) ?? new Uint8Array(0)
      return {
        size: bytes.length,
        read(from, into) {
          const part = bytes.subarray(from, from + into.length)
          into.set(part)
          return part.length
        },
        close() {},
      }
    },
    readAll(file, limit) {
      const handle = this.open(file)
      if (handle.size > limit) throw new Refusal(problem('too-large', file, { size: handle.size, limit }))
      const bytes = new Uint8Array(handle.size)
      return bytes.subarray(0, handle.read(0, bytes))
    },
  }
}
