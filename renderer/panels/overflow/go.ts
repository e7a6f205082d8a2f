// The way to a call: the unit of its rank, then the call itself.
import type { OverflowStep } from '../../../preload/contract/engine.ts'
import { select } from '../../state/selection.ts'
import { chooseUnit } from '../../state/sessions.ts'
import { now } from '../../state/workbench.ts'

export const unitOf = ({ ranks }: OverflowStep, rank: number): number | null =>
  ranks.find(one => one.rank === rank)?.unit ?? null

export async function goTo(unit: number | null, op: string): Promise<void> {
  if (unit === null) return
  await chooseUnit(unit)
  if (now().session?.unit === unit) select({ debug: op }, 'nodes')
}
