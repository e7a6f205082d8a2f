// Sees every read of a file in this thread: to count what is read twice, and to act at the moment a file is read.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/** `told` is called after each read with the bytes it brought; what it throws, the reader gets. Returns how to stop. */
export function watchReads(told: (file: string, bytes: number) => void): () => void {
  const { openSync, readSync } = fs
  const names = new Map<number, string>()
  const watched = {
    openSync: (...given: Parameters<typeof openSync>): number => {
      const fd = openSync(...given)
      names.set(fd, String(given[0]))
      return fd
    },
    readSync: (...given: unknown[]): number => {
      const bytes = Reflect.apply(readSync, fs, given) as number
      told(names.get(given[0] as number) ?? '', bytes)
      return bytes
    },
  }
  Object.assign(fs, watched)
  // Imports by name see the change only after this.
  syncBuiltinESMExports()
  return () => {
    Object.assign(fs, { openSync, readSync })
    syncBuiltinESMExports()
  }
}
