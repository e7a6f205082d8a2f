// The kernels of a graph mode dump by their names: of npy files, or where there are none, of statistic.csv.
import { baseOf, dirOf, type Files, join } from '../../io/index.ts'
import type { Job } from '../../work/index.ts'
import { problem, Refusal, TextPool } from '../../model/index.ts'
import { csvCells } from '../kernel/kernel-dumps.ts'
import { linesOf } from './lines.ts'

/** A row per npy file, or per kernel of a statistic.csv, as columns. */
export interface KernelNames {
  readonly kind: 'tensors' | 'statistics'
  /** Names of kernels, each once. */
  readonly names: TextPool
  readonly path: readonly string[]
  /** Text code of the kernel's name; -1 where the file's name tells none. */
  readonly name: readonly number[]
}

interface Found {
  readonly tensors: string[]
  readonly statistics: string[]
}

const deepest = 10
const isTensor = (path: string): boolean => path.endsWith('.npy')

export async function kernelNames(files: Files, path: string, job: Job): Promise<KernelNames> {
  const at = files.stat(path)
  if (!at) throw new Refusal(problem('not-found', path))
  const found: Found = { tensors: [], statistics: [] }
  if (at.kind === 'folder') await walk(files, path, found, 0, job)
  else sort(path, found)
  if (found.tensors.length > 0) return ofTensors(files, found.tensors, job)
  if (found.statistics.length === 0) throw new Refusal(problem('kernel-none', path))
  return ofStatistics(files, found.statistics, job)
}

async function walk(files: Files, folder: string, found: Found, depth: number, job: Job): Promise<void> {
  if (depth > deepest) throw new Refusal(problem('too-deep', folder, { limit: deepest }))
  await job.breathe()
  const entries = files.list(folder)
  for (const { name, kind } of entries) if (kind !== 'folder') sort(join(folder, name), found)
  for (const { name, kind } of entries)
    if (kind === 'folder') await walk(files, join(folder, name), found, depth + 1, job)
}

function sort(path: string, { tensors, statistics }: Found): void {
  if (isTensor(path)) tensors.push(path)
  else if (baseOf(path) === 'statistic.csv') statistics.push(path)
}

/** `MatMul.Default_fc-Dense_MatMul-op1.….npy`: the second part is the name of the kernel. */
async function ofTensors(files: Files, paths: readonly string[], job: Job): Promise<KernelNames> {
  const names = new TextPool()
  const name: number[] = []
  // Paths come folder by folder: one table of long names at a time is enough.
  let long: { readonly folder: string; readonly names: ReadonlyMap<string, string> } = {
    folder: '',
    names: new Map(),
  }
  for (const path of paths) {
    await job.breathe()
    let file = baseOf(path)
    if (/^\d+\.npy$/.test(file)) {
      const folder = dirOf(path)
      if (long.folder !== folder) long = { folder, names: await longNames(files, folder, job) }
      file = long.names.get(file) ?? ''
    }
    const kernel = file.split('.')[1] ?? ''
    name.push(isTensor(file) && file.split('.').length > 2 ? names.add(kernel) : -1)
  }
  return { kind: 'tensors', names, path: paths, name }
}

async function longNames(files: Files, folder: string, job: Job): Promise<ReadonlyMap<string, string>> {
  const path = join(folder, 'mapping.csv')
  const long = new Map<string, string>()
  if (!files.stat(path)) return long
  await eachRow(files, path, job, ([short = '', name = '']) => void long.set(short.trim(), name.trim()))
  return long
}

async function ofStatistics(files: Files, paths: readonly string[], job: Job): Promise<KernelNames> {
  const names = new TextPool()
  const path: string[] = []
  const name: number[] = []
  for (const file of paths) {
    let column: number | null = null
    const seen = new Set<number>()
    await eachRow(files, file, job, cells => {
      if (column === null) {
        column = cells.findIndex(cell => cell.trim() === 'Op Name')
        return
      }
      const kernel = cells[column]?.trim() ?? ''
      const code = kernel === '' ? -1 : names.add(kernel)
      if (code < 0 || seen.has(code)) return
      seen.add(code)
      path.push(file)
      name.push(code)
    })
    if (column === null || column < 0) throw new Refusal(problem('kernel-no-names', file))
  }
  return { kind: 'statistics', names, path, name }
}

async function eachRow(
  files: Files,
  path: string,
  job: Job,
  act: (cells: readonly string[]) => void,
): Promise<void> {
  const handle = files.open(path)
  try {
    for (const { lines, done } of linesOf(handle)) {
      for (const line of lines) if (line !== '') act(csvCells(line))
      job.report({ what: 'job.reading', done, total: handle.size, countedIn: 'bytes' })
      await job.breathe()
    }
  } finally {
    handle.close()
  }
}
