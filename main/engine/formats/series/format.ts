// Values over steps and ranks: folders of a gradient probe or of a training monitor, known by the names in them.
import type { Candidate, FormatOf } from '../format.ts'
import { growing } from '../growing.ts'
import {
  monitorFile,
  monitorFolder,
  probeFolder,
  secondMonitorFile,
  secondMonitorFolder,
  signFolder,
  summaryFile,
} from './names.ts'

/** What lies in a place, as its `part` says. */
export const seriesParts = ['gradients', 'monitor'] as const
export type SeriesPart = (typeof seriesParts)[number]

export const series: FormatOf<'series'> = {
  id: 'series',
  holds: 'series',
  find(at) {
    if (at.kind !== 'folder') return null
    const place = { path: at.path, step: null, rank: null }
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
