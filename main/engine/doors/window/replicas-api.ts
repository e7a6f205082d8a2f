// Ranks of a step held against each other.
import type { ReplicasApi } from '../../../../preload/contract/engine.ts'
import type { ReplicasStep } from '../../model/index.ts'
import { givenLayout, readValues, replicasOf } from '../../replicas/index.ts'
import type { Session } from '../../session/index.ts'
import { job } from '../../work/index.ts'
import type { Context } from './context.ts'
import { keyOfStep, ranksOfStep, unitsOfStep } from './step-units.ts'

export function replicasApi(context: Context): ReplicasApi {
  const steps = new WeakMap<Session, { readonly key: string; readonly step: ReplicasStep }>()
  return {
    async replicasStep({ layout, side = 'debug', ...at }, signal) {
      const session = context.session(at.session)
      const units = unitsOfStep(context, at, session)
      const key = `${side} ${JSON.stringify(layout)}\n${keyOfStep(session, units)}`
      const known = steps.get(session)
      if (known?.key === key) return known.step
      const { ranks, unitOf } = ranksOfStep(units, side)
      const given = layout && givenLayout(layout, ranks.length, units[0].ref.debug)
      const { records, problems } = await readValues(context, ranks, job(signal))
      const step: ReplicasStep = {
        answer: replicasOf(records, given),
        units: ranks.flatMap(({ place, rank }) => {
          const unit = unitOf(place)
          return unit === undefined ? [] : [{ rank, unit }]
        }),
        problems,
      }
      steps.set(session, { key, step })
      return step
    },
  }
}
