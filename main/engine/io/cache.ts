// Files that may be thrown away at any time: written whole or not at all, the longest unused removed when
// there are too many.
import { createHash, randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'

export interface Cache {
  /** The bytes kept under a key, or null. */
  read(key: string): Uint8Array<ArrayBuffer> | null
  /** Keeps the parts, one after the other, under a key. A cache that cannot be written keeps nothing. */
  write(key: string, parts: AsyncIterable<Uint8Array>): Promise<void>
  drop(key: string): void
}

const suffix = '.plumbline-cache'

/** A cache in a folder of its own, of at most `limit` bytes. Only files that it made are ever removed. */
export function diskCache(folder: string, limit = 4 * 2 ** 30): Cache {
  const fileOf = (key: string): string =>
    path.join(folder, createHash('sha256').update(key).digest('hex').slice(0, 40) + suffix)

  const makeRoom = (): void => {
    const kept = readdirSync(folder)
      .filter(name => name.endsWith(suffix))
      .map(name => path.join(folder, name))
      .map(file => ({ file, at: statSync(file, { throwIfNoEntry: false }) }))
      .filter(({ at }) => at !== undefined)
      .sort((a, b) => (b.at?.mtimeMs ?? 0) - (a.at?.mtimeMs ?? 0))
    let size = 0
    for (const { file, at } of kept) {
      size += at?.size ?? 0
      if (size > limit) unlinkSync(file)
    }
  }

  return {
    read(key) {
      const file = fileOf(key)
      return quietly(() => {
        if (!existsSync(file)) return null
        const fd = openSync(file, 'r')
        try {
          // Not cleared first: every byte is read.
          const bytes = new Uint8Array(Buffer.allocUnsafeSlow(fstatSync(fd).size).buffer)
          let done = 0
          for (let n = 1; n > 0 && done < bytes.length; done += n)
            n = readSync(fd, bytes, done, bytes.length - done, done)
          // Its time says when it was used last.
          utimesSync(file, new Date(), new Date())
          return done === bytes.length ? bytes : null
        } finally {
          closeSync(fd)
        }
      })
    },
    async write(key, parts) {
      const file = fileOf(key)
      const part = `${file}.${randomBytes(6).toString('hex')}.part`
      const fd = quietly(() => {
        mkdirSync(folder, { recursive: true })
        return openSync(part, 'wx')
      })
      if (fd === null) return
      try {
        let whole = true
        for await (const bytes of parts) whole &&= quietly(() => writeAll(fd, bytes)) !== null
        if (whole) quietly(() => renameSync(part, file))
      } finally {
        closeSync(fd)
        quietly(() => {
          if (existsSync(part)) unlinkSync(part)
        })
      }
      quietly(makeRoom)
    },
    drop(key) {
      quietly(() => unlinkSync(fileOf(key)))
    },
  }
}

function writeAll(fd: number, bytes: Uint8Array): true {
  for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done)
  return true
}

/** Nobody waits for a cache: whatever the disk refuses is as if nothing had been kept. */
function quietly<T>(work: () => T | null): T | null {
  try {
    return work()
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null
    throw error
  }
}
