// Which rank folder of one step meets which of the other.
import type { Entry, Files } from '../io/files.ts'
import type { Rules } from '../model.ts'
import { problem, Refusal, type Problem } from '../problem.ts'
import { waysOf } from './rules.ts'

export interface RankPair {
  readonly debug: string
  readonly bench: string
  /** Part of file names: `_rank0-rank0`. */
  readonly suffix: string
}

export interface RankPairs {
  readonly pairs: readonly RankPair[]
  readonly problems: readonly Problem[]
}

const grammar = /^rank(0|[1-9]\d*)?$/

/** Pairs the rank folders of two step folders. */
export function pairRanks(files: Files, debugStep: string, benchStep: string, rules: Rules): RankPairs {
  const ways = waysOf(rules)
  const problems: Problem[] = []
  const names = (step: string): string[] => {
    const entries = files.list(step)
    const strays = entries.filter(entry => !isRank(entry))
    if (strays[0] && !ways['stray-entries']) throw new Refusal(problem('stray-entry-stops', `${step}/${strays[0].name}`))
    problems.push(...strays.map(entry => problem('stray-entry', `${step}/${entry.name}`, {}, 'note')))
    const found = entries.filter(isRank).map(entry => entry.name)
    return ways['rank-order'] ? found.sort((a, b) => numberOf(a) - numberOf(b)) : found.sort()
  }
  const mine = names(debugStep)
  const theirs = names(benchStep)
  const common = mine.filter(name => theirs.includes(name))
  const byNumber = ways['rank-order'] && common.length > 0
  if (!byNumber && (mine.length !== theirs.length || mine.length === 0)) throw new Refusal(problem('ranks-differ', debugStep, { bench: benchStep, mine: mine.length, theirs: theirs.length }))
  if (byNumber) {
    const missing = (step: string, names: readonly string[]): void => {
      for (const name of names) problems.push(problem('rank-missing', step, { rank: name.slice('rank'.length) || 0, step: stepOf(step) }, 'warning'))
    }
    missing(benchStep, mine.filter(name => !theirs.includes(name)))
    missing(debugStep, theirs.filter(name => !mine.includes(name)))
  }
  const pairs = byNumber ? common.map(name => [name, name] as const) : mine.map((name, i) => [name, theirs[i]] as const)
  return { pairs: pairs.map(([a, b]) => ({ debug: `${debugStep}/${a}`, bench: `${benchStep}/${b}`, suffix: `_${a}-${b}` })), problems }
}

const isRank = (entry: Entry): boolean => grammar.test(entry.name) && entry.kind !== 'file'
const numberOf = (name: string): number => Number(name.slice('rank'.length) || -1)
const stepOf = (step: string): string => /step(\d+)\/?$/.exec(step)?.[1] ?? ''
