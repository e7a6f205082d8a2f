// The way to a call: the unit of its rank, then the call itself.
import type { OverflowStep } from '../../../preload/contract/engine.ts'
import { run } from '../../state/commands.ts'
import { select } from '../../state/selection.ts'
import { changeLayout } from '../../state/settings.ts'
import { chooseUnit } from '../../state/sessions.ts'
import { now } from '../../state/workbench.ts'

export const unitOf = ({ ranks }: OverflowStep, rank: number): number | null =>
  ranks.find(one => one.rank === rank)?.unit ?? null

export async function goTo(unit: number | null, op: string): Promise<void> {
  if (unit === null) return
  await chooseUnit(unit)
  if (now().session?.unit === unit) select({ debug: op }, 'nodes')
}

/** From call to call through the tensors, coloured by what is not finite in them. */
export async function drawPath(unit: number | null, op: string): Promise<void> {
  await goTo(unit, op)
  run('colours-overflow')
  changeLayout({ graphView: 'dataflow' })
}
