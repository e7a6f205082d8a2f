// Values over steps and ranks: folders of a gradient probe or of a training monitor, trend databases and
// logs, known by their names.
import type { Candidate, FormatOf } from '../format.ts'
import type { Job } from '../../work/index.ts'
import { growing } from '../growing.ts'
import { kindOfLine } from './log-lines.ts'
import {
  logFile,
  monitorFile,
  monitorFolder,
  probeFolder,
  secondMonitorFile,
  secondMonitorFolder,
  signFolder,
  summaryFile,
  textFile,
  trainerFile,
  trendFile,
} from './names.ts'

/** What lies in a place, as its `part` says. */
export const seriesParts = ['gradients', 'monitor', 'trend', 'log'] as const
export type SeriesPart = (typeof seriesParts)[number]

/** Files by their names; whether a log speaks of steps is seen when it is read. */
const fileParts: readonly (readonly [pattern: RegExp, part: SeriesPart])[] = [
  [trendFile, 'trend'],
  [logFile, 'log'],
  [trainerFile, 'log'],
]

export const series: FormatOf<'series'> = {
  id: 'series',
  holds: 'series',
  async find(at, job) {
    const place = { path: at.path, step: null, rank: null }
    if (at.kind === 'file') {
      const part = fileParts.find(([pattern]) => pattern.test(at.name))?.[1]
      if (part) return { ...place, part }
      const isLog = textFile.test(at.name) && (await holdsLog(at, job))
      return isLog ? { ...place, part: 'log' } : null
    }
    if (at.kind !== 'folder') return null
    const found = at.folders().filter(isProbe)
    if (found.length > 0) return { ...place, part: 'gradients', folders: found.map(({ path }) => path) }
    const folders = [at, ...at.folders()].filter(isMonitor)
    return folders.length > 0 ? { ...place, part: 'monitor', folders: folders.map(({ path }) => path) } : null
  },
  open: place => growing(() => Promise.resolve(place)),
}

/** A rank's folder; one that holds but signs has no dump in its steps. */
const isProbe = (folder: Candidate): boolean =>
  probeFolder.test(folder.name) &&
  (folder.entries.some(({ name, kind }) => kind === 'file' && summaryFile.test(name)) ||
    folder.folders().some(isSigns))

const isSigns = (folder: Candidate): boolean =>
  signFolder.test(folder.name) &&
  folder.entries.length > 0 &&
  folder.entries.every(({ name, kind }) => kind === 'file' && name.endsWith('.npy'))

function isMonitor(folder: Candidate): boolean {
  const [first, second] = [monitorFolder.test(folder.name), secondMonitorFolder.test(folder.name)]
  if (!first && !second) return false
  const pattern = second ? secondMonitorFile : monitorFile
  return folder.entries.some(({ name, kind }) => kind === 'file' && pattern.test(name))
}

/** So far it is looked whether a text is a training's log. */
const probedBytes = 2 << 20

async function holdsLog({ files, path }: Candidate, job: Job): Promise<boolean> {
  const handle = files.open(path)
  try {
    const bytes = new Uint8Array(Math.min(probedBytes, Math.max(1, handle.size)))
    const text = new TextDecoder().decode(bytes.subarray(0, handle.read(0, bytes)))
    await job.breathe()
    return text.split(/[\r\n]+/).some(line => kindOfLine(line) !== null)
  } finally {
    handle.close()
  }
}
