// Which dumps have values over steps and ranks, and which call a value is of.
import { msprobe } from '../../formats/index.ts'
import type { UnitRef } from '../../layout/index.ts'

export const dumpsHaveSeries = (units: readonly Pick<UnitRef, 'format'>[]): boolean =>
  units.length > 1 && units.every(({ format }) => format === msprobe.id)

/** The call that a tensor belongs to, by its name. */
export const callOf = (target: string): string | null =>
  /^.+?\.(?:forward|backward|parameters_grad)(?:\.\d+)?(?=\.)/.exec(target)?.[0] ?? null
