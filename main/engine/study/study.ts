// What a session needs to know of a study: its units, which work by themselves, and what is said of them.
import type {
  CompareOptions,
  EngineEvent,
  Problem,
  SessionFacts,
  StepValues,
  UnitFacts,
  UnitState,
} from '../model/index.ts'
import type { Place } from '../formats/index.ts'
import type { Job } from '../work/index.ts'
import type { UnitSource } from './sources.ts'

/** What a unit tells whoever drives it. */
export interface UnitEvents {
  /** Its state, facts, versions or results are others than before. */
  changed(): void
  problem(found: Problem): void
  /** Somebody looks at it, so that what comes in is worth showing before the end. */
  onScreen(): boolean
}

/** One (step, rank) of a study: does one step after the other while it is asked to. */
export interface StudyUnit {
  readonly step: number | null
  readonly rank: number | null
  readonly name: string
  readonly aside: boolean
  readonly state: UnitState
  readonly facts: UnitFacts
  /** It came to its facts under some options, though maybe not under those in force. */
  readonly known: boolean
  /** What stops its work; null once something that it depends on has changed. */
  readonly problem: Problem | null
  /** Key of what each step would make now, or has made so far. */
  keys(): StepValues<string>
  /**
   * Whether there is something to do. `held`: results must be in memory; otherwise it is enough that facts and
   * findings are known.
   */
  behind(held: boolean): boolean
  /** Does the next step. */
  work(held: boolean, job: Job): Promise<void>
  /** Looks whether its files are still those that were read; asked every few seconds of the unit on screen. */
  checkFiles(): void
  /** What runs outside of this thread may stop; it begins again later. */
  interrupt(): void
  /** Memory that can be given back. */
  readonly bytes: number
  release(): void
  setOptions(options: CompareOptions): void
  close(): void
}

export interface Study {
  readonly units: readonly StudyUnit[]
  /** Steps and ranks that were not there before; they come last. Absent where nothing can come. */
  take?(sources: readonly UnitSource[]): readonly StudyUnit[]
  readonly problems: readonly Problem[]
  /** Tables of verdicts that were given with its dumps. */
  readonly beside: readonly Place[]
  /** As they were chosen; what the dumps ask for besides stands in the facts. */
  readonly options: CompareOptions
  facts(onScreen: number): SessionFacts
  setOptions(options: CompareOptions): void
  close(): void
}

export type Emit = (event: EngineEvent) => void
