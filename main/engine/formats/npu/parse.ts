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
  seenAt,
  type Stage,
} from '../../io/index.ts'
import { problem, type Problem, Refusal } from '../../model/index.ts'
import { Cancelled, job, type Job, type Pool, type TaskContext } from '../../work/index.ts'
import { isShortened, longNames } from '../tensorflow/names.ts'
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
  readonly problems: readonly Problem[]
}

/** Rank, device, graph, model, step … : deeper is no dump. */
const deepest = 12
const longestMapping = 64 << 20

/** Raw files by what was given: files, and folders with all that lies in them. */
export async function rawFilesIn(files: Files, given: readonly string[], work: Job): Promise<RawFiles> {
  const found: RawFile[] = []
  const problems: Problem[] = []
  let inFolder = false
  for (const path of given) {
    const at = files.stat(path)
    if (!at) throw new Refusal(problem('not-found', path))
    const isFolder = at.kind === 'folder' || (at.kind === 'link' && isFolderBehind(files, path))
    if (isFolder) {
      inFolder = true
      const before = found.length
      const told = (one: Problem): unknown => problems.push(one)
      for await (const one of filesBelow(files, { folder: path, below: '', depth: 0, told }, work))
        found.push(one)
      if (found.length === before) throw new Refusal(problems[0] ?? problem('raw-none', path))
    } else {
      const name = baseOf(path)
      found.push({ file: path, name: longNamesIn(files, dirOf(path)).get(name) ?? name, below: '' })
    }
  }
  return { files: found, inFolder, problems }
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

interface RawFolder {
  readonly folder: string
  readonly below: string
  readonly depth: number
  told(problem: Problem): void
}

async function* filesBelow(
  files: Files,
  { folder, below, depth, told }: RawFolder,
  work: Job,
): AsyncGenerator<RawFile> {
  await work.breathe()
  const entries = files.names(folder)
  const long = longNamesIn(files, folder)
  const count = entries.filter(
    ({ name, kind }) => kind !== 'folder' && isShortened(name) && !long.has(name),
  ).length
  if (count > 0) told(problem('tf-long-names', folder, { count }, 'warning'))
  for (const { name, kind } of entries) {
    const whole = long.get(name) ?? name
    const parts = rawNameOf(whole)
    if (kind !== 'folder' && parts && !parts.summary) yield { file: join(folder, name), name: whole, below }
  }
  if (depth < deepest)
    for (const { name, kind } of entries)
      if (kind === 'folder')
        yield* filesBelow(
          files,
          { folder: join(folder, name), below: join(below, name), depth: depth + 1, told },
          work,
        )
}

export interface ParseOrder {
  readonly files: readonly RawFile[]
  readonly folder: string
  readonly settings: SaveSettings
}

/** What a thread is told: the number of the next file, or part of one, is shared, and whoever is free takes it. */
interface ParseShare {
  readonly roots: readonly Root[]
  readonly order: ParseOrder
  /** So many parts has every file. */
  readonly parts: number
  readonly next: SharedArrayBuffer
}

/** What came of a part of a file, by its number. */
interface Saved {
  readonly at: number
  readonly part: number
  readonly saved: SavedFile
}

interface SavedShare {
  readonly saved: readonly Saved[]
  /** Why it did not go on. */
  readonly stopped: 'cancelled' | Problem | null
}

/** About what one thread takes: for a file at all, and for its bytes. Threads begin where that is much more than their start. */
const msPerFile = 0.05
const msPerByte = 1e-6
const worthThreadsMs = 40
/** Files that are looked at to guess the size of all. */
const sizesAsked = 16
/** A few large files would leave threads without work: each is shared. */
const fewFiles = 8
const partBytes = 16 << 20

/**
 * Saves all of them, in the order given; what takes longer, in threads too. A file that cannot be read costs itself only. Arrays
 * have their names once all are whole, or no more are wanted.
 */
export async function parseRaws(
  pool: Pick<Pool, 'run' | 'size'>,
  files: Files,
  order: ParseOrder,
  work: Job,
): Promise<readonly SavedFile[]> {
  const next = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
  let done = 0
  const tell = (): void =>
    work.report({ what: 'job.writing', done: ++done, total: order.files.length, countedIn: 'files' })
  const stage = openStage(order.folder)
  const size = sizeOf(files, order.files)
  const isLong = order.files.length * msPerFile + size * msPerByte > worthThreadsMs
  const parts =
    isLong && pool.size > 1 && canShare(order) ? Math.ceil(size / order.files.length / partBytes) : 1
  const share: ParseShare = { roots: files.roots(), order: { ...order, folder: stage.folder }, parts, next }
  const helpers = isLong ? Math.min(pool.size, order.files.length * parts) - 1 : 0
  const threads = Array.from({ length: helpers }, () =>
    pool.run<SavedShare>('parseRaw', share, { signal: work.signal, tell }),
  )
  const ended = await Promise.allSettled([saveFiles(share, { work, tell }), ...threads])
  const lost = ended.find(one => one.status === 'rejected')
  if (lost) {
    // What a thread had saved that is gone nobody knows.
    if (parts > 1) stage.abandon()
    else stage.commit()
    throw lost.reason
  }
  const shares = ended.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []))
  const saved = joined(
    shares.flatMap(one => one.saved),
    parts,
    stage,
  )
  const placed = stage.commit()
  for (const { stopped } of shares) {
    if (stopped === 'cancelled') throw new Cancelled()
    if (stopped) throw new Refusal(stopped)
  }
  return saved.map(one => ({ ...one, written: one.written.map(placed) }))
}

