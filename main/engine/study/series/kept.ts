// What was read of many values is kept between openings, by what the files look like: a database that is asked and never
// written to, and beside it names, what was found, and what was said.
import { type Files, join, keptFolders, type KeptFolders, seenIn } from '../../io/index.ts'
import type { Problem } from '../../model/index.ts'
import { metricFrom, SeriesStore, type StoredMetric, storedMetric } from '../../series/index.ts'
import { Cancelled, type Job } from '../../work/index.ts'
import type { NamedMetric, SeriesData } from './data.ts'

/** Rises with every change of what is kept or what it means. */
const version = 1
/** Fewer bytes are read as fast. */
const leastBytes = 16 << 20
/** Of more files nobody asks how they look. */
const mostFiles = 500_000
/** Numbers besides those in the database. */
const mostNumbers = 4 << 20

/** Where values are kept. */
export interface Kept {
  readonly folders: KeptFolders
  readonly least: number
  /** What is there is not taken, but made anew. */
  readonly fresh: boolean
}

/** `cacheDir`: '' keeps nothing. */
export const keptSeries = (cacheDir: string, fresh: boolean, least = leastBytes): Kept | null =>
  cacheDir === '' ? null : { folders: keptFolders(join(cacheDir, 'series')), least, fresh }

/** How files look from outside. */
export interface Stamped {
  readonly names: readonly unknown[]
  readonly stamp: string
  readonly bytes: number
}

export interface Keeping {
  readonly room: string
  find(): Promise<{ readonly data: SeriesData; readonly problems: readonly Problem[] } | null>
  /** The same data, from where it is kept now. */
  keep(data: SeriesData, store: SeriesStore, problems: readonly Problem[]): Promise<SeriesData>
}

/** What is said of a database: JSON. */
interface About {
  readonly readAt: number
  readonly problems: readonly Problem[]
  readonly metrics: readonly (Omit<NamedMetric, 'values'> & { readonly values: StoredMetric })[]
  readonly runs: SeriesData['runs']
  readonly tags: readonly (readonly [string, readonly (readonly [string, readonly string[]])[]])[]
  readonly similarities: readonly {
    readonly rank: number
    readonly steps: readonly number[]
    readonly params: readonly string[]
    readonly equal: readonly number[]
    readonly size: readonly number[]
    readonly above: readonly number[]
  }[]
}

/** Null where it is not worth it, or not possible. `asked`: on what else the values rest. */
export async function keepingOf(
  { folders, least, fresh }: Kept,
  asked: readonly unknown[],
  look: (job: Job) => Promise<Stamped | null>,
  job: Job,
): Promise<Keeping | null> {
  const before = await look(job)
  if (!before || before.bytes < least) return null
  const key = JSON.stringify([version, asked, before.names, before.stamp])
  return {
    room: folders.room,
    async find() {
      const found = fresh ? null : folders.find(key)
      if (!found) return null
      try {
        const about = JSON.parse(found.about) as About
        const store = await SeriesStore.ask(found.folder, folders.room, false)
        return { data: dataFrom(about, store), problems: about.problems }
      } catch (error) {
        if (error instanceof Cancelled) throw error
        // What cannot be opened is made anew.
        folders.drop(key)
        return null
      }
    },
    async keep(data, store, problems) {
      const numbers = data.similarities.reduce((sum, { equal }) => sum + equal.length * 3, 0)
      // Of files that have changed meanwhile nobody knows what was read.
      if (data.metrics.length === 0 || numbers > mostNumbers || (await look(job))?.stamp !== before.stamp)
        return data
      if (fresh) folders.drop(key)
      const folder = await store.handOver()
      const about = aboutOf(data, problems)
      const kept = folders.keep(key, folder, JSON.stringify(about))
      const asking = await SeriesStore.ask(kept?.folder ?? folder, folders.room, kept === null)
      return { ...dataFrom(about, asking), ...readNow(data) }
    },
  }
}

const readNow = ({ holds, pattern }: SeriesData): Pick<SeriesData, 'holds' | 'pattern' | 'readAt'> => ({
  holds,
  pattern,
  readAt: null,
})

const aboutOf = ({ metrics, runs, tags, similarities }: SeriesData, problems: readonly Problem[]): About => ({
  readAt: Date.now(),
  problems,
  metrics: metrics.map(({ values, ...metric }) => ({ ...metric, values: storedMetric(values) })),
  runs,
  tags: [...tags].map(([metric, found]) => [metric, [...found]]),
  similarities: similarities.map(({ equal, size, above, ...rest }) => ({
    ...rest,
    equal: [...equal],
    size: [...size],
    above: [...above],
  })),
})

const dataFrom = (about: About, store: SeriesStore): SeriesData => ({
  holds: 'dumps',
  pattern: '',
  readAt: about.readAt,
  metrics: about.metrics.map(({ values, ...metric }) => ({ ...metric, values: metricFrom(store, values) })),
  runs: about.runs,
  settings: null,
  tags: new Map(about.tags.map(([metric, found]) => [metric, new Map(found)])),
  similarities: about.similarities.map(({ equal, size, above, ...rest }) => ({
    ...rest,
    equal: Float64Array.from(equal),
    size: Float64Array.from(size),
    above: Float64Array.from(above),
  })),
  close: () => store.close(),
})

/** All files below these, with sizes and times; null where there are too many. */
export async function filesBelow(
  roots: readonly string[],
  { files, job }: { readonly files: Files; readonly job: Job },
): Promise<Stamped | null> {
  const stamps: string[] = []
  let bytes = 0
  const walk = async (folder: string): Promise<boolean> => {
    await job.breathe()
    for (const { name, kind, size, modified } of seenIn(files, folder)) {
      if (stamps.length > mostFiles) return false
      if (kind === 'folder' && !(await walk(join(folder, name)))) return false
      if (kind !== 'file') continue
      stamps.push(`${join(folder, name)} ${size} ${modified}`)
      bytes += size
    }
    return true
  }
  for (const root of roots) {
    const at = files.stat(root)
    if (at?.kind === 'file') {
      stamps.push(`${root} ${at.size} ${at.modified}`)
      bytes += at.size
    } else if (!(await walk(root))) return null
  }
  return { names: roots, stamp: stamps.sort().join('\n'), bytes }
}
