// Where a training monitor has written what: one folder per process and run, both generations of the monitor.
import { seriesNames } from '../../formats/index.ts'
import { baseOf, type Files, join } from '../../io/index.ts'
import type { Problem } from '../../model/index.ts'
import { problem } from '../../model/index.ts'

const { monitorFile, monitorFolder, secondMonitorFile, secondMonitorFolder } = seriesNames

export interface MonitorFile {
  readonly path: string
  /** What the file's name says was watched: `grad_reduced`, or of the second monitor `weight_grad`. */
  readonly task: string
  /** The first step of its block. */
  readonly from: number
}

/** What one process has written in one run. */
export interface MonitorFolder {
  readonly rank: number
  readonly folder: string
  /** As its name says it, without a year; '' where it says none. */
  readonly time: string
  readonly generation: 1 | 2
  /** By task, and then by first step. */
  readonly files: readonly MonitorFile[]
}

export interface Monitor {
  readonly root: string
  /** One after the other in time; a run ends where one of its ranks begins again. */
  readonly runs: readonly (readonly MonitorFolder[])[]
  readonly problems: readonly Problem[]
}

/** `root`: the folder that holds those of the processes, or one of these. */
export function monitorAt(files: Files, root: string): Monitor {
  const alone = folderAt(files, root)
  const found = alone ? [alone] : []
  if (!alone)
    for (const { name, kind } of files.list(root)) {
      const one = kind === 'folder' ? folderAt(files, join(root, name)) : null
      if (one) found.push(one)
    }
  const runs = inRuns(found)
  const problems = runs.length > 1 ? [problem('monitor-runs', root, { count: runs.length }, 'note')] : []
  return { root, runs, problems }
}

function folderAt(files: Files, folder: string): MonitorFolder | null {
  const name = baseOf(folder)
  const [first, second] = [monitorFolder.exec(name), secondMonitorFolder.exec(name)]
  if (!first && !second) return null
  const pattern = second ? secondMonitorFile : monitorFile
  const found: MonitorFile[] = []
  for (const entry of files.list(folder)) {
    const match = entry.kind === 'file' ? pattern.exec(entry.name) : null
    if (match) found.push({ path: join(folder, entry.name), task: match[1], from: Number(match[2]) })
  }
  if (found.length === 0) return null
  return {
    rank: Number(first?.[2] ?? second?.[1]),
    folder,
    time: first?.[1] ?? '',
    generation: second ? 2 : 1,
    files: found.sort((a, b) => order(a.task, b.task) || a.from - b.from),
  }
}

function order(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

function inRuns(folders: readonly MonitorFolder[]): readonly (readonly MonitorFolder[])[] {
  const byTime = [...folders].sort((a, b) => order(sortable(a.time), sortable(b.time)) || a.rank - b.rank)
  const runs: MonitorFolder[][] = []
  for (const folder of byTime) {
    const last = runs.at(-1)
    if (last && !last.some(({ rank }) => rank === folder.rank)) last.push(folder)
    else runs.push([folder])
  }
  for (const run of runs) run.sort((a, b) => a.rank - b.rank)
  return runs
}

const months = 'JanFebMarAprMayJunJulAugSepOctNovDec'

/** `Dec03_21-34-40` as something that sorts by time. */
const sortable = (time: string): string =>
  `${String(months.indexOf(time.slice(0, 3)) + 3).padStart(3, '0')}${time.slice(3)}`
