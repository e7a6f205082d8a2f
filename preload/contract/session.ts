// What the window may ask of the engine: opening, options and life of a study.
import type {
  UnitAt,
  CompareOptions,
  KeptMatches,
  Result,
  SessionId,
  SessionInfo,
  Together,
} from '../../main/engine/model/shared.ts'

/**
 * How paths are meant: the debug side and then the bench, or one side that nothing is compared with. Left out:
 * names and what lies beside them decide.
 */
export type OpenAs = 'sides' | 'alone'

export interface SessionApi {
  open(
    q: {
      readonly paths: readonly string[]
      readonly as?: OpenAs
      readonly options?: Partial<CompareOptions>
      readonly matches?: readonly KeptMatches[]
      /** Ranks that are put together, or paired by hand. */
      readonly together?: Together
    },
    s: AbortSignal,
  ): Promise<Result<SessionInfo>>
  /** Gives up what is being opened and is no session yet. */
  stopOpening(q: Readonly<Record<string, never>>, s: AbortSignal): Promise<void>
  /** The dumps in a folder that holds too many of them to be opened itself. */
  dumpsIn(q: { readonly path: string }, s: AbortSignal): Promise<Result<readonly string[]>>
  /** Whether a file is a table of verdicts of single calls; details, of which two can be judged, where asked. */
  isVerdicts(
    q: { readonly path: string; readonly part?: 'details' },
    s: AbortSignal,
  ): Promise<Result<boolean>>
  /** Whether a path holds what a run says over its steps and ranks: gradients, a monitor's values, a log. */
  holdsValues(q: { readonly path: string }, s: AbortSignal): Promise<Result<boolean>>
  /** Whether a path is a further part of the one run that these paths are parts of. */
  completes(
    q: { readonly paths: readonly string[]; readonly path: string },
    s: AbortSignal,
  ): Promise<Result<boolean>>
  close(q: { readonly session: SessionId }, s: AbortSignal): Promise<void>
  session(q: { readonly session: SessionId }, s: AbortSignal): Promise<SessionInfo>
  /** Makes a unit the one on screen; its work goes first. */
  choose(q: UnitAt, s: AbortSignal): Promise<SessionInfo>
  setOptions(
    q: { readonly session: SessionId; readonly options: Partial<CompareOptions> },
    s: AbortSignal,
  ): Promise<Result<SessionInfo>>
  /** Stops the work of a study until `resume`; what is there can be asked for. */
  pause(q: { readonly session: SessionId }, s: AbortSignal): Promise<void>
  resume(q: { readonly session: SessionId }, s: AbortSignal): Promise<void>
  /** Bytes that the engine's process holds. */
  memory(q: Readonly<Record<string, never>>, s: AbortSignal): Promise<number>
}
