// Which ranks of which steps a path holds.
import { msprobe, type Place } from '../../../formats/index.ts'
import { planOf, within } from '../../../layout/index.ts'
import { problem, Refusal, type Rules } from '../../../model/index.ts'
import { type RankPlace, ranksOf } from '../../../overflow/index.ts'
import { portsOf } from '../ports.ts'
import type { Tools } from '../tools.ts'
import type { Given } from '../verb.ts'
import type { OverflowCheckFlags } from './index.ts'

export interface StepPlaces {
  readonly step: number | null
  readonly ranks: readonly RankPlace[]
}

export async function stepsAt(
  { input, ranks, steps }: Given<OverflowCheckFlags>,
  rules: Rules,
  tools: Tools,
): Promise<readonly StepPlaces[]> {
  const asked = { stacks: 'auto', ordered: true, alone: true } as const
  const plan = within(await planOf([input], asked, portsOf(tools, rules), tools.job), { ranks, steps })
  for (const found of plan.problems) tools.tell(found)
  const places = new Map<number | null, Place[]>()
  for (const { format, places: of, step } of plan.units) {
    if (format !== msprobe.id) throw new Refusal(problem('not-a-dump', of.debug.path))
    const known = places.get(step)
    if (known) known.push(of.debug)
    else places.set(step, [of.debug])
  }
  if (places.size === 0) throw new Refusal(problem('none-chosen', plan.debug))
  return [...places].map(([step, of]) => ({ step, ranks: ranksOf(of) }))
}
