// Hints of the system that something changes in folders. They may never come (network shares), so that whoever wants to
// know for sure looks by itself as well.
import { type FSWatcher, watch } from 'node:fs'

export interface Hints {
  /** The folders to hear of from now on; whether any of them was not heard of before. */
  on(folders: readonly string[]): boolean
  close(): void
}

/** More folders than this are looked at by the clock alone. */
const mostWatched = 256

/**
 * Windows watches a whole tree by one handle of its root; a handle of each folder would keep a run from renaming or
 * removing what lies above it.
 */
const oneWatchesAll = process.platform === 'win32'

export function watchFolders(hint: () => void): Hints {
  const watchers = new Map<string, FSWatcher | null>()
  const drop = (folder: string): void => {
    watchers.get(folder)?.close()
    watchers.delete(folder)
  }
  return {
    on(folders) {
      const wanted = new Set(folders.slice(0, oneWatchesAll ? 1 : mostWatched))
      for (const folder of watchers.keys()) if (!wanted.has(folder)) drop(folder)
      const fresh = [...wanted].filter(folder => !watchers.has(folder))
      for (const folder of fresh) watchers.set(folder, open(folder, hint, drop))
      return fresh.length > 0
    },
    close() {
      for (const folder of watchers.keys()) drop(folder)
    },
  }
}

/** Null where the system cannot watch this folder. */
function open(folder: string, hint: () => void, drop: (folder: string) => void): FSWatcher | null {
  try {
    const watcher = watch(folder, { persistent: false, recursive: oneWatchesAll }, hint)
    watcher.on('error', () => {
      drop(folder)
      hint()
    })
    return watcher
  } catch {
    return null
  }
}
