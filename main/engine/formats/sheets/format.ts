// What surrounds runs and is looked at as tables: packages of configuration, results of many ranks side by
// side. Known by names alone.
import type { Candidate, FormatOf } from '../format.ts'
import { growing } from '../growing.ts'

/** What lies in a place, as its `part` says. */
export const sheetParts = ['package', 'ranks', 'merged'] as const
export type SheetsPart = (typeof sheetParts)[number]

const mergedBook = /^multi_ranks_compare_merge_.*\.xlsx$/i
const rankResult = /^compare_result_rank(\d+)(?:-rank\1)?_\d{14}\.(?:xlsx|csv)$/

/** The rank that a comparison's result is of, by its name; null for any other file. */
export const rankInName = (name: string): number | null => {
  const rank = rankResult.exec(name)?.[1]
  return rank === undefined ? null : Number(rank)
}

export const sheets: FormatOf<'sheets'> = {
  id: 'sheets',
  holds: 'sheets',
  find(at) {
    const part = at.kind === 'file' && mergedBook.test(at.name) ? 'merged' : partOfFolder(at)
    return part && { path: at.path, step: null, rank: null, part }
  },
  open: place => growing(() => Promise.resolve(place)),
}

/** Its parts, or the inside of its only one. */
function isPackage(at: Candidate): boolean {
  if (at.has('env') && at.has('pip')) return true
  return [at, ...at.folders().filter(({ name }) => partFolder.test(name))].some(holdsPart)
}

const partFolder = /^(?:hyperparameters|weights|dataset|random)$/
const partFile = /^hyperparameters_(?:static|dynamic)\.json$/
const valuesFile = /^(?:weight|dataset)\.json$/

function holdsPart(folder: Candidate): boolean {
  if (folder.entries.some(({ name, kind }) => kind === 'file' && partFile.test(name))) return true
  if (folder.name === 'random' && folder.entries.some(({ name }) => /^rank\d+\.json$/.test(name))) return true
  const rank = folder
    .folders()
    .find(({ name }) => /^step\d+$/.test(name))
    ?.folders()
    .find(({ name }) => /^rank\d+$/.test(name))
  return rank?.entries.some(({ name }) => valuesFile.test(name)) ?? false
}

const isRanks = (at: Candidate): boolean =>
  new Set(at.entries.flatMap(({ name, kind }) => (kind === 'file' ? (rankInName(name) ?? []) : []))).size > 1

const folderParts: readonly (readonly [SheetsPart, (at: Candidate) => boolean])[] = [
  ['package', isPackage],
  ['ranks', isRanks],
]

function partOfFolder(at: Candidate): SheetsPart | null {
  if (at.kind !== 'folder') return null
  return folderParts.find(([, is]) => is(at))?.[0] ?? null
}
