// Many raw dump files as files of other tools, in threads: which ones there are, and what came of them.
import {
  baseOf,
  dirOf,
  type Files,
  join,
  openOutput,
  openStage,
  type Output,
  type QuickFiles,
  quickFiles,
  type Root,
} from '../../io/index.ts'
import { problem, type Problem, Refusal } from '../../model/index.ts'
import { job, type Job, type Pool, type TaskContext } from '../../work/index.ts'
import { longNames } from '../tensorflow/names.ts'
import { rawNameOf } from './names.ts'
import { type SavedFile, saveRaw, type SaveSettings } from './save.ts'

/** A raw file that shall be saved. */
interface RawFile {
  readonly file: string
  /** What it was called before its name was found too long. */
  readonly name: string
  /** Below the output folder, as below the folder that was given. */
  readonly below: string
}

export interface RawFiles {
  readonly files: readonly RawFile[]
  /** A folder was given: what cannot be saved is listed beside what can. */
  readonly inFolder: boolean
}

/** Rank, device, graph, model, step … : deeper is no dump. */
const deepest = 12
const longestMapping = 64 << 20

/** Raw files by what was given: files, and folders with all that lies in them. */
export async function rawFilesIn(files: Files, given: readonly string[], work: Job): Promise<RawFiles> {
  const found: RawFile[] = []
  let inFolder = false
  for (const path of given) {
    const at = files.stat(path)
    if (!at) throw new Refusal(problem('not-found', path))
    const isFolder = at.kind === 'folder' || (at.kind === 'link' && isFolderBehind(files, path))
    if (isFolder) {
      inFolder = true
      const before = found.length
      for await (const one of filesBelow(files, { folder: path, below: '', depth: 0 }, work)) found.push(one)
      if (found.length === before) throw new Refusal(problem('raw-none', path))
    } else {
      const name = baseOf(path)
      found.push({ file: path, name: longNamesIn(files, dirOf(path)).get(name) ?? name, below: '' })
    }
  }
  return { files: found, inFolder }
}

