// Which rank folder of one side meets which of the other.
import { problem, type Problem, Refusal } from '../model/index.ts'
import type { DumpTree, RankFolder } from './walk.ts'
import type { WalkRules } from './walk-rules.ts'

interface MetRanks {
  readonly step: number | null
  readonly rank: number | null
  readonly debug: RankFolder
  readonly bench: RankFolder
}

interface Met {
  readonly met: readonly MetRanks[]
  readonly problems: readonly Problem[]
}

/** Refuses two sides of which nothing belongs together. */
export function meet(debug: DumpTree, bench: DumpTree, how: WalkRules['meet']): Met {
  const found = ways[how](debug, bench)
  if (found.met.length === 0) throw ranksDiffer(debug, bench)
  return found
}

const ways: Readonly<Record<WalkRules['meet'], (debug: DumpTree, bench: DumpTree) => Met>> = {
  'number, else place': (debug, bench) => byNumber(debug, bench, true),
  number: (debug, bench) => byNumber(debug, bench, false),
  place: inOrder,
  'same names': sameNames,
}

const ranksDiffer = (debug: DumpTree, bench: DumpTree): Refusal =>
  new Refusal(problem('ranks-differ', debug.root, { bench: bench.root }))

const pairUp = (ours: readonly RankFolder[], theirs: readonly RankFolder[]): readonly MetRanks[] =>
  ours.slice(0, theirs.length).map((debug, i) => ({ ...numbersOf(debug), debug, bench: theirs[i] }))
const numbersOf = ({ step, rank }: RankFolder): Pick<MetRanks, 'step' | 'rank'> => ({ step, rank })

function inOrder(debug: DumpTree, bench: DumpTree): Met {
  if (debug.ranks.length !== bench.ranks.length) throw ranksDiffer(debug, bench)
  return { met: pairUp(debug.ranks, bench.ranks), problems: [] }
}

function sameNames(debug: DumpTree, bench: DumpTree): Met {
  const stepsOf = ({ ranks }: DumpTree): string =>
    [...new Set(ranks.map(({ names }) => names.slice(0, -1).join()))].join()
  if (stepsOf(debug) !== stepsOf(bench))
    throw new Refusal(problem('steps-differ-stops', debug.root, { bench: bench.root }))
  const namesOf = ({ ranks }: DumpTree): string => ranks.map(({ names }) => names.join('/')).join()
  if (namesOf(debug) !== namesOf(bench)) throw ranksDiffer(debug, bench)
  return inOrder(debug, bench)
}

/** By step, then by rank; a lone one on each side whatever its number; unnumbered ones in order. */
function byNumber(debug: DumpTree, bench: DumpTree, elsePlace: boolean): Met {
  const problems: Problem[] = []
  const met: MetRanks[] = []
  const rootOf = { debug: debug.root, bench: bench.root }
  const steps = partners(
    groupBy(debug.ranks, rank => rank.step),
    groupBy(bench.ranks, rank => rank.step),
  )
  for (const { side, key } of steps.missing)
    problems.push(problem('steps-differ', rootOf[side], { step: key ?? '' }, 'warning'))
  for (const [step, ours, theirs] of steps.found) {
    const ranks = partners(
      groupBy(ours, rank => rank.rank),
      groupBy(theirs, rank => rank.rank),
    )
    if (elsePlace && ranks.found.length === 0 && ours.length === theirs.length) {
      met.push(...pairUp(ours, theirs))
      continue
    }
    for (const { side, key } of ranks.missing)
      problems.push(problem('rank-missing', rootOf[side], { step: step ?? '', rank: key ?? '' }, 'warning'))
    for (const [rank, a, b] of ranks.found)
      met.push(...pairUp(a, b).map((pair, i) => ({ ...pair, step, rank: rank ?? (a.length > 1 ? i : null) })))
  }
  return { met, problems }
}

type Key = number | null
type Groups = ReadonlyMap<Key, readonly RankFolder[]>

interface Partners {
  readonly found: readonly (readonly [Key, readonly RankFolder[], readonly RankFolder[]])[]
  /** What one side lacks. */
  readonly missing: readonly { readonly side: 'debug' | 'bench'; readonly key: Key }[]
}

function partners(ours: Groups, theirs: Groups): Partners {
  if (ours.size === 1 && theirs.size === 1) {
    const [[key, a]] = ours
    const [[, b]] = theirs
    return { found: [[key, a, b]], missing: [] }
  }
  return {
    found: [...ours].flatMap(([key, a]) => {
      const b = theirs.get(key)
      return b ? [[key, a, b] as const] : []
    }),
    missing: [
      ...[...ours.keys()].filter(key => !theirs.has(key)).map(key => ({ side: 'bench' as const, key })),
      ...[...theirs.keys()].filter(key => !ours.has(key)).map(key => ({ side: 'debug' as const, key })),
    ],
  }
}

function groupBy(list: readonly RankFolder[], keyOf: (item: RankFolder) => Key): Groups {
  const groups = new Map<Key, RankFolder[]>()
  for (const item of list) {
    const known = groups.get(keyOf(item))
    if (known) known.push(item)
    else groups.set(keyOf(item), [item])
  }
  return groups
}
