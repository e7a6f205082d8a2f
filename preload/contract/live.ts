// What the window may ask of the engine: how far runs are that are dumped while they are open.
import type { LiveView, SessionId } from '../../main/engine/model/shared.ts'

export interface LiveApi {
  /** As it was seen last; from the first question on, news come as events. */
  live(q: { readonly session: SessionId }, s: AbortSignal): Promise<LiveView>
}
