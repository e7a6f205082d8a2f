// Archives that are read in place: unpacked once, below their own paths as if each were a folder, and removed
// when nobody needs them any more.
import { existsSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import type { Job } from '../work/index.ts'
import type { Handle } from './files.ts'
import { type LeftOut, unpack } from './unpack.ts'
import { makeScratch, removeScratch } from './scratch.ts'

/** A tree that may be read, and how paths in it begin. Plain data: threads read on their own. */
export interface Root {
  readonly path: string
  /** Where it really lies: elsewhere than `path` where that is an archive. */
  readonly real: string
}

/** What somebody has of an archive until it is closed. */
export interface Mount {
  readonly archive: string
  readonly leftOut: LeftOut
  close(): void
}

interface Unpacked extends Root {
  /** The folder that goes with it; `real` may lie deeper. */
  readonly folder: string
  readonly stamp: string
  readonly leftOut: LeftOut
}

const archiveName = /\.(?:tar|tgz|tar\.gz|zip)$/i
/** So many that nobody uses are kept, for a side that comes back or a pair that is read again. */
const idleMost = 2

/** Where a path really lies. */
export function behind(roots: readonly Root[], file: string): string {
  for (const root of roots) if (root.real !== root.path && isIn(root, file)) return at(root, file)
  return file
}

const at = ({ path: from, real }: Root, file: string): string => real + file.slice(from.length)
const isIn = ({ path: from }: Root, file: string): boolean =>
  file.startsWith(from) && (file.length === from.length || /[\\/]/.test(file[from.length]))

export class Mounts {
  readonly #scratch: string
  readonly #unpacked = new Map<string, Unpacked>()
  readonly #users = new Map<string, number>()

  constructor(scratch: string) {
    this.#scratch = scratch
  }

  roots(): readonly Root[] {
    return [...this.#unpacked.values()].map(({ path, real }) => ({ path, real }))
  }

  /** When the archive that a path lies in was written; null where it lies in none. */
  modified(file: string): number | null {
    for (const root of this.#unpacked.values())
      if (isIn(root, file)) return existsSync(root.path) ? statSync(root.path).mtimeMs : 0
    return null
  }

  /** The archive that a path leads into; null where it leads into none. */
  archiveOf(file: string): string | null {
    for (let at = file; ; at = path.dirname(at)) {
      if (archiveName.test(at) && existsSync(at) && statSync(at).isFile()) return at
      if (existsSync(at) || path.dirname(at) === at) return null
    }
  }

  /** Unpacks an archive unless that was done, and it has not changed since. */
  async open(archive: string, handle: Handle, job: Job): Promise<Mount> {
    const stamp = stampOf(archive)
    if (this.#unpacked.get(archive)?.stamp !== stamp) {
      const made = await this.#unpack(archive, stamp, handle, job)
      const old = this.#unpacked.get(archive)
      this.#unpacked.set(archive, made)
      if (old) removeScratch(old.folder)
    }
    return this.#use(archive)
  }

  close(): void {
    for (const { folder } of this.#unpacked.values()) removeScratch(folder)
    this.#unpacked.clear()
  }

  #use(archive: string): Mount {
    this.#users.set(archive, (this.#users.get(archive) ?? 0) + 1)
    let open = true
    return {
      archive,
      leftOut: this.#unpacked.get(archive)?.leftOut ?? { count: 0, first: '' },
      close: () => {
        if (open) this.#leave(archive)
        open = false
      },
    }
  }

  #leave(archive: string): void {
    this.#users.set(archive, (this.#users.get(archive) ?? 0) - 1)
    const left = this.#unpacked.get(archive)
    // The one that was left last is the last to go.
    if (left && this.#unpacked.delete(archive)) this.#unpacked.set(archive, left)
    const idle = [...this.#unpacked].filter(([path]) => (this.#users.get(path) ?? 0) <= 0)
    for (const [path, { folder }] of idle.slice(0, -idleMost)) {
      this.#unpacked.delete(path)
      removeScratch(folder)
    }
  }

  async #unpack(archive: string, stamp: string, handle: Handle, job: Job): Promise<Unpacked> {
    const folder = makeScratch(this.#scratch)
    try {
      const leftOut = await unpack(handle, archive, folder, job)
      return { path: archive, real: contentsOf(folder), folder, stamp, leftOut }
    } catch (error) {
      removeScratch(folder)
      throw error
    }
  }
}

const stampOf = (archive: string): string => {
  const { size, mtimeMs, ino } = statSync(archive)
  return `${size} ${mtimeMs} ${ino}`
}

/** A lone folder at the top is the archive itself, unless its name says of which step or rank it is. */
function contentsOf(folder: string): string {
  const [only, more] = readdirSync(folder, { withFileTypes: true })
  return only?.isDirectory() && !more && !/^(?:step|rank|proc)\d*$/.test(only.name)
    ? contentsOf(path.join(folder, only.name))
    : folder
}
