// Overflow records of a run in the order of their times, each with the operation that it speaks of, and its tensors.
import {
  type DumpFolder,
  type DumpRun,
  opDebugIds,
  type OpDebugIds,
  OpenTensor,
  overflowStatuses,
  rawNameOf,
  type RawName,
  rawReading,
  type RawTensor,
  readOpDebug,
  readRawHeader,
  rawTensors,
} from '../formats/index.ts'
import { type Files, join, quickFiles } from '../io/index.ts'
import { type OpDebugRecord, type OverflowStatus, type Problem, Refusal } from '../model/index.ts'
import type { Job } from '../work/index.ts'
import { halfLimit } from './metrics.ts'

/** A tensor of an operation that overflowed; numbers over what is finite. */
export interface OverflowTensor {
  readonly io: 'input' | 'output'
  readonly index: number
  readonly dtype: string
  readonly shape: readonly number[]
  readonly max: number
  readonly min: number
  readonly mean: number
  readonly nan: number
  readonly inf: number
  /** float16 at its largest number: chips of the first generation stop there instead of at infinity. */
  readonly saturated: boolean
}

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
  readonly tensors: readonly OverflowTensor[]
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
      tensors: dumped && found.length < looked ? await tensorsOf(rest.dump, rawTensors(dumped), ports) : [],
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

async function tensorsOf(
  file: string,
  tensors: readonly RawTensor[],
  { files, job }: Ports,
): Promise<readonly OverflowTensor[]> {
  const found: OverflowTensor[] = []
  for (const tensor of tensors) {
    const { range } = rawReading(file, tensor)
    if (range === null) continue
    const open = new OpenTensor(quickFiles(files.roots()), { file, part: range })
    try {
      found.push(await looked(open, tensor, job))
    } finally {
      open.close()
    }
  }
  return found
}

async function looked(open: OpenTensor, { io, index }: RawTensor, job: Job): Promise<OverflowTensor> {
  const { dtype, shape, size } = open.layout
  let [max, min, sum, nan, inf] = [-Infinity, Infinity, 0, 0, 0]
  for (let first = 0; first < size;) {
    const got = open.read(first, size - first)
    for (let i = 0; i < got; i++) {
      const x = open.values[i]
      if (Number.isNaN(x)) nan++
      else if (Math.abs(x) === Infinity) inf++
      else {
        if (x > max) max = x
        if (x < min) min = x
        sum += x
      }
    }
    first += got
    await job.breathe()
  }
  const finite = size - nan - inf
  return {
    io,
    index,
    dtype: dtype.name,
    shape,
    max: finite > 0 ? max : NaN,
    min: finite > 0 ? min : NaN,
    mean: sum / finite,
    nan,
    inf,
    saturated: dtype.name === 'float16' && Math.max(Math.abs(max), Math.abs(min)) >= halfLimit && finite > 0,
  }
}