function isFolderBehind(files: Files, path: string): boolean {
  try {
    files.list(path)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

/** Names that were too long for the disk, by what they became. */
function longNamesIn(files: Files, folder: string): ReadonlyMap<string, string> {
  const list = join(folder, 'mapping.csv')
  return files.stat(list)?.kind === 'file'
    ? longNames(new TextDecoder().decode(files.readAll(list, longestMapping)))
    : new Map()
}

async function* filesBelow(
  files: Files,
  { folder, below, depth }: { readonly folder: string; readonly below: string; readonly depth: number },
  work: Job,
): AsyncGenerator<RawFile> {
  await work.breathe()
  const entries = files.names(folder)
  const long = longNamesIn(files, folder)
  for (const { name, kind } of entries) {
    const told = long.get(name) ?? name
    const parts = rawNameOf(told)
    if (kind !== 'folder' && parts && !parts.summary) yield { file: join(folder, name), name: told, below }
  }
  if (depth < deepest)
    for (const { name, kind } of entries)
      if (kind === 'folder')
        yield* filesBelow(
          files,
          { folder: join(folder, name), below: join(below, name), depth: depth + 1 },
          work,
        )
}

export interface ParseOrder {
  readonly files: readonly RawFile[]
  readonly folder: string
  readonly settings: SaveSettings
}

/** Files that a thread takes at once: enough that asking costs nothing, few enough that all are busy. */
const perTask = 32
/** So long everything is done where it was asked for; threads then begin where the rest will take longer than starting them. */
const aloneMs = 200
const worthThreadsMs = 800

/**
 * Saves all of them, in the order given; what takes longer, in threads. A file that cannot be read costs itself only. Arrays
 * have their names once all are whole, or no more are wanted.
 */
export async function parseRaws(
  pool: Pick<Pool, 'run' | 'size'>,
  roots: readonly Root[],
  order: ParseOrder,
  work: Job,
): Promise<readonly SavedFile[]> {
  const { files } = order
  let done = 0
  const tell = (): void =>
    work.report({ what: 'job.writing', done: ++done, total: files.length, countedIn: 'files' })
  const stage = openStage(order.folder)
  const into = { ...order, folder: stage.folder }
  const parts: PromiseSettledResult<SavedFile[]>[] = []
  const begun = performance.now()
  const alone = (done: number): boolean => {
    const took = performance.now() - begun
    return took < aloneMs || (took / done) * (files.length - done) < worthThreadsMs
  }
  parts.push(...(await Promise.allSettled([saveFiles(roots, into, { work, tell, goesOn: alone })])))
  const rest = files.slice(done)
  if (parts[0].status === 'fulfilled' && rest.length > 0) {
    const size = Math.min(perTask, Math.ceil(rest.length / pool.size))
    const tasks = Array.from({ length: Math.ceil(rest.length / size) }, (_, i) => {
      const part = { ...into, files: rest.slice(i * size, (i + 1) * size) }
      return pool.run<SavedFile[]>('parseRaw', { roots, order: part }, { signal: work.signal, tell })
    })
    parts.push(...(await Promise.allSettled(tasks)))
  }
  const placed = stage.commit()
  return parts.flatMap(part => {
    if (part.status === 'rejected') throw part.reason
    return part.value.map(one => ({ ...one, written: one.written.map(placed) }))
  })
}

/** What a thread does of it. */
export const parseTask = (
  { roots, order }: { readonly roots: readonly Root[]; readonly order: ParseOrder },
  { signal, tell }: TaskContext,
): Promise<SavedFile[]> =>
  saveFiles(roots, order, { work: job(signal), tell: () => tell(1), goesOn: () => true })

interface SavePorts {
  readonly work: Job
  tell(): void
  /** Whether another file shall be begun, after so many. */
  goesOn(done: number): boolean
}

async function saveFiles(
  roots: readonly Root[],
  { files: asked, folder, settings }: ParseOrder,
  { work, tell, goesOn }: SavePorts,
): Promise<SavedFile[]> {
  const files = quickFiles(roots)
  const outputs = new Map<string, Output>()
  const saved: SavedFile[] = []
  try {
    for (const { file, name, below } of asked) {
      if (!goesOn(saved.length)) break
      await work.breathe()
      // What is decoded can be decoded again: nobody waits for the disk.
      const output = outputs.get(below) ?? openOutput(join(folder, below), [], true, true)
      outputs.set(below, output)
      const one = await saveOne(files, file, { name, output, settings }, work)
      // What was begun of a file that failed is gone, with folders that were made for it.
      if (one.failed) outputs.delete(below)
      saved.push(one)
      tell()
    }
    return saved
  } finally {
    for (const output of outputs.values()) output.abandon()
  }
}

async function saveOne(
  files: QuickFiles,
  file: string,
  how: Parameters<typeof saveRaw>[2],
  work: Job,
): Promise<SavedFile> {
  try {
    const source = files.open(file)
    if (!source) throw new Refusal(problem('not-found', file))
    try {
      return await saveRaw(source, file, how, work)
    } finally {
      source.close()
    }
  } catch (error) {
    // Where nothing can be written the other files fare no better.
    if (!(error instanceof Refusal) || error.problem.code.startsWith('output-')) throw error
    return { file, tensors: [], written: [], renamed: [], problems: [error.problem], failed: true }
  }
}

/** The lists that stand beside the saved files: names that were too long, and files that could not be read. */
export function writeLists(
  folder: string,
  saved: readonly SavedFile[],
  { inFolder }: RawFiles,
): readonly string[] {
  const renamed = saved.flatMap(one => one.renamed)
  const failed = inFolder ? saved.filter(one => one.failed) : []
  if (renamed.length + failed.length === 0) return []
  const output = openOutput(folder, [], true)
  const write = (name: string, lines: readonly string[]): void => {
    if (lines.length === 0) return
    const sink = output.create(name)
    sink.write(new TextEncoder().encode(lines.map(line => `${line}\n`).join('')))
    sink.close()
  }
  try {
    write(
      'mapping.csv',
      renamed.map(([short, long]) => `${short},${long}`),
    )
    write(
      'convert_failed_file_list.txt',
      failed.map(({ file }) => file),
    )
    return output.commit()
  } finally {
    output.abandon()
  }
}

/** What stands in the way of files that were saved in part or not at all. */
export const failuresOf = (saved: readonly SavedFile[]): readonly Problem[] =>
  saved
    .filter(({ failed }) => failed)
    .flatMap(({ problems }) => problems.filter(({ severity }) => severity === 'error'))
