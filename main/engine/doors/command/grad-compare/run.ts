// grad_compare: how far the signs of two runs' gradients agree, and where they first deviate.
import { join, openOutput } from '../../../io/index.ts'
import {
  compareGradients,
  firstSuspect,
  type FirstSuspect,
  type GradientPair,
  differenceStats,
  type LargestDifference,
  largestDifferences,
  Points,
  type RankSimilarity,
  signLimits,
  type SignLimits,
  type SignSuspect,
  similaritiesCsv,
  similarityAt,
  summaryAt,
  suspectsOf,
  weakSteps,
} from '../../../series/index.ts'
import { defaultOutput } from '../flags.ts'
import { folderAt } from '../one-folder.ts'
import type { Page, Tools } from '../tools.ts'
import { writeText } from '../units.ts'
import type { Command } from '../verb.ts'
import type { GradField, GradFlags } from './index.ts'

interface Judged {
  readonly of: RankSimilarity
  readonly suspects: readonly SignSuspect[]
  readonly first: FirstSuspect | null
}

interface Answer {
  readonly pair: GradientPair
  readonly differences: readonly LargestDifference[]
  readonly ranks: readonly Judged[]
  readonly limits: SignLimits
  readonly files: readonly string[]
}

export const command: Command<GradFlags, Answer, GradField> = {
  async run({ flags, paths }, tools) {
    const roots = [await folderAt(paths[0], tools), await folderAt(paths[1], tools)] as const
    const limits = { first: flags.first ?? signLimits.first, drop: flags.drop ?? signLimits.drop }
    const sides = [new Points(), new Points()] as const
    const pair = await compareGradients(roots, flags.rules ?? 'plumbline', sides, tools)
    const differences = largestDifferences(differenceStats(sides))
    for (const found of pair.problems) tools.tell(found)
    const ranks = pair.ranks.map((of): Judged => {
      const suspects = suspectsOf(of, limits)
      return { of, suspects, first: firstSuspect(suspects) }
    })
    return { pair, differences, ranks, limits, files: write(pair, flags.output || defaultOutput, tools) }
  },
  print(answer, page) {
    for (const judged of answer.ranks) printRank(judged, page)
    for (const { rank, step, stat, largest } of answer.differences) {
      const most = { at: largest.step, name: largest.name, value: shown(largest.value) }
      page.line(page.say('series.differs', { rank, step, stat, ...most }))
    }
  },
  json: ({ differences, ranks, limits, files }) => ({
    ranks: ranks.map(rankJson),
    suspects: ranks.flatMap(({ suspects }) => suspects),
    differences,
    limits,
    files,
  }),
}

const rankJson = ({ of, first }: Judged): object => ({
  rank: of.rank,
  steps: of.steps,
  params: of.params.map((name, param) => ({
    name,
    similarities: of.steps.map((_, step) => similarityAt(of, param, step)),
    fewAboveZero: weakSteps(of, param),
  })),
  summary: of.steps.map((_, step) => {
    const { equal, size } = summaryAt(of, step)
    return size === 0 ? 0 : equal / size
  }),
  first: first && { step: first.step, name: first.name },
})

/** Of each rank. */
const mostShown = 5

function printRank({ of, suspects, first }: Judged, page: Page): void {
  const { rank } = of
  const facts = { rank, steps: of.steps.length, params: of.params.length }
  if (!first) {
    page.line(page.say(of.steps.length === 0 ? 'series.rank.unsigned' : 'series.rank.agrees', facts))
    return
  }
  page.line(page.say('series.rank.first', { rank, step: first.step, name: first.name }))
  for (const { step, name, why, similarity, before } of suspects.slice(0, mostShown))
    page.line(
      `  ${page.say(`series.suspect.${why}`, { step, name, similarity: shown(similarity), before: shown(before ?? NaN) })}`,
    )
  const more = suspects.length - mostShown
  if (more > 0) page.line(`  ${page.say('series.suspect.more', { count: more })}`)
}

const shown = (value: number): string => String(Number(value.toPrecision(4)))

function write({ ranks, roots }: GradientPair, folder: string, { written }: Tools): readonly string[] {
  return ranks
    .filter(({ steps }) => steps.length > 0)
    .flatMap(of => {
      const output = openOutput(join(folder, `rank${of.rank}`), roots)
      try {
        writeText(output, 'similarities.csv', similaritiesCsv(of))
        const paths = output.commit()
        written(paths)
        return paths
      } finally {
        output.abandon()
      }
    })
}
