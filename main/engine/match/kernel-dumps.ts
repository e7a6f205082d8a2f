// Dump trees of static graphs: which lowest folders belong to which rank and step, and the kernels in them.
import type { Files } from '../io/files.ts'
import { problem, Refusal } from '../problem.ts'

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

export interface KernelStatistics {
  readonly dtype: string
  readonly shape: string
  readonly max: number
  readonly min: number
  readonly mean: number
  readonly norm: number
}

export type KernelMode = 'tensor' | 'statistics' | 'nothing'

export interface KernelDump {
  readonly rank: number
  readonly step: number
  readonly mode: KernelMode
  readonly entries: readonly KernelEntry[]
}

const deepest = 10
const mostCsvBytes = 1 << 30

/** All kernels below a root, by rank and step. `mapped`: short file names are read through mapping.csv. */
export function kernelDumps(files: Files, root: string, mapped: boolean): readonly KernelDump[] {
  const found = new Map<string, { rank: number; step: number; mode: KernelMode; entries: KernelEntry[] }>()
  for (const folder of lowestFolders(files, root, 0)) {
    const place = placeOf(folder)
    if (!place) continue
    const names = files.list(folder).filter(entry => entry.kind !== 'folder').map(entry => entry.name)
    const tensors = names.filter(name => name.endsWith('.npy'))
    const mode: KernelMode = tensors.length ? 'tensor' : names.includes('statistic.csv') ? 'statistics' : 'nothing'
    const id = `${place.rank} ${place.step}`
    const dump = found.get(id) ?? { ...place, mode, entries: [] }
    dump.mode = mode
    if (mode === 'tensor') dump.entries.push(...tensorEntries(folder, tensors, mapped && names.includes('mapping.csv') ? longNames(files, folder) : new Map()))
    if (mode === 'statistics') dump.entries.push(...statisticEntries(files, `${folder}/statistic.csv`))
    found.set(id, dump)
  }
  return [...found.values()].sort((a, b) => a.rank - b.rank || a.step - b.step)
}

/** Folders without folders in them, the root itself left out. */
function lowestFolders(files: Files, folder: string, depth: number): string[] {
  if (depth > deepest) throw new Refusal(problem('too-deep', folder, { limit: deepest }))
  const below = files.list(folder).filter(entry => entry.kind === 'folder').map(entry => `${folder}/${entry.name}`)
  if (below.length === 0) return depth > 0 ? [folder] : []
  return below.flatMap(child => lowestFolders(files, child, depth + 1))
}

/** `…/rank_{rank}/{net}/{graph}/{step}` or `…/{time}/{rank}/{net}/{model}/{step}`. */
function placeOf(folder: string): { rank: number; step: number } | null {
  const parts = folder.split(/[\\/]/)
  const [step, , third, fourth] = parts.toReversed()
  const rank = number(/_(\d+)$/.exec(fourth ?? '')?.[1]) ?? number(fourth) ?? number(third)
  const iteration = number(step)
  return rank === null || iteration === null ? null : { rank, step: iteration }
}

const number = (text: string | undefined): number | null => (text !== undefined && /^\d+$/.test(text) ? Number(text) : null)

const pattern = /^([^.]+)\.([^.]+)\.([^.]+)\.([^.]+)\.(\d+(?:\.\d+)*)\.((?:in|out)put(?:\.\d+)*)\.([^.]+)\.([^.]+)\.npy$/

function tensorEntries(folder: string, names: readonly string[], long: ReadonlyMap<string, string>): KernelEntry[] {
  return names.flatMap(name => {
    const match = pattern.exec(long.get(name) ?? name)
    if (!match) return []
    const [, , op, task, , time = '0', io, slot] = match
    return [{ key: `${op}.${task}.${io}.${slot}`, timestamp: BigInt(time.split('.')[0] ?? 0), name: `${folder}/${name}`, path: `${folder}/${name}` }]
  })
}

function longNames(files: Files, folder: string): ReadonlyMap<string, string> {
  return new Map(csvLines(files, `${folder}/mapping.csv`).map(([short = '', long = '']) => [short.trim(), long.trim()]))
}

function statisticEntries(files: Files, path: string): KernelEntry[] {
  const [head = [], ...rows] = csvLines(files, path)
  const at = (title: string): number => head.findIndex(cell => cell.trim() === title)
  const columns = { dtype: at('Data Type'), shape: at('Shape'), max: at('Max Value'), min: at('Min Value'), mean: at('Avg Value'), norm: at('L2Norm Value') }
  return rows.flatMap(row => {
    if (row.length < 6) return []
    const key = `${row[1]}.${row[2]}.${row[3]}.${row[5]}`
    const text = (column: number): string => (column < 0 ? '' : (row[column] ?? ''))
    const value = (column: number): number => statistic(text(column))
    const statistics = { dtype: text(columns.dtype), shape: text(columns.shape), max: value(columns.max), min: value(columns.min), mean: value(columns.mean), norm: value(columns.norm) }
    return [{ key, timestamp: BigInt(/^\d+/.exec(row[4] ?? '')?.[0] ?? 0), name: `${key} ${path}`, path, statistics }]
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
function csvCells(line: string): string[] {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '')
}
