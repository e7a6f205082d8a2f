// Results of full-net compares as they lie in folders: `result_<time>.csv`, each run in a folder named by its time.
import { type Files, join } from '../io/index.ts'
import { problem, Refusal } from '../model/index.ts'

const resultName = /^result_\d+\.csv$/

/** The results in a folder, or in the newest of its folders that are named by a time; oldest first. */
export function resultsIn(files: Files, folder: string): readonly string[] {
  if (files.stat(folder)?.kind !== 'folder') return []
  const entries = files.list(folder)
  const found = entries.filter(({ name, kind }) => kind === 'file' && resultName.test(name))
  if (found.length > 0) return found.map(({ name }) => join(folder, name))
  const runs = entries.filter(({ name, kind }) => kind === 'folder' && /^\d/.test(name))
  for (const { name } of runs.toReversed()) {
    const inside = resultsIn(files, join(folder, name))
    if (inside.length > 0) return inside
  }
  return []
}

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

/** The newest results of a run: those that lie there, and those in `more` folders. */
export function newestResults(files: Files, folder: string, more: readonly string[] = []): readonly string[] {
  const roots = [folder, join(folder, 'precision_data')]
  const found = [...more, ...roots.flatMap(root => kept.map(at => join(root, at))), ...roots]
    .map(at => resultsIn(files, at))
    .filter(paths => paths.length > 0)
    .toSorted((a, b) => timeOf(b) - timeOf(a))
  if (found.length === 0) throw new Refusal(problem('no-results', folder))
  return found[0]
}

const timeOf = (paths: readonly string[]): number =>
  Math.max(...paths.map(path => Number(/(\d+)\.csv$/.exec(path)?.[1] ?? 0)))
