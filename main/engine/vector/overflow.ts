// Overflow records of a run in the order of their times, each with the operation that it speaks of, and its tensors.
import {
  type DumpFolder,
  type DumpRun,
  opDebugIds,
  type OpDebugIds,
  overflowStatuses,
  rawNameOf,
  type RawName,
  readOpDebug,
  readRawHeader,
  rawTensors,
} from '../formats/index.ts'
import { type Files, join } from '../io/index.ts'
import { type OpDebugRecord, type OverflowStatus, type Problem, Refusal } from '../model/index.ts'
import type { Job } from '../work/index.ts'
import { type LookedTensor, tensorsLookedAt } from './looked.ts'

export interface Overflow {
  readonly file: string
  readonly task: number
  readonly stream: number
  /** Decimal text: microseconds. */
  readonly time: string
  readonly record: OpDebugRecord
  /** None where every status is 0, which some versions write. */
  readonly statuses: readonly OverflowStatus[]
  /** The operation; '' where none was dumped beside the record. */
  readonly op: string
  readonly type: string
  readonly dump: string
  readonly tensors: readonly LookedTensor[]
}

interface Ports {
  readonly files: Files
  readonly job: Job
  tell(problem: Problem): void
}

interface Named {
  readonly path: string
  readonly name: RawName
}

/** `nameOf`: an operation's name by its name in files. Tensors are looked at for the first `looked` records. */
export async function overflowsOf(
  run: DumpRun,
  { looked, nameOf }: { readonly looked: number; nameOf(file: string): string | undefined },
  ports: Ports,
): Promise<readonly Overflow[]> {
  const records = run.folders
    .flatMap(folder => namedIn(folder).map(file => ({ folder, file })))
    .filter(({ file }) => file.name.opDebug)
    .toSorted((a, b) => Number(a.file.name.time - b.file.name.time))
  const found: Overflow[] = []
  for (const { folder, file } of records) {
    await ports.job.breathe()
    const one = await overflowOf(file, folder, ports)
    if (!one) continue
    const { header, ...rest } = one
    const dumped = rest.dump === '' ? null : await headerAt(rest.dump, ports)
    const fileOp = header?.op ?? ''
    found.push({
      ...rest,
      op: dumped?.opName || (nameOf(fileOp) ?? fileOp),
      tensors:
        dumped && found.length < looked ? await tensorsLookedAt(rest.dump, rawTensors(dumped), ports) : [],
    })
  }
  return found
}

const namedIn = ({ path, files, renamed }: DumpFolder): readonly Named[] => {
  const real = new Map(renamed)
  return files.flatMap(file => {
    const name = rawNameOf(real.get(file) ?? file)
    return name && !name.summary ? [{ path: join(path, file), name }] : []
  })
}

type Joined = Omit<Overflow, 'op' | 'tensors'> & { readonly header: RawName | null }

async function overflowOf(file: Named, folder: DumpFolder, ports: Ports): Promise<Joined | null> {
  const record = await opened(file.path, ports, handle => readOpDebug(handle, file.path))
  if (!record) return null
  const dumps = namedIn(folder)
    .filter(({ name }) => !name.opDebug)
    .toSorted((a, b) => Number(a.name.time - b.name.time))
  const met = dumps.find(({ name }) => isOf(name, opDebugIds(record), file.name))
  return {
    file: file.path,
    task: file.name.task,
    stream: file.name.stream,
    time: String(file.name.time),
    record,
    statuses: overflowStatuses(record),
    type: met?.name.type ?? '',
    dump: met?.path ?? '',
    header: met?.name ?? null,
  }
}

/** What a record does not say, its own name does. */
function isOf(dump: RawName, ids: OpDebugIds, own: RawName): boolean {
  const { thread } = dump
  const alike = (told: number | null, is: number | undefined): boolean =>
    told === null || is === undefined || told === is
  return (
    dump.task === (ids.task ?? own.task) &&
    dump.stream === (ids.stream ?? own.stream) &&
    alike(ids.context, thread?.context) &&
    alike(ids.thread, thread?.thread)
  )
}

const headerAt = (path: string, ports: Ports) => opened(path, ports, handle => readRawHeader(handle, path))

/** Null of a file that cannot be read, which is told. */
async function opened<T>(
  path: string,
  { files, tell }: Ports,
  read: (handle: ReturnType<Files['open']>) => Promise<T>,
): Promise<T | null> {
  try {
    const handle = files.open(path)
    try {
      return await read(handle)
    } finally {
      handle.close()
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    tell({ ...error.problem, severity: 'warning' })
    return null
  }
}
