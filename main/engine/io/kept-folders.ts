// Folders that may be thrown away at any time: put there whole or not at all, never changed afterwards, the longest
// unused removed when they take too much or nobody has asked for them for long.
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { makeScratch, removeScratch } from './scratch.ts'

export interface KeptFolder {
  readonly folder: string
  /** What was said of it when it was put there. */
  readonly about: string
}

export interface KeptFolders {
  /** Where a folder must lie that is to be kept. */
  readonly room: string
  /** Null where nothing, or not all of it, is there. */
  find(key: string): KeptFolder | null
  /** Moves a folder there; where another process was faster, its folder is taken and this one removed. Null: it cannot be kept. */
  keep(key: string, folder: string, about: string): KeptFolder | null
  drop(key: string): void
}

const suffix = '.plumbline-kept'
const aboutName = 'about.json'
const longMs = 60 * 24 * 60 * 60_000

const growing = '.plumbline-growing'

/** A folder that is written into piece by piece, by whoever has the key; null where there can be none. The longest unused go. */
export function growingFolder(room: string, key: string, limit = 12 * 2 ** 30): string | null {
  const folder = path.join(room, nameOf(key) + growing)
  return quietly(() => {
    mkdirSync(folder, { recursive: true })
    utimesSync(folder, new Date(), new Date())
    sweep(room, { suffix: growing, besides: folder, limit, bytesOf: allBytesIn, remove: removeIn(room) })
    return folder
  })
}

interface Sweeping {
  readonly suffix: string
  readonly besides: string
  readonly limit: number
  bytesOf(folder: string): number
  remove(folder: string): void
}

const nameOf = (key: string): string => createHash('sha256').update(key).digest('hex').slice(0, 40)

function sweep(room: string, { suffix: ending, besides, limit, bytesOf, remove }: Sweeping): void {
  const kept = readdirSync(room)
    .filter(name => name.endsWith(ending))
    .map(name => path.join(room, name))
    .map(folder => ({ folder, at: statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.at - a.at)
  let size = 0
  for (const { folder, at } of kept) {
    size += bytesOf(folder)
    if (folder !== besides && (size > limit || Date.now() - at > longMs)) remove(folder)
  }
}

/** Whole or not at all: a folder that somebody reads cannot be moved everywhere, and stays. */
const removeIn =
  (room: string) =>
  (folder: string): void =>
    void quietly(() => {
      if (!existsSync(folder)) return null
      const away = makeScratch(room)
      try {
        renameSync(folder, path.join(away, 'gone'))
      } finally {
        removeScratch(away)
      }
      return true
    })

export function keptFolders(room: string, limit = 12 * 2 ** 30): KeptFolders {
  const folderOf = (key: string): string => path.join(room, nameOf(key) + suffix)

  const find = (key: string): KeptFolder | null =>
    quietly(() => {
      const folder = folderOf(key)
      const about = path.join(folder, aboutName)
      if (!existsSync(about)) return null
      const { bytes, said } = aboutIn(readFileSync(about, 'utf8'))
      if (bytes !== bytesIn(folder)) return null
      // Its time says when it was used last.
      utimesSync(folder, new Date(), new Date())
      return { folder, about: said }
    })

  const remove = removeIn(room)
  const makeRoom = (besides: string): void =>
    sweep(room, { suffix, besides, limit, bytesOf: bytesIn, remove })

  return {
    room,
    find,
    keep(key, folder, said) {
      const kept = quietly(() => {
        writeFileSync(path.join(folder, aboutName), JSON.stringify({ bytes: bytesIn(folder), said }))
        const there = find(key)
        if (!there) {
          remove(folderOf(key))
          renameSync(folder, folderOf(key))
          return { folder: folderOf(key), about: said }
        }
        removeScratch(folder)
        return there
      })
      if (kept) quietly(() => makeRoom(kept.folder))
      return kept
    },
    drop: key => remove(folderOf(key)),
  }
}

/** Of everything but what is said of it. */
const bytesIn = (folder: string): number =>
  readdirSync(folder)
    .filter(name => name !== aboutName)
    .reduce((sum, name) => sum + statSync(path.join(folder, name)).size, 0)

const allBytesIn = (folder: string): number =>
  readdirSync(folder, { recursive: true }).reduce(
    (sum, name) => sum + (statSync(path.join(folder, String(name)), { throwIfNoEntry: false })?.size ?? 0),
    0,
  )

function aboutIn(text: string): { readonly bytes: number; readonly said: string } {
  const read: unknown = quietly(() => JSON.parse(text) as unknown)
  const { bytes, said } = { bytes: -1, said: '', ...(typeof read === 'object' ? read : {}) }
  return { bytes: Number(bytes), said: String(said) }
}

/** Nobody waits for what may be thrown away: whatever the disk refuses is as if nothing had been kept. */
function quietly<T>(work: () => T | null): T | null {
  try {
    return work()
  } catch (error) {
    if (error instanceof SyntaxError || (error instanceof Error && 'code' in error)) return null
    throw error
  }
}
