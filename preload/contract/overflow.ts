// What the window may ask of the engine: where NaN and infinity enter.
import type {
  OverflowCall,
  OverflowExplained,
  OverflowFirst,
  OverflowLevel,
  OverflowPage,
  OverflowStep,
  OverflowWalk,
  UnitAt,
} from '../../main/engine/model/shared.ts'

/** `growth`: how often a norm may be that of the inputs before a call is conspicuous. */
export type OverflowAt = UnitAt & { readonly growth?: number }

export interface OverflowApi {
  /** Where it enters the step of a unit, over all ranks of the side under test; each of them is read. */
  overflowStep(q: OverflowAt, s: AbortSignal): Promise<OverflowStep>
  /** The first step with anything, in the order of steps; read up to it. */
  overflowFirst(q: OverflowAt, s: AbortSignal): Promise<OverflowFirst>
  /** Conspicuous calls of the side under test in their order; of no level, all. */
  overflowCalls(
    q: OverflowAt & {
      readonly levels: readonly OverflowLevel[]
      /** Those only that the bench side does not share. */
      readonly hereOnly?: boolean
      readonly first: number
      readonly count: number
    },
    s: AbortSignal,
  ): Promise<OverflowPage>
  /** Whether the inputs of a call explain its bad result; null where no tensors were dumped. */
  overflowExplained(q: UnitAt & { readonly op: string }, s: AbortSignal): Promise<OverflowExplained | null>
  /** What the partner of a call shows on the bench side; null where there is none. */
  overflowBench(q: OverflowAt & { readonly op: string }, s: AbortSignal): Promise<OverflowCall['bench']>
  /** The conspicuous call before or behind one, by name; from none the last or the first, null at the end. */
  overflowWalk(
    q: OverflowAt & { readonly from: string; readonly to: OverflowWalk },
    s: AbortSignal,
  ): Promise<string | null>
}
