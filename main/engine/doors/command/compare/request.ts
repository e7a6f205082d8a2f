// What compare and advise ask for, and what they answer.
import type {
  Advice,
  Counts,
  Finding,
  FindingRecomputed,
  MappingTexts,
  Mode,
  NodeMade,
  Rules,
  TableFormat,
  Together,
} from '../../../model/index.ts'
import type { Ranges, Shard } from '../../../layout/index.ts'
import type { RankNodes } from '../../../judge/index.ts'
import { defaultOutput, mappingKinds } from '../flags.ts'
import { togetherOf } from '../together.ts'
import type { Tools } from '../tools.ts'
import type { DatasetRun } from './dataset.ts'
import type { Asked, Outcome } from '../verb.ts'
import type { AdviseFlags } from '../advise/index.ts'

export interface CompareRequest {
  readonly verb: 'compare' | 'advise'
  /** A compare.json, or the paths of both sides, or one that holds both. */
  readonly input: string | readonly string[]
  /** `-f` before the verb; otherwise the dump says. */
  readonly framework: Asked['framework']
  /** Where results go; null writes none. */
  readonly output: { readonly folder: string; readonly chosen: boolean } | null
  readonly stack: boolean
  readonly fuzzy: boolean
  /** Which steps and ranks; those that are not named are all. */
  readonly steps?: Ranges | undefined
  readonly ranks?: Ranges | undefined
  /** Results are parts of one dataset instead of files of their own. */
  readonly dataset: boolean
  /** Ranks that hold one model together are compared as one. */
  readonly together: Together | undefined
  /** Null: all that was asked for. */
  readonly shard: Shard | null
  /** Mapping files by kind; '' is the built-in mapping alone. */
  readonly mapping: MappingTexts
  readonly rules: Rules
  /** Two healthy runs, or a saved profile, that tell the noise. */
  readonly noise: readonly string[]
  readonly formats: readonly TableFormat[]
  /** The user named them. */
  readonly chosen: boolean
  /** Texts in csv that look like formulas stay as they are. */
  readonly rawCsv: boolean
  /** Look for causes, and write them down. */
  readonly advise: boolean
  /** Say where the first difference of all ranks is, as msprobe 26 does. */
  readonly across: boolean
  readonly facts: Readonly<Record<string, string>>
}

/** One compared pair. */
export interface UnitResult {
  readonly step: number | null
  readonly rank: number | null
  /** What tells units of one step and rank apart, like the run or its graph; '' where nothing has to. */
  readonly name: string
  readonly debug: string
  readonly bench: string
  readonly mode: Mode
  readonly counts: Counts
  /** Some tensors could not be read, so what they hold is not known to agree. */
  readonly unread: boolean
  readonly first: { readonly row: number; readonly node: string } | null
  readonly advice: Advice | null
  /** What arrived at each node whose result differs and what it made, where all is asked for. */
  readonly made: readonly NodeMade[]
  /** What recomputing the call says where the error enters; null where it was not asked for, or nothing can be. */
  readonly recomputed: FindingRecomputed | null
  readonly files: readonly string[]
  /** What decides where the first difference of all ranks is, where that was asked for. */
  readonly nodes: RankNodes | null
}

export interface FirstDifference {
  readonly step: number | null
  readonly rank: number
  readonly op: string
}

export interface CompareResult {
  readonly rules: Rules
  readonly units: readonly UnitResult[]
  readonly counts: Counts
  readonly files: readonly string[]
  /** Findings of all steps and ranks as one list, the headline first. */
  readonly findings: readonly Finding[]
  /** The first differences over all ranks of each step; null where they were not asked for. */
  readonly across: readonly FirstDifference[] | null
  /** Units that could not be compared. */
  readonly failed: number
  readonly outcome: Outcome
  /** Where results are parts of a dataset. */
  readonly dataset: DatasetRun | null
}

/** '' where no folder was typed, or none behind the flag. */
export const outputOf = (folder: string): NonNullable<CompareRequest['output']> => ({
  folder: folder || defaultOutput,
  chosen: folder !== '',
})

/** What `advise` asks for; `compare` adds to it. */
export function adviseRequest(
  { flags, paths, framework, facts }: Asked<AdviseFlags>,
  tools: Pick<Tools, 'files'>,
): CompareRequest {
  return {
    verb: 'advise',
    input: flags.input ?? paths,
    framework,
    output: flags.output === undefined ? null : outputOf(flags.output),
    stack: false,
    fuzzy: flags.fuzzy ?? false,
    steps: flags.steps,
    ranks: flags.ranks,
    shard: flags.shard ?? null,
    dataset: flags.output !== undefined,
    together: togetherOf(flags, tools),
    mapping: Object.fromEntries(
      mappingKinds.flatMap(kind => {
        const file = flags[kind]
        return file === undefined ? [] : [[kind, file]]
      }),
    ),
    rules: flags.rules ?? 'plumbline',
    noise: flags.noise ?? [],
    formats: [],
    chosen: false,
    rawCsv: false,
    advise: true,
    across: false,
    facts,
  }
}

/** Units that failed count as unreadable input; otherwise `--fail-on` decides. */
export function compareOutcome(
  { counts, units, outcome }: CompareResult,
  failOn: 'warning' | 'error' | undefined,
): Outcome {
  if (outcome !== 'ran') return outcome
  const isError = counts.differs > 0 || units.some(unit => unit.unread)
  const isWarning =
    counts.failing + counts.red + counts.yellow + counts.unmatchedDebug + counts.unmatchedBench > 0
  return (failOn && isError) || (failOn === 'warning' && isWarning) ? 'found' : 'ran'
}
