// Opens a dump from the cache when it was opened before and has not changed since, and follows one that is
// still being written.
import { type Dump, problem, Refusal } from '../../model/index.ts'
import { baseOf, dirOf, diskCache, type Files, seenAt } from '../../io/index.ts'
import type { Job, Pool } from '../../work/index.ts'
import { packDump } from '../dump-pack.ts'
import { type DumpFiles, dumpFilesOf, laterThan, readDump } from './read.ts'
import { readBeside } from './read-beside.ts'

interface OpenOptions {
  /** Folder of the cache; '' or absent for none. */
  readonly cacheDir?: string
  /** Bytes that the cache may hold. */
  readonly cacheLimit?: number
  /** Smaller dumps are not kept: they are read as fast. */
  readonly cacheFrom?: number
  /** Gets what is there so far, at most ten times a second; not called when the dump comes from the cache. */
  readonly onPartial?: (dump: Dump) => void
  /** Where a large dump is read. */
  readonly threads?: Pick<Pool, 'run'> | null
  /** With calls that only tensor files tell of: somebody looks while it is being dumped. */
  readonly provisional?: boolean
}

/** Starting a thread takes as long as reading so many bytes. */
const besideFrom = 16 << 20

/** Rises with every change of what a cached dump holds or means. */
const version = 3

/**
 * Reads a dump, from the cache if it can. A dump that changes while it is read is partial and is not kept.
 */
export async function openDump(
  files: Files,
  where: DumpFiles,
  job: Job,
  {
    cacheDir = '',
    cacheLimit,
    cacheFrom = 1 << 20,
    threads = null,
    onPartial,
    provisional = false,
  }: OpenOptions = {},
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
    return remember(amongRanks(files, kept), where, key)
  }
  const large = sizeOf(files, where) >= besideFrom
  const dump = amongRanks(
    files,
    threads && large
      ? await readBeside(threads, files, { where, provisional }, job, onPartial)
      : await readDump(files, where, job, onPartial, provisional),
  )
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
export async function followDump(
  files: Files,
  dump: Dump,
  job: Job,
  options: OpenOptions = {},
): Promise<Dump> {
  const known = opened.get(dump)
  if (!known) return dump
  const where = { ...known.where, ...laterFiles(files, known.where) }
  if (known.stamp === stampOf(files, where)) return dump
  const now = await openDump(files, where, job, options)
  return isCut(now) && toldOps(now) <= toldOps(dump) ? dump : now
}

/** Files that a run writes only after a while. */
function laterFiles(files: Files, where: DumpFiles): Partial<DumpFiles> {
  const there = dumpFilesOf(files, where.dir)
  return {
    stack: where.stack || there.stack,
    construct: where.construct || there.construct,
    tensors: where.tensors || there.tensors,
  }
}

/** What was read whole is not given up for a part of no more: a file shrinks whenever it is written anew. */
const isCut = ({ problems, file }: Dump): boolean =>
  problems.some(
    ({ code, path }) =>
      path === file && (code === 'json-truncated' || code === 'json-broken' || code === 'growing'),
  )

const toldOps = ({ provisionalFrom, ops }: Dump): number => provisionalFrom ?? ops.length

const opened = new WeakMap<Dump, { readonly where: DumpFiles; readonly stamp: string }>()
const remember = (dump: Dump, where: DumpFiles, stamp: string): Dump => {
  opened.set(dump, { where, stamp })
  return dump
}

const rankFolder = /^(?:rank|proc)\d*$/

/** How many ranks its step has, where it lies in a folder of one that was opened with the others. */
function amongRanks(files: Files, dump: Dump): Dump {
  if (!rankFolder.test(baseOf(dump.dir))) return dump
  try {
    const ranks = files.names(dirOf(dump.dir)).filter(({ name }) => rankFolder.test(name)).length
    return { ...dump, header: { ...dump.header, ranks } }
  } catch (error) {
    // What lies beside a single folder that was opened is none of ours.
    if (error instanceof Refusal) return dump
    throw error
  }
}

/** Paths, sizes and times of the files that make a dump. */
const stampOf = (files: Files, where: DumpFiles): string =>
  JSON.stringify([
    version,
    where,
    // Tensor files that dump.json cannot tell of yet.
    where.tensors !== '' && laterThan(files, where.tensors, where.dump)
      ? seenAt(files, where.tensors)?.modified
      : 0,
    ...[where.dump, where.stack, where.construct].map(file => {
      const at = seenAt(files, file)
      return [file, at?.size ?? -1, at?.modified ?? 0]
    }),
  ])

const sizeOf = (files: Files, where: DumpFiles): number =>
  [where.dump, where.stack, where.construct].reduce((sum, file) => sum + (seenAt(files, file)?.size ?? 0), 0)
