// Questions about the unit on screen: none while nothing is open, asked again when a step that they rest on is new.
import type { StepName, UnitAt } from '../../preload/contract/engine.ts'
import { useQuery, type Answer, type Query } from './query.ts'
import { stamp, useWorkbench } from './workbench.ts'

interface UnitQuery<T> {
  readonly steps: readonly StepName[]
  /** What else the answer depends on; null asks nothing. */
  readonly key: Query<T>['key']
  load(here: UnitAt, signal: AbortSignal): Promise<T>
  readonly keep?: boolean
}

export function useUnitQuery<T>({ steps, key, load, keep = false }: UnitQuery<T>): Answer<T> {
  const session = useWorkbench(s => s.session?.session)
  const unit = useWorkbench(s => s.session?.unit ?? 0)
  const version = useWorkbench(s => stamp(s, ...steps))
  const here = session === undefined ? null : { session, unit }
  return useQuery({
    key: here && key && [...key, version],
    load: signal => (here ? load(here, signal) : Promise.reject(new Error('nothing is open'))),
    keep,
  })
}
