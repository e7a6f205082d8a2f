// Ranks that were paired by hand: the bench side is counted as the ranks that it is to meet.
import { problem, Refusal } from '../model/index.ts'
import type { DumpTree, RankFolder } from './walk.ts'

const most = 100_000

/** Of each rank of the debug side that is named, the one that it meets: `0=4, 1-3=5-7`. */
export function readRankPairs(text: string): ReadonlyMap<number, number> {
  const pairs = new Map<number, number>()
  for (const word of text.split(/[\s,;]+/).filter(Boolean)) {
    const [, from, to = from, other, end = other] =
      /^(\d{1,7})(?:-(\d{1,7}))?=(\d{1,7})(?:-(\d{1,7}))?$/.exec(word) ?? []
    const [first, last, beside] = [Number(from), Number(to), Number(other)]
    const isOne = from === undefined || last < first || last - first > most
    // Several may meet the same one.
    const each = other === end && last > first ? 0 : 1
    if (isOne || (each === 1 && Number(end) - beside !== last - first)) throw wrong(word)
    for (let rank = first; rank <= last; rank++) {
      if (pairs.has(rank)) throw wrong(word)
      pairs.set(rank, beside + (rank - first) * each)
    }
  }
  return pairs
}

const wrong = (word: string): Refusal => new Refusal(problem('rank-pairs', '', { word: word.slice(0, 60) }))

/** The bench side with the numbers of the ranks that it meets. */
export function pairedByHand(bench: DumpTree, pairs: string | undefined): DumpTree {
  const met = readRankPairs(pairs ?? '')
  if (met.size === 0) return bench
  const meetsOf = new Map<number, number[]>()
  for (const [ours, theirs] of met) meetsOf.set(theirs, [...(meetsOf.get(theirs) ?? []), ours])
  const known = new Set(bench.ranks.map(({ rank }) => rank))
  const missing = [...meetsOf.keys()].find(rank => !known.has(rank))
  if (missing !== undefined) throw new Refusal(problem('rank-pairs-missing', bench.root, { rank: missing }))
  let left = 0
  const ranks = bench.ranks.flatMap((folder): readonly RankFolder[] => {
    const named = folder.rank === null ? undefined : meetsOf.get(folder.rank)
    if (named) return named.map(rank => ({ ...folder, rank }))
    if (folder.rank === null || !met.has(folder.rank)) return [folder]
    left++
    return []
  })
  const problems = left === 0 ? [] : [problem('rank-pairs-left', bench.root, { count: left }, 'warning')]
  return { ...bench, ranks, problems: [...bench.problems, ...problems] }
}
