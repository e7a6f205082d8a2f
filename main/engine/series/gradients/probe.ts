// Where a gradient probe has written what: ranks, steps, csv and sign files below one root.
import { seriesNames } from '../../formats/index.ts'
import { type Files, join } from '../../io/index.ts'
import { problem, type Problem } from '../../model/index.ts'

const { probeFolder, signFolder, summaryFile } = seriesNames

/** What one rank has written. */
export interface ProbeRank {
  readonly rank: number
  readonly folder: string
  /** By step, ascending. */
  readonly summaries: ReadonlyMap<number, string>
  /** Folders of sign files, by step, ascending. */
  readonly signs: ReadonlyMap<number, string>
}

export interface Probe {
  readonly root: string
  /** Ascending. */
  readonly ranks: readonly ProbeRank[]
  readonly problems: readonly Problem[]
}

/** `strict`: as msprobe reads it, a folder `rank` without a number is none. */
export function probeAt(files: Files, root: string, strict = false): Probe {
  const ranks = new Map<number, ProbeRank>()
  const problems: Problem[] = []
  for (const { name, kind } of files.list(root)) {
    const match = kind === 'folder' ? probeFolder.exec(name) : null
    if (!match || (strict && match[1] === '')) continue
    const rank = Number(match[1])
    const found = rankAt(files, join(root, name), rank)
    if (found.summaries.size === 0 && found.signs.size === 0) continue
    // `rank` and `rank0` are the same rank: the one with the number counts.
    if (ranks.has(rank) && match[1] === '') continue
    if (ranks.has(rank)) problems.push(problem('grad-rank-twice', join(root, name), { rank }, 'warning'))
    ranks.set(rank, found)
    if (files.stat(join(root, name, 'Dump')))
      problems.push(problem('grad-running', join(root, name), {}, 'note'))
  }
  return { root, ranks: [...ranks.values()].sort((a, b) => a.rank - b.rank), problems }
}

function rankAt(files: Files, folder: string, rank: number): ProbeRank {
  const summaries: [number, string][] = []
  const signs: [number, string][] = []
  for (const { name, kind } of files.list(folder)) {
    const summary = kind === 'file' ? summaryFile.exec(name) : null
    if (summary) summaries.push([Number(summary[1]), join(folder, name)])
    const step = kind === 'folder' ? signFolder.exec(name) : null
    if (step) signs.push([Number(step[1]), join(folder, name)])
  }
  return { rank, folder, summaries: byStep(summaries), signs: byStep(signs) }
}

const byStep = (found: [number, string][]): ReadonlyMap<number, string> =>
  new Map(found.sort(([a], [b]) => a - b))
