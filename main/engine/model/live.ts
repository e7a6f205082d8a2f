// A run that is still being dumped, as it is seen from outside: its folders of steps and ranks, and how far each is.

import type { LiveState, Side } from './names.ts'

/** One step and rank of a run. */
export interface LiveRank {
  readonly step: number | null
  readonly rank: number | null
  /** Name of its folder: `rank3`, `rank`, or `proc123` before the run knows its ranks. */
  readonly name: string
  readonly dir: string
  readonly state: LiveState
  /** Calls in dump.json, as far as it was ever seen; null where it was not read, because it lay there finished. */
  readonly calls: number | null
  /** Calls that only tensor files tell of, newer than dump.json. */
  readonly provisional: number
  /** dump.json ended early when it was last read; what it held before counts. */
  readonly cut: boolean
  /** The call that was finished last; '' where none was. */
  readonly last: string
  /** The innermost call with inputs and without outputs; '' where there is none. */
  readonly open: string
  /** When something changed, in milliseconds of this machine's clock. */
  readonly changedMs: number
  /** What its folder was called before. */
  readonly formerly: string
}

/** Ranks that other steps have, and this one has not (yet). */
export interface LiveMissing {
  readonly step: number | null
  readonly ranks: readonly number[]
}

export interface LiveRun {
  readonly root: string
  readonly task: string
  readonly level: string
  readonly framework: string
  readonly ranks: readonly LiveRank[]
  readonly missing: readonly LiveMissing[]
  /** The whole folder is not there (any more). */
  readonly gone: boolean
  /** A folder that may not be read, and why; '' where all may. */
  readonly unreadable: string
}

/** The runs of an opened study that are still being dumped, and what they have beyond its units. */
export interface LiveView {
  readonly sides: readonly { readonly side: Side; readonly run: LiveRun }[]
  /** Steps and ranks that are there on all sides, and were not when it was opened. */
  readonly fresh: number
}
