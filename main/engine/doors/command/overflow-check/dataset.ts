// overflow_check of many steps and ranks as one dataset, by any number of processes.
import {
  type DatasetShare,
  DatasetWriter,
  mergeDataset,
  type Merged,
  overflowVerb,
} from '../../../dataset/index.ts'
import { msprobe, type Place } from '../../../formats/index.ts'
import { absolute } from '../../../io/index.ts'
import { planOf, shardOf, type UnitRef, within } from '../../../layout/index.ts'
import { problem, Refusal, usualGrowth } from '../../../model/index.ts'
import { ranksOf, readRank } from '../../../overflow/index.ts'
import { openSources } from '../../../study/index.ts'
import { defaultOutput } from '../flags.ts'
import { portsOf } from '../ports.ts'
import { shareOf } from '../shares.ts'
import type { Tools } from '../tools.ts'
import { eachUnit, problemOf } from '../units.ts'
import type { Given, Outcome } from '../verb.ts'
import type { OverflowCheckFlags } from './index.ts'

export interface CheckedParts {
  readonly folder: string
  readonly share: DatasetShare | null
  readonly units: number
  readonly known: number
  readonly failed: number
  /** What a run over all units comes to; null of a share. */
  readonly merged: Merged | null
  readonly outcome: Outcome
}

export async function checkIntoDataset(
  flags: Given<OverflowCheckFlags>,
  tools: Tools,
): Promise<CheckedParts> {
  const ports = portsOf(tools, 'plumbline')
  const asked = { stacks: 'auto', ordered: true, alone: true } as const
  const plan = within(await planOf([flags.input], asked, ports, tools.job), flags)
  for (const found of plan.problems) tools.tell(found)
  if (plan.units.length === 0) throw new Refusal(problem('none-chosen', plan.debug))
  const odd = plan.units.find(({ format }) => format !== msprobe.id)
  if (odd) throw new Refusal(problem('not-a-dump', odd.debug))
  const shared = shareOf(flags.shard ?? null, tools.environment)
  if (shared?.by)
    tools.meanwhile(page => page.note(page.say('cli.dataset.share', { ...shared.share, by: shared.by })))
  const mine = shared ? shardOf(plan, shared.share) : plan
  const share = shared?.share ?? null
  if (mine.units.length === 0) {
    tools.tell(problem('share-empty', plan.debug, { units: plan.units.length }, 'note'))
    return { folder: '', share, units: 0, known: 0, failed: 0, merged: null, outcome: 'ran' }
  }
  const opening = openSources(mine, { ...ports, measure: tools.measure })
  const numbers = numbersOf(plan.units)
  const { growth = usualGrowth } = flags
  const writer = DatasetWriter.open(
    absolute(flags.output || defaultOutput),
    {
      version: 1,
      verb: overflowVerb,
      rules: 'plumbline',
      debug: plan.debug,
      bench: '',
      options: { growth },
      units: plan.units.map(({ step, rank, name = '' }) => ({ step, rank, name })),
    },
    share,
    { files: tools.files, dumps: [plan.debug], chosen: flags.output !== undefined, stacks: false },
  )
  let known = 0
  try {
    const { results, failed, outcome } = await eachUnit(
      { units: opening.units, folderOf: ({ place }) => place.debug },
      tools,
      async ({ place, stamp }, job) => {
        const { step, rank, name = '', debug, bench, places } = place
        const at = { step, rank, name, debug, bench, stamp: stamp() }
        const there = writer.done(at)
        if (there) {
          known++
          return there
        }
        try {
          const order = { place: places.debug, rank: numbers.get(places.debug.path) ?? 0 }
          const read = await readRank(tools, order, job, { growth, calls: true })
          for (const found of read.problems) tools.tell(found)
          return await writer.writeCalls(at, read)
        } catch (error) {
          if (!tools.job.signal.aborted && error instanceof Refusal) writer.fail(at, problemOf(error))
          throw error
        }
      },
      { mayFail: true, lanes: 2 },
    )
    writer.end()
    const merged = shared ? null : await mergeDataset(writer.folder, tools, tools.job)
    if (merged) tools.written(merged.files)
    return { folder: writer.folder, share, units: results.length, known, failed, merged, outcome }
  } finally {
    opening.close()
  }
}

/** Ranks of all steps, whatever the share: processes without a number get the same one in every share. */
function numbersOf(units: readonly UnitRef[]): ReadonlyMap<string, number> {
  const steps = new Map<number | null, Place[]>()
  for (const { step, places } of units) steps.set(step, [...(steps.get(step) ?? []), places.debug])
  return new Map(
    [...steps.values()].flatMap(places =>
      ranksOf(places).map(({ place, rank }) => [place.path, rank] as const),
    ),
  )
}
