// What a command asks for and what it answers.
import type { AdviceDumps, AdviceOrder } from '../advice.ts'
import type { Files } from '../io/files.ts'
import type { Job } from '../job.ts'
import type { Measure } from '../metrics/remembered.ts'
import type { Mode, Rules } from '../model.ts'
import type { Problem } from '../problem.ts'
import type { TableFormat } from '../report/index.ts'
import type { Advice, Finding } from '../../../preload/contract/engine.ts'
import type { Counts } from '../report/counts.ts'

/** Mapping files by kind; '' is the built-in mapping alone. */
export interface MappingFiles {
  readonly api?: string
  readonly cell?: string
  readonly data?: string
  readonly layer?: string
}

export interface CompareRequest {
  /** A compare.json, or the paths of both sides. */
  readonly input: string | readonly [string, string]
  /** `-f` before the command; otherwise the dump says. */
  readonly framework: 'mindspore' | 'pytorch' | null
  /** Folder for the results; null writes none. */
  readonly output: string | null
  /** The user named the folder. */
  readonly outputChosen: boolean
  readonly stack: boolean
  readonly fuzzy: boolean
  readonly mapping: MappingFiles
  readonly rules: Rules
  readonly formats: readonly TableFormat[]
  /** Texts in csv that look like formulas stay as they are. */
  readonly rawCsv: boolean
  /** Look for causes, and write them down. */
  readonly advise: boolean
  readonly facts: Readonly<Record<string, string>>
}

/** Sentences of findings come from outside: the engine has no words. */
export interface Words {
  advice(key: string): string
  findings(advice: Advice, counts: Counts): string
}

export interface Adviser {
  /** Has the dumps looked at while they are compared; answers with what an order says of them. */
  prepare(dumps: AdviceDumps): Promise<AdviceOrder['dumps']>
  advise(order: AdviceOrder, job: Job): Promise<Advice>
}

export interface BatchParts {
  readonly files: Files
  readonly measure: Measure
  /** Told that tensors are going to be measured, or that so many threads are going to be needed. */
  warm(threads?: number): void
  /** Findings, by a thread beside this one; null where there is but one. */
  readonly adviser: Adviser | null
  readonly words: Words
  /** Something that the user should know at once. */
  tell(problem: Problem): void
}

/** One compared pair. */
export interface UnitResult {
  readonly step: number | null
  readonly rank: number | null
  readonly debug: string
  readonly bench: string
  readonly mode: Mode
  readonly counts: Counts
  readonly first: { readonly row: number; readonly node: string } | null
  readonly advice: Advice | null
  readonly files: readonly string[]
}

export interface CompareResult {
  readonly rules: Rules
  readonly units: readonly UnitResult[]
  readonly counts: Counts
  readonly files: readonly string[]
  /** Findings of all steps and ranks as one list, the headline first. */
  readonly findings: readonly Finding[]
  /** Units that could not be compared. */
  readonly failed: readonly Problem[]
}
