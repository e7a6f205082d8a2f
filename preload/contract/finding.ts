// What the window may ask of the engine: what the advisor says.
import type { Advice, Overall, SessionId, UnitAt } from '../../main/engine/model/shared.ts'

export interface FindingApi {
  findings(q: UnitAt, s: AbortSignal): Promise<Advice>
  /** How all steps and ranks stand, as far as they are known now. */
  overall(q: { readonly session: SessionId }, s: AbortSignal): Promise<Overall>
  /** The same once all of them are known. */
  across(q: { readonly session: SessionId }, s: AbortSignal): Promise<Overall>
}
