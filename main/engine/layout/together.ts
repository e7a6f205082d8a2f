// Ranks that hold one model together, as one folder each step: the tree of a run with its copies of the model.
import { msprobe, placeOfRanks, type Place, ranks as ranksFormat } from '../formats/index.ts'
import { baseOf, dirOf } from '../io/index.ts'
import { type ParallelSizes, problem, Refusal, type Side, type Together } from '../model/index.ts'
import { groupsOf, readRules } from '../parallel/index.ts'
import { pairedByHand } from './rank-pairs.ts'
import type { DumpTree, RankFolder } from './walk.ts'

/** One side as it is to be compared; a side that stays as it is can be opened beside one that does not. */
export function sideTogether(tree: DumpTree, wanted: Together | undefined, side: Side): DumpTree {
  const merged = mergedSide(tree, wanted, side)
  return side === 'bench' ? pairedByHand(merged, wanted?.pairs) : merged
}

function mergedSide(tree: DumpTree, wanted: Together | undefined, side: Side): DumpTree {
  if (!wanted || (!wanted.debug && !wanted.bench)) return tree
  const odd = tree.ranks.find(({ format }) => format !== msprobe)
  if (odd) throw new Refusal(problem('ranks-format', odd.dir))
  readRules(wanted.rules, tree.root)
  const sizes = wanted[side]
  return sizes
    ? { ...tree, ranks: copiesOf(tree, sizes, wanted.rules) }
    : { ...tree, ranks: tree.ranks.map(rank => ({ ...rank, format: ranksFormat })) }
}

function copiesOf(tree: DumpTree, sizes: ParallelSizes, rules: string): readonly RankFolder[] {
  const steps = new Map<number | null, RankFolder[]>()
  for (const rank of tree.ranks) steps.set(rank.step, [...(steps.get(rank.step) ?? []), rank])
  return [...steps].flatMap(([step, folders]) => {
    const { asked } = sizes
    if (asked !== undefined && asked !== folders.length)
      throw new Refusal(problem('ranks-count', stepOf(folders), { given: folders.length, asked }))
    const byRank = new Map(folders.map((folder, i) => [folder.rank ?? i, folder]))
    const path = stepOf(folders)
    return groupsOf(sizes, [...byRank.keys()], path).map(({ replica, seats }): RankFolder => {
      const members = seats.flatMap(seat => {
        const folder = byRank.get(seat.rank)
        return folder ? [{ seat, place: folder.place }] : []
      })
      const first = byRank.get(seats[0].rank) ?? folders[0]
      const numbers = { step, rank: replica }
      const place: Place = placeOfRanks({ path, ...numbers }, members, rules)
      return { ...numbers, names: first.names, dir: path, format: ranksFormat, place }
    })
  })
}

/** The folder that ranks lie in; their own where there is one alone. */
const stepOf = (folders: readonly RankFolder[]): string =>
  folders.length === 1 && !baseOf(folders[0].dir).startsWith('rank') ? folders[0].dir : dirOf(folders[0].dir)
