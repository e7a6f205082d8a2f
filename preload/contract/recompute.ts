// What the window may ask of the engine: calls computed again from their stored inputs.
import type {
  FindingRecomputed,
  NodeRecomputed,
  NodeRef,
  Result,
  Side,
  UnitAt,
} from '../../main/engine/model/shared.ts'

export interface RecomputeApi {
  /**
   * Recomputes the calls of nodes and of what lies in them, all where null is given; told as it goes on. `limit`: operations
   * of a call beyond which rows are sampled.
   */
  recompute(
    q: UnitAt & { readonly nodes: readonly NodeRef[] | null; readonly limit: number },
    s: AbortSignal,
  ): Promise<void>
  /** What is known of the calls of a node. */
  recomputed(q: UnitAt & { readonly at: NodeRef }, s: AbortSignal): Promise<NodeRecomputed>
  /** Whose fault it is where the error enters; null where no call there can be recomputed. */
  headlineRecomputed(
    q: UnitAt & { readonly limit: number },
    s: AbortSignal,
  ): Promise<FindingRecomputed | null>
  /** Writes a call as data and a script that runs it on the CPU and on a device, into a folder of its name. */
  repro(
    q: UnitAt & { readonly side: Side; readonly node: string; readonly folder: string },
    s: AbortSignal,
  ): Promise<Result<{ readonly paths: readonly string[] }>>
}
