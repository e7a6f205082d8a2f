// A large dump read in a thread: this one stays free, and both sides are read at the same time. The columns are
// shared, so that nothing is copied.
import { type Files, filesWithin, type Root } from '../../io/index.ts'
import type { Dump } from '../../model/index.ts'
import { type Job, job as newJob, type Pool, type Progress, type TaskContext } from '../../work/index.ts'
import { packDump, type PackedDump, unpackDump } from '../dump-pack.ts'
import { type DumpFiles, readDump } from './read.ts'

interface Wanted {
  readonly where: DumpFiles
  readonly provisional: boolean
}

export interface ReadOrder extends Wanted {
  readonly roots: readonly Root[]
  /** Somebody wants what is there before the end. */
  readonly partial: boolean
}

type Told = { readonly progress: Progress } | { readonly part: PackedDump }

export async function readBeside(
  threads: Pick<Pool, 'run'>,
  files: Files,
  wanted: Wanted,
  job: Job,
  onPartial?: (dump: Dump) => void,
): Promise<Dump> {
  const order: ReadOrder = { ...wanted, roots: files.roots(), partial: onPartial !== undefined }
  const tell = (told: Told): void => {
    if ('progress' in told) job.report(told.progress)
    else onPartial?.(unpackDump(told.part))
  }
  const packed = await threads.run<PackedDump>('readDump', order, {
    signal: job.signal,
    tell: message => tell(message as Told),
  })
  return unpackDump(packed)
}

export async function readTask(
  { where, provisional, roots, partial }: ReadOrder,
  { signal, tell }: TaskContext,
): Promise<PackedDump> {
  const say = (told: Told): void => tell(told)
  const job = newJob(signal, progress => say({ progress }))
  const onPartial = (dump: Dump): void => say({ part: packed(dump) })
  return packed(await readDump(filesWithin(roots), where, job, partial ? onPartial : undefined, provisional))
}

function packed(dump: Dump): PackedDump {
  const columns = packDump(dump)
  if (!columns) throw new TypeError('a dump of files is made of columns')
  return columns
}
