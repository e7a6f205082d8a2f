// The Files port over a map of texts or bytes.
import type { Entry, Files } from '../../main/engine/io/files.ts'
import { problem, Refusal } from '../../main/engine/problem.ts'

const encoder = new TextEncoder()

export function memoryFiles(content: Readonly<Record<string, string | Uint8Array>>): Files {
  const bytesOf = (file: string): Uint8Array | undefined => {
    const found = content[file]
    return typeof found === 'string' ? encoder.encode(found) : found
  }
  const entry = (name: string, kind: Entry['kind'], size: number): Entry => ({ name, kind, size, modified: 0 })
  const files: Files = {
    allow() {},
    roots: () => ['/'],
    stat(file) {
      const bytes = bytesOf(file)
      const name = file.slice(file.lastIndexOf('/') + 1)
      if (bytes) return entry(name, 'file', bytes.length)
      return Object.keys(content).some(key => key.startsWith(`${file}/`)) ? entry(name, 'folder', 0) : null
    },
    list(folder) {
      const below = Object.keys(content).filter(key => key.startsWith(`${folder}/`)).map(key => key.slice(folder.length + 1))
      const names = [...new Set(below.map(key => key.split('/')[0] ?? ''))].sort()
      return names.map(name => (below.includes(name) ? entry(name, 'file', bytesOf(`${folder}/${name}`)?.length ?? 0) : entry(name, 'folder', 0)))
    },
    open(file) {
      const bytes = bytesOf(file)
      if (!bytes) throw new Refusal(problem('not-found', file))
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
      const bytes = bytesOf(file)
      if (!bytes) throw new Refusal(problem('not-found', file))
      if (bytes.length > limit) throw new Refusal(problem('too-large', file))
      return bytes
    },
  }
  return files
}