function sizeOf(files: Files, raws: readonly RawFile[]): number {
  const apart = Math.ceil(raws.length / sizesAsked)
  const asked = raws.filter((_, i) => i % apart === 0)
  const bytes = asked.reduce((sum, { file }) => sum + (seenAt(files, file)?.size ?? 0), 0)
  return (raws.length * bytes) / Math.max(1, asked.length)
}

/** Files of one name would write into each other; a .pt has a checksum over all elements. */
const canShare = ({ files: raws, settings }: ParseOrder): boolean =>
  settings.kind !== 'pt' &&
  raws.length <= fewFiles &&
  new Set(raws.map(({ name, below }) => `${below}/${name}`)).size === raws.length

/** What came of each file; of one that a part is missing of nothing is left. */
function joined(all: readonly Saved[], parts: number, stage: Pick<Stage, 'drop'>): SavedFile[] {
  const files: SavedFile[] = []
  if (parts === 1) {
    for (const { at, saved } of all) files[at] = saved
    return files
  }
  const byFile = new Map<number, Saved[]>()
  for (const one of all) byFile.set(one.at, [...(byFile.get(one.at) ?? []), one])
  for (const [at, ofFile] of byFile) {
    const broken = ofFile.find(({ saved }) => isBroken(saved))
    const first = ofFile.find(({ part }) => part === 0)
    if (broken || !first || ofFile.length < parts)
      for (const file of ofFile.flatMap(({ saved }) => saved.written)) stage.drop(file)
    const told = broken ?? first
    if (told) files[at] = told.saved
  }
  return files
}

/** Nothing of it could be saved. */
const isBroken = ({ failed, tensors }: SavedFile): boolean => failed && tensors.length === 0

/** What a thread does of it. */
export const parseTask = (share: ParseShare, { signal, tell }: TaskContext): Promise<SavedShare> =>
  saveFiles(share, { work: job(signal), tell: () => tell(1) })

interface SavePorts {
  readonly work: Job
  tell(): void
}

async function saveFiles(
  { roots, order, parts, next }: ParseShare,
  { work, tell }: SavePorts,
): Promise<SavedShare> {
  const { files: asked, folder, settings } = order
  const files = quickFiles(roots)
  const outputs = new Map<string, Output>()
  const saved: Saved[] = []
  const taken = new Int32Array(next)
  try {
    for (;;) {
      await work.breathe()
      const turn = Atomics.add(taken, 0, 1)
      const at = Math.floor(turn / parts)
      if (at >= asked.length) return { saved, stopped: null }
      const { file, name, below } = asked[at]
      // What is decoded can be decoded again: nobody waits for the disk.
      const output = outputs.get(below) ?? openOutput(join(folder, below), [], true, true)
      outputs.set(below, output)
      const part = turn % parts
      const one = await saveOne(files, file, { name, output, settings, part: { at: part, of: parts } }, work)
      // What was begun of a file that failed is gone, with folders that were made for it.
      if (one.failed) outputs.delete(below)
      saved.push({ at, part, saved: one })
      if (part === 0) tell()
    }
  } catch (error) {
    if (error instanceof Cancelled) return { saved, stopped: 'cancelled' }
    if (error instanceof Refusal) return { saved, stopped: error.problem }
    throw error
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
