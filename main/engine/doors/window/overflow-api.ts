// Where NaN and infinity enter a step, over all its ranks, and the conspicuous calls of one of them.
import type { OverflowApi, OverflowAt } from '../../../../preload/contract/engine.ts'
import {
  type Dump,
  isCompared,
  orderOfUnits,
  type OverflowStep,
  type UnitIndex,
  usualGrowth,
} from '../../model/index.ts'
import { answerOf, bandOf, CallList, type CallPartners, hasAnything, readStep } from '../../overflow/index.ts'
import { overflowExplained } from '../../recompute/index.ts'
import type { Session } from '../../session/index.ts'
import type { UnitView } from '../../study/index.ts'
import { job } from '../../work/index.ts'
import type { Context } from './context.ts'
import { keyOfStep, ranksOfStep, type StepUnit, unitsOfStep } from './step-units.ts'

const lists = new WeakMap<Dump, CallList>()

function listOf(dump: Dump, growth: number): CallList {
  let known = lists.get(dump)
  if (known?.growth !== growth) lists.set(dump, (known = new CallList(dump, growth)))
  return known
}

function partnersOf({ table }: UnitView, growth: number): CallPartners | null {
  return isCompared(table) ? { bench: listOf(table.bench, growth), ...table.pairing.ops } : null
}

export function overflowApi(context: Context): OverflowApi {
  const steps = new WeakMap<Session, Map<string, ReadStep>>()
  const readOnce = async (
    { growth = usualGrowth, ...at }: OverflowAt,
    signal: AbortSignal,
  ): Promise<ReadStep> => {
    const session = context.session(at.session)
    const units = unitsOfStep(context, at, session)
    const key = `${growth}\n${keyOfStep(session, units)}`
    const known = steps.get(session) ?? new Map<string, ReadStep>()
    steps.set(session, known)
    const found = known.get(key) ?? (await read(context, units, growth, signal))
    known.set(key, found)
    return found
  }
  return {
    async overflowStep(at, signal) {
      return (await readOnce(at, signal)).step
    },
    async overflowFirst({ session: id, growth = usualGrowth }, signal) {
      const session = context.session(id)
      const firstUnits = new Map<number | null, UnitIndex>()
      for (const unit of orderOfUnits(session.units)) {
        const { step } = session.unit(unit)
        if (!firstUnits.has(step)) firstUnits.set(step, unit)
      }
      for (const [step, unit] of firstUnits)
        if ((await readOnce({ session: id, unit, growth }, signal)).abnormal)
          return { steps: firstUnits.size, first: { step, unit } }
      return { steps: firstUnits.size, first: null }
    },
    async overflowCalls({ levels, first, count, hereOnly = false, growth = usualGrowth, ...at }, signal) {
      const view = await context.unitView(at, signal)
      const wanted = { levels, hereOnly, first, count: Math.min(count, 500) }
      return listOf(view.dump('debug'), growth).page(wanted, partnersOf(view, growth))
    },
    async overflowBench({ op, growth = usualGrowth, ...at }, signal) {
      const view = await context.wholeView(at, signal)
      const partners = partnersOf(view, growth)
      const other = partners?.toBench[view.lookup().op('debug', op)] ?? -1
      return other < 0 ? null : partners?.bench.level(other) || 'clean'
    },
    async overflowExplained({ op, ...at }, signal) {
      const view = await context.wholeView(at, signal)
      const row = view.lookup().op('debug', op)
      return row < 0 ? null : overflowExplained(context, view.dump('debug'), row, job(signal))
    },
    async overflowWalk({ from, to, growth = usualGrowth, ...at }, signal) {
      const view = await context.unitView(at, signal)
      return listOf(view.dump('debug'), growth).walk(view.lookup().op('debug', from), to)
    },
  }
}

interface ReadStep {
  readonly step: OverflowStep
  readonly abnormal: boolean
}

async function read(
  context: Context,
  units: readonly StepUnit[],
  growth: number,
  signal: AbortSignal,
): Promise<ReadStep> {
  const { ranks, unitOf } = ranksOfStep(units)
  const { records, problems } = await readStep(context, ranks, job(signal), { growth })
  const answer = answerOf(records)
  const enteredAt = (rank: number): readonly number[] =>
    answer.origins.filter(({ ranks: of }) => of.includes(rank)).map(({ order }) => order)
  const found = ranks.flatMap(({ place, rank }) => {
    const record = records.find(one => one.rank === rank)
    const unit = unitOf(place)
    if (!record || unit === undefined) return []
    return [{ rank, unit, calls: record.scene.length, band: bandOf(record, enteredAt(rank)) }]
  })
  return { step: { answer, ranks: found, problems }, abnormal: hasAnything(records) }
}
