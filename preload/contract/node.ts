// What the window may ask of the engine: one node: its detail, its peers, matches made by hand; search.
import type {
  UnitAt,
  KeptMatches,
  NodeDetail,
  NodeRef,
  Peer,
  Problem,
  Result,
  SearchHit,
  Side,
} from '../../main/engine/model/shared.ts'

export interface NodeApi {
  node(q: UnitAt & { readonly at: NodeRef }, s: AbortSignal): Promise<NodeDetail>
  raw(q: UnitAt & { readonly side: Side; readonly node: string }, s: AbortSignal): Promise<string>
  /** Ranks that a communication call talks to; empty for every other node. */
  peers(q: UnitAt & { readonly side: Side; readonly node: string }, s: AbortSignal): Promise<readonly Peer[]>
  /**
   * The call of another unit that belongs to a communication call of this one; null when that rank has none.
   */
  peer(
    q: UnitAt & { readonly side: Side; readonly node: string; readonly to: number },
    s: AbortSignal,
  ): Promise<NodeRef | null>
  /** Matches two nodes by hand, or undoes a debug node's match when `bench` is ''. Kept beside the result. */
  match(
    q: UnitAt & { readonly debug: string; readonly bench: string; readonly descendants: boolean },
    s: AbortSignal,
  ): Promise<Result<null>>
  /** Matches made and undone by hand, for opening the pair again with them. */
  matches(q: UnitAt, s: AbortSignal): Promise<KeptMatches['pairs']>
  /** Matches made by hand as the plugin's mapping file, and back. */
  matchesText(q: UnitAt, s: AbortSignal): Promise<string>
  applyMatches(
    q: UnitAt & { readonly path: string },
    s: AbortSignal,
  ): Promise<
    Result<{ readonly total: number; readonly applied: number; readonly failed: readonly Problem[] }>
  >
  search(
    q: UnitAt & { readonly text: string; readonly limit: number },
    s: AbortSignal,
  ): Promise<readonly SearchHit[]>
}
