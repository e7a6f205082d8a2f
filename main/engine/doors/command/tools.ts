// What a verb works with: files, threads, and somebody to tell.
import type { FactsOf, WordKey } from '../../../../preload/contract/words/index.ts'
import { diskFiles, type Files } from '../../io/index.ts'
import { compileLess, job, type Job, openPools, type Pool, type Progress } from '../../work/index.ts'
import { type Measure, measurePairs } from '../../measure/index.ts'
import type {
  Advice,
  ConfigFinding,
  DifferenceKind,
  FindingRecomputed,
  LiveRank,
  LiveRun,
  MappingFinding,
  Problem,
  RecomputedCall,
  ReplicasAnswer,
  SetupFinding,
  Taken,
  Unequal,
} from '../../model/index.ts'
import type { Adviser } from '../../study/index.ts'
import type { Kept } from './kept.ts'
import type { RunProgram } from './programs.ts'
import { AdviserBeside } from './adviser-beside.ts'
import type { Open } from '../../../../preload/contract/words/advice.ts'

/** Sentences come from outside: the engine has no words. */
export interface Words {
  /** What msprobe's own advisor says. */
  advice(key: string): string
  /** Lines about findings; `across` names their steps and ranks. */
  findings(advice: Advice, open: Open, across?: boolean): readonly string[]
}

/** What a verb's answer is printed on. */
export interface Page extends Words {
  say<Key extends WordKey>(key: Key, ...facts: FactsOf<Key>): string
  /** What kind of difference two tensors have. */
  difference(told: DifferenceKind): readonly string[]
  /** What recomputing says of a call, and of where the error enters. */
  recomputed(call: RecomputedCall): readonly string[]
  headline(recomputed: FindingRecomputed): readonly string[]
  /** What is wrong with a mapping text. */
  diagnostic(found: MappingFinding): string
  /** Whether both dumps were taken alike, and what each difference does. */
  taken(taken: Taken): readonly string[]
  /** What the tool would make of a config.json. */
  config(found: ConfigFinding): string
  /** How far a step and rank of a run has been dumped. */
  live(rank: LiveRank): string
  /** What a run lacks as a whole. */
  liveRun(run: LiveRun): readonly string[]
  /** What should be the same on several ranks and is not; what is known beside. */
  unequal(found: Unequal): { readonly text: string; readonly more: readonly string[] }
  /** How much of several ranks was held against each other. */
  heldTogether(answer: ReplicasAnswer): readonly string[]
  /** What surrounds two runs and differs. */
  setup(found: SetupFinding): string
  /** What was asked for: to stdout. */
  line(text: string): void
  /** What is said about it: to stderr. */
  note(text: string): void
}

export interface Tools {
  readonly files: Files
  readonly job: Job
  readonly measure: Measure
  /** Tasks of `threads/index.ts`, by name. */
  readonly pool: Pick<Pool, 'run' | 'size'>
  readonly words: Words
  /** Findings, by a thread beside this one; null where there is but one. */
  readonly adviser: Adviser | null
  /** Starts so many threads, or as many as measuring tensors takes; `task`: for this one alone. */
  warm(threads?: number, task?: string): void
  /** Runs a program of the user's: something that the command line can do, and the window cannot. */
  readonly program: RunProgram
  /** Variables of the environment, for what asks for them. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** What commands of one prompt keep for each other. */
  readonly kept: Kept
  /** The answer is printed as JSON, with all that is known. */
  readonly json: boolean
  /** Something that the user should know at once. */
  tell(problem: Problem): void
  /** Something to say before the answer, for people only. */
  meanwhile(print: (page: Page) => void): void
  /** Files that are there now, whatever becomes of the rest. */
  written(paths: readonly string[]): void
}

export interface ToolSettings extends Pick<
  Tools,
  'words' | 'tell' | 'meanwhile' | 'written' | 'program' | 'kept' | 'environment' | 'json'
> {
  readonly signal: AbortSignal
  progress(progress: Progress): void
}

export function openTools({ signal, progress, ...told }: ToolSettings): Tools & { close(): Promise<void> } {
  const files = diskFiles()
  const { all, beside } = openPools(async () => (await import('../../threads/index.ts')).tasks)
  const warm = (threads?: number, task?: string): void => {
    if (threads === undefined) compileLess()
    all.warm(threads, task)
  }
  return {
    ...told,
    files,
    job: job(signal, progress),
    warm,
    pool: all,
    adviser: beside && new AdviserBeside(beside, files, signal),
    measure(pairs, work, grown) {
      warm()
      return measurePairs(all, files, pairs, work, grown)
    },
    async close() {
      await all.close()
      files.close()
    },
  }
}
