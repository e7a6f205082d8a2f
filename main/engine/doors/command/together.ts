// How ranks are to be put together, as it was typed.
import { readMapping } from '../../layout/index.ts'
import { type ParallelSizes, type Together, usualOrder } from '../../model/index.ts'
import type { parallelSizes } from './flags.ts'
import type { Tools } from './tools.ts'
import { type Given, UsageError } from './verb.ts'

type Sizes = Given<typeof parallelSizes>

/** One value is meant for both sides. Undefined: nothing was typed. */
export function togetherOf(flags: Sizes, { files }: Pick<Tools, 'files'>): Together | undefined {
  const { rankSize, tensorSplit, stageSplit, virtualStages, contextSplit, order, shardRules, rankPairs } =
    flags
  const typed = [rankSize, tensorSplit, stageSplit, virtualStages, contextSplit]
  if (typed.every(values => values === undefined)) {
    const [idle] = [order && '--order', shardRules && '--shard_rules'].filter(Boolean)
    if (idle) throw new UsageError('cli.usage.sizesMissing', { option: idle })
    return rankPairs === undefined ? undefined : { debug: null, bench: null, rules: '', pairs: rankPairs }
  }
  const of = (side: 0 | 1): ParallelSizes => {
    const asked = rankSize?.[side] ?? rankSize?.[0]
    const size = (values: readonly number[] | undefined): number => values?.[side] ?? values?.[0] ?? 1
    return {
      tp: size(tensorSplit),
      pp: size(stageSplit),
      vpp: size(virtualStages),
      cp: size(contextSplit),
      order: order?.[side] ?? order?.[0] ?? usualOrder,
      ...(asked !== undefined && { asked }),
    }
  }
  return {
    debug: of(0),
    bench: of(1),
    rules: shardRules === undefined ? '' : readMapping(files, shardRules),
    ...(rankPairs !== undefined && { pairs: rankPairs }),
  }
}
