// What the window may ask of the engine: what the advisor says.
import type {
  Advice,
  Overall,
  Overflowed,
  ScriptChanges,
  SessionId,
  UnitAt,
} from '../../main/engine/model/shared.ts'

export interface FindingApi {
  /** What the device recorded of operations that overflowed; `known`: the debug side has a node of that name. */
  overflows(q: UnitAt, s: AbortSignal): Promise<readonly (Overflowed & { readonly known: boolean })[]>
  /** The changes to a training script that lets it dump; what is not said is that of the opened run. */
  scriptChanges(
    q: { readonly session: SessionId; readonly folder?: string; readonly steps?: string },
    s: AbortSignal,
  ): Promise<ScriptChanges>
  findings(q: UnitAt, s: AbortSignal): Promise<Advice>
  /** How all steps and ranks stand, as far as they are known now. */
  overall(q: { readonly session: SessionId }, s: AbortSignal): Promise<Overall>
  /** The same once all of them are known. */
  across(q: { readonly session: SessionId }, s: AbortSignal): Promise<Overall>
}
