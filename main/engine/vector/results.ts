// Results of full-net compares as they lie in folders: `result_<time>.csv`, each run in a folder named by its time.
import { baseOf, dirOf, type Files, join } from '../io/index.ts'
import { problem, Refusal } from '../model/index.ts'

const resultName = /^result_\d+\.csv$/

/** The results in a folder, or in the newest of its folders that are named by a time; oldest first. */
export function resultsIn(files: Files, folder: string): readonly string[] {
  if (files.stat(folder)?.kind !== 'folder') return []
  const found = resultsHere(files, folder)
  if (found.length > 0) return found
  for (const run of foldersIn(files, folder).toReversed()) {
    const inside = resultsIn(files, run)
    if (inside.length > 0) return inside
  }
  return []
}

const resultsHere = (files: Files, folder: string): readonly string[] =>
  files
    .names(folder)
    .filter(({ name, kind }) => kind === 'file' && resultName.test(name))
    .map(({ name }) => join(folder, name))

/** Folders that are named by a time. */
const foldersIn = (files: Files, folder: string): readonly string[] =>
  files
    .names(folder)
    .filter(({ name, kind }) => kind === 'folder' && /^\d/.test(name))
    .map(({ name }) => join(folder, name))

/** What a path names: a result itself, or those in its folder. Refuses a path without any. */
export function resultsAt(files: Files, path: string): readonly string[] {
  const at = files.stat(path)
  if (!at) throw new Refusal(problem('not-found', path))
  const found = at.kind === 'folder' ? resultsIn(files, path) : [path]
  if (found.length === 0) throw new Refusal(problem('no-results', path))
  return found
}

/** Where the tool itself keeps its results, below a folder of a run. */
const kept = ['temp/vector_compare', 'dump/vector/compare', 'dump/vector', 'vector_compare']

/** What a result was made of; it stands in a file beside it. */
export interface ResultSides {
  readonly left: string
  readonly right: string
}
export const sidesNameOf = (result: string): string => result.replace(/^result_(\d+)\.csv$/, 'sides_$1.json')
const longestSides = 1 << 16

/** Whether a result says of itself that its left side lies in a folder. */
function isOf(files: Files, result: string, folder: string): boolean {
  const path = join(dirOf(result), sidesNameOf(baseOf(result)))
  if (files.stat(path)?.kind !== 'file') return false
  try {
    const told: unknown = JSON.parse(new TextDecoder().decode(files.readAll(path, longestSides)))
    const left = typeof told === 'object' && told !== null && 'left' in told ? told.left : null
    return (
      typeof left === 'string' &&
      (left === folder || ['/', '\\'].some(sign => left.startsWith(folder + sign)))
    )
  } catch (error) {
    if (error instanceof Refusal || error instanceof SyntaxError) return false
    throw error
  }
}

/** The newest results of a run: those that lie there, and those in `more` folders which say that they are of it. */
export function newestResults(files: Files, folder: string, more: readonly string[] = []): readonly string[] {
  const roots = [folder, join(folder, 'precision_data')]
  const own = [...roots.flatMap(root => kept.map(at => join(root, at))), ...roots].map(at =>
    resultsIn(files, at),
  )
  const elsewhere = more
    .flatMap(at => [at, ...foldersIn(files, at)])
    .map(at => resultsHere(files, at).filter(result => isOf(files, result, folder)))
  const found = [...own, ...elsewhere]
    .filter(paths => paths.length > 0)
    .toSorted((a, b) => timeOf(b) - timeOf(a))
  if (found.length === 0) throw new Refusal(problem('no-results', folder))
  return found[0]
}

const timeOf = (paths: readonly string[]): number =>
  Math.max(...paths.map(path => Number(/(\d+)\.csv$/.exec(path)?.[1] ?? 0)))
