// The units of one step, and the ranks that they are.
import { msprobe, type Place } from '../../formats/index.ts'
import type { UnitRef } from '../../layout/index.ts'
import { orderOfUnits, problem, Refusal, type Side, type UnitAt, type UnitIndex } from '../../model/index.ts'
import { type RankPlace, ranksOf } from '../../overflow/index.ts'
import type { Session } from '../../session/index.ts'
import type { Context } from './context.ts'

export interface StepUnit {
  readonly unit: UnitIndex
  readonly ref: UnitRef
}

/** The units of the same step. */
export function unitsOfStep(
  context: Context,
  { session: id, unit }: UnitAt,
  session: Session,
): readonly StepUnit[] {
  const { step } = session.unit(unit)
  return orderOfUnits(session.units)
    .filter(one => session.unit(one).step === step)
    .map(one => ({ unit: one, ref: context.unit({ session: id, unit: one }).ref }))
}

/** What an answer over them rests on. */
export const keyOfStep = (session: Session, units: readonly StepUnit[]): string =>
  units.map(({ unit, ref }) => `${ref.debug} ${session.unit(unit).keys().dumps ?? ''}`).join('\n')

/** Ranks of a side, and the unit of each. */
export function ranksOfStep(
  units: readonly StepUnit[],
  side: Side = 'debug',
): { readonly ranks: readonly RankPlace[]; unitOf(place: Place): UnitIndex | undefined } {
  for (const { ref } of units)
    if (ref.format !== msprobe.id) throw new Refusal(problem('not-a-dump', ref.debug))
  const places = new Map(
    units.flatMap(({ unit, ref: { places: of } }) => {
      const place = of[side]
      return place ? [[place, unit] as const] : []
    }),
  )
  return { ranks: ranksOf([...places.keys()]), unitOf: place => places.get(place) }
}
