// Opens a dump from the cache when it was opened before and has not changed since, and follows one that is
// still being written.
import { type Dump, problem } from '../../model/index.ts'
import { diskCache, type Files } from '../../io/index.ts'
import type { Job } from '../../work/index.ts'
import { packDump } from '../dump-pack.ts'
import { type DumpFiles, readDump } from './read.ts'

interface OpenOptions {
  /** Folder of the cache; '' or absent for none. */
  readonly cacheDir?: string
  /** Bytes that the cache may hold. */
  readonly cacheLimit?: number
  /** Smaller dumps are not kept: they are read as fast. */
  readonly cacheFrom?: number
  /** Gets what is there so far, at most ten times a second; not called when the dump comes from the cache. */
  readonly onPartial?: (dump: Dump) => void
}

/** Rises with every change of what a cached dump holds or means. */
const version = 3

/**
 * Reads a dump, from the cache if it can. A dump that changes while it is read is partial and is not kept.
 */
export async function openDump(
  files: Files,
  where: DumpFiles,
  job: Job,
  { cacheDir = '', cacheLimit, cacheFrom = 1 << 20, onPartial }: OpenOptions = {},
): Promise<Dump> {
  const key = stampOf(files, where)
  const cache = cacheDir !== '' && sizeOf(files, where) >= cacheFrom ? diskCache(cacheDir, cacheLimit) : null
  // Without a cache its code is not loaded: Arrow is larger than all else that a command needs.
  const stored = cache && (await import('./stored-dump.ts'))
  const kept = cache && stored?.storedDump(cache, key)
  if (kept) {
    job.report({
      what: 'job.reading',
      done: sizeOf(files, where),
      total: sizeOf(files, where),
      countedIn: 'bytes',
    })
    return remember(kept, where, key)
  }
  const dump = await readDump(files, where, job, onPartial)
  if (stampOf(files, where) !== key)
    return remember(
      { ...dump, partial: true, problems: [...dump.problems, problem('growing', where.dump, {}, 'note')] },
      where,
      key,
    )
  const packed = cache && !dump.partial ? packDump(dump) : null
  if (packed && stored) await cache?.write(key, stored.partsOf(packed, key, job))
  return remember(dump, where, key)
}

/**
 * The dump as its files are now: the same object when they have not changed. msprobe writes dump.json anew
 * from its first byte each time,
 * so that what was read before tells nothing about what is there now: it is read again.
 */
export function followDump(files: Files, dump: Dump, job: Job, options: OpenOptions = {}): Promise<Dump> {
  const known = opened.get(dump)
  if (!known || known.stamp === stampOf(files, known.where)) return Promise.resolve(dump)
  return openDump(files, known.where, job, options)
}

const opened = new WeakMap<Dump, { readonly where: DumpFiles; readonly stamp: string }>()
const remember = (dump: Dump, where: DumpFiles, stamp: string): Dump => {
  opened.set(dump, { where, stamp })
  return dump
}

/** Paths, sizes and times of the files that make a dump. */
const stampOf = (files: Files, where: DumpFiles): string =>
  JSON.stringify([
    version,
    where,
    ...[where.dump, where.stack, where.construct].map(file => {
      const at = file ? files.stat(file) : null
      return [file, at?.size ?? -1, at?.modified ?? 0]
    }),
  ])

const sizeOf = (files: Files, where: DumpFiles): number =>
  [where.dump, where.stack, where.construct].reduce(
    (sum, file) => sum + (file ? (files.stat(file)?.size ?? 0) : 0),
    0,
  )
