// What the window may ask of the engine: what the advisor says.
import type {
  Advice,
  Made,
  NodeRef,
  NoiseShown,
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
  /** What arrived at a node of the debug side and what it made itself; null where that is not known. */
  made(q: UnitAt & { readonly at: NodeRef }, s: AbortSignal): Promise<Made | null>
  /** What was measured of noise; null where nothing was given that tells. */
  noise(q: UnitAt, s: AbortSignal): Promise<NoiseShown | null>
  /** The same as the text of a file, for other pairs; null where there is none. */
  noiseText(q: UnitAt, s: AbortSignal): Promise<string | null>
  /** How all steps and ranks stand, as far as they are known now. */
  overall(q: { readonly session: SessionId }, s: AbortSignal): Promise<Overall>
  /** The same once all of them are known. */
  across(q: { readonly session: SessionId }, s: AbortSignal): Promise<Overall>
}
