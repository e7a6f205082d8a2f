// The answer for one step: origins and first visible signs by name, and what could not be told.
import type { RankRecord } from './record.ts'
import { nameIn } from './record.ts'
import { type Arrival, type Found, originsOf } from './origins.ts'
import { Evidence, levels } from './scenes.ts'
import type { NamedArrival, NamedFound, OverflowAnswer, OverflowNote } from '../model/index.ts'

export function answerOf(records: readonly RankRecord[]): OverflowAnswer {
  const byRank = new Map(records.map(record => [record.rank, record]))
  const { origins, symptoms, later, arrivals, unmatched, deadlocks } = originsOf(records)
  const name = (rank: number, op: number): string => {
    const record = byRank.get(rank)
    return record ? nameIn(record, op) : ''
  }
  const named = ({ rank, ranks, op, why, depth, downstream, reached }: Found): NamedFound => ({
    rank,
    ranks: ranks.toSorted((a, b) => a - b),
    op: name(rank, op),
    order: op,
    confidence: why,
    depth,
    downstream,
    reached: [...reached].sort((a, b) => a - b),
  })
  const arrived = ({ from, fromOp, to, toOp }: Arrival): NamedArrival => ({
    from,
    fromOp: name(from, fromOp),
    fromOrder: fromOp,
    to,
    toOp: name(to, toOp),
    toOrder: toOp,
  })
  return {
    origins: origins.map(named),
    symptoms: symptoms.map(named),
    later,
    arrivals: arrivals.map(arrived),
    notes: [
      ...notesOf(records),
      ...unmatched.map(({ key, rank, op, count, missing }): OverflowNote =>
        missing.length > 0
          ? { note: 'rank-missing', key, op: name(rank, op), ranks: shortened(missing), count }
          : { note: 'fewer-calls', key, op: name(rank, op), rank, count },
      ),
      ...(deadlocks > 0 ? [{ note: 'deadlocks', count: deadlocks } as const] : []),
    ],
    levels: levelsOf(records),
    calls: records.reduce((sum, { scene }) => sum + scene.length, 0),
  }
}

/** What can be said of a dump at all. */
function notesOf(records: readonly RankRecord[]): readonly OverflowNote[] {
  const rules: readonly (readonly [OverflowNote['note'], (record: RankRecord) => boolean])[] = [
    ['overflow-only', ({ task }) => task === 'overflow_check'],
    ['no-statistics', ({ counted, scene }) => counted === 0 && scene.length > 0],
    ['no-inputs', ({ hasInputs, scene }) => !hasInputs && scene.length > 0],
    ['cut', ({ partial }) => partial],
  ]
  return rules.flatMap(([note, holds]) => {
    const ranks = records.filter(holds).length
    return ranks > 0 ? [{ note, ranks } as OverflowNote] : []
  })
}

function levelsOf(records: readonly RankRecord[]): OverflowAnswer['levels'] {
  const scenes = new Float64Array(levels.length)
  for (const { scene } of records) for (const one of scene) scenes[one]++
  const counts = { statistic: 0, medium: 0, high: 0, saturated: 0, critical: 0 }
  levels.forEach((level, scene) => {
    if (level !== '') counts[level] += scenes[scene]
  })
  return counts
}

const shown = 8
const shortened = (ranks: readonly number[]): string =>
  ranks.slice(0, shown).join(', ') + (ranks.length > shown ? ' …' : '')

/** Whether anything in a step is not finite. */
export const hasAnything = (records: readonly RankRecord[]): boolean =>
  records.some(({ evidence }) =>
    evidence.some(bits => (bits & (Evidence.badInput | Evidence.badOutput)) !== 0),
  )
