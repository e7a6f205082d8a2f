// trend: the cells of one picture out of a trend database: what is at a step, at a rank, or of a module.
import { absolute, dirOf } from '../../../io/index.ts'
import { problem, Refusal } from '../../../model/index.ts'
import { type Fixed, type TrendCell, trendCells } from '../../../trend/index.ts'
import { type Asked, type Command, UsageError } from '../verb.ts'
import type { TrendField, TrendFlags } from './index.ts'

export const command: Command<TrendFlags, readonly TrendCell[], TrendField> = {
  async run({ flags, paths }, { files }) {
    const fixed = fixedBy(flags)
    const path = absolute(paths[0])
    // Beside it may lie what has not been merged into it yet.
    files.allow(dirOf(path))
    if (!files.stat(path)) throw new Refusal(problem('not-found', path))
    const { metric, stat, tags = [] } = flags
    return trendCells(files, path, { metric, stat, tags, fixed })
  },
  print(cells, page) {
    for (const { x, y, value } of cells) page.line(`${x}\t${y}\t${value ?? '-'}`)
  },
  json: cells => ({ cells }),
}

function fixedBy({ step, rank, module }: Asked<TrendFlags>['flags']): Fixed {
  const given: Fixed[] = []
  if (step !== undefined) given.push({ by: 'step', value: step })
  if (rank !== undefined) given.push({ by: 'rank', value: rank })
  if (module !== undefined) given.push({ by: 'module', value: module })
  if (given.length !== 1) throw new UsageError('cli.usage.trendOne')
  return given[0]
}
