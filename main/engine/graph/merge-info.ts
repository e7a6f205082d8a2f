// What the values of a node were put together of, one line each, as files of graphs say it.
import type { Dump, OpRow, ShardWay } from '../model/index.ts'

const told: Readonly<Record<ShardWay, string>> = {
  one: 'of one rank',
  same: 'the same on all ranks',
  unequal: 'the first rank of several that are not equal',
  split: 'Max = max, Min = min, Mean = mean by elements, Norm = sqrt(sum of Norm^2)',
  sum: 'the result of its reduction',
  partial: 'a summand, not compared',
  unfit: 'pieces that do not fit, not compared',
  counted: 'a number that counts pieces, summed up',
}

/** Empty where every value is of one rank. */
export function mergeInfo({ about, ops, items, texts }: Dump, op: OpRow): readonly string[] {
  const shards = about?.shards
  if (!shards || op < 0) return []
  const lines: string[] = []
  for (let item = ops.first[op]; item < ops.first[op + 1]; item++) {
    const { ranks, way, axis, guessed } = shards(item)
    if (way === 'one' && ranks.length < 2) continue
    const along = axis < 0 ? '' : ` along axis ${axis}${guessed ? ' (guessed)' : ''}`
    lines.push(`${texts.get(items.name[item])}: ranks ${ranks.join(', ')}${along}: ${told[way]}`)
  }
  return lines
}
