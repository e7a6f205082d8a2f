// advise of one run: its ranks held against each other, step by step, and forwards that were computed twice.
import { planOf, within } from '../../../layout/index.ts'
import type { ParallelSizes, ReplicasAnswer, Topology } from '../../../model/index.ts'
import { problem, Refusal } from '../../../model/index.ts'
import { msprobe, type Place } from '../../../formats/index.ts'
import { ranksOf } from '../../../overflow/index.ts'
import { givenLayout, readValues, replicasOf } from '../../../replicas/index.ts'
import { kindOf } from '../../../study/index.ts'
import { portsOf } from '../ports.ts'
import { togetherOf } from '../together.ts'
import type { Page, Tools } from '../tools.ts'
import type { Asked } from '../verb.ts'
import type { AdviseFlags } from './index.ts'

export interface StepOfRanks extends ReplicasAnswer {
  readonly step: number | null
}

/** Null where the path holds more than one run: then that is compared. */
export async function ranksAlone(
  { flags, paths }: Asked<AdviseFlags>,
  tools: Tools,
): Promise<readonly StepOfRanks[] | null> {
  const [path] = paths
  const isPair = paths.length > 1 || flags.input !== undefined
  const writes = flags.output !== undefined || flags.shard !== undefined
  if (path === undefined || isPair || writes) return null
  const plan = await planOf([path], { stacks: 'auto', ordered: true }, portsOf(tools, 'plumbline'), tools.job)
  if (kindOf(plan).id !== 'single') return null
  for (const found of plan.problems) tools.tell(found)
  const { units } = within(plan, flags)
  if (units.length === 0) throw new Refusal(problem('none-chosen', path))
  const steps = new Map<number | null, Place[]>()
  for (const { format, debug, step, places } of units) {
    if (format !== msprobe.id) throw new Refusal(problem('not-a-dump', debug))
    steps.set(step, [...(steps.get(step) ?? []), places.debug])
  }
  const sizes = togetherOf(flags, tools)?.debug ?? null
  const answers: StepOfRanks[] = []
  for (const [step, places] of steps) {
    const { records, problems } = await readValues(tools, ranksOf(places), tools.job)
    for (const found of problems) tools.tell(found)
    answers.push({ step, ...replicasOf(records, sizes && layoutOf(sizes, places.length, path)) })
  }
  return answers
}

const layoutOf = ({ tp, cp, pp, order }: ParallelSizes, ranks: number, path: string): Topology =>
  givenLayout({ tp, cp, pp, ep: 1, order }, ranks, path)

const spelledOut = 12

export function printRanks(steps: readonly StepOfRanks[], page: Page): void {
  for (const answer of steps) {
    const { step, ranks, findings } = answer
    if (step !== null) page.line(page.say('cli.replicas.step', { step, ranks }))
    for (const found of findings.slice(0, spelledOut)) {
      const { text, more } = page.unequal(found)
      page.line(text)
      for (const line of more) page.line(`  ${line}`)
    }
    if (findings.length > spelledOut)
      page.line(page.say('cli.overflow.more', { count: findings.length - spelledOut }))
    if (findings.length === 0) page.line(page.say('replicas.none'))
    for (const line of page.heldTogether(answer)) page.note(line)
  }
}

/** What may be rounding, or meant, is a warning. */
export const isFault = ({ findings }: StepOfRanks): boolean =>
  findings.some(({ rounding, kind }) => !rounding && kind !== 'calls')
