// An opened study as it is shown: sides, units, jobs, news.
import type { Counts } from './counts.ts'
import type { SessionId, UnitIndex } from './ids.ts'
import type { Framework, Level, Mode, Side } from './names.ts'
import type { CompareOptions, MappingTexts } from './options.ts'
import type { Problem } from './problem.ts'
import type { ReportFormat } from './report.ts'

/** One side of a study. */
export interface SideInfo {
  readonly side: Side
  readonly root: string
  readonly name: string
  readonly framework: Framework | ''
  readonly level: Level | ''
  readonly task: string
  /** Tensors of a file, not a run. */
  readonly stored?: boolean
}

/** A unit of an opened study: what most questions are about. */
export interface UnitAt {
  readonly session: SessionId
  readonly unit: UnitIndex
}

export type UnitState = 'waiting' | 'reading' | 'comparing' | 'done' | 'failed'

/** Steps of a study whose results the window shows. */
export const stepNames = ['dumps', 'pairs', 'metrics', 'states', 'graph', 'findings'] as const
export type StepName = (typeof stepNames)[number]

/** Something for each step that a kind of study has. */
export type StepValues<T> = Readonly<Partial<Record<StepName, T>>>

/**
 * What the results of each step rest on, as a number: equal numbers are equal results, also after a unit was
 * given back and read again.
 */
export type StepVersions = StepValues<number>

/** What is known of a unit once it has been compared. */
/** Calls of a side, and how many of them have a partner. */
export interface PairedCalls {
  readonly all: number
  readonly paired: number
}

export interface UnitFacts extends Counts {
  readonly calls: Readonly<Record<Side, PairedCalls>>
  /** The folder or file of each side. */
  readonly dirs: readonly string[]
  /** What the sides are called here; empty where they are called so in every unit. */
  readonly sideNames: readonly string[]
  /** Largest error level of the rows, NaN before it is known. */
  readonly worst: number
  /** Name of the headline node once findings are known. */
  readonly headline: string
  readonly partial: boolean
  /** Its files are being written: what is known of it changes with them. */
  readonly growing: boolean
  /** Its files are others than those that were read. */
  readonly outdated: boolean
}

/** One (step, rank) of a session. */
export interface UnitInfo extends UnitFacts {
  readonly unit: UnitIndex
  readonly step: number | null
  readonly rank: number | null
  /** What tells it from units of the same step and rank; '' where they do. */
  readonly name: string
  /** Of another run than the one that is shown first: nobody is led there without being asked. */
  readonly aside: boolean
  readonly state: UnitState
  /** Why there is nothing to show of it, and will not be under these options. */
  readonly failure: Problem | null
  readonly versions: StepVersions
}

/** What can be done with a study. */
export interface StudyCan {
  /** Two sides stand beside each other. */
  readonly compare: boolean
  /** Who met whom can still be changed: by a mapping, by hand. */
  readonly match: boolean
  /** Another dump can be put in the place of a side, or beside the only one. */
  readonly join: boolean
  /** Calls can be recomputed where their tensors were dumped. */
  readonly recompute: boolean
}

/** What a study says of itself; most of it is its row in the table of kinds. */
export interface SessionFacts {
  readonly kind: string
  /** The one under test first. */
  readonly sides: readonly SideInfo[]
  /** Tables of verdicts that were given with dumps. */
  readonly beside: readonly string[]
  /** Ids of the panels that have something to show. */
  readonly panes: readonly string[]
  readonly reports: readonly ReportFormat[]
  readonly can: StudyCan
  readonly mode: Mode
  /** Mappings in force: those of the options, or what the dumps ask for where none was chosen. */
  readonly mapping: MappingTexts
}

export interface SessionInfo extends SessionFacts {
  readonly session: SessionId
  /** As they were chosen. */
  readonly options: CompareOptions
  readonly units: readonly UnitInfo[]
  readonly unit: UnitIndex
  readonly problems: readonly Problem[]
  /** The user has stopped the work; only the user lets it go on. */
  readonly paused: boolean
}

/** What was matched by hand in one step and rank: debug id → bench id, '' where a match was undone. */
export interface KeptMatches {
  readonly step: number | null
  readonly rank: number | null
  readonly pairs: Readonly<Record<string, string>>
}

export interface JobInfo {
  readonly session: SessionId
  readonly unit: UnitIndex
  readonly what: string
  readonly done: number
  readonly total: number
  /** What done and total count. */
  readonly countedIn: 'bytes' | 'rows' | 'files' | 'items'
  readonly startedMs: number
  readonly finished: boolean
}

export type EngineEvent =
  /** Units whose state, facts or versions have changed. */
  | { readonly is: 'units'; readonly session: SessionId; readonly units: readonly UnitInfo[] }
  /** What a study says of itself, its options, or whether it is paused has changed. */
  | { readonly is: 'session'; readonly session: SessionId }
  | { readonly is: 'job'; readonly job: JobInfo }
  /** A run that is being dumped has got further, or stopped. */
  | { readonly is: 'live'; readonly session: SessionId }
  /** Calls of a unit were recomputed: how far that is. */
  | { readonly is: 'recomputed'; readonly session: SessionId; readonly job: JobInfo }
  /** All elements of the tensors on screen are being read: how far that is. */
  | { readonly is: 'read'; readonly session: SessionId; readonly job: JobInfo }
  | { readonly is: 'problem'; readonly session: SessionId; readonly problem: Problem }
