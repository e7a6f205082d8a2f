// Dump trees of static graphs: which lowest folders belong to which rank and step, and the kernels in them.
import { type Entry, type Files, join } from '../../io/index.ts'
import type { Job } from '../../work/index.ts'
import type { Candidate } from '../format.ts'
import { problem, Refusal } from '../../model/index.ts'

/** One file, or one row of a statistic.csv. */
export interface KernelEntry {
  /** What the two sides are matched by. */
  readonly key: string
  readonly timestamp: bigint
  /** What the name cell says. */
  readonly name: string
  readonly path: string
  /** Only of a statistic.csv. */
  readonly statistics?: KernelStatistics
}

interface KernelStatistics {
  readonly dtype: string
  readonly shape: string
  readonly max: number
  readonly min: number
  readonly mean: number
  readonly norm: number
}

type KernelMode = 'tensor' | 'statistics' | 'nothing'

/** The folders that hold the kernels of one rank and step. */
interface KernelFolders {
  readonly rank: number
  readonly step: number
  readonly folders: readonly string[]
}

export interface KernelDump extends KernelFolders {
  readonly mode: KernelMode
  readonly entries: readonly KernelEntry[]
}

const deepest = 10
const mostCsvBytes = 1 << 30
/** A tree without any kernel in so many folders is taken for something else. */
const mostFolders = 20_000

/** Whether some lowest folder holds npy files or a statistic.csv. */
export async function isKernelTree(root: Candidate, job: Job): Promise<boolean> {
  const open = [{ at: root, depth: 0 }]
  let seen = 0
  for (let next = open.pop(); next && seen++ < mostFolders; next = open.pop()) {
    await job.breathe()
    const { at, depth } = next
    const below = at.folders()
    if (below.length === 0 && modeOf(filesIn(at.entries)) !== 'nothing') return true
    if (depth < deepest) open.push(...below.map(child => ({ at: child, depth: depth + 1 })).toReversed())
  }
  return false
}

/** The folders with kernels below a root by rank and step; nothing in them is read. */
export async function kernelFolders(
  files: Files,
  root: string,
  job: Job,
): Promise<readonly (KernelFolders & { readonly mode: KernelMode })[]> {
  const found = new Map<string, { rank: number; step: number; mode: KernelMode; folders: string[] }>()
  for await (const folder of lowestFolders(files, root, 0, job)) {
    const place = placeOf(folder)
    if (!place) continue
    const id = `${place.rank} ${place.step}`
    const known = found.get(id) ?? { ...place, mode: 'nothing', folders: [] }
    known.mode = modeOf(filesIn(files.list(folder)))
    known.folders.push(folder)
    found.set(id, known)
  }
  return [...found.values()].sort((a, b) => a.rank - b.rank || a.step - b.step)
}

/** The kernels of one rank and step. `mapped`: short file names are read through mapping.csv. */
export async function readKernels(
  files: Files,
  at: KernelFolders,
  mapped: boolean,
  job: Job,
): Promise<KernelDump> {
  const entries: KernelEntry[] = []
  let mode: KernelMode = 'nothing'
  for (const folder of at.folders) {
    await job.breathe()
    const names = filesIn(files.list(folder))
    mode = modeOf(names)
    if (mode === 'tensor') {
      const long = mapped && names.includes('mapping.csv') ? longNames(files, folder) : new Map()
      entries.push(...tensorEntries(folder, names.filter(isTensor), long))
    }
    if (mode === 'statistics') entries.push(...statisticEntries(files, `${folder}/statistic.csv`))
  }
  return { ...at, mode, entries }
}

const isTensor = (name: string): boolean => name.endsWith('.npy')
const filesIn = (entries: readonly Entry[]): readonly string[] =>
  entries.filter(entry => entry.kind !== 'folder').map(entry => entry.name)

function modeOf(names: readonly string[]): KernelMode {
  if (names.some(isTensor)) return 'tensor'
  return names.includes('statistic.csv') ? 'statistics' : 'nothing'
}

