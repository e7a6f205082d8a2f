// What the window may ask of the engine: ranks held against each other.
import type { RanksLayout, ReplicasStep, UnitAt } from '../../main/engine/model/shared.ts'

export interface ReplicasApi {
  /** The step of a unit over all ranks of the side under test; each of them is read. */
  replicasStep(
    q: UnitAt & { readonly layout: Omit<RanksLayout, 'by'> | null },
    s: AbortSignal,
  ): Promise<ReplicasStep>
}
