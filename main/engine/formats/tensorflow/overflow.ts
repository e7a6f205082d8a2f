// Overflow records of a run, each with the op that it speaks of.
import { type Files, join } from '../../io/index.ts'
import { type Overflowed, type Problem, Refusal } from '../../model/index.ts'
import type { Job } from '../../work/index.ts'
import {
  opDebugIds,
  type OpDebugIds,
  overflowStatuses,
  rawNameOf,
  readOpDebug,
  readRawHeader,
} from '../npu/index.ts'
import type { NamedFiles } from './reference.ts'

export interface Overflows {
  /** In the order in which they happened. */
  readonly all: readonly Overflowed[]
  readonly problems: readonly Problem[]
}

interface Named {
  readonly file: string
  readonly said: NonNullable<ReturnType<typeof rawNameOf>>
}

/** Records point at dumps in their own folder. A file that cannot be read costs itself only. */
export async function readOverflows(
  files: Files,
  folders: readonly NamedFiles[],
  job: Job,
): Promise<Overflows> {
  const found: { readonly time: bigint; readonly one: Overflowed }[] = []
  const problems: Problem[] = []
  for (const { path, files: named } of folders) {
    const all = named.flatMap(([file, name]): readonly Named[] => {
      const said = rawNameOf(name)
      return said && !said.summary ? [{ file, said }] : []
    })
    const dumps = all.filter(({ said }) => !said.opDebug).sort(byTime)
    for (const record of all.filter(({ said }) => said.opDebug)) {
      await job.breathe()
      try {
        found.push({ time: record.said.time, one: await overflowOf(files, path, record, dumps) })
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        problems.push({ ...error.problem, severity: 'warning' })
      }
    }
  }
  return { all: found.sort((a, b) => Number(a.time - b.time)).map(({ one }) => one), problems }
}

const byTime = (a: Named, b: Named): number => Number(a.said.time - b.said.time)

async function overflowOf(
  files: Files,
  folder: string,
  { file, said }: Named,
  dumps: readonly Named[],
): Promise<Overflowed> {
  const path = join(folder, file)
  const record = await reading(files, path, readOpDebug)
  const ids = opDebugIds(record)
  const task = ids.task ?? said.task
  const stream = ids.stream ?? said.stream
  const dump = dumps.find(
    ({ said: of }) => of.task === task && of.stream === stream && isOfThread(of.thread, ids),
  )
  return {
    time: String(said.time),
    task,
    stream,
    op: dump ? await nameOf(files, join(folder, dump.file), dump.said.op) : '',
    type: dump?.said.type ?? '',
    statuses: overflowStatuses(record),
  }
}

/** Only names of nine parts tell them. */
const isOfThread = (of: Named['said']['thread'], { context, thread }: OpDebugIds): boolean =>
  of === null || ((context === null || context === of.context) && (thread === null || thread === of.thread))

/** The header knows the slashes. */
const nameOf = async (files: Files, path: string, otherwise: string): Promise<string> =>
  (await reading(files, path, readRawHeader)).opName || otherwise

async function reading<T>(
  files: Files,
  path: string,
  read: (handle: ReturnType<Files['open']>, path: string) => Promise<T>,
): Promise<T> {
  const handle = files.open(path)
  try {
    return await read(handle, path)
  } finally {
    handle.close()
  }
}