/** Folders without folders in them, the root itself left out. */
async function* lowestFolders(files: Files, folder: string, depth: number, job: Job): AsyncGenerator<string> {
  if (depth > deepest) throw new Refusal(problem('too-deep', folder, { limit: deepest }))
  await job.breathe()
  const below = files.list(folder).filter(entry => entry.kind === 'folder')
  if (below.length === 0 && depth > 0) yield folder
  for (const child of below) yield* lowestFolders(files, join(folder, child.name), depth + 1, job)
}

/** `…/rank_{rank}/{net}/{graph}/{step}` or `…/{time}/{rank}/{net}/{model}/{step}`. */
function placeOf(folder: string): { rank: number; step: number } | null {
  const parts = folder.split(/[\\/]/)
  const [step, , third, fourth] = parts.toReversed()
  const rank = number(/_(\d+)$/.exec(fourth ?? '')?.[1]) ?? number(fourth) ?? number(third)
  const iteration = number(step)
  return rank === null || iteration === null ? null : { rank, step: iteration }
}

const number = (text: string | undefined): number | null =>
  text !== undefined && /^\d+$/.test(text) ? Number(text) : null

const pattern =
  /^([^.]+)\.([^.]+)\.([^.]+)\.([^.]+)\.(\d+(?:\.\d+)*)\.((?:in|out)put(?:\.\d+)*)\.([^.]+)\.([^.]+)\.npy$/

function tensorEntries(
  folder: string,
  names: readonly string[],
  long: ReadonlyMap<string, string>,
): KernelEntry[] {
  return names.flatMap(name => {
    const match = pattern.exec(long.get(name) ?? name)
    if (!match) return []
    const [, , op, task, , time = '0', io, slot] = match
    return [
      {
        key: `${op}.${task}.${io}.${slot}`,
        timestamp: BigInt(time.split('.')[0] ?? 0),
        name: join(folder, name),
        path: join(folder, name),
      },
    ]
  })
}

function longNames(files: Files, folder: string): ReadonlyMap<string, string> {
  return new Map(
    csvLines(files, `${folder}/mapping.csv`).map(([short = '', long = '']) => [short.trim(), long.trim()]),
  )
}

function statisticEntries(files: Files, path: string): KernelEntry[] {
  const [head = [], ...rows] = csvLines(files, path)
  const at = (title: string): number => head.findIndex(cell => cell.trim() === title)
  const columns = {
    dtype: at('Data Type'),
    shape: at('Shape'),
    max: at('Max Value'),
    min: at('Min Value'),
    mean: at('Avg Value'),
    norm: at('L2Norm Value'),
  }
  return rows.flatMap(row => {
    if (row.length < 6) return []
    const key = `${row[1]}.${row[2]}.${row[3]}.${row[5]}`
    const text = (column: number): string => (column < 0 ? '' : (row[column] ?? ''))
    const value = (column: number): number => statistic(text(column))
    const statistics = {
      dtype: text(columns.dtype),
      shape: text(columns.shape),
      max: value(columns.max),
      min: value(columns.min),
      mean: value(columns.mean),
      norm: value(columns.norm),
    }
    return [
      {
        key,
        timestamp: BigInt(/^\d+/.exec(row[4] ?? '')?.[0] ?? 0),
        name: `${key} ${path}`,
        path,
        statistics,
      },
    ]
  })
}

function statistic(text: string): number {
  const word = text.trim()
  if (word === 'null' || word === 'False') return 0
  if (word === 'True') return 1
  if (word === '') return NaN
  return Math.fround(Number(word.replace(/^([+-]?)inf(?:inity)?$/i, '$1Infinity')))
}

function csvLines(files: Files, path: string): string[][] {
  const text = new TextDecoder().decode(files.readAll(path, mostCsvBytes))
  return text.split(/\r?\n/).filter(Boolean).map(csvCells)
}

/** Cells of one line; quoted ones may hold commas. */
export function csvCells(line: string): string[] {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
  )
}
