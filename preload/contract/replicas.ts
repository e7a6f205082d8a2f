// What the window may ask of the engine: ranks held against each other.
import type { RanksLayout, ReplicasStep, Side, UnitAt } from '../../main/engine/model/shared.ts'

export interface ReplicasApi {
  /** The step of a unit over all ranks of a side, the one under test where none is named; each of them is read. */
  replicasStep(
    q: UnitAt & { readonly side?: Side; readonly layout: Omit<RanksLayout, 'by'> | null },
    s: AbortSignal,
  ): Promise<ReplicasStep>
}
